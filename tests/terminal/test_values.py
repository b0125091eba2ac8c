"""Odds, hints and the headline of a solved game, as a person or a program asks for them. Pig is solved in a moment."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from time import sleep

import pytest

from hotdice.games import parse_position
from hotdice.solve import store
from hotdice.terminal import progress, values
from hotdice.terminal.progress import Stopped, Work
from hotdice.values import NotSolved, Progress
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


def test_solve_takes_a_number_of_players() -> None:
    """A game to nothing is decided by the first turn and the two after it: all three have a chance, the first most."""
    answer = json.loads(hotdice("solve", "bj", "--players", "3", "-o", "target=0", "--json").out)
    assert answer["players"] == 3
    assert answer["value"] > answer["second"] > answer["third"] > 0.1
    assert answer["value"] + answer["second"] + answer["third"] == pytest.approx(1)
    assert answer["epsilon"] < 1e-6
    assert "Nobody gains more than" in hotdice("solve", "bj", "--players", "3", "-o", "target=0").out


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
    assert [line.split()[:2] for line in shown[2:4]] == [
        ["=", answer["moves"][0]["text"]],
        [answer["moves"][1]["text"], f"{100 * values[1]:.2f}%"],
    ]


def test_bars_of_close_values_look_close() -> None:
    *_, roll, hold, scale = hotdice("odds", "pig", "0/0 1 20 decide").out.splitlines()
    assert 0 <= roll.count("#") - hold.count("#") <= 1
    assert 8 <= hold.count("#") <= 12, "about half of twenty, as are the values"
    assert scale == "  The bars run from 0% to 100%."


@pytest.mark.parametrize(("columns", "bars"), [(80, True), (30, True), (20, False)])
def test_bars_have_the_room_that_a_window_leaves(columns: int, bars: bool) -> None:
    state = parse_position("pig 0/0 1 20 decide")
    lines = list(values.table(state, values.evaluating(state).wait(), columns=columns))
    assert max(map(len, lines[:2])) <= columns
    assert any("█" in line for line in lines) == bars
    assert any("The bars run" in line for line in lines) == bars


def test_odds_before_a_roll_show_chances_by_what_the_rolls_lead_to() -> None:
    """Two dice of BJ's score nothing 16 times in 36: neither a 1 nor a 5 on either."""
    shown = hotdice("odds", "bj", "-o", "target=500", "0/0 1 toss 2 400 0 -").out
    assert re.search(r"^  2 3 and 9 like it +44\.44% +\d", shown, re.MULTILINE)
    assert sum(map(float, re.findall(r"([\d.]+)%  +[\d.]+%", shown))) == pytest.approx(100, abs=0.05)
    assert "On average " in shown


def test_estimates_say_what_makes_them_exact() -> None:
    shown = hotdice("odds", "pig", "0/0/0 1 20 decide", "-o", "target=40").out
    assert "then comes what a move is behind the first.\n  These are estimates.\n" in shown
    assert "estimates" not in hotdice("odds", "pig", "0/0 1 20 decide").out


def test_odds_of_a_roll_list_every_roll_and_the_average() -> None:
    answer = json.loads(hotdice("odds", "pig", "pig 0/0 1 0 roll", "--json").out)
    assert {roll["text"] for roll in answer["rolls"]} == set("123456")
    assert {roll["chance"] for roll in answer["rolls"]} == {1 / 6}
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
        (("solve", "pig", "--players", "x"), "--players takes a whole number from 0 to 99, not “x”."),
        (("solve", "pig", "--players", "3"), "Pig is solved for 2 players, not for 3."),
        (
            ("odds", "pig", "pig 0/0 1 20 decide", "--target", "x"),
            "--target takes a whole number from 0 to 99999, not “x”.",
        ),
        (("odds", "pig", "0/0 1 20 decide", "--target", "5"), "Pig has no chances of a target."),
        (("solve", "bj", "--players", "4"), "BJ's dice is solved for 2 and 3 players, not for 4."),
        (("solve", "kismet", "--players", "2"), "Kismet is solved for 1 player, not for 2."),
    ],
)
def test_what_has_no_value_is_refused_in_one_line(args: tuple[str, ...], message: str) -> None:
    assert message in hotdice(*args).refused()


def test_odds_of_a_target_are_exact_up_to_the_most_that_a_sheet_can_come_to() -> None:
    """298 points with the bonus; at most 35 come for this flush and 80 for a Kismet of sixes, in three rolls."""
    sheet = "kismet 3,6,9,12,15,18,20,20,30,-,30,38,41,21,- 1 2 22555"
    said = "414 points are out of reach: this sheet can come to 413 at most."
    assert said in hotdice("odds", "kismet", sheet, "--target", "414").refused()
    found = json.loads(hotdice("odds", "kismet", sheet, "--target", "413", "--json").out)
    assert found["unit"] == "chance of the target"
    assert found["value"] == pytest.approx((91 / 216) ** 5, rel=1e-9)


