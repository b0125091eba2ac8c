"""Solving in the background: asked for once, told of, stopped soon, and what was done is kept."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hotdice.games import load_game, parse_position
from hotdice.games.pig import solving as pig
from hotdice.games.rollers import ROLLERS, RollersOptions
from hotdice.games.rollers.solving import RollersSolver, match_tables
from hotdice.games.rollers.solving import tables as rollers
from hotdice.games.rollers.solving.evaluator import RollersEvaluator
from hotdice.options import Options
from hotdice.solve import background, store
from hotdice.terminal import values
from hotdice.values import Progress

PIG = load_game("pig")
OPTIONS = PIG.options()
TIMEOUT = 200.0


@pytest.fixture(autouse=True)
def priorities(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[int]]:
    """Tables in a folder of its own, and no low priority, with which a test on a busy machine would wait for ever."""
    wishes: list[int] = []
    monkeypatch.setattr(os, "setpriority", lambda which, who, priority: wishes.append(priority), raising=False)
    monkeypatch.setattr(store, "folder", lambda: tmp_path)
    monkeypatch.delenv(background.OFF, raising=False)
    yield wishes
    background.stop()


class Fake:
    """Solves nothing, in hundred steps."""

    def __init__(self) -> None:
        self.asked: list[int] = []
        self.go_on = threading.Event()
        self.stopped_at = -1

    def __call__(self, options: Options, players: int, stop: threading.Event, progress: Progress) -> None:
        self.asked.append(players)
        for step in range(100):
            progress(step / 100)
            if step == 34:
                until(lambda: self.go_on.is_set() or stop.is_set())
            if stop.is_set():
                self.stopped_at = step
                return


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + TIMEOUT
    while not true():
        assert time.monotonic() < end, "It never came to that."
        time.sleep(0.005)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Fake:
    solver = Fake()
    monkeypatch.setattr(pig.PigSolver, "in_steps", True)
    monkeypatch.setattr(pig.PigSolver, "solve_in_steps", staticmethod(solver))
    return solver


def test_a_game_is_solved_once_and_says_how_far_it_is(fake: Fake) -> None:
    assert background.progress(PIG, OPTIONS, 2) is None
    background.start(PIG, OPTIONS, 2)
    background.start(PIG, OPTIONS, 2)
    until(lambda: background.progress(PIG, OPTIONS, 2) == 0.34)
    fake.go_on.set()
    until(lambda: background.progress(PIG, OPTIONS, 2) is None)
    background.start(PIG, OPTIONS, 2)
    time.sleep(0.05)
    assert fake.asked == [2]
    background.start(PIG, OPTIONS, 3)
    until(lambda: fake.asked == [2, 3])


def test_it_stops_when_it_is_told_to(fake: Fake) -> None:
    background.start(PIG, OPTIONS, 2)
    background.start(PIG, OPTIONS, 3)
    until(lambda: background.progress(PIG, OPTIONS, 2) == 0.34)
    background.stop()
    assert fake.stopped_at == 34
    assert fake.asked == [2]
    assert background.progress(PIG, OPTIONS, 2) is None
    assert not any(thread.name == "hotdice background solver" for thread in threading.enumerate())


def test_one_thread_of_low_priority_solves_one_after_the_other(fake: Fake, priorities: list[int]) -> None:
    fake.go_on.set()
    for players in range(2, 8):
        background.start(PIG, OPTIONS, players)
    until(lambda: fake.asked == [2, 3, 4, 5, 6, 7])
    background.stop()
    assert set(priorities) == {19}


def test_a_solver_that_fails_is_silent(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    def fail(*rest: object) -> None:
        raise RuntimeError("no")

    monkeypatch.setattr(pig.PigSolver, "in_steps", True)
    monkeypatch.setattr(pig.PigSolver, "solve_in_steps", fail)
    background.start(PIG, OPTIONS, 2)
    until(lambda: background.progress(PIG, OPTIONS, 2) is None)
    assert capfd.readouterr() == ("", "")


def test_it_can_be_switched_off(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(background.OFF, "1")
    background.start(PIG, OPTIONS, 2)
    assert background.progress(PIG, OPTIONS, 2) is None


def test_games_that_are_solved_in_a_moment_take_no_part() -> None:
    kismet = load_game("kismet")
    background.start(kismet, kismet.options(), 2)
    until(lambda: background.progress(kismet, kismet.options(), 2) is None)


def test_hints_say_that_they_are_estimates_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    solver = Fake()
    monkeypatch.setattr(RollersSolver, "solve_in_steps", staticmethod(solver))
    state = parse_position("rollers 22221/22221 55/55 0/0 1 1 1 - 1,1,1,2,5,b2")
    evaluation = RollersEvaluator(RollersOptions(), 2, None).evaluate(state)
    assert values.estimated(state, replace(evaluation, exact=True)) == ""
    until(lambda: values.solve_meanwhile(state) == 0.34)
    told = "These are estimates; exact values are being solved in the background, 34% done."
    assert values.estimated(state, evaluation, 0.34) == told
    told = "These are estimates; “hotdice solve rollers” makes those from the start of a game exact, in minutes."
    assert values.estimated(state, evaluation) == told
    solver.go_on.set()
    until(lambda: values.solve_meanwhile(state) is None)


def test_the_round_of_rollers_goes_on_where_it_was_stopped() -> None:
    options = RollersOptions()
    background.start(ROLLERS, options, 3)
    until(lambda: (background.progress(ROLLERS, options, 3) or 0) > 0.001)
    background.stop()
    kept = rollers._resume(False)
    assert kept.done.sum() > 20
    assert not store.has(rollers.round_key(False), rollers.VERSION)
    background.start(ROLLERS, options, 4)
    until(lambda: (background.progress(ROLLERS, options, 4) or 0) > kept.share)
    background.stop()
    further = rollers._resume(False)
    assert further.done[kept.done].all()
    assert further.done.sum() > kept.done.sum()
    assert further.values[0][kept.done].tolist() == kept.values[0][kept.done].tolist()


def test_a_solved_round_is_not_solved_again() -> None:
    store.keep(rollers.round_key(False), rollers.VERSION, {"values": np.zeros(1), "error": np.zeros(1)})
    rollers.solve_in_steps(RollersOptions(), threading.Event(), lambda share: pytest.fail("It solves."))


def test_the_table_that_was_asked_for_last_is_solved_and_goes_on_where_it_was_stopped() -> None:
    options, stop = RollersOptions(), threading.Event()
    shares: list[float] = []

    def soon(share: float) -> None:
        shares.append(share)
        if share > shares[0] + 0.0002:
            stop.set()

    match_tables.ask_for(options, (1, 2))
    os.utime(store._path(f"{match_tables.match_key(options, (1, 2))} wanted", match_tables.VERSION), (1, 1))  # long ago
    match_tables.ask_for(options, (1, 1))
    match_tables.solve_in_steps(options, stop, soon)
    kept = match_tables.MatchSolve(options, (1, 1))
    kept.resume()
    assert 0 < kept.round.share == shares[-1] < 0.01
    stop.clear()
    shares.clear()
    match_tables.solve_in_steps(options, stop, soon)
    assert shares[0] > kept.round.share


def test_only_a_few_tables_of_match_scores_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_tables, "KEPT", 2)
    options = RollersOptions()
    for at, needs in enumerate(((1, 1), (1, 2), (2, 1))):
        match_tables.MatchSolve(options, needs).keep(options, 0.0)
        os.utime(store._path(match_tables.match_key(options, needs), match_tables.VERSION), (at, at))
    found = [needs for needs in ((1, 1), (1, 2), (2, 1)) if match_tables.saved_match(options, needs)]
    assert found == [(1, 2), (2, 1)]


def test_the_end_of_the_program_does_not_wait_for_the_solve(tmp_path: Path) -> None:
    """A program that ends amid a solve ends, silently, and leaves its part behind."""
    assert background.EXIT_TIMEOUT < 5
    lines = f"""
import os
import time
from pathlib import Path
from hotdice.games.rollers import ROLLERS, RollersOptions
from hotdice.solve import background, store
from hotdice.values import Unit
store.folder = lambda: Path({str(tmp_path)!r})
background.EXIT_TIMEOUT = {TIMEOUT}
os.setpriority = lambda *_: None
background.start(ROLLERS, RollersOptions(), 3)
while not background.progress(ROLLERS, RollersOptions(), 3):
    time.sleep(0.01)
"""
    run = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, check=True, timeout=2 * TIMEOUT)
    assert (run.stdout, run.stderr) == ("", "")
    assert [path.suffix for path in tmp_path.iterdir()] == [".table"]
    assert 0 < rollers._resume(False).share < 1
