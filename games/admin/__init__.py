"""The desk's pages about rulesets, stakes, tables and the house itself.

Tables are shown as they stand, through the eyes of a watcher: never a hand, nor a card of a running deal that is
not played.
"""

from games.admin import books, history, people, rulesets, stakes, tables

__all__ = ["books", "history", "people", "rulesets", "stakes", "tables"]
