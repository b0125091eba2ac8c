"""What the command line prints besides play: the games, their rules, and records replayed and verified."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hotdice.dice import ManualDice, SeededDice
from hotdice.fair import FairDice, HiddenDice
from hotdice.game import Game
from hotdice.games import all_games
from hotdice.record import Comment, Record, source_of
from hotdice.table import Rolled, Seat, Table
from hotdice.terminal import speak
from hotdice.terminal.saves import load, naming
from hotdice.terminal.screen import Screen
from hotdice.terminal.setup import card
from hotdice.view import named


def rules(game: Game) -> None:
    """Print a game's rules and house rules."""
    screen = Screen()
    if screen.pictures:
        print("\n".join(screen.markdown(speak.rules_markdown(game))))
    else:
        print("\n".join(map(speak.plain, speak.rules_lines(game))))


def list_games(*, as_json: bool) -> None:
    """Print every game."""
    if as_json:
        print(json.dumps([_card_json(game) for game in all_games()], indent=2))
        return
    for game in all_games():
        print(f"{game.name:9}{card(game)}")
        print(f"{'':9}{game.pitch}")


def _card_json(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "pitch": game.pitch,
        "minutes": game.minutes,
        "min_players": game.min_players,
        "max_players": game.max_players,
        "options": [
            {"name": spec.name, "default": spec.default, "accepts": spec.accepts, "meaning": spec.meaning}
            for spec in game.options.specs()
        ],
    }


def replay(path: Path, *, as_json: bool) -> None:
    """Print a recorded game, event by event."""
    record = _checked(path)
    table = _played(record)
    if as_json:
        print(json.dumps(_replay_json(record, table), indent=2))
    else:
        print("\n".join(map(speak.plain, _replay_lines(record, table))))


def _checked(path: Path) -> Record:
    with naming(path):
        record = load(path)
        record.check_dice()
    return record


def _played(record: Record) -> Table:
    """The game on a table that takes any roll: whether the dice hold has been checked."""
    seats = tuple(Seat(seat.name) for seat in record.seats)
    table = Table(record.game.start(len(seats), record.options), seats, ManualDice())
    for event in record.events:
        table.repeat(event)
    return table


def _replay_lines(record: Record, table: Table) -> Iterator[str]:
    yield f"{record.game.text(record.options)}, {record.day.isoformat()}, dice: {record.dice}"
    yield "; ".join(f"seat {n}: {seat.name} ({seat.kind})" for n, seat in enumerate(record.seats, 1))
    yield ""
    states, index = table.states, 0
    for entry in record.entries:
        if isinstance(entry, Comment):
            yield f"# {entry.text}"
            continue
        yield speak.tell(table, index)
        index += 1
        if states[index].scores != states[index - 1].scores:
            yield f"  {speak.scores_line(states[index], table.names)}"
    yield ""
    yield from speak.standings_lines(table.state, table.names)
    if table.state.result is None:
        yield f"The game is unfinished. {speak.told(table.state.prompt, table.names)}"


def _replay_json(record: Record, table: Table) -> dict[str, Any]:
    """Seats count from 1, as in the record."""
    states, result = table.states, table.state.result
    events = [
        {
            "seat": event.seat + 1,
            "text": f"rolls {record.game.roll_text(event.roll)}" if isinstance(event, Rolled) else event.move.text,
            "sentence": speak.tell(table, number),
            "position": states[number + 1].position,
            "scores": list(states[number + 1].scores),
        }
        for number, event in enumerate(table.events)
    ]
    return {
        "game": record.game.name,
        "options": {spec.name: getattr(record.options, spec.name) for spec in record.options.specs()},
        "date": record.day.isoformat(),
        "seats": [{"name": seat.name, "kind": seat.kind} for seat in record.seats],
        "dice": record.dice,
        "position": states[0].position,
        "events": events,
        "result": result
        and {
            "winners": [seat + 1 for seat in result.winners],
            "reason": speak.told(result.reason, table.names),
            "standings": [
                {"seat": s.seat + 1, "place": s.place, "score": s.score, "note": named(s.note, table.names)}
                for s in result.standings
            ],
        },
    }


def verify(path: Path) -> None:
    """Say what holds in a record; an error says what does not, and where."""
    record = _checked(path)
    held = "the game is unfinished" if record.result == "unfinished" else f"the result holds: {record.result}"
    print(f"All {len(record.events)} events are legal, and {held}.")
    match source_of(record.dice):
        case FairDice() as dice:
            print("Every roll follows from the secret and the players' strings. This was to be seen before the game,")
            print(f"as the SHA-256 of the secret: {dice.commitment}")
        case HiddenDice():
            print("The secret of the dice is revealed only when the game is over; then they can be checked.")
        case SeededDice():
            print(f"The dice ({record.dice}) were rolled again and show the same.")
        case _:
            print(f"The dice are {record.dice}, so whether they rolled so cannot be checked.")
