from django.conf import settings
from django.db import migrations

from accounts import guards

BATCH = 500


def install(apps, schema_editor):
    guards.install(schema_editor.connection)


def lift(apps, schema_editor):
    guards.lift(schema_editor.connection)


def grant(apps, schema_editor):
    """Give those who were here before there were coins what everybody gets at registration."""
    Account = apps.get_model("accounts", "Account")
    Transfer = apps.get_model("accounts", "Transfer")
    User = apps.get_model("accounts", "User")
    mint = Account.objects.create(kind="mint")
    people = list(User.objects.order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(people), BATCH):
        wallets = Account.objects.bulk_create(
            [Account(kind="wallet", user_id=person) for person in people[start : start + BATCH]]
        )
        if settings.COIN_GRANT:
            Transfer.objects.bulk_create(
                [
                    Transfer(
                        source=mint,
                        target=wallet,
                        amount=settings.COIN_GRANT,
                        reason="grant",
                        key=f"grant/{wallet.user_id}",
                    )
                    for wallet in wallets
                ]
            )


class Migration(migrations.Migration):
    """The guards of the ledger, then a wallet for everybody."""

    dependencies = [("accounts", "0003_ledger")]
    operations = [
        migrations.RunPython(install, lift),
        migrations.RunPython(grant, migrations.RunPython.noop),
    ]
