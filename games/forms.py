"""The form that opens a table: what a host may choose, and the house set he may make of a ruleset on the way.

A control that is missing from the answer keeps what the form showed at first; one that holds anything but
what the form offers is refused with a sentence. The form draws itself from an address as well (``initial``),
with the limits of the rules chosen in it: so it follows the choices, with JavaScript and without.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts import coins
from games import rules, words
from games.bots import LEVELS
from games.fields import TITLE_LENGTH, Choice, Control, Number, Option, Text, Title, first_shown
from games.house_sets import GROUPS, RULE, RuleGroup, rule_fields
from games.house_sets import changes as house_changes
from games.models import Pace, Ruleset, Stake
from games.rules.ruleset import MAX_DEALS, MAX_PLAYERS, MIN_PLAYERS

CLOCKS: Mapping[str, tuple[int | None, int | None]] = {"none": (None, None), "15": (30, 15), "30": (60, 30)}
"""The clocks a host may choose besides the ruleset's own: seconds for a call, seconds for a card."""
FRIENDLY = "0"  # the choice of no stake; stakes are chosen by their keys
LEVEL_LABELS: Mapping[str, Text] = {
    "easy": gettext_lazy("bot, easy"),
    "normal": gettext_lazy("bot, normal"),
    "hard": gettext_lazy("bot, hard"),
    "expert": gettext_lazy("bot, expert"),
}


class Clock(Choice):
    """The ruleset's own clock ("rules") or one of ``CLOCKS``, offered or not: none of them is a forgery."""

    def __init__(self, label: Text, choices: Sequence[tuple[str, Text]]) -> None:
        super().__init__(label, choices, "rules", gettext_lazy("That clock is not on offer."), kind="list")

    def clean(self, value: Any) -> Any:
        """The key of the clock."""
        return value if isinstance(value, str) and value in CLOCKS else super().clean(value)


