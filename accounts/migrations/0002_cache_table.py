from django.core.management import call_command
from django.db import migrations


def create(apps, schema_editor):
    # Named outright, so that it is made whatever cache the settings of the moment choose.
    call_command("createcachetable", "cache", database=schema_editor.connection.alias, verbosity=0)


def drop(apps, schema_editor):
    schema_editor.execute(f"DROP TABLE {schema_editor.quote_name('cache')}")


class Migration(migrations.Migration):
    """The table of the database cache, in which rate limits are kept."""

    dependencies = [("accounts", "0001_initial")]
    operations = [migrations.RunPython(create, drop)]
