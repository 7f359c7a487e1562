import django.utils.timezone
from django.db import migrations, models

import accounts.models
import accounts.names


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="User",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                (
                    "is_staff",
                    models.BooleanField(
                        default=False,
                        help_text="Designates whether the user can log into this admin site.",
                        verbose_name="staff status",
                    ),
                ),
                (
                    "is_active",
                    models.BooleanField(
                        default=True,
                        help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                        verbose_name="active",
                    ),
                ),
                (
                    "date_joined",
                    models.DateTimeField(default=django.utils.timezone.now, verbose_name="date joined"),
                ),
                (
                    "username",
                    models.CharField(
                        error_messages={"unique": "That name is taken, or too like one that is."},
                        max_length=24,
                        unique=True,
                        validators=[accounts.names.validate_name],
                        verbose_name="name",
                    ),
                ),
                ("username_key", models.CharField(editable=False, max_length=64, unique=True)),
                ("email", models.EmailField(blank=True, max_length=254, verbose_name="e-mail address")),
                (
                    "theme",
                    models.CharField(
                        choices=[
                            ("auto", "As the device is set"),
                            ("dark", "Evening (dark)"),
                            ("light", "Afternoon (light)"),
                        ],
                        default="auto",
                        max_length=8,
                        verbose_name="light",
                    ),
                ),
                (
                    "deck",
                    models.CharField(
                        choices=[("two", "Two colours"), ("four", "Four colours")],
                        default="two",
                        max_length=8,
                        verbose_name="suits",
                    ),
                ),
                (
                    "card_back",
                    models.CharField(
                        choices=[("vermilion", "Vermilion"), ("peacock", "Peacock"), ("night", "Night")],
                        default="vermilion",
                        max_length=12,
                        verbose_name="card backs",
                    ),
                ),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "verbose_name": "person",
                "verbose_name_plural": "people",
            },
            managers=[
                ("objects", accounts.models.UserManager()),
            ],
        ),
    ]
