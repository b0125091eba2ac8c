"""`hotdice review`: one game on paper, step by step and as a picture; many games at once; and whatever can go wrong."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from datetime import date
from pathlib import Path

import pytest

from hotdice.dice import SeededDice
from hotdice.game import OVER
from hotdice.games import load_game
from hotdice.players import make_player
from hotdice.record import read_record, record_of
from hotdice.review import Report, review
from hotdice.review.levels import FILE, levels_of
from hotdice.table import Seat, Table
from tests.terminal.drive import Terminal, hotdice

WINDOW = 160, 50


def written(path: Path, seed: int = 1, names: str = "Ann Bob", kind: str = "random", most: int = 10_000) -> Path:
    """A file with a short game of Pig in it, or with its beginning."""
    state = load_game("pig").start(len(names.split()), {"target": 30})
    seats = [Seat(name, make_player(kind, seed + at)) for at, name in enumerate(names.split())]
    table = Table(state, seats, SeededDice(seed))
    while table.state.seat != OVER and table.played < most:
        table.step()
    path.write_text(record_of(table, date(2026, 11, 18)).text, "utf-8")
    return path


def report_of(path: Path) -> Report:
    return review(read_record(path.read_text("utf-8")))


def test_the_account_through_a_pipe_is_plain_text(tmp_path: Path) -> None:
    path = written(tmp_path / "game")
    outcome, report = hotdice("review", path), report_of(path)
    assert outcome.code == 0
    assert outcome.out.isascii()
    winner = max(report.seats, key=lambda seat: seat.result)
    assert f"{winner.name} wins!" in outcome.out
    assert "All values are exact." in outcome.out
    assert "it adds up for everybody." in outcome.out
    rows = {line.split()[0]: line.split() for line in outcome.out.splitlines() if line.startswith(("Ann ", "Bob "))}
    for seat in report.seats:
        start, luck, losses, gifts, result = (float(cell.strip("%")) for cell in rows[seat.name][1:6])
        assert start + luck + losses + gifts == pytest.approx(result, abs=0.21)  # rounded to a decimal each
        assert result == 100 * seat.result
    for moment in report.moments:
        assert moment.told in outcome.out


def test_a_moment_of_choice_shows_the_position_of_the_choice(tmp_path: Path) -> None:
    """And not the end of the turn, when other dice may lie there."""
    path = written(tmp_path / "game", seed=6)
    told, report = hotdice("review", path).out, report_of(path)
    table = read_record(path.read_text("utf-8")).table()
    choices = [moment for moment in report.moments if moment.better]
    assert choices
    for moment in choices:
        ann, bob = table.before(moment.event).scores
        assert f"Scores: Ann {ann}, Bob {bob}." == told.partition(moment.told)[2].split("   ")[2].strip().split("\n")[0]


def test_every_event_has_its_values_and_alternatives(tmp_path: Path) -> None:
    path = written(tmp_path / "game")
    told, report = hotdice("review", path, "--events").out, report_of(path)
    assert all(event.told in told for event in report.events)
    assert told.count("Better was") >= sum(bool(event.loss) for event in report.events) > 0
    mistakes = [event for event in report.events if event.loss]
    assert mistakes
    assert told.count("(played)") == sum(bool(event.alternatives) for event in report.events)
    assert len(re.findall(r"^  .*(Good|Doubtful|Bad|Very bad), -\d", told, re.MULTILINE)) == len(mistakes)


def test_for_programs_one_game_is_its_report(tmp_path: Path) -> None:
    path = written(tmp_path / "game")
    assert json.loads(hotdice("review", path, "--json").out) == json.loads(json.dumps(report_of(path).json()))


@pytest.mark.parametrize("most", [0, 7])
def test_an_unfinished_game_is_reviewed_as_far_as_it_goes(tmp_path: Path, most: int) -> None:
    outcome = hotdice("review", written(tmp_path / "game", most=most))
    assert outcome.code == 0
    assert "the game is unfinished." in outcome.out
    assert "reviewed as far as it goes" in outcome.out


# What is drawn


def test_a_plot_is_drawn_as_png_and_svg(tmp_path: Path) -> None:
    path = written(tmp_path / "game", names="Ann $Bob_1$")
    for name in ("chart.png", "chart.SVG"):
        outcome = hotdice("review", path, "--plot", tmp_path / name)
        assert outcome.out.endswith(f"The chart is in {tmp_path / name}.\n"), outcome
    assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG")
    picture = ET.fromstring((tmp_path / "chart.SVG").read_text("utf-8"))  # noqa: S314 (we wrote it)
    assert picture.tag.endswith("svg")


def test_what_cannot_be_drawn_is_refused_at_once(tmp_path: Path) -> None:
    path = written(tmp_path / "game")
    told = hotdice("review", path, "--plot", "chart.doc").refused()
    assert told == "--plot takes a file whose name ends in .png, .svg or .pdf, not “chart.doc”."
    assert "cannot be written" in hotdice("review", path, "--plot", "nowhere/chart.png").refused()
    assert "nothing was played" in hotdice("review", written(tmp_path / "new", most=0), "--plot", "a.png").refused()
    assert "name one record" in hotdice("review", path, path, "--plot", "a.png").refused()


def test_at_a_terminal_a_game_is_stepped_through_with_its_marks(tmp_path: Path) -> None:
    path = written(tmp_path / "game")
    report = report_of(path)
    turns = report.events[-1].turn + 1
    window = Terminal("review", path, columns=WINDOW[0], lines=WINDOW[1])
    assert "█" in window.until("Enter steps through the game> ")
    window.type("")
    assert " → " in window.until(f"Turn 1 of {turns}, Enter goes on> ")
    window.type("nonsense ü 99x")
    told = window.until(f"Turn 1 of {turns}, Enter goes on> ")
    assert "“nonsense ü 99x” leads nowhere; expected Enter, b, +, -, m, a turn's number, log or q." in told
    first = next(event for event in report.events if event.loss and event.turn > 0)
    window.type("m")
    assert "Better was" in window.until(f"Turn {first.turn + 1} of {turns}", 60) + window.until("goes on> ")
    window.type("-")
    window.until("event ")
    window.type(str(turns))
    window.until(f"Turn {turns} of {turns}, q or Enter ends> ")
    window.type("")
    assert window.close() == 0


def test_a_review_that_is_stopped_says_what_it_has(tmp_path: Path) -> None:
    path = written(tmp_path / "game", names="Ann Bob Cy Di")
    window = Terminal("review", path, columns=WINDOW[0], lines=WINDOW[1])
    window.until("Reviewing the game")
    while "%" not in window.text or re.findall(r"(\d+)%", window.text)[-1] in "012":
        window.until("%")
    window.press(b"\x03")
    window.until("Stopped; this is what is judged so far.")
    assert window.close() == 130
    assert "Only" in window.text
    assert "Traceback" not in window.text


# Many


def test_many_games_are_a_table_with_totals_by_name(tmp_path: Path) -> None:
    paths = [written(tmp_path / f"{seed}.hotdice", seed) for seed in range(4)]
    both = [hotdice("review", *paths, "--jobs", str(jobs)) for jobs in (1, 2)]
    assert both[0] == both[1]
    told = json.loads(hotdice("review", *paths, "--json", "--jobs", "1").out)
    reports = [report_of(path) for path in paths]
    assert [one["review"] for one in told["records"]] == [json.loads(json.dumps(one.json())) for one in reports]
    ann = next(one for one in told["players"] if one["name"] == "Ann")
    assert ann["games"] == 4
    assert ann["luck"] == pytest.approx(sum(report.seats[0].luck for report in reports))
    assert ann["decisions"] == sum(report.seats[0].decisions for report in reports)
    assert both[0].out.count("\nAnn") == 1


def test_what_does_not_hold_is_named_as_verify_does_and_the_rest_goes_on(tmp_path: Path) -> None:
    good = written(tmp_path / "good.hotdice")
    broken, foreign = tmp_path / "broken.hotdice", tmp_path / "foreign.hotdice"
    broken.write_text(good.read_text("utf-8").replace("1 rolls", "1 rolls 7", 1), "utf-8")
    foreign.write_bytes(b"\x00\xff not a record")
    missing = tmp_path / "missing.hotdice"
    outcome = hotdice("review", broken, good, foreign, missing, "--jobs", "1")
    assert outcome.code == 2
    assert "good.hotdice" in outcome.out
    lines = outcome.err.splitlines()
    assert len(lines) == 3
    for path, line in zip((broken, foreign, missing), lines, strict=True):
        assert hotdice("verify", path).refused() == line
        assert hotdice("review", path).refused() == line


def test_mistakes_in_the_command_line_are_one_line(tmp_path: Path) -> None:
    path = written(tmp_path / "game")
    for args, wanted in (
        ((), "Name the file of a saved game"),
        ((path, "--jobs", "0"), "--jobs takes a whole number from 1"),
        ((path, "--jobs", "many"), "--jobs takes a whole number from 0"),
        ((path, path, "--events"), "--events is for one game"),
        ((tmp_path,), "is a folder, not a record"),
    ):
        assert wanted in hotdice("review", *args).refused()


def test_without_what_computes_values_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hotdice.commands.reviews.has_values", lambda game: False)
    paths = [written(tmp_path / f"{seed}") for seed in range(2)]
    for args in (paths[:1], [*paths, "--jobs", "1"]):
        assert hotdice("review", *args).refused().endswith("pip install 'hotdice[solve]'.")


# The words for losses


@pytest.mark.parametrize("path", sorted(Path(load_game("pig").folder).parent.glob(f"*/{FILE}")), ids=str)
def test_thresholds_are_in_order(path: Path) -> None:
    game = load_game(path.parent.name)
    for players, found in json.loads(path.read_text("utf-8")).items():
        levels = levels_of(game, int(players))
        assert 0 < levels.losses[0] < levels.losses[1] < levels.losses[2]
        assert 0 < levels.accuracies[0] < levels.accuracies[1] < levels.accuracies[2] <= 100
        assert all(0 < sure <= 1 for sure in levels.sure)
        assert all(sum(row) == pytest.approx(1, abs=0.01) for row in found["measured"]["words"])
        assert found["measured"]["means"] == sorted(found["measured"]["means"])
