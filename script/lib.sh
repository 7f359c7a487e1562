# shellcheck shell=bash
# What the scripts share: finding a Python and keeping the virtual environment up to date. Sourced, not run.
#
# Works with bash 3.2 and up. Sets CALLER, where the caller stands, and PROJECT, the root of the checkout, where the
# scripts run from then on.

PROJECT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
VENV="$PROJECT/.venv"
VENV_PYTHON="$VENV/bin/python"
PRINT_VERSION='import sys; print("%d.%d" % sys.version_info[:2])'

# The data folder is the caller's: a relative one counts from where he stands, not from the project.
export DATA_DIR="${DATA_DIR:-$PROJECT/var}"
CALLER="$PWD"
[[ "$DATA_DIR" == /* ]] || DATA_DIR="$CALLER/$DATA_DIR"
cd "$PROJECT" || exit 1

say() { printf '%s\n' "$*" >&2; }

die() {
    say "$*"
    exit 1
}

# version_of PYTHON: prints "3.11"; fails when it is no Python at all.
version_of() { "$1" -c "$PRINT_VERSION" 2>/dev/null; }

# new_enough VERSION: 3.11 or above.
new_enough() {
    local major="${1%%.*}" minor="${1#*.}"
    ((major > 3 || (major == 3 && minor >= 11)))
}

# find_python: prints the path of a Python to make the environment with; PYTHON names the only one to look at.
find_python() {
    local name version oldest=""
    local -a names=(python3 python3.14 python3.13 python3.12 python3.11 python)
    [[ -z "${PYTHON:-}" ]] || names=("$PYTHON")
    for name in "${names[@]}"; do
        version="$(version_of "$name")" || continue
        if new_enough "$version"; then
            command -v "$name"
            return
        fi
        oldest="${oldest:-$version}"
    done
    if [[ -n "$oldest" ]]; then
        die "Call Break needs Python 3.11 or newer, and ${PYTHON:-the one here} is Python $oldest; install a newer" \
            "one, or set PYTHON to where it is."
    fi
    die "Call Break needs Python 3.11 or newer, and ${PYTHON:-python3} was not found; install it, or set PYTHON to" \
        "where it is."
}

# check_venv_module PYTHON: Debian ships Python without it.
check_venv_module() {
    "$1" -c 'import ensurepip, venv' 2>/dev/null && return
    die "This Python ($1) has no venv module; on Debian or Ubuntu it is the package python$(version_of "$1")-venv:" \
        "install that and start again."
}

# wanted_by VERSION FILE...: what the environment must have been made from, to compare with the last time's stamp.
wanted_by() {
    printf 'Python %s\n' "$1"
    shift
    cat "$@"
    [[ ! -f requirements-bots.txt ]] || cat requirements-bots.txt
}

# installed NAME FILE...: whether the environment is there and was made from these very requirements.
installed() {
    local name="$1" version
    shift
    [[ -f "$VENV/$name.stamp" ]] || return
    version="$(version_of "$VENV_PYTHON")" || return
    [[ -z "${PYTHON:-}" || "$(version_of "$PYTHON")" == "$version" ]] || return
    [[ "$(wanted_by "$version" "$@")" == "$(<"$VENV/$name.stamp")" ]]
}

# install NAME FILE...: bring the environment up to these requirements files, the last of which reads the others.
# PYTHON_FOUND is the Python to make it with. Two scripts at the same time take turns, where flock exists.
install() {
    local name="$1" version
    shift
    if command -v flock >/dev/null; then
        exec 9<"$PROJECT/script/lib.sh"
        flock 9
        installed "$name" "$@" && { exec 9<&-; return; }
    fi
    version="$(version_of "$PYTHON_FOUND")"
    say "Setting up .venv with Python $version (this needs the network, and a minute or two) ..."
    if [[ "$(version_of "$VENV_PYTHON")" != "$version" ]] || ! "$VENV_PYTHON" -m pip --version >/dev/null 2>&1; then
        "$PYTHON_FOUND" -m venv --clear "$VENV" || die "The virtual environment $VENV could not be made."
    fi
    rm -f "$VENV"/*.stamp
    local -a pip=("$VENV_PYTHON" -m pip --disable-pip-version-check --no-input --quiet)
    "${pip[@]}" install -r "${*: -1}" || die "The requirements could not be installed; is the network there?"
    if [[ -f requirements-bots.txt ]] && ! "${pip[@]}" install --only-binary :all: -r requirements-bots.txt 2>/dev/null; then
        say "There is no ready-made numba for this Python: the bots think in plain Python, and slower."
    fi
    wanted_by "$version" "$@" >"$VENV/$name.stamp"
    if [[ "$name" != server ]]; then # whatever tests need includes what the server needs
        wanted_by "$version" requirements.txt >"$VENV/server.stamp"
    fi
    exec 9<&-
}

# set_up NAME FILE...: an environment with these requirements, made or mended where it is not there already.
set_up() {
    installed "$@" && return
    PYTHON_FOUND="$(find_python)" || exit 1
    check_venv_module "$PYTHON_FOUND"
    install "$@"
}
