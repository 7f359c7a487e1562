"""The app's start: receivers are connected; presets, first stakes and groups are there after each migration."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class GamesConfig(AppConfig):
    """Tables, deals and everything played at them."""

    name = "games"
    verbose_name = "Games"

    def ready(self) -> None:
        """Connect what listens to signals."""
        from games import books, sockets  # noqa: F401
        from games.models import load_presets, load_stakes
        from games.permissions import make_groups

        books.register()

        def presets_there(using: str, **_kwargs: Any) -> None:
            load_presets()
            load_stakes()

        def groups_there(using: str, **_kwargs: Any) -> None:
            make_groups(using)

        post_migrate.connect(presets_there, sender=self, weak=False, dispatch_uid="presets")
        post_migrate.connect(groups_there, sender=self, weak=False, dispatch_uid="groups")
