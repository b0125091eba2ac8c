"""How fast the engine is: random play through the `State` API, against OpenSpiel's Pig driven from Python.

Games take turns in short slices of CPU time, so that a busy machine slows all of them alike; what counts are the
ratios. Also: what importing the package and asking for help cost, and the slowest list of legal moves.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from random import Random
from time import perf_counter, process_time

import pyspiel

import hotdice
from benchmarks.report import Row, alone, medians, part, versus
from hotdice.games.rollers.rules import applications

SLICE = 0.25
ROUNDS = 12


def play_ours(name: str) -> Callable[[Random], int]:
    """One random game through our states; gives the number of events."""
    game = hotdice.load_game(name)

    def play(random: Random) -> int:
        draw = random.random
        state = game.start()
        events = 0
        while (seat := state.seat) != hotdice.OVER:
            if seat == hotdice.CHANCE:
                outcomes = state.outcomes()
                state = state.roll(outcomes.at(int(draw() * outcomes.total)))
            else:
                moves = state.legal_moves()
                state = state.apply(moves[int(draw() * len(moves))])
            events += 1
        return events

    return play


def play_open_spiel() -> Callable[[Random], int]:
    """One random game of OpenSpiel's Pig, driven the same way."""
    game = pyspiel.load_game("pig(players=2,winscore=100)")

    def play(random: Random) -> int:
        draw = random.random
        state = game.new_initial_state()
        events = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(draw() * len(outcomes))][0])
            else:
                actions = state.legal_actions()
                state.apply_action(actions[int(draw() * len(actions))])
            events += 1
        return events

    return play


def events_per_second() -> dict[str, list[float]]:
    """By round, in each of which every contestant plays for one slice."""
    contestants = {"openspiel": play_open_spiel()}
    contestants |= {game.name: play_ours(game.name) for game in hotdice.all_games()}
    speeds: dict[str, list[float]] = {name: [] for name in contestants}
    random = Random(2026)
    for _ in range(ROUNDS):
        for name, play in contestants.items():
            events, start = 0, process_time()
            while (spent := process_time() - start) < SLICE:
                events += play(random)
            speeds[name].append(events / spent)
    return speeds


def worst_applications() -> tuple[float, int]:
    """The slowest list of Rollers applications in milliseconds, nothing cached, and the most moves there are."""
    slowest, most = 0.0, 0
    compute = applications.__wrapped__
    for board in product(range(3), repeat=5):
        for stars, number in ((5, 1), (5, 5), (4, 1), (3, 2)):
            counts = [0] * 5
            counts[number - 1] = 6 - stars
            times = []
            for _ in range(3):
                start = perf_counter()
                moves = len(compute(board, tuple(counts), stars, (True,) * 5).moves)
                times.append(perf_counter() - start)
            slowest, most = max(slowest, min(times)), max(most, moves)
    return slowest * 1000, most


def cpu_ms(*command: str) -> float:
    """The median CPU time of a command, in milliseconds."""

    def once() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime) * 1000

    once()
    return statistics.median(once() for _ in range(15))


def rows(arguments: Sequence[str]) -> Iterator[Row]:
    """All there is to measure."""
    part(arguments)
    speeds = events_per_second()
    peer, group, unit = speeds["openspiel"], "Random play from Python", "events/CPU s"
    for name, found in speeds.items():
        if name == "openspiel":
            yield Row(
                "engine.openspiel", group, "OpenSpiel's Pig", unit=unit, better="higher", ours=False, **medians(found)
            )
        else:
            beside = (versus("engine.openspiel", found, peer),)
            title = hotdice.load_game(name).title
            yield Row(f"engine.{name}", group, title, unit=unit, better="higher", **medians(found), versus=beside)
    slowest, most = worst_applications()
    yield Row("engine.applications", "Rollers", f"the slowest list of legal moves, of {most}", slowest, "ms", "lower")
    bare = cpu_ms(sys.executable, "-c", "pass")
    package = cpu_ms(sys.executable, "-c", "import hotdice")
    command = Path(sys.executable).with_name("hotdice")
    help_text = cpu_ms(sys.executable, str(command), "--help")
    group, unit = "Starting", "ms of CPU"
    yield Row("engine.python", group, "bare Python", bare, unit, "lower", ours=False)
    yield Row("engine.import", group, "import hotdice, beyond that", package - bare, unit, "lower")
    yield Row(
        "engine.help",
        group,
        "hotdice --help",
        help_text,
        unit,
        "lower",
        versus=(versus("engine.python", [help_text], [bare]),),
    )


if __name__ == "__main__":
    alone(rows)
