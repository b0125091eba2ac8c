"""A game in words: dice, sheets, legal moves and standings as plain lines, for pipes and for screen readers.

The drawn window uses the same words where it needs any. Nothing here draws, and nothing needs more than ASCII
unless a name does.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from hotdice.game import Game, State
from hotdice.notation import listed
from hotdice.options import value_text
from hotdice.table import Moved, Rolled, Table
from hotdice.view import Bar, Cell, DieView, Grid, named

_SEAT: Final = re.compile(r"\{(\d+)\}")


def seat_of(cell: Cell) -> int | None:
    """The seat that a row or a column of a grid belongs to, by its first cell or its head."""
    match = _SEAT.match(cell) if isinstance(cell, str) else None
    return int(match[1]) if match else None


# Sentences

YOU: Final = "You"
"""The one name that takes verbs as “I” and “they” do."""
_YOU_DO: Final = re.compile(r"(^|[.!:] )You ([^.!:]*)")
_VERB: Final = re.compile(r"(^|, | and | or )([a-z]+s)\b")


def with_names(text: str, names: Sequence[str]) -> str:
    """A sentence of the game with the players' names filled in."""
    return conjugated(named(text, names), names)


def conjugated(text: str, names: Sequence[str]) -> str:
    """`You rolls 3 and loses a turn.` as it should be said, where somebody is called You."""
    if YOU not in names:
        return text
    return _YOU_DO.sub(lambda part: f"{part[1]}You {_VERB.sub(_base_form, part[2])}", text)


def _base_form(verb: re.Match[str]) -> str:
    known = {"has": "have", "is": "are"}
    word = verb[2]
    if word.endswith("sses"):
        base = word[:-2]
    elif word.endswith("ies"):
        base = f"{word[:-3]}y"
    else:
        base = known.get(word, word[:-1])
    return verb[1] + base


def tell(table: Table, index: int) -> str:
    """What happened in the event of that number."""
    return conjugated(table.tell(index), table.names)


# What lies on the table


@dataclass(frozen=True, slots=True)
class DiceShown:
    """The dice to look at, and whose they are."""

    seat: int
    dice: tuple[DieView, ...]

    def groups(self) -> dict[str, list[DieView]]:
        """The dice by the place where they lie: kept ones first, as the state lists them."""
        found: dict[str, list[DieView]] = {}
        for die in self.dice:
            found.setdefault(die.place, []).append(die)
        return found


def dice_shown(table: Table) -> DiceShown:
    """The dice of the state, or where it holds none, those that were on the table last."""
    states, events = table.states, table.events
    for index in range(len(states) - 1, -1, -1):
        state = states[index]
        if dice := state.dice_view():
            return DiceShown(state.roller, dice)
        event = events[index - 1] if index else None
        if isinstance(event, Rolled):
            return DiceShown(event.seat, tuple(table.game.die_view(code, "rolled") for code in event.roll))
    return DiceShown(0, ())


def dice_line(shown: DiceShown) -> str:
    """`Kept: 5 5. Rolled: 1 2 3 6.`"""
    return " ".join(
        f"{place.capitalize()}: {' '.join(die.text for die in dice)}." for place, dice in shown.groups().items()
    )


def dice_due(state: State) -> str:
    """How many of which dice are to be rolled: `4 purple dice and 1 black die`."""
    roll = state.outcomes().rolls[0]
    counts = Counter(state.game.die_view(code, "").die for code in roll)
    return listed(f"{count} {name if count == 1 else name.replace('die', 'dice')}" for name, count in counts.items())


# What may be done

FEW: Final = 8
"""Up to this many legal moves are listed one by one."""


def legal_line(state: State) -> str:
    """The legal moves in one line: all of them if they are few, else each verb with an example."""
    texts = [move.text for move in state.legal_moves()]
    if len(texts) == 1:
        return f"The only move is {texts[0]}; Enter plays it."
    if len(texts) <= FEW:
        return f"Moves: {', '.join(texts)}."
    by_verb: dict[str, list[str]] = {}
    for text in texts:
        by_verb.setdefault(text.split()[0], []).append(text)
    parts = [
        # One from the middle, so that the example is no advice.
        same[0] if len(same) == 1 else f"{same[len(same) // 2]} (one of {len(same)})"
        for same in by_verb.values()
    ]
    return f"Moves: {', '.join(parts)}. ? lists them."


