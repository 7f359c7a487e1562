"""Addresses of the whole site."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("", include("games.urls")),
    path("people/", include("accounts.urls")),
    path("desk/", admin.site.urls),
]
