"""What moves are worth, in words and tables: `hotdice odds`, `hotdice solve`, and the hints during play.

Values come from the evaluators; this only shows them. Solving takes seconds to minutes the first time, so there is a
progress bar wherever it may happen.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Timer
from typing import Any

from hotdice.game import CHANCE, Game, State
from hotdice.games import load_game, parse_game, parse_position
from hotdice.options import Options
from hotdice.solve import evaluator_for, summary_of
from hotdice.solve.words import action_text, amount, worth
from hotdice.terminal import speak
from hotdice.terminal.screen import Screen
from hotdice.values import Evaluation, NotSolved, Progress

SHOWN = 15
"""How many moves or rolls a table has unless all are asked for."""
BAR = 20
MOMENT = 0.7
"""Seconds after which a wait is explained."""


@contextmanager
def waiting(text: str) -> Iterator[Progress]:
    """A progress bar on stderr for what takes longer than a moment; it leaves no trace.

    It swings to and fro, as compiling and rollouts do not say how far they are, until it is told a share.
    """
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (TextColumn(text), BarColumn(), TextColumn("{task.fields[share]}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, visible=False, share="")
        late = Timer(MOMENT, lambda: bar.update(task, visible=True))
        late.daemon = True
        late.start()
        try:
            yield lambda done: bar.update(task, total=1.0, completed=done, visible=True, share=f"{done:4.0%}")
        finally:
            late.cancel()


def evaluation_of(state: State) -> Evaluation:
    """Every move or roll with its value, its tables solved if need be."""
    with waiting(f"Solving {state.game.title}") as progress:
        return evaluator_for(state.game, state.options, state.players, progress).evaluate(state)


def prepare(state: State) -> None:
    """Solve what the bots of a game want to know, or have it solved while the game goes on."""
    solve_meanwhile(state)
    with suppress(NotSolved), waiting(f"Solving {state.game.title}") as progress:
        evaluator_for(state.game, state.options, state.players, progress)


def solve_meanwhile(state: State) -> float | None:
    """Have a game that takes minutes solved in the background; how far that is, if it is under way."""
    from hotdice.solve import background

    background.start(state.game, state.options, state.players)
    return background.progress(state.game, state.options, state.players)


def estimated(state: State, evaluation: Evaluation) -> str:
    """That values are estimates until a solve in the background is done, where that is so."""
    share = solve_meanwhile(state)
    if share is None or evaluation.exact or state.players != 2 or evaluation.unit.value != "round points":
        return ""
    return f"Exact values are being solved in the background ({share:.0%}); until then these are estimates."


def table(state: State, evaluation: Evaluation, most: int = SHOWN) -> Iterator[str]:
    """The moves or rolls with their values and bars, best first; those that tie with the best have a =."""
    lines = evaluation.lines[:most]
    texts = [action_text(state, line) for line in lines]
    amounts = [amount(line.value, evaluation.unit) for line in lines]
    best, last = evaluation.lines[0].value, evaluation.lines[-1].value
    wide, figure = max(map(len, texts)), max(map(len, amounts))
    for line, text, shown in zip(lines, texts, amounts, strict=True):
        share = 1.0 if best == last else (line.value - last) / (best - last)
        error = "" if evaluation.exact else f" ±{amount(line.error, evaluation.unit).lstrip('+')}"
        bar = "█" * round(BAR * share)
        yield f"{'=' if line.tied else ' '} {text:{wide}}  {shown:>{figure}}{error}  {bar}".rstrip()
    if len(evaluation.lines) > most:
        yield f"  and {len(evaluation.lines) - most} more, down to {amount(last, evaluation.unit)}"
    if state.seat == CHANCE:
        yield f"  On average {worth(evaluation.value, evaluation.unit)}."


def odds(game: str, position: str, options: Sequence[str], *, as_json: bool, everything: bool) -> None:
    """Print every legal move of a position, or every roll, with its value."""
    state = _position(game, position, options)
    evaluation = evaluation_of(state)
    if as_json:
        print(json.dumps(_odds_json(state, evaluation), indent=2))
        return
    names = [f"Seat {number}" for number in range(1, state.players + 1)]
    most = len(evaluation.lines) if everything else SHOWN
    lines = [speak.told(state.prompt, names), "", *table(state, evaluation, most)]
    screen = Screen()
    print("\n".join(lines if screen.pictures else map(speak.plain, lines)))


def _position(name: str, position: str, options: Sequence[str]) -> State:
    """A position with or without its game in front; options count where the position has none of its own."""
    game, chosen = parse_game(name)
    if options:
        chosen = game.options.parse(",".join(options))
    first = position.split(maxsplit=1)[0] if position.split() else ""
    if first.partition("(")[0] == game.name:
        return parse_position(position)
    return parse_position(f"{game.text(chosen)} {position}")


def _odds_json(state: State, evaluation: Evaluation) -> dict[str, Any]:
    return {
        "position": state.position,
        "seat": evaluation.seat + 1,
        "unit": evaluation.unit.value,
        "exact": evaluation.exact,
        "value": evaluation.value,
        "rolls" if state.seat == CHANCE else "moves": [
            {"text": action_text(state, line), "value": line.value, "error": line.error, "tied": line.tied}
            for line in evaluation.lines
        ],
    }


def solve(name: str, options: Sequence[str], *, as_json: bool) -> None:
    """Solve a game, or load its tables, and print the headline."""
    game = load_game(name.lower())
    chosen = game.options.parse(",".join(options))
    with waiting(f"Solving {game.title}") as progress:
        found = summary_of(game, chosen, progress)
    if as_json:
        print(json.dumps(_solve_json(game, chosen, found), indent=2))
        return
    alone = "one player" if found.players == 1 else f"{found.players} players"
    print(f"{game.text(chosen)}, {alone}: {found.value:.9f} {found.unit.value} for the player who begins.")
    for fact in found.facts:
        print(fact.sentence)
    took = f"{found.cpu_seconds:.1f} s of CPU when it was solved"
    print(f"{found.states:,} states, error at most {found.error:.1e}, {took}.")


def _solve_json(game: Game, options: Options, found: Any) -> dict[str, Any]:
    answer = {
        "game": game.name,
        "options": {spec.name: getattr(options, spec.name) for spec in options.specs()},
        "players": found.players,
        "value": found.value,
        "unit": found.unit.value,
        "error": found.error,
        "states": found.states,
        "cpu_seconds": found.cpu_seconds,
        "checksum": found.checksum,
    }
    return answer | {fact.name: fact.value for fact in found.facts}