class OpenTableForm(forms.Form):
    """Everything about a table that its host decides before anybody sits down. See ``table_arguments``.

    ``user`` is the host, ``data`` what he sends, ``initial`` what an address asks for: of that, what makes
    sense is filled in. ``players`` and ``deals`` follow ``rules``, the seats follow ``players`` and ``stake``, and
    the fields of the rules (``rule_<field>``) are there when ``house`` is "yes".
    """

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        user: Any,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        self.offered = _offered()
        source = _rebased(data if data is not None else (initial or {}), self.offered)
        super().__init__(source if data is not None else None)
        self.user = user
        self.source = source
        self.base, self.base_rules = self._base()
        self.changing = self.source.get("house") == "yes"
        self.built: rules.Ruleset | None = None
        self._add_choice_of_rules()
        self.players: int = _valid(self.fields["players"], self.source.get("players"))
        self._add_table()
        self.chosen_stake = self._add_stake()
        self._add_seats()
        if self.changing:
            self._add_house()
        if data is None:
            self.initial = {
                name: _valid(field, self.source[name])
                for name, field in self.fields.items()
                if name in self.source
            }

    def _base(self) -> tuple[Ruleset | None, rules.Ruleset]:
        """The ruleset chosen, or the first on offer where what was sent is none of them."""
        slug = self.source.get("rules")
        for ruleset, fields in self.offered:
            if ruleset.slug == slug:
                return ruleset, fields
        return self.offered[0] if self.offered else (None, rules.PRESETS["classic"])

    @property
    def base_name(self) -> str:
        """What the ruleset chosen is called."""
        return self.base.name if self.base else ""

    @property
    def summary(self) -> list[str]:
        """The ruleset chosen, in plain words."""
        return words.ruleset_summary(self.base_rules, self.players)

    # ------------------------------------------------------------ fields

    def _add_choice_of_rules(self) -> None:
        base, name = self.base_rules, self.base_name
        self.fields["rules"] = Choice(
            gettext_lazy("Rules"),
            [(ruleset.slug, ruleset.name) for ruleset, _fields in self.offered],
            self.base.slug if self.base else "",
            gettext_lazy("Those rules are not on offer."),
            notes={ruleset.slug: words.ruleset_line(fields) for ruleset, fields in self.offered},
        )
        self.fields["house"] = Choice(
            gettext_lazy("Play them"),
            [("no", gettext_lazy("as they are")), ("yes", gettext_lazy("with changes"))],
            "no",
            gettext_lazy("The rules are played as they are or with changes."),
        )
        counts = range(MIN_PLAYERS, MAX_PLAYERS + 1) if self.changing else sorted(base.players)
        only = _("%(rules)s is for %(players)s players.") % {
            "rules": name,
            "players": words.either(sorted(base.players)),
        }
        self.fields["players"] = Choice(
            gettext_lazy("Players"),
            [(count, str(count)) for count in counts],
            usual_players(base),
            _("A table has 3, 4 or 5 players.") if self.changing else only,
            reason=only if len(counts) == 1 else "",
        )

    def _add_table(self) -> None:
        base, name = self.base_rules, self.base_name
        self.fields["name"] = Title(
            gettext_lazy("Name of the table"),
            _("%(name)s's table") % {"name": self.user.get_username()},
        )
        if self.changing:
            self.fields["deals"] = Number(gettext_lazy("Deals in the match"), 1, MAX_DEALS, base.deals[0])
        else:
            only = _("A match of %(rules)s has %(deals)s deals.") % {
                "rules": name,
                "deals": words.either(sorted(base.deals)),
            }
            self.fields["deals"] = Choice(
                gettext_lazy("Deals in the match"),
                [(count, str(count)) for count in sorted(base.deals)],
                base.deals[0],
                only,
                reason=only if len(base.deals) == 1 else "",
            )
        if self.options:
            highest = self.options["max_call"]
            self.fields["highest"] = Choice(
                gettext_lazy("Highest call"),
                [(call, str(call)) for call in highest],
                highest[0],
                _("The highest call is %(calls)s.") % {"calls": words.either(highest)},
            )
        own = gettext_lazy("as the rules say") if self.changing else self._own_clock()
        clocks = [
            (key, words.clock_text(*clock) if clock != (None, None) else gettext_lazy("no clock"))
            for key, clock in CLOCKS.items()
            if self.changing or clock != (base.call_clock, base.card_clock)
        ]
        self.fields["clock"] = Clock(gettext_lazy("Clock"), [("rules", own), *clocks])
        self.fields["pace"] = Choice(
            gettext_lazy("Pace of bots and cards"),
            [(pace.value, pace.label) for pace in Pace],
            Pace.NORMAL.value,
            gettext_lazy("The pace is slow, normal or fast."),
            help_text=gettext_lazy("How fast bots act and cards move. It changes nothing else."),
        )
        self.fields["public"] = Choice(
            gettext_lazy("Who finds it"),
            [("yes", gettext_lazy("Everyone")), ("no", gettext_lazy("Only by its link"))],
            "yes",
            gettext_lazy("Everyone finds a table, or those with its link."),
            help_text=gettext_lazy("Everyone: it stands in the lobby. Its link works in any case."),
        )
        self.fields["watchable"] = Choice(
            gettext_lazy("Watchers"),
            [("yes", gettext_lazy("Allowed")), ("no", gettext_lazy("Not allowed"))],
            "yes",
            gettext_lazy("Watchers are allowed or not."),
            help_text=gettext_lazy("They see the table and nobody's hand."),
        )

    def _own_clock(self) -> str:
        clock = words.clock_text(self.base_rules.call_clock, self.base_rules.card_clock)
        return _("%(clock)s (as the rules say)") % {"clock": clock}

    def _add_stake(self) -> Stake | None:
        """The stakes the host may choose under these rules; the one chosen, None for a friendly table."""
        kept = list(Stake.objects.filter(active=True).prefetch_related("rulesets"))
        offered = {str(stake.pk): stake for stake in kept if stake.amount and self._fits(stake)}
        if not offered:
            return None
        friendly = next((stake.name for stake in kept if not stake.amount), gettext_lazy("Friendly"))
        has = coins.balance(self.user)
        told = _("It asks for %(asks)d coins, and you have %(has)d.")
        self.fields["stake"] = Choice(
            gettext_lazy("Stake"),
            [(FRIENDLY, friendly), *((value, stake.name) for value, stake in offered.items())],
            FRIENDLY,
            gettext_lazy("That stake is not on offer at such a table."),
            notes={value: str(stake.amount) for value, stake in offered.items()},
            reasons={
                value: told % {"asks": stake.asks_for, "has": has}
                for value, stake in offered.items()
                if has < stake.asks_for
            },
        )
        return offered.get(_valid(self.fields["stake"], self.source.get("stake")))

    def _fits(self, stake: Stake) -> bool:
        """Whether it is offered under these rules; changed rules are none of those a stake may be bound to."""
        bound = [ruleset.pk for ruleset in stake.rulesets.all()]
        return not bound or (not self.changing and self.base is not None and self.base.pk in bound)

    def _add_seats(self) -> None:
        people_only = _("Only people sit at a table with a stake.") if self.chosen_stake else ""
        shared = [("open", gettext_lazy("open")), *((level, LEVEL_LABELS[level]) for level in LEVELS)]
        for seat in range(self.players):
            self.fields[f"seat_{seat}"] = Choice(
                _("Seat %(number)s") % {"number": seat + 1},
                shared if seat else [("me", gettext_lazy("you")), *shared],
                "open" if seat else "me",
                _("Seat %(number)s is open or a bot's.") % {"number": seat + 1}
                if seat
                else _("Seat 1 is yours, open or a bot's."),
                reasons=dict.fromkeys(LEVELS, people_only) if people_only else None,
            )

    def _add_house(self) -> None:
        self.fields.update(_house_fields(self.base_name, self.base_rules, self.players))

    @property
    def options(self) -> Mapping[str, tuple[int, ...]]:
        """The choices the preset leaves open by itself, by field; none for other rulesets or a house set."""
        if self.changing or self.base is None or not self.base.preset:
            return {}
        return rules.OPTIONS.get(self.base.slug, {})

    # ------------------------------------------------------------ cleaning

    def clean(self) -> None:
        """Build the rules, and look at what no field can see by itself."""
        if self.base is None:
            raise ValidationError(_("No rules are on offer at the moment."), code="nothing_on_offer")
        highest = self.source.get("highest")
        if (
            not self.options
            and not self.changing
            and highest not in (None, "", str(self.base_rules.max_call))
        ):
            self.add_error(
                None,
                ValidationError(
                    _("%(rules)s leaves no choice of the highest call.") % {"rules": self.base_name},
                    code="no_option",
                ),
            )
        if "stake" not in self.fields and self.source.get("stake") not in (None, "", FRIENDLY):
            self.add_error(
                None, ValidationError(_("No stakes are on offer at such a table."), code="no_stakes")
            )
        for seat in range(self.players, MAX_PLAYERS):
            if self.source.get(f"seat_{seat}") not in (None, "", "open"):
                sentence = ngettext(
                    "There is no seat %(number)s at a table of %(players)s.",
                    "There is no seat %(number)s at a table of %(players)s.",
                    self.players,
                )
                self.add_error(
                    None,
                    ValidationError(sentence % {"number": seat + 1, "players": self.players}, code="no_seat"),
                )
        if self.cleaned_data.get("seat_0") not in (None, "me") and self.cleaned_data.get("watchable") == "no":
            self.add_error(
                "watchable",
                ValidationError(
                    _("You take no seat: allow watchers, or you cannot see your own table."), code="unseen"
                ),
            )
        if not self.errors:
            self._build()

    def _build(self) -> None:
        """Make the rules of this table, or say why they make no sense."""
        values = self.cleaned_data
        if not self.changing:
            changes = {"max_call": values["highest"]} if self.options else {}
            self.built = self.base_rules.changed(**changes)
            return
        changes = house_changes(self.base_rules, values)
        if not changes:
            self.built = self.base_rules
            return
        try:
            self.built = self.base_rules.changed(
                **{**changes, "players": [values["players"]], "deals": [values["deals"]]}
            )
        except rules.RulesetError as error:
            field = RULE + error.field
            self.add_error(
                field if field in self.fields else error.field if error.field in self.fields else None,
                ValidationError(words.ruleset_refusal(error), code=error.code),
            )

    def table_arguments(self) -> dict[str, Any]:
        """What ``actions.open_table`` takes, after a successful ``is_valid``.

        ``ruleset`` is None for a house set: the table then holds the only copy of its rules. ``bots`` are
        levels by seat; ``seat`` is None for a host who only watches. ``stake`` and ``asks_for`` are coins.
        """
        assert self.built is not None
        assert self.base is not None
        values = self.cleaned_data
        own = self.built.call_clock, self.built.card_clock
        call_clock, card_clock = own if values["clock"] == "rules" else CLOCKS[values["clock"]]
        ruleset, rules_name = self._named()
        return {
            "name": values["name"],
            "ruleset": ruleset,
            "rules": self.built,
            "rules_name": rules_name,
            "players": values["players"],
            "length": values["deals"],
            "call_clock": call_clock,
            "card_clock": card_clock,
            "pace": values["pace"],
            "public": values["public"] == "yes",
            "watchable": values["watchable"] == "yes",
            "bots": {
                seat: values[f"seat_{seat}"]
                for seat in range(values["players"])
                if values[f"seat_{seat}"] in LEVELS
            },
            "seat": 0 if values["seat_0"] == "me" else None,
            "stake": self.chosen_stake.amount if self.chosen_stake else 0,
            "asks_for": self.chosen_stake.asks_for if self.chosen_stake else 0,
        }

    def _named(self) -> tuple[Ruleset | None, str]:
        """The stored ruleset these rules are, if they are one, and what they are called."""
        assert self.base is not None
        if self.built == self.base_rules:
            return self.base, self.base.name
        if self._plays_an_option():
            assert self.built is not None
            return self.base, f"{self.base.name} {self.built.max_call}"
        return None, self.cleaned_data["house_name"]

    def _plays_an_option(self) -> bool:
        """Whether the rules differ from a preset only in what that preset leaves open."""
        assert self.base is not None
        assert self.built is not None
        options = rules.OPTIONS.get(self.base.slug, {}) if self.base.preset else {}
        return any(
            self.built == self.base_rules.changed(**{name: value})
            for name, values in options.items()
            for value in values
        )

    # ------------------------------------------------------------ drawing

    @cached_property
    def controls(self) -> dict[str, Control]:
        """Every field as it is drawn, by name."""
        return {name: self._control(name) for name in self.fields}

    @property
    def seats(self) -> list[Control]:
        """The seats' controls, in order."""
        return [self.controls[f"seat_{seat}"] for seat in range(self.players)]

    @property
    def rule_groups(self) -> list[RuleGroup]:
        """The controls of a house set, grouped, each with what the ruleset it is made from says."""
        found = []
        for group in GROUPS:
            controls = [self.controls[RULE + name] for name in group.names]
            found.append(
                RuleGroup(
                    group.key,
                    group.title,
                    " ".join(words.topic_sentences(self.base_rules, group.key, self.players)),
                    controls,
                    any(control.error for control in controls),
                    sum(control.changed for control in controls),
                )
            )
        return found

    @property
    def problems(self) -> list[tuple[Control | None, str]]:
        """All that keeps the table from being opened: the control at fault, if it is one, and the sentence."""
        return [
            (self.controls.get(name), str(sentence))
            for name, sentences in self.errors.items()
            for sentence in sentences
        ]

    def _control(self, name: str) -> Control:
        field = self.fields[name]
        raw: Any = self.data.get(name) if self.is_bound else None
        value = self.initial.get(name, field.initial) if raw is None else raw
        options: tuple[Option, ...] = ()
        if isinstance(field, Choice):
            known = [str(choice) for choice, _label in field.choices if str(choice) not in field.reasons]
            chosen = str(value) if str(value) in known else str(field.initial)
            options = tuple(
                Option(
                    str(choice),
                    label,
                    str(choice) == chosen,
                    field.notes.get(str(choice), ""),
                    field.reasons.get(str(choice), ""),
                )
                for choice, label in field.choices
            )
            shown = chosen
        elif isinstance(field, Number):
            shown = value if isinstance(value, str) else field.shown(value)
        else:
            shown = str(value)
        number = field if isinstance(field, Number) else None
        errors: Sequence[Any] = self.errors.get(name, []) if self.is_bound else []
        return Control(
            name=name,
            kind=field.kind,  # type: ignore[attr-defined]
            label=field.label or "",
            help=field.help_text,
            value=shown,
            options=options,
            error=" ".join(str(sentence) for sentence in errors),
            reason=getattr(field, "reason", ""),
            low=number.shown(number.low) if number else "",
            high=number.shown(number.high) if number else "",
            step=number.step if number else "",
            blank=number.blank if number else "",
            changed=name.startswith(RULE) and shown != first_shown(field),
        )


