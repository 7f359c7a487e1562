"""What the desk's pages have in common: facts that are kept as they are, and pages that ask before they act."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import forms
from django.contrib.admin import ModelAdmin
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.admin.widgets import AdminTextInputWidget
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import Http404, HttpRequest
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User

REASON_LENGTH = 200
"""Characters of a reason: as many as a transfer's note holds."""


class Kept:
    """Facts that nobody adds, changes or deletes at the desk."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False


class ReasonForm(forms.Form):
    """Why the desk does what it is about to do; it stands in the history."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=REASON_LENGTH,
        widget=AdminTextInputWidget(attrs={"autocomplete": "off"}),
        help_text=gettext_lazy("Kept in the history, for whoever asks later."),
    )


@dataclass(frozen=True, slots=True)
class Question:
    """What a page asks before the desk acts: ``says`` is what will happen, ``moves`` who gets or gives how many."""

    title: str
    says: Sequence[str]
    button: str
    moves: Sequence[tuple[str, int]] = ()
    grave: bool = False  # not to be taken back


def ask(
    request: HttpRequest, model: ModelAdmin, obj: Model, question: Question, form: forms.Form
) -> TemplateResponse:
    """The page that asks; its form is sent to the same address."""
    context = {
        **model.admin_site.each_context(request),
        "opts": model.opts,
        "object": obj,
        "title": question.title,
        "question": question,
        "form": form,
        "total": sum(amount for _name, amount in question.moves),
        "back": reverse(f"admin:{model.opts.app_label}_{model.opts.model_name}_change", args=[obj.pk]),
        "media": model.media + form.media,
    }
    return TemplateResponse(request, "admin/desk/question.html", context)


def demand(request: HttpRequest, *permissions: str) -> User:
    """Whoever works at the desk, if he has these permissions.

    Raises:
        PermissionDenied: he lacks one.
    """
    user = request.user
    if not isinstance(user, User) or not user.has_perms(permissions):
        raise PermissionDenied
    return user


def found(model: ModelAdmin, request: HttpRequest, object_id: str) -> Any:
    """The object a page is about. Raises Http404."""
    obj = model.get_object(request, object_id)
    if obj is None:
        raise Http404
    return obj


def record(desk: User, obj: Model, what: str, reason: str = "") -> None:
    """Write into the desk's history what was done to an object, and why."""
    message = _("%(what)s Reason: %(reason)s") % {"what": what, "reason": reason} if reason else what
    LogEntry.objects.log_actions(desk.pk, [obj], CHANGE, message, single_object=True)


def short_date(at: datetime | None) -> str:
    """A moment as the lists show it, in the house's time zone: "30 Nov, 23:46", with the year where it is another."""
    if at is None:
        return ""
    local = timezone.localtime(at)
    same_year = local.year == timezone.localtime().year
    return date_format(local, "j M, H:i" if same_year else "j M Y, H:i")
