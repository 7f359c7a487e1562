"""Which admin this site has."""

from django.contrib.admin.apps import AdminConfig


class DeskConfig(AdminConfig):
    """Django's admin with the desk as its site."""

    default_site = "callbreak_site.desk.Desk"