def test_a_hint_says_what_is_best_and_odds_list_it_during_play() -> None:
    outcome = hotdice("play", "pig", "--seed", "4", "-p", "Ann", "-p", "greedy", typed=["hint", "odds", "quit"])
    assert outcome.code == 0
    assert "Rolling is best: " in outcome.out
    assert "% to win, against " in outcome.out
    assert any(line.startswith("= roll  ") for line in outcome.out.splitlines())


def test_a_bot_says_why_when_it_is_asked() -> None:
    """In the words of its game, whose figures are checked with them; or from values, where it has none."""
    typed = ["why", "roll", "pass", "why", "quit"]
    outcome = hotdice("play", "bj", "--seed", "4", "-p", "Ann", "-p", "greedy", typed=typed)
    assert "No bot has had to choose yet." in outcome.out
    assert "Otto passes and keeps 350, for 350 in all. Two dice bust 4 times in 9, with 350 at risk." in outcome.out
    typed = ["hold", "hold", "hold", "hold", "why", "quit"]
    outcome = hotdice("play", "pig", "--seed", "4", "-p", "Ann", "-p", "greedy", typed=typed)
    assert re.search(r"(It is best|is about as good|would be better): [\d.]+% to win", outcome.out), outcome.out


def test_hints_have_to_wait_for_the_game() -> None:
    assert "There is no move to judge yet." in hotdice("play", typed=["hint", "quit"]).out


def test_optimal_bots_play_a_whole_game() -> None:
    outcome = hotdice("play", "pig", "--seed", "4", "-p", "optimal", "-p", "beginner", "-o", "target=30")
    assert outcome.code == 0
    assert "Otto wins!" in outcome.out or "Pixel wins!" in outcome.out


class Terminal(io.StringIO):
    """An error stream that somebody looks at."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("plain_lines", [False, True], ids=["bar", "lines"])
def test_a_wait_says_why_how_far_and_how_long(monkeypatch: pytest.MonkeyPatch, *, plain_lines: bool) -> None:
    shown = Terminal()
    monkeypatch.setattr("sys.stderr", shown)
    monkeypatch.setattr(progress, "MOMENT", 0.01)

    def work(report: Progress) -> str:
        for share, wanted in ((None, "Working it out"), (0.25, "Solving Pig"), (0.5, "50%"), (0.75, " of about 0:0")):
            if share:
                report(share)
            while wanted not in shown.getvalue():
                sleep(0.01)
        return "done"

    assert Work(work, "Working it out", "Solving Pig").wait(plain_lines=plain_lines) == "done"
    if plain_lines:
        assert shown.getvalue().isascii()
        assert "\x1b" not in shown.getvalue()
        assert "Working it out. Ctrl-C stops it.\nSolving Pig: 25%, 0:00 of about 0:0" in shown.getvalue()
    else:
        assert shown.getvalue().endswith("\x1b[2K")  # the line is wiped


def test_a_narrow_window_does_not_cut_how_long_a_wait_is(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Terminal()
    monkeypatch.setattr("sys.stderr", shown)
    monkeypatch.setattr(progress, "MOMENT", 0.01)
    monkeypatch.setenv("COLUMNS", "50")

    def work(report: Progress) -> None:
        report(0.5)
        while "about" not in shown.getvalue():
            sleep(0.01)

    Work(work, "Solving KOR, Keep On Rollin', the first time only").wait()
    assert re.search(r"0:\d\d\s+of\s+about\s+0:\d\d", re.sub(r"\x1b\[[0-9;?]*\w|━|╸|╺", "", shown.getvalue()))
    assert "…" not in shown.getvalue()


def test_a_short_wait_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Terminal()
    monkeypatch.setattr("sys.stderr", shown)
    assert Work(lambda report: 7, "Ben is thinking").wait() == 7
    assert "Ben" not in shown.getvalue()


def test_work_that_fails_or_is_stopped_says_so_to_whoever_waits() -> None:
    def fails(report: Progress) -> None:
        raise NotSolved("There is no value.")

    with pytest.raises(NotSolved, match="There is no value"):
        Work(fails, "Working it out").wait()

    def endless(report: Progress) -> None:
        while True:
            report(0.5)

    work = Work(endless, "Working it out")
    work.stop()
    with pytest.raises(Stopped):
        work.wait()
