"""People, and the coins they play with."""

from accounts.models.ledger import Account, Transfer
from accounts.models.people import NAME_TAKEN, User, UserManager

__all__ = ["NAME_TAKEN", "Account", "Transfer", "User", "UserManager"]