def moves_listed(state: State, names: Sequence[str], prefix: str, most: int) -> Iterator[tuple[str, str]]:
    """Legal moves that start with a prefix, each with its meaning; long lists end with a count.

    Every verb gets its share, so that a long list of one does not hide another.
    """
    by_verb: dict[str, list[tuple[str, str]]] = {}
    wanted = " ".join(prefix.lower().split())
    for move in state.legal_moves():
        if move.text.startswith(wanted):
            by_verb.setdefault(move.text.split()[0], []).append((move.text, state.tell_move(move)))
    for verb, moves in by_verb.items():
        share = max(3, most // len(by_verb))
        shown = moves if len(moves) <= share else moves[: share - 1]
        for text, label in shown:
            yield text, named(label, names)
        if left := len(moves) - len(shown):
            yield (
                f"and {left} more",
                "Type more of it after the ? to see them." if wanted else f"“? {verb}” lists them.",
            )


# The score


def scores_line(state: State, names: Sequence[str]) -> str:
    """`Scores: Ann 120, Ben 98.`"""
    return f"Scores: {', '.join(f'{name} {score:,}' for name, score in zip(names, state.scores, strict=True))}."


def sheet_lines(state: State, names: Sequence[str]) -> Iterator[str]:
    """The score sheets, a sentence for each player and grid."""
    for grid in state.grids():
        yield from _grid_lines(grid, names)


def _grid_lines(grid: Grid, names: Sequence[str]) -> Iterator[str]:
    for row in grid.rows:
        if (seat := seat_of(row[0])) is not None:
            cells = zip(grid.head[1:], row[1:], strict=True)
            spoken = [f"{head} {_spoken(cell)}" for head, cell in cells if isinstance(cell, str)]
            yield f"{names[seat]}: {', '.join(spoken)}."
    for column, head in enumerate(grid.head[1:], 1):
        entries = [(str(row[0]), row[column]) for row in grid.rows if seat_of(row[0]) is None]
        if not entries:
            continue
        if (seat := seat_of(head)) is not None:
            yield f"{names[seat]}, {grid.head[0]}: {', '.join(f'{label} {_spoken(cell)}' for label, cell in entries)}."
        else:
            filled = [f"{label} {_spoken(cell)}" for label, cell in entries if cell]
            yield f"{head.capitalize()}, {grid.head[0]}: {', '.join(filled) or 'nothing'}."


def _spoken(cell: Cell) -> str:
    if isinstance(cell, Bar):
        return f"{cell.value} of {cell.of}"
    return "empty" if cell in ("", "·") else cell


def wrote(before: State, after: State) -> bool:
    """Whether something changed on a score sheet, as it does at the end of a turn."""
    return _entries(before) != _entries(after)


def _entries(state: State) -> list[Cell]:
    return [
        cell
        for grid in state.grids()
        for row in grid.rows
        for head, cell in zip(grid.head, row, strict=True)
        if seat_of(head) is not None or seat_of(row[0]) is not None
    ]


def standings_lines(state: State, names: Sequence[str]) -> Iterator[str]:
    """How the game ended: who won and why, then everybody's place."""
    result = state.result
    if result is None:
        return
    winners = listed(names[seat] for seat in result.winners)
    if len(names) == 1:
        yield conjugated(f"{winners} ends with {state.scores[0]}. {result.sentences}", names)
        return
    wins = "wins" if len(result.winners) == 1 else "share the win"
    yield conjugated(f"{winners} {wins}! {named(result.sentences, names)}", names)
    for standing in result.standings:
        note = f", {named(standing.note, names)}" if standing.note else ""
        yield f"{standing.place}. {names[standing.seat]}, {standing.score:,}{note}"


# What has happened


def story(table: Table, start: int = 0) -> Iterator[str]:
    """The events from one on as sentences, with the scores wherever they change."""
    states = table.states
    for index in range(start, table.played):
        yield tell(table, index)
        before, after = states[index], states[index + 1]
        if after.scores != before.scores and after.result is None:
            yield scores_line(after, table.names)


def is_choice_of(table: Table, seat: int) -> bool:
    """Whether the last event is a choice by a seat."""
    return isinstance(table.last, Moved) and table.last.seat == seat


# The game


def card(game: Game) -> str:
    """A game in one line."""
    return f"{game.title}, {player_count(game)}, about {game.minutes} minutes"


def player_count(game: Game) -> str:
    """How many can play: `2 to 8 players`."""
    fewest, most = game.min_players, game.max_players
    return f"{fewest} to {most} players" if fewest < most else f"{most} player{'s' if most > 1 else ''}"


def rules_markdown(game: Game) -> str:
    """The rules followed by the table of house rules, in Markdown."""
    rows = [
        f"| {spec.name} | {spec.accepts} | {value_text(spec.default)} | {spec.meaning} |"
        for spec in game.options.specs()
    ]
    if not rows:
        return game.rules
    head = ["", "## House rules", "", "| Option | Takes | Default | Meaning |", "| --- | --- | --- | --- |"]
    return "\n".join([game.rules.rstrip(), *head, *rows, ""])


def rules_lines(game: Game) -> Iterator[str]:
    """The rules as plain text: headings underlined, tables without their frames."""
    for line in rules_markdown(game).splitlines():
        text = re.sub(r"\*\*|`", "", line)
        if heading := re.match(r"(#+) (.*)", text):
            yield from (heading[2], ("=" if len(heading[1]) == 1 else "-") * len(heading[2]))
        elif text.startswith("|"):
            cells = [cell.strip() for cell in text.strip("| ").split("|")]
            if set("".join(cells)) - set("- :"):
                yield "  " + "; ".join(cells)
        else:
            yield text
