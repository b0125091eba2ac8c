"""Tournaments: every seating on the same dice, results that add up, and errors that repeated runs bear out."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import permutations
from math import log10
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hotdice
from hotdice.cli import main
from hotdice.errors import HotdiceError
from hotdice.simulation import tournament
from hotdice.simulation.tally import Interval
from hotdice.simulation.tournament import Outcome, Standings, Tournament, play_tournament

PIG = hotdice.load_game("pig")
THREE = ("hold:5", "hold:12", "random")


def played(
    entrants: tuple[str, ...] = THREE, seats: int | None = None, seed: int = 1, games: int = 200, target: int = 30
) -> Outcome:
    wanted = Tournament.of(PIG, PIG.make_options({"target": target}), entrants, seats, seed)
    standings = tournament.begin(wanted)
    tournament.go_on(wanted, standings, games, mapped=map)
    return Outcome(wanted, standings)


def test_results_are_those_of_every_seating_played_alone() -> None:
    wins = {name: [] for name in THREE}  # type: dict[str, list[float]]
    beside = {}  # type: dict[tuple[str, str], list[float]]
    for seating in permutations(THREE, 2):
        found = hotdice.simulate("pig", seating, games=200, seed=1, options={"target": 30}, jobs=1)
        for seat, name in enumerate(seating):
            wins[name].append(found.columns[f"win_{seat + 1}"].mean())
            beside.setdefault((name, seating[1 - seat]), []).append(found.columns[f"win_{seat + 1}"].mean())
    outcome = played()
    for one, name in enumerate(THREE):
        assert outcome.results[one].mean == pytest.approx(np.mean(wins[name]))
        for other, rival in enumerate(THREE):
            if one != other:
                assert outcome.against(one, other).mean == pytest.approx(np.mean(beside[name, rival]))


def test_all_results_together_are_all_wins() -> None:
    for seats in (2, 3):
        outcome = played((*THREE, "hold:20"), seats)
        assert sum(one.mean for one in outcome.results) == pytest.approx(4 / seats)
        assert sum(one.mean for one in outcome.by_seat) == pytest.approx(1)
        assert sum(one.mean for one in outcome.ratings()) == pytest.approx(0)


def test_two_are_rated_by_the_odds_between_them() -> None:
    games = 2000
    outcome = played(("hold:5", "hold:12"), games=games)
    share = (outcome.results[0].mean * games + 0.5) / (games + 1)  # one more game in every seating is shared
    rating, other = outcome.ratings()
    assert rating.mean - other.mean == pytest.approx(400 * log10(share / (1 - share)))


def test_ratings_explain_results_by_luces_choice() -> None:
    """What strengths promise over all tables is what everybody won: the equation of the likeliest strengths."""
    games = 500
    outcome = played((*THREE, "hold:20"), 3, games=games)
    strengths = [10 ** (one.mean / 400) for one in outcome.ratings()]
    for one, result in enumerate(outcome.results):
        tables = [table for table in permutations(range(4), 3) if one in table]
        promised = sum(strengths[one] / sum(strengths[each] for each in table) for table in tables) / len(tables)
        assert (result.mean * games + 1 / 3) / (games + 1) == pytest.approx(promised)


def test_errors_are_as_large_as_repeated_runs_differ() -> None:
    runs = [played(seed=seed) for seed in range(60)]
    figures: tuple[Callable[[Outcome], Interval], ...] = (
        lambda run: run.results[0],
        lambda run: run.ratings()[1],
        lambda run: run.against(0, 2),
        lambda run: run.apart(0, 1),
    )
    for figure in figures:
        found = [figure(run) for run in runs]
        spread = np.std([one.mean for one in found], ddof=1)
        assert 0.7 < spread / np.mean([one.error for one in found]) < 1.35


def test_the_same_dice_tell_entrants_apart_sooner() -> None:
    outcome = played(("hold:11", "hold:12"), games=2000)
    independent = np.sqrt(2) * 0.5 / np.sqrt(2 * 2000)
    assert outcome.apart(0, 1).error < 2 * independent * 0.9


def test_who_cannot_be_told_apart_shares_a_place() -> None:
    outcome = played(("greedy", "hold:20", "random"), target=100)  # the greedy rule of Pig holds at 20
    assert [outcome.place(one) for one in range(3)] == [(1, 2), (1, 2), (3, 3)]


def test_alone_points_are_compared() -> None:
    kismet = hotdice.load_game("kismet")
    wanted = Tournament.of(kismet, kismet.make_options(None), ("greedy", "random"), 1, 0)
    standings = tournament.begin(wanted)
    tournament.go_on(wanted, standings, 3, mapped=map)
    outcome = Outcome(wanted, standings)
    assert outcome.against(0, 1).mean == pytest.approx(outcome.scores[0].mean - outcome.scores[1].mean)


def test_sums_do_not_depend_on_how_games_are_divided() -> None:
    wanted = Tournament.of(PIG, PIG.make_options({"target": 30}), THREE, None, 1)
    once, parts = tournament.begin(wanted), Standings.empty(3, 2)
    tournament.go_on(wanted, once, 100, mapped=map)
    tournament.go_on(wanted, parts, 37, mapped=map)
    tournament.go_on(wanted, parts, 100, mapped=map)
    assert parts == once


# From Python


def test_a_call_plays_what_its_parts_play(tmp_path: Path) -> None:
    file, seen = tmp_path / "results.json", []  # type: Path, list[int]
    common = {"seed": 1, "options": {"target": 30}, "jobs": 1, "results": file}
    first = play_tournament("pig", THREE, games=50, **common)  # type: ignore[arg-type]
    again = play_tournament("pig", THREE, games=200, each=lambda one: seen.append(one.games), **common)  # type: ignore[arg-type]
    assert (first.games, seen[0], seen[-1], again.games) == (50, 50, 200, 200)
    assert again.results == played().results
    assert again.tournament.names == THREE


def test_functions_take_part_beside_bots_and_compiled_entrants() -> None:
    """Functions cannot be sent to other processes, so with them all is played here."""
    table = {"options": {"target": 30}, "seed": 1, "games": 65}

    def five(state: hotdice.State) -> hotdice.Move:
        wins = state.scores[state.seat] + state.stake >= 30
        return state.parse_move("hold" if wins or state.stake >= 5 else "roll")

    outcome = play_tournament("pig", ["hold:12", five, "random"], jobs=2, **table)  # type: ignore[arg-type]
    same = play_tournament("pig", ["hold:12", "hold:5", "random"], jobs=2, **table)  # type: ignore[arg-type]
    assert outcome.tournament.names == ("hold:12", "five", "random")
    assert outcome.results == same.results
    with pytest.raises(HotdiceError, match="“five” takes part twice"):
        play_tournament("pig", [five, five], games=1)


def test_until_ends_as_soon_as_results_are_precise() -> None:
    outcome = play_tournament("pig", THREE, until=0.02, seed=1, options={"target": 30}, jobs=1)
    assert 1000 <= outcome.games < 100_000
    assert outcome.error <= 0.02


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"games": 0}, "At least one game has to be played, not 0."),
        ({"until": 0.0}, "A tournament goes on until a standard error above 0, not 0.0."),
        ({"until": float("nan")}, "A tournament goes on until a standard error above 0, not nan."),
        ({"options": {"dice": 9}}, "There is no option dice; expected target."),
    ],
)
def test_nonsense_is_refused_in_a_sentence(asked: dict[str, Any], told: str) -> None:
    with pytest.raises(HotdiceError) as error:
        play_tournament("pig", THREE, **asked)
    assert str(error.value) == told


# The command


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    code = main(["tournament", *args])
    out, err = capsys.readouterr()
    return code, out, err


SMALL = ("pig", "-p", "hold:5,hold:12,random", "-n", "100", "-o", "target=20", "-j", "1")


def test_it_prints_places_ratings_and_a_cross_table(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, *SMALL)
    assert code == 0
    assert "pig(target=20): 100 games in each of 6 seatings, all on the same dice" in out
    assert "Entrant" in out
    assert "Against" in out


def test_it_is_data_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(run(capsys, *SMALL, "--json")[1])
    assert found["games"] == 100
    assert found["entrants"][0]["against"][1]["mean"] + found["entrants"][1]["against"][0]["mean"] == pytest.approx(1)


def test_it_is_drawn(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / "cross.svg"
    assert run(capsys, *SMALL, "--plot", str(file))[0] == 0
    assert "<svg" in file.read_text("utf-8")


def test_it_goes_on_with_results_that_are_there(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    kept = ("--results", str(tmp_path / "results.json"))
    run(capsys, *SMALL, *kept)
    more = ("pig", "-p", "hold:5,hold:12,random", "-n", "300", "-o", "target=20", "-j", "1")
    assert run(capsys, *more, *kept) == run(capsys, *more)


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("pig",), "needs at least 2 entrants, not 0"),
        (("pig", "-p", "greedy"), "needs at least 2 entrants, not 1"),
        (("pig", "-p", "greedy,greedy"), "“greedy” takes part twice"),
        (("pig", "-p", "greedy,nobody"), "There is no player “nobody”"),
        (("pig", "-p", "greedy,random", "--seats", "3"), "at tables of 3 needs at least 3 entrants"),
        (("pig", "-p", "greedy,random", "--seats", "0"), "--seats takes a whole number from 1"),
        (("pig", "-p", ",".join(f"hold:{n}" for n in range(1, 60))), "59 entrants at tables of 2 make 3,422 seatings"),
        (("pig", "-p", "greedy,random", "--plot", "x.txt"), "--plot takes a file whose name ends in"),
        (("pig", "-p", "greedy,random", "-j", "1", "--workers", "2"), "take one of them"),
        (("pig", "-p", "greedy,random", "--scheduler", "nonsense"), "--scheduler takes an address such as"),
    ],
)
def test_bad_input_gets_one_line(capsys: pytest.CaptureFixture[str], args: tuple[str, ...], told: str) -> None:
    code, out, err = run(capsys, *args)
    assert code == 2
    assert not out
    assert told in err
    assert len(err.splitlines()) == 1
