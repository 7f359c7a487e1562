"""Cases made by an independent referee, one JSON object a line: the project's own, or those of `--cases DIR`.

The format is described in `cases/README.md`.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games.rules import (
    PRESETS,
    DealState,
    Ruleset,
    deal_score,
    hand_text,
    legal_plays,
    match_over,
    next_dealer,
    outcome,
    parse_card,
    parse_hand,
    tenths_text,
)

OWN_CASES = Path(__file__).with_name("cases")
KINDS = ("legal", "score", "match")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    chosen = metafunc.config.getoption("--cases")
    folder = Path(metafunc.config.invocation_params.dir, chosen) if chosen else OWN_CASES
    if "case_files" in metafunc.fixturenames:
        metafunc.parametrize("case_files", [sorted(folder.glob("*.jsonl"))], ids=[folder.name])


def test_every_case_comes_out_as_the_independent_referee_says(case_files: list[Path]) -> None:
    wrong = []
    count = 0
    for path in case_files:
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if line.strip():
                count += 1
                wrong += [f"{path.name}:{number}: {reason}" for reason in differences(line)]
    assert not wrong, "\n".join(wrong)
    assert count, "the folder holds no case"


def differences(line: str) -> Iterator[str]:
    """What is wrong about a case, in words; nothing when it comes out right."""
    try:
        case = json.loads(line)
        yield from CHECKS[case["kind"]](ruleset_of(case["rules"]), case)
    except Exception as error:
        yield f"{type(error).__name__}: {error}"


def ruleset_of(rules: str | dict[str, Any]) -> Ruleset:
    if isinstance(rules, str):
        return PRESETS[rules]
    changes = {field: value for field, value in rules.items() if field != "base"}
    return PRESETS[rules["base"]].changed(**changes)


def legal_differences(ruleset: Ruleset, case: dict[str, Any]) -> Iterator[str]:
    trick = [parse_card(card) for card in case["trick"].split()]
    hand = parse_hand(case["hand"])
    found = legal_plays(ruleset, hand, trick, first_lead=case.get("first_lead", False)).cards
    if found != parse_hand(case["legal"]):
        yield f"legal are {hand_text(found)}, not {case['legal']}"


def score_differences(ruleset: Ruleset, case: dict[str, Any]) -> Iterator[str]:
    found = tenths_text(deal_score(ruleset, case["call"], case["took"]))
    if found != case["score"]:
        yield f"call {case['call']}, took {case['took']} scores {found}, not {case['score']}"


def match_differences(ruleset: Ruleset, case: dict[str, Any]) -> Iterator[str]:
    dealer = case["first_dealer"]
    scores: list[tuple[int, ...]] = []
    for place, dealt in enumerate(case["deals"], 1):
        if dealt["dealer"] != dealer:
            yield f"deal {place} is seat {dealer}'s to deal, not {dealt['dealer']}'s"
        if match_over(ruleset, case["length"], scores):
            yield f"the match is over before deal {place}"
        deal = replayed(ruleset, dealt)
        if deal.took != tuple(dealt["took"]):
            yield f"deal {place} gives tricks {deal.took}, not {dealt['took']}"
        if [tenths_text(score) for score in deal.scores()] != dealt["scores"]:
            yield f"deal {place} scores {deal.scores()} tenths, not {dealt['scores']}"
        scores.append(deal.scores())
        dealer = next_dealer(ruleset, case["players"], dealt["dealer"])
    if not match_over(ruleset, case["length"], scores):
        yield "the match is not over"
    totals = [sum(column) for column in zip(*scores, strict=True)]
    if [tenths_text(total) for total in totals] != case["totals"]:
        yield f"the totals are {totals} tenths, not {case['totals']}"
    end = outcome(ruleset, totals)
    if (end.kind, list(end.best)) != (case["outcome"], case["best"]):
        yield f"the outcome is {end}, not {case['outcome']} {case['best']}"


def replayed(ruleset: Ruleset, dealt: dict[str, Any]) -> DealState:
    deal = DealState.start(ruleset, dealt["dealer"], tuple(parse_hand(hand) for hand in dealt["hands"]))
    for seat in deal.order():
        deal = deal.call(seat, dealt["calls"][seat])
    for card in dealt["plays"].split():
        assert deal.turn is not None, "more plays than cards"
        deal = deal.play(deal.turn, parse_card(card))
    return deal


CHECKS = {"legal": legal_differences, "score": score_differences, "match": match_differences}


WRONG_CASES = {
    "legal": '{"kind": "legal", "rules": "kal", "players": 4, "hand": "2C", "trick": "3C", "legal": "3C"}',
    "first lead": '{"kind": "legal", "rules": {"base": "kal", "spade_first_lead": false}, "players": 4, '
    '"hand": "2C 2S", "trick": "", "first_lead": true, "legal": "2C 2S"}',
    "score": '{"kind": "score", "rules": "classic", "players": 4, "call": 2, "took": 3, "score": "2.0"}',
    "unknown kind": '{"kind": "luck", "rules": "classic"}',
    "unknown preset": '{"kind": "score", "rules": "no", "players": 4, "call": 2, "took": 3, "score": "2.1"}',
    "no JSON": "classic",
}


@pytest.mark.parametrize("line", WRONG_CASES.values(), ids=WRONG_CASES)
def test_a_wrong_case_is_found(line: str) -> None:
    assert list(differences(line))


def a_match() -> dict[str, Any]:
    lines = (OWN_CASES / "strict.jsonl").read_text("utf-8").splitlines()
    matches = (case for case in map(json.loads, lines) if case["kind"] == "match")
    return next(case for case in matches if len(case["deals"]) > case["length"])


def test_a_match_that_went_on_is_right_until_anything_in_it_is_changed() -> None:
    assert not list(differences(json.dumps(a_match())))
    others = {"outcome": "draw", "best": [0, 1], "totals": ["0.0"] * 4, "first_dealer": 3}
    for field, value in others.items():
        changed = a_match()
        assert changed[field] != value
        assert list(differences(json.dumps(changed | {field: value}))), field
    for length in (2, 5):
        assert list(differences(json.dumps(a_match() | {"length": length}))), length
    for field in ("took", "scores", "calls", "hands"):
        changed = a_match()
        changed["deals"][0][field].reverse()
        assert list(differences(json.dumps(changed))), field
    changed = a_match()
    changed["deals"][0]["plays"] = changed["deals"][0]["plays"][:-3]
    assert list(differences(json.dumps(changed)))


def run_on(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        __file__,
        "-k",
        "independent_referee",
        "--cases",
        str(folder),
    ]
    return subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False)


def test_the_cases_of_another_folder_are_run_instead(tmp_path: Path) -> None:
    assert "the folder holds no case" in run_on(tmp_path).stdout
    (tmp_path / "some.jsonl").write_text(json.dumps(a_match()) + "\n")
    right = run_on(tmp_path)
    assert right.returncode == 0, right.stdout
    (tmp_path / "more.jsonl").write_text("\n" + WRONG_CASES["score"] + "\n")
    wrong = run_on(tmp_path)
    assert wrong.returncode == 1
    assert "more.jsonl:2: call 2, took 3 scores 2.1, not 2.0" in wrong.stdout
