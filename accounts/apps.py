from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = "People"

    def ready(self) -> None:
        """Connect what must happen whenever a person is stored."""
        from accounts import receivers

        receivers.connect()
