"""Addresses of the lobby and the tables."""

from __future__ import annotations

from django.urls import path

from games import converters as converters  # registers the way codes are written in an address
from games import views

urlpatterns = [
    path("", views.lobby, name="lobby"),
    path("tables/new/", views.open_table, name="open_table"),
    path("play-now/", views.play_now, name="play_now"),
    path("t/<code:code>/", views.table, name="table"),
    path("t/<code:code>/board/", views.board, name="board"),
    path("t/<code:code>/contract/", views.contract, name="contract"),
    path("t/<code:code>/hint/", views.hint, name="hint"),
    *(path(f"t/<code:code>/{verb}/", views.act, {"verb": verb}, name=verb) for verb in views.VERBS),
]
