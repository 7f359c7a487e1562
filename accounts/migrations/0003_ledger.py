import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_cache_table"),
    ]

    operations = [
        migrations.CreateModel(
            name="Account",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("mint", "mint"), ("wallet", "wallet"), ("escrow", "escrow")],
                        max_length=8,
                        verbose_name="kind",
                    ),
                ),
                (
                    "code",
                    models.CharField(
                        blank=True,
                        help_text="Whose escrow.",
                        max_length=16,
                        null=True,
                        unique=True,
                        verbose_name="table",
                    ),
                ),
                ("balance", models.BigIntegerField(default=0, editable=False, verbose_name="balance")),
                (
                    "user",
                    models.OneToOneField(
                        blank=True,
                        help_text="Whose wallet; nobody's once that person is deleted.",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="wallet",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="person",
                    ),
                ),
            ],
            options={
                "verbose_name": "account",
                "verbose_name_plural": "accounts",
            },
        ),
        migrations.CreateModel(
            name="Transfer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("amount", models.PositiveBigIntegerField(verbose_name="amount")),
                (
                    "reason",
                    models.CharField(
                        choices=[
                            ("grant", "Your first coins"),
                            ("refill", "The day's refill"),
                            ("stake", "Stake for a match"),
                            ("win", "Won the pot"),
                            ("share", "Your share of the pot, as the win was shared"),
                            ("refund", "Stake given back"),
                            ("desk_grant", "Given by the desk"),
                            ("desk_take", "Taken by the desk"),
                            ("closed", "Back to the house: the person was deleted"),
                        ],
                        max_length=12,
                        verbose_name="reason",
                    ),
                ),
                ("table", models.CharField(blank=True, max_length=16, verbose_name="table")),
                ("note", models.CharField(blank=True, max_length=200, verbose_name="note")),
                (
                    "key",
                    models.CharField(
                        help_text="Makes it safe to repeat.", max_length=80, unique=True, verbose_name="key"
                    ),
                ),
                ("at", models.DateTimeField(default=django.utils.timezone.now, verbose_name="at")),
                (
                    "actor",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        help_text="Who had it done; nobody: the house itself.",
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="by",
                    ),
                ),
                (
                    "source",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="outgoing",
                        to="accounts.account",
                        verbose_name="from",
                    ),
                ),
                (
                    "target",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="incoming",
                        to="accounts.account",
                        verbose_name="to",
                    ),
                ),
            ],
            options={
                "verbose_name": "transfer",
                "verbose_name_plural": "transfers",
            },
        ),
        migrations.AddConstraint(
            model_name="account",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind", "mint"), ("balance__gte", 0), _connector="OR"),
                name="account_not_below_zero",
            ),
        ),
        migrations.AddConstraint(
            model_name="account",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("code__isnull", True), ("kind", "mint"), ("user__isnull", True)),
                    models.Q(("code__isnull", True), ("kind", "wallet")),
                    models.Q(("code__isnull", False), ("kind", "escrow"), ("user__isnull", True)),
                    _connector="OR",
                ),
                name="account_of_its_kind",
            ),
        ),
        migrations.AddConstraint(
            model_name="account",
            constraint=models.UniqueConstraint(
                condition=models.Q(("kind", "mint")), fields=("kind",), name="account_one_mint"
            ),
        ),
        migrations.AddIndex(
            model_name="transfer",
            index=models.Index(
                condition=models.Q(("table", ""), _negated=True), fields=["table"], name="transfer_table"
            ),
        ),
        migrations.AddIndex(
            model_name="transfer",
            index=models.Index(fields=["at"], name="transfer_at"),
        ),
        migrations.AddConstraint(
            model_name="transfer",
            constraint=models.CheckConstraint(condition=models.Q(("amount__gt", 0)), name="transfer_amount"),
        ),
        migrations.AddConstraint(
            model_name="transfer",
            constraint=models.CheckConstraint(
                condition=models.Q(("source", models.F("target")), _negated=True),
                name="transfer_two_accounts",
            ),
        ),
    ]
