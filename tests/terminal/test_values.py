"""Odds, hints and the headline of a solved game, as a person or a program asks for them. Pig is solved in a moment."""

from __future__ import annotations

import io
import json
from pathlib import Path
from time import sleep

import pytest

from hotdice.solve import store
from hotdice.terminal import progress
from tests.terminal.drive import hotdice


@pytest.fixture(autouse=True)
def _own_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "folder", lambda: tmp_path / "tables")


def test_solve_prints_the_headline() -> None:
    """0.5306 is the published value: Neller and Presser, Optimal Play of the Dice Game Pig, 2004."""
    outcome = hotdice("solve", "pig")
    assert outcome.code == 0
    assert outcome.out.startswith("pig, 2 players: 0.5305")
    assert "win probability for the player who begins" in outcome.out


def test_solve_for_programs_has_all_that_was_promised() -> None:
    answer = json.loads(hotdice("solve", "pig", "--json").out)
    assert {"game", "options", "players", "value", "unit", "states", "cpu_seconds", "checksum"} <= answer.keys()
    assert (answer["game"], answer["options"], answer["players"]) == ("pig", {"target": 100}, 2)
    assert round(answer["value"], 4) == 0.5306
    again = json.loads(hotdice("solve", "pig", "--json").out)
    assert again == answer


def test_odds_list_every_move_with_its_value_best_first() -> None:
    answer = json.loads(hotdice("odds", "pig", "0/0 1 20 decide", "--json").out)
    assert answer["unit"] == "win probability"
    assert answer["seat"] == 1
    assert {move["text"] for move in answer["moves"]} == {"roll", "hold"}
    values = [move["value"] for move in answer["moves"]]
    assert values == sorted(values, reverse=True)
    assert answer["value"] == values[0]
    shown = hotdice("odds", "pig", "0/0 1 20 decide").out.splitlines()
    assert shown[0] == "Seat 1 rolls again or holds. Turn total: 20."
    assert [line.split()[:2] for line in shown[2:]] == [
        ["=", answer["moves"][0]["text"]],
        [answer["moves"][1]["text"], f"{100 * values[1]:.2f}%"],
    ]


def test_odds_of_a_roll_list_every_roll_and_the_average() -> None:
    answer = json.loads(hotdice("odds", "pig", "pig 0/0 1 0 roll", "--json").out)
    assert {roll["text"] for roll in answer["rolls"]} == set("123456")
    average = sum(roll["value"] for roll in answer["rolls"]) / 6
    assert answer["value"] == pytest.approx(average, abs=1e-12)
    assert "On average 53.06% to win." in hotdice("odds", "pig", "0/0 1 0 roll").out


def test_odds_take_house_rules_from_the_game_the_position_or_an_option() -> None:
    ways = [
        ("odds", "pig(target=20)", "0/0 1 10 decide", "--json"),
        ("odds", "pig", "pig(target=20) 0/0 1 10 decide", "--json"),
        ("odds", "pig", "0/0 1 10 decide", "-o", "target=20", "--json"),
    ]
    answers = [json.loads(hotdice(*way).out) for way in ways]
    assert answers[0] == answers[1] == answers[2]
    assert answers[0]["position"] == "pig(target=20) 0/0 1 10 decide"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("odds", "pig", "0/0 1 20 jump"), "“jump” is not a phase"),
        (("odds", "pig", ""), "The position ends before the scores"),
        (("odds", "chess", "0/0"), "There is no game “chess”"),
        (("odds", "pig", "100/0 1 0 over"), "The game is over; there is nothing left to evaluate."),
        (("solve", "chess"), "There is no game “chess”"),
        (("solve", "pig", "-o", "target=x"), "The option target takes a whole number"),
    ],
)
def test_what_has_no_value_is_refused_in_one_line(args: tuple[str, ...], message: str) -> None:
    assert message in hotdice(*args).refused()


def test_a_hint_says_what_is_best_and_odds_list_it_during_play() -> None:
    outcome = hotdice("play", "pig", "--seed", "4", "-p", "Ann", "-p", "greedy", typed=["hint", "odds", "quit"])
    assert outcome.code == 0
    assert "Rolling is best: " in outcome.out
    assert "% to win, against " in outcome.out
    assert any(line.startswith("= roll  ") for line in outcome.out.splitlines())


def test_hints_have_to_wait_for_the_game() -> None:
    assert "There is no move to judge yet." in hotdice("play", typed=["hint", "quit"]).out


def test_optimal_bots_play_a_whole_game() -> None:
    outcome = hotdice("play", "pig", "--seed", "4", "-p", "optimal", "-p", "beginner", "-o", "target=30")
    assert outcome.code == 0
    assert "Optimal" in outcome.out


class Terminal(io.StringIO):
    """An error stream that somebody looks at."""

    def isatty(self) -> bool:
        return True


def test_a_wait_is_explained_after_a_moment_and_counts_when_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Terminal()
    monkeypatch.setattr("sys.stderr", shown)
    monkeypatch.setattr(progress, "MOMENT", 0.01)
    with progress.waiting("Ben is thinking") as told:
        while "Ben is thinking" not in shown.getvalue():
            sleep(0.01)
        told(0.25)
        while " 25%" not in shown.getvalue():
            sleep(0.01)
    assert shown.getvalue().endswith("\x1b[2K")  # the line is wiped


def test_a_short_wait_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Terminal()
    monkeypatch.setattr("sys.stderr", shown)
    with progress.waiting("Ben is thinking"):
        pass
    assert "Ben" not in shown.getvalue()
