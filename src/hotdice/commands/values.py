"""`hotdice odds` and `hotdice solve`: what moves, rolls and whole games are worth."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from hotdice.errors import HotdiceError, ParseError
from hotdice.game import CHANCE, Game, Move, State
from hotdice.games import all_games, load_game, parse_game, parse_position
from hotdice.options import Options
from hotdice.solve import evaluate_toward, summary_of
from hotdice.solve.words import action_text
from hotdice.terminal import speak, values
from hotdice.terminal.progress import Work, worked
from hotdice.terminal.screen import Screen
from hotdice.terminal.streams import plain
from hotdice.values import Evaluation, Progress, Summary, Valued

if TYPE_CHECKING:
    from hotdice.simulation.clusters import Where


def odds(
    game: str, position: str, options: Sequence[str], *, target: int | None = None, as_json: bool, everything: bool
) -> None:
    """Print every legal move of a position, or every roll, with its value, or with its chance of a target."""
    state = _position(game, position, options)
    evaluation = values.evaluating(state).wait() if target is None else _toward(state, target)
    if as_json:
        aim = {} if target is None else {"target": target}
        print(json.dumps(_odds_json(state, evaluation) | aim, indent=2))
        return
    names = [f"Seat {number}" for number in range(1, state.players + 1)]
    most = len(evaluation.lines) if everything else values.SHOWN
    lines = [speak.with_names(state.prompt, names), "", *values.table(state, evaluation, most)]
    if caveat := values.estimated(state, evaluation):
        lines.append(f"  {caveat}")
    print("\n".join(lines if Screen().pictures else map(plain, lines)))


def _toward(state: State, target: int) -> Evaluation:
    title = f"Solving {state.game.title}"
    return Work(lambda progress: evaluate_toward(state, target, progress), title).wait()


def _position(name: str, position: str, options: Sequence[str]) -> State:
    """A position with or without its game in front; options count where the position has none of its own."""
    game, chosen = parse_game(name)
    if options:
        chosen = game.options.parse(",".join(options))
    first = position.split(maxsplit=1)[0].partition("(")[0] if position.split() else ""
    if first == game.name:
        return parse_position(position)
    if other := next((other for other in all_games() if other.name == first), None):
        raise HotdiceError(f"This is a position of {other.title}, not of {game.title}.")
    try:
        return parse_position(f"{game.text(chosen)} {position}")
    except ParseError as error:
        fields = game.state.fields
        told = str(error) if fields in str(error) else f"{error} The fields of a position of {game.title}: {fields}."
        raise HotdiceError(told) from error


def _odds_json(state: State, evaluation: Evaluation) -> dict[str, Any]:
    return {
        "position": state.position,
        "seat": evaluation.seat + 1,
        "unit": evaluation.unit.value,
        "exact": evaluation.exact,
        "value": evaluation.value,
        "error": evaluation.error,
        "rolls" if state.seat == CHANCE else "moves": [_line_json(state, line) for line in evaluation.lines],
    }


def _line_json(state: State, line: Valued) -> dict[str, Any]:
    shown = {"text": action_text(state, line), "value": line.value, "error": line.error, "tied": line.tied}
    if isinstance(line.action, Move):
        return shown | {"behind": line.behind, "behind_error": line.behind_error}
    return shown | {"chance": float(state.outcomes().probability(line.action))}


def solve(name: str, options: Sequence[str], players: int | None = None, *, as_json: bool) -> None:
    """Solve a game, or load its tables, and print the headline; for some number of players, if there is a choice."""
    game = load_game(name.lower())
    chosen = game.options.parse(",".join(options))
    found = Work(lambda progress: summary_of(game, chosen, progress, players), f"Solving {game.title}").wait()
    if as_json:
        print(json.dumps(_solve_json(game, chosen, found), indent=2))
        return
    company = "one player" if found.players == 1 else f"{found.players} players"
    print(f"{game.text(chosen)}, {company}: {found.value:.9f} {found.unit.value} for the player who begins.")
    for fact in found.facts:
        print(fact.sentence)
    took = f"{found.cpu_seconds:.1f} s of CPU when it was solved"
    print(f"{found.states:,} states, error at most {found.error:.1e}, {took}.")


def solve_every(name: str, options: Sequence[str], players: int | None, where: Where, *, as_json: bool) -> int:
    """Solve a game by all house rules that have those named, and print what each is worth, as far as it is known."""
    from hotdice.simulation.kept import made_by

    game = load_game(name.lower())
    named = {part.partition("=")[0].strip() for text in options for part in text.split(",")}
    chosen = game.options.parse(",".join(options))
    kept = {name: getattr(chosen, name) for name in named}
    every = list(dict.fromkeys(game.text(replace(found, **kept)) for found in game.options.combinations()))
    answers: list[dict[str, Any]] = []

    def do(progress: Progress) -> None:
        with where.processes(partial(made_by, game.text(chosen))) as mapped:
            for answer in mapped(partial(_solved, players), iter(every)):
                answers.append(answer)
                progress(len(answers) / len(every))

    stopped, error = worked(Work(do, f"Solving {game.title} by {len(every)} sets of house rules"))
    if as_json:
        print(json.dumps({"stopped": stopped, "solved": answers}, indent=2))
    elif answers:
        print("\n".join(_every_line(answer) for answer in answers))
    if error:
        raise error
    return 130 if stopped else 0


def _solved(players: int | None, game: str) -> dict[str, Any]:
    """The headline of one set of house rules."""
    card, options = parse_game(game)
    return {"text": game} | _solve_json(card, options, summary_of(card, options, players=players))


def _every_line(answer: dict[str, Any]) -> str:
    return f"{answer['text']}: {answer['value']:.9f} {answer['unit']}, error at most {answer['error']:.1e}"


def _solve_json(game: Game, options: Options, found: Summary) -> dict[str, Any]:
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
