"""Pages about people: allauth's, with the few turns of the house, and our own."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account import views as allauth_views
from allauth.account.adapter import get_adapter
from allauth.decorators import rate_limit
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import NON_FIELD_ERRORS
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from accounts import forms
from accounts.models import User

FAILED_WAIT = 300
"""Seconds after which a name that failed too often may be tried again; see ACCOUNT_RATE_LIMITS."""

View = Callable[..., HttpResponseBase]


def limited(wait: int) -> Callable[[View], View]:
    """Let the answer to too many requests say that after ``wait`` seconds one may try again."""

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            request.retry_after = wait  # type: ignore[attr-defined]  # read by 429.html
            response = view(request, *args, **kwargs)
            if response.status_code == 429:
                response.setdefault("Retry-After", str(wait))
            return response

        return wrapped

    return decorate


class SignInView(allauth_views.LoginView):
    """Signing in; a name that failed too often is answered as such."""

    def form_invalid(self, form: forms.SignIn) -> HttpResponse:
        """The form again, with status 429 where there is nothing to do but wait."""
        if form.has_error(NON_FIELD_ERRORS, "too_many_login_attempts"):
            response = self.render_to_response(self.get_context_data(form=form), status=429)
            response["Retry-After"] = str(FAILED_WAIT)
            return response
        return super().form_invalid(form)


class JoinView(allauth_views.SignupView):
    """Signing up; who loses the race for a name is told that it is taken."""

    def form_valid(self, form: forms.Join) -> HttpResponse:
        """Store the person and sign him in."""
        try:
            return super().form_valid(form)
        except forms.NameTaken:
            form.add_error("username", get_adapter().validation_error("username_taken"))
            return self.form_invalid(form)


sign_in = limited(60)(SignInView.as_view())
join = limited(60)(JoinView.as_view())
change_password = limited(60)(never_cache(allauth_views.password_change))
reset_password = limited(300)(allauth_views.password_reset)
new_password = limited(60)(never_cache(allauth_views.password_reset_from_key))


def _myself(request: HttpRequest) -> User:
    """The person asking, read anew: what is stored must not come from the process's memory."""
    return get_object_or_404(User, pk=request.user.pk, is_active=True)


def _own_page(request: HttpRequest, status: int = 200, **bound: Any) -> HttpResponse:
    user = _myself(request)
    context = {
        "looks": forms.Looks(instance=user),
        "address": forms.Address(user, initial={"email": user.email}),
        **bound,
    }
    return render(request, "accounts/profile.html", context, status=status)


@never_cache
@login_required
def profile(request: HttpRequest) -> HttpResponse:
    """One's own page: who one is, how the table looks, and where to change the rest."""
    return _own_page(request)


@require_POST
@login_required
def looks(request: HttpRequest) -> HttpResponse:
    """Store how the table looks."""
    form = forms.Looks(request.POST, instance=_myself(request))
    if not form.is_valid():
        return _own_page(request, 422, looks=form)
    form.save()
    messages.success(request, _("Your table now looks the way you like it."))
    return redirect("accounts:profile")


@sensitive_post_parameters("password")
@require_POST
@limited(60)
@login_required
@rate_limit(action="manage_email")
def address(request: HttpRequest) -> HttpResponse:
    """Set or remove the e-mail address."""
    form = forms.Address(_myself(request), request.POST)
    if not form.is_valid():
        return _own_page(request, 422, address=form)
    form.save()
    if form.cleaned_data["email"]:
        messages.success(request, _("Your e-mail address is stored."))
    else:
        messages.success(request, _("Your e-mail address is removed."))
    return redirect("accounts:profile")


def person(request: HttpRequest, pk: int) -> HttpResponse:
    """What everybody may know of somebody."""
    return render(request, "accounts/person.html", {"person": get_object_or_404(User, pk=pk, is_active=True)})
