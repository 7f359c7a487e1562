"""Which names and addresses this machine answers to, found without sending anything."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import struct
import sys

SIOCGIFADDR = 0x8915  # Linux: the IPv4 address of an interface
SOMEWHERE = ("192.0.2.1", 9)  # an address reserved for documentation


def main_address() -> str | None:
    """The IPv4 address others on the network most likely reach this machine at; None without a network.

    Connecting a datagram socket sends nothing: it only makes the kernel choose the way out.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(SOMEWHERE)
        except OSError:
            return next((one for one in _interface_addresses() if not is_loopback(one)), None)
        return str(probe.getsockname()[0])


def is_loopback(address: str) -> bool:
    """Whether only this machine itself reaches the IPv4 address."""
    return ipaddress.IPv4Address(address).is_loopback


def own_hosts() -> list[str]:
    """Every name and IPv4 address a browser may call this machine by, its own loopback names included."""
    names = ["localhost", ".localhost", "127.0.0.1", "[::1]"]
    hostname = socket.gethostname().lower()
    if hostname:
        names.append(hostname)
        if "." not in hostname:
            names.append(f"{hostname}.local")  # as announced on a home network
    addresses = _interface_addresses()
    if (main := main_address()) is not None:
        addresses.append(main)
    return list(dict.fromkeys(names + addresses))


def _interface_addresses() -> list[str]:
    """The first IPv4 address of each interface; nothing where the system is not Linux."""
    if sys.platform != "linux":
        return []
    import fcntl

    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _index, name in socket.if_nameindex():
            with contextlib.suppress(OSError):  # an interface without an IPv4 address
                answer = fcntl.ioctl(probe.fileno(), SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
                found.append(socket.inet_ntoa(answer[20:24]))
    return found
