"""The forms people fill in about themselves: allauth's, in the words of the house, and two of our own."""

from __future__ import annotations

from typing import Any

from allauth.account import forms as allauth_forms
from allauth.account.adapter import get_adapter
from django import forms
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts import names
from accounts.models import User

NAME_HELP = _(
    "Up to 24 letters and digits, in Latin, Devanagari or Bengali script. Everybody at a table sees it."
)
PASSWORD_HELP = _("At least 8 characters, not only digits, not a common one, not like your name.")
EMAIL_HELP = _(
    "Only for a lost password. Without one, only the host of the house can give you a new password."
)


class NameTaken(Exception):
    """Somebody else signed up under such a name between this form's check and its saving."""


def _dress(form: forms.Form, **texts: tuple[Any, Any]) -> None:
    """Give fields their label and help, and drop the placeholders that only repeat the label."""
    for name, (label, help_text) in texts.items():
        form.fields[name].label = label
        form.fields[name].help_text = help_text
    for field in form.fields.values():
        field.widget.attrs.pop("placeholder", None)


class SignIn(allauth_forms.LoginForm):
    """Name and password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _dress(self, login=(_("Name"), ""), password=(_("Password"), ""))
        # Longer than any name: what is no name is answered like a name nobody has.
        self.fields["login"] = forms.CharField(
            label=_("Name"), max_length=254, widget=forms.TextInput(attrs={"autocomplete": "username"})
        )
        self.order_fields(["login", "password"])


class Join(allauth_forms.SignupForm):
    """A name, a password, and an address if one likes."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _dress(
            self,
            username=(_("Name"), NAME_HELP),
            password1=(_("Password"), PASSWORD_HELP),
            password2=(_("Password again"), ""),
            email=(_("E-mail (optional)"), EMAIL_HELP),
        )
        # The name is measured when it is in normal form, by names.validate_name.
        self.fields["username"] = forms.CharField(
            label=_("Name"),
            help_text=NAME_HELP,
            max_length=4 * names.MAX_LENGTH,
            widget=forms.TextInput(
                attrs={"autocomplete": "username", "autocapitalize": "words", "spellcheck": "false"}
            ),
        )
        self.order_fields(["username", "password1", "password2", "email"])

    def save(self, request: HttpRequest) -> User:
        """Store the new person.

        Raises:
            NameTaken: the database refused the name.
        """
        adapter = get_adapter()
        try:
            with transaction.atomic():
                return adapter.save_user(request, adapter.new_user(request), self)
        except IntegrityError as error:
            raise NameTaken from error


class ChangePassword(allauth_forms.ChangePasswordForm):
    """The present password and a new one."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _dress(
            self,
            oldpassword=(_("Present password"), ""),
            password1=(_("New password"), PASSWORD_HELP),
            password2=(_("New password again"), ""),
        )


class AskReset(allauth_forms.ResetPasswordForm):
    """The address to send the link to."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _dress(self, email=(_("E-mail"), _("The address you gave in your profile.")))


class NewPassword(allauth_forms.ResetPasswordKeyForm):
    """A new password, by the link from the mail."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _dress(self, password1=(_("New password"), PASSWORD_HELP), password2=(_("New password again"), ""))


class Looks(forms.ModelForm):
    """How the table looks to oneself."""

    class Meta:
        model = User
        fields = ["theme", "deck", "card_back"]
        widgets = dict.fromkeys(fields, forms.RadioSelect)


class Address(forms.Form):
    """Sets or, left empty, removes the address; asks for the password, as the address can replace it."""

    email = forms.EmailField(
        label=_("E-mail"),
        help_text=_("Leave it empty to remove it."),
        required=False,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    password = forms.CharField(
        label=_("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_email(self) -> str:
        """The address in lower case, as it will be looked up."""
        return str(self.cleaned_data["email"]).lower()

    def clean_password(self) -> str:
        """Refuse all but the person's password."""
        password = str(self.cleaned_data["password"])
        if not self.user.check_password(password):
            raise get_adapter().validation_error("enter_current_password")
        return password

    def save(self) -> None:
        """Store the address."""
        self.user.email = self.cleaned_data["email"]
        self.user.save(update_fields=["email"])
