"""Addresses of the lobby and the tables."""

from __future__ import annotations

from django.urls import path

from games import views

urlpatterns = [
    path("", views.lobby, name="lobby"),
    path("tables/new/", views.open_table, name="open_table"),
    path("play-now/", views.play_now, name="play_now"),
    path("t/<str:code>/", views.table, name="table"),
    path("t/<str:code>/board/", views.board, name="board"),
    path("t/<str:code>/contract/", views.contract, name="contract"),
    *(path(f"t/<str:code>/{verb}/", views.act, {"verb": verb}, name=verb) for verb in views.VERBS),
]
