"""`hotdice replay` and `hotdice verify`: a recorded game told again, and checked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hotdice.dice import SeededDice
from hotdice.fair import FairDice, HiddenDice
from hotdice.record import Comment, Record, source_of
from hotdice.table import Rolled, Table
from hotdice.terminal import speak
from hotdice.terminal.saves import load, naming
from hotdice.terminal.streams import plain
from hotdice.view import named


def replay(path: Path, *, as_json: bool) -> None:
    """Print a recorded game, event by event."""
    record, table = _checked(path)
    if as_json:
        print(json.dumps(_replay_json(record, table), indent=2))
    else:
        print("\n".join(map(plain, _replay_lines(record, table))))


def verify(path: Path) -> None:
    """Say what holds in a record; an error says what does not, and where."""
    record, table = _checked(path)
    held = "the game is unfinished" if table.state.result is None else f"the result holds: {record.result}"
    print(f"All {table.played} events are legal, and {held}.")
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


def _checked(path: Path) -> tuple[Record, Table]:
    """The record in a file and its game on a table, all of which holds."""
    with naming(path):
        record = load(path)
        return record, record.table()


def _replay_lines(record: Record, table: Table) -> Iterator[str]:
    yield f"{record.game.text(record.options)}, {record.day.isoformat()}, dice: {record.dice}"
    yield "; ".join(f"seat {n}: {seat.name} ({seat.kind})" for n, seat in enumerate(record.seats, 1))
    yield ""
    index = 0
    for entry in record.entries:
        if isinstance(entry, Comment):
            yield f"# {entry.text}"
            continue
        yield speak.tell(table, index)
        before, after = table.before(index), table.before(index + 1)
        if after.scores != before.scores:
            yield f"  {speak.scores_line(after, table.names)}"
        index += 1
    yield ""
    yield from speak.standings_lines(table.state, table.names)
    if table.state.result is None:
        yield f"The game is unfinished. {speak.with_names(table.state.prompt, table.names)}"


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
            "reason": speak.with_names(result.sentences, table.names),
            "standings": [
                {"seat": s.seat + 1, "place": s.place, "score": s.score, "note": named(s.note, table.names)}
                for s in result.standings
            ],
        },
    }
