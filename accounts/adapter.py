"""How the house signs people up, in and out, where that differs from what allauth does by itself."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context as allauth_context
from django.http import HttpRequest
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _

from accounts import mailing, names
from accounts.models import NAME_TAKEN, User


class Adapter(DefaultAccountAdapter):
    """Names by their looks, mail beside the request, sentences in the words of the house."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_taken": NAME_TAKEN,
        "username_password_mismatch": _("That name and that password do not belong together."),
        "too_many_login_attempts": _("Too many failed tries. Wait five minutes, then try again."),
        "enter_current_password": _("That is not your present password."),
        "invalid_password_reset": _("That link has been used or has run out."),
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """The name in normal form C.

        Raises:
            ValidationError: it is no name, is reserved, or looks like one that is taken.
        """
        username = names.normalise(username)
        names.validate_name(username)
        names.validate_not_reserved(username)
        if not shallow and User.objects.filter(username_key=names.name_key(username)).exists():
            raise self.validation_error("username_taken")
        return username

    def set_password(self, user: User, password: str) -> None:
        """Store the new password alone: the rest of the person at hand may be some seconds old."""
        user.set_password(password)
        user.save(update_fields=["password"])

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail made from templates, without keeping the request waiting."""
        mailing.post(self.render_mail(template_prefix, email, {"email": email, **context}))

    def format_email_subject(self, subject: str) -> str:
        """The subject as it is; the sender's name already says where it comes from."""
        return str(subject)

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """Back to one's own page."""
        return reverse("accounts:profile")

    def is_safe_url(self, url: str | None) -> bool:
        """Whether to go there after signing in: pages of this very site only."""
        request = allauth_context.request
        return url_has_allowed_host_and_scheme(
            url, allowed_hosts={request.get_host()}, require_https=request.is_secure()
        )

    def is_ajax(self, request: HttpRequest) -> bool:
        """Never: pages are answered with pages."""
        return False

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        # Every way of writing a name is one name, under whatever host name the site was asked for.
        return "name:" + names.name_key(credentials.get("username", ""))
