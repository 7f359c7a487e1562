"""Addresses of people: of allauth's pages those the house needs, and our own."""

from __future__ import annotations

from allauth.account import views as allauth_views
from django.urls import include, path, re_path

from accounts import coin_views, views

own = [
    path("me/", views.profile, name="profile"),
    path("me/looks/", views.looks, name="looks"),
    path("me/address/", views.address, name="address"),
    path("me/coins/", coin_views.statement, name="coins"),
    path("me/coins/statement.csv", coin_views.statement_csv, name="coins_csv"),
    path("me/coins/refill/", coin_views.refill, name="refill"),
    path("coins/", coin_views.supply, name="supply"),
    path("<int:pk>/", views.person, name="person"),
]

urlpatterns = [
    path("join/", views.join, name="account_signup"),
    path("sign-in/", views.sign_in, name="account_login"),
    path("sign-out/", allauth_views.logout, name="account_logout"),
    path("inactive/", allauth_views.account_inactive, name="account_inactive"),
    path("password/", views.change_password, name="account_change_password"),
    path("password/reset/", views.reset_password, name="account_reset_password"),
    path("password/reset/sent/", allauth_views.password_reset_done, name="account_reset_password_done"),
    path(
        "password/reset/done/",
        allauth_views.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    re_path(
        r"^password/reset/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        views.new_password,
        name="account_reset_password_from_key",
    ),
    path("", include((own, "accounts"))),
]