def _offered() -> list[tuple[Ruleset, rules.Ruleset]]:
    """The rulesets a host may choose, in their order."""
    return [(ruleset, ruleset.rules) for ruleset in Ruleset.objects.filter(retired=False)]


def usual_players(ruleset: rules.Ruleset) -> int:
    """The number of players a table is first shown with: the game's own four, where the ruleset allows them."""
    return 4 if 4 in ruleset.players else ruleset.players[0]


def _house_fields(name: str, base: rules.Ruleset, players: int) -> dict[str, forms.Field]:
    """The controls of a house set made from the ruleset of this name."""
    suggestion = _("%(rules)s, changed") % {"rules": name[: TITLE_LENGTH - 10]}
    found: dict[str, forms.Field] = {
        "house_name": Title(gettext_lazy("What you call these rules"), suggestion)
    }
    found.update({RULE + field: control for field, control in rule_fields(base, players).items()})
    return found


def _rebased(
    source: Mapping[str, Any], offered: Sequence[tuple[Ruleset, rules.Ruleset]]
) -> Mapping[str, Any]:
    """What was sent, without what only repeats the ruleset that the controls of the rules were drawn from.

    Who changes Kal and then chooses Strict takes his changes along, and not all of Kal.
    """
    drawn = source.get("drawn")
    if drawn == source.get("rules"):
        return source
    for ruleset, fields in offered:
        if ruleset.slug == drawn:
            before = _house_fields(ruleset.name, fields, usual_players(fields))
            return {
                name: source[name]
                for name in source
                if name not in before or source[name] != first_shown(before[name])
            }
    return source


def _valid(field: forms.Field, value: Any) -> Any:
    """The value if the field takes it, else what the field shows at first."""
    try:
        return field.clean(value)
    except ValidationError:
        return field.initial
