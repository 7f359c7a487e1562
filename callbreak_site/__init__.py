"""The site: settings, addresses, and the entry points of the web server and the workers."""

from callbreak_site.celery import app as celery_app

__all__ = ["celery_app"]
