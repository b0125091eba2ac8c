"""A game in words: dice, sheets, legal moves and standings as plain lines, for pipes and for screen readers.

The drawn window uses the same words where it needs any. Nothing here draws, and nothing needs more than ASCII
unless a name does.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import starmap
from typing import Final

from hotdice.errors import AmbiguousMove, ParseError
from hotdice.game import ROLLED, STAYING, Game, Move, State
from hotdice.notation import listed
from hotdice.rulebook import house_rules
from hotdice.table import Moved, Rolled, Table
from hotdice.view import Bar, Cell, DieView, Grid, named, verb, who, wins

_SEAT: Final = re.compile(r"\{(\d+)\}")


def seat_of(cell: Cell) -> int | None:
    """The seat that a row or a column of a grid belongs to, by its first cell or its head."""
    match = _SEAT.match(cell) if isinstance(cell, str) else None
    return int(match[1]) if match else None


# Sentences

YOU: Final = "You"
"""The one name that takes verbs as “I” and “they” do."""


def with_names(text: str, names: Sequence[str]) -> str:
    """A sentence of the game with the players' names filled in."""
    return named(text, names, _you(names))


def _you(names: Sequence[str]) -> int | None:
    """The seat of whoever is called You."""
    return names.index(YOU) if YOU in names else None


def tell(table: Table, index: int) -> str:
    """What happened in the event of that number."""
    return table.tell(index, _you(table.names))


# What lies on the table


_LABELS: Final = {"aside": "set aside"}


@dataclass(frozen=True, slots=True)
class DiceGroup:
    """Dice that lie together."""

    place: str
    """Where, as the game says it."""
    dice: tuple[DieView, ...]
    joined: bool = False
    """Whether others lay in such a place already."""

    @property
    def label(self) -> str:
        """Where, in words."""
        return _LABELS.get(self.place, self.place) + (" now" if self.joined else "")


@dataclass(frozen=True, slots=True)
class DiceShown:
    """The dice to look at, those that lay there before the last roll first, and whose they are."""

    seat: int
    groups: tuple[DiceGroup, ...] = ()


def dice_shown(table: Table) -> DiceShown:
    """The dice on the table; where the state holds none, those of the turn that was played last."""
    states, events = table.states, table.events
    for index in range(len(states) - 1, -1, -1):
        state = states[index]
        event = events[index - 1] if index else None
        dice = state.dice_view()
        if isinstance(event, Rolled):
            before = _lying(table, index - 1)
            places = states[index - 1].places(event.roll)
            rolled = [state.game.die_view(code, place) for code, place in zip(event.roll, places, strict=True)]
            if not dice or len(before) + len(rolled) == len(dice):
                return DiceShown(event.seat, _groups(before, rolled))
        if dice:
            return DiceShown(state.roller, _groups((), dice))
    return DiceShown(0)


def _lying(table: Table, index: int) -> Sequence[DieView]:
    """The dice that stayed where they were when the roll of that number was made."""
    states, events = table.states, table.events
    if dice := states[index].dice_view():
        return dice
    start = next((at for at in range(index, -1, -1) if states[at].fresh), index)
    lying: list[DieView] = []
    all_dice = 0
    for at in range(start, index + 1):
        event = events[at]
        if not isinstance(event, Rolled):
            continue
        all_dice = all_dice or len(event.roll)
        if len(lying) + len(event.roll) > all_dice:  # they were picked up again
            lying.clear()
        if at < index:
            places = states[at].places(event.roll)
            lying += [
                table.game.die_view(code, place)
                for code, place in zip(event.roll, places, strict=True)
                if place in STAYING
            ]
    return lying


def _groups(before: Sequence[DieView], now: Sequence[DieView]) -> tuple[DiceGroup, ...]:
    """The dice by the place where they lie, those that lay there already apart from the others."""
    groups: list[DiceGroup] = []
    for dice in (before, now):
        places = dict.fromkeys(die.place for die in dice)
        for place in sorted(places, key=lambda place: (place not in STAYING, place == ROLLED)):
            there = tuple(die for die in dice if die.place == place)
            groups.append(DiceGroup(place, there, any(group.place == place for group in groups)))
    return tuple(groups)


def dice_line(shown: DiceShown) -> str:
    """`Kept: 5 5. Rolled: 1 2 3 6.`"""
    return " ".join(
        f"{group.label.capitalize()}: {' '.join(die.text for die in group.dice)}." for group in shown.groups
    )


def dice_due(state: State) -> str:
    """How many of which dice are to be rolled: `4 purple dice and 1 black die`."""
    roll = state.outcomes().rolls[0]
    counts = Counter(state.game.die_view(code, "").die for code in roll)
    return listed(f"{count} {name if count == 1 else name.replace('die', 'dice')}" for name, count in counts.items())


def faces_line(state: State) -> str:
    """How the faces of the dice to be rolled are typed, where that is not simply what they show."""
    codes = {code for roll in state.outcomes().rolls for code in roll}
    faces = [face for die in state.game.dice for face in die.faces if face.code in codes]
    odd = [f"{face.text} for {face.name}" for face in faces if face.text != face.name]
    return f"Type {listed(odd)}; numbers as they are." if odd else ""


# What may be done

FEW: Final = 8
"""Up to this many legal moves are listed one by one."""
_BEST: Final = 3
"""Of more than that, how many are named of those that bring the most."""


def move_text(move: Move, names: Sequence[str]) -> str:
    """A move as it is typed and shown: with the names of players, unless a name could be taken for a number."""
    return move.text if any(map(str.isdecimal, names)) else named(move.spoken, names)


def read_move(state: State, text: str, names: Sequence[str]) -> Move:
    """The move that is typed, by its notation or with the name of a player, or as much of it as is clear."""
    try:
        return state.parse_move(text)
    except ParseError:
        verb, *rest = text.casefold().split() or [""]
        named_moves = [move for move in state.legal_moves() if move.spoken != move.text and move.text.startswith(verb)]
        if not named_moves:
            raise
        return _by_name(" ".join(rest), {move_text(move, names).partition(" ")[2]: move for move in named_moves})


def _by_name(typed: str, choices: Mapping[str, Move]) -> Move:
    """The move with the name that is typed, in full or by an abbreviation that fits no other."""
    fits = {name: move for name, move in choices.items() if name.casefold().startswith(typed)}
    exact = [move for name, move in fits.items() if name.casefold() == typed]
    if exact or len(fits) == 1:
        return exact[0] if exact else next(iter(fits.values()))
    if typed and fits:
        raise AmbiguousMove(f"“{typed}” could be {listed(fits, 'or')}; type more of it.")
    wrong = f"“{typed}” is nobody to name here; expected" if typed else "Expected a name here:"
    raise ParseError(f"{wrong} {listed(choices, 'or')}.")


def best_first(state: State) -> dict[Move, str]:
    """Every legal move with what it brings at once, where the game says that; those that bring the most come first."""
    best = dict(state.shortlist())
    return best | {move: "" for move in state.legal_moves() if move not in best}


def legal_line(state: State, names: Sequence[str]) -> str:
    """The legal moves in one line: all of them if they are few, else of each verb what brings the most."""
    moves = {move_text(move, names): brings for move, brings in best_first(state).items()}
    if len(moves) == 1:
        return f"The only move is {next(iter(moves))}; Enter plays it."
    if len(moves) <= FEW:
        return f"Moves: {', '.join(starmap(_bringing, moves.items()))}."
    by_verb: dict[str, list[str]] = {}
    for text in moves:
        by_verb.setdefault(text.split()[0], []).append(text)
    parts = []
    for same in by_verb.values():
        best = [_bringing(text, moves[text]) for text in same if moves[text]][:_BEST]
        if best:
            more = f" and {len(same) - len(best)} more" if len(same) > len(best) else ""
            parts.append(f"{', '.join(best)}{more}")
        else:  # one from the middle, so that the example is no advice
            parts.append(same[0] if len(same) == 1 else f"{same[len(same) // 2]} (one of {len(same)})")
    return f"Moves: {'; '.join(parts)}. ? lists them."


def _bringing(text: str, brings: str) -> str:
    return f"{text} ({brings})" if brings else text


def moves_listed(state: State, names: Sequence[str], prefix: str, most: int) -> Iterator[tuple[str, str]]:
    """Legal moves that start with a prefix, each with its meaning; long lists end with a count.

    Every verb gets its share, so that a long list of one does not hide another. What brings the most comes first.
    """
    by_verb: dict[str, list[tuple[str, str]]] = {}
    wanted = " ".join(prefix.lower().split())
    for move in best_first(state):
        text = move_text(move, names)
        if text.lower().startswith(wanted):
            by_verb.setdefault(text.split()[0], []).append((text, state.tell_move(move)))
    for word, moves in by_verb.items():
        share = max(3, most // len(by_verb))
        shown = moves if len(moves) <= share else moves[: share - 1]
        for text, label in shown:
            yield text, named(label, names)
        if left := len(moves) - len(shown):
            yield (
                f"and {left} more",
                "Type more of it after the ? to see them." if wanted else f"“? {word}” lists them.",
            )


def next_words(state: State, names: Sequence[str], typed: str) -> list[str]:
    """What the next word of a move can be after the words typed so far, for Tab."""
    before = typed.casefold().split()
    found = dict.fromkeys(
        words[len(before)]
        for move in state.legal_moves()
        for words in (move_text(move, names).split(),)
        if len(words) > len(before) and [word.casefold() for word in words[: len(before)]] == before
    )
    return list(found)


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
    if len(names) == 1:
        yield with_names(f"{who(0)} {verb(0, 'ends', 'end')} with {state.scores[0]:,}. {result.sentences}", names)
        return
    yield with_names(f"{wins(result.winners)} {result.sentences}", names)
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


def left_off(table: Table, when: datetime) -> str:
    """A game that was left, in one line: `Pig: Ann 12, Ben 30; left today at 14:02`."""
    scores = ", ".join(f"{name} {score:,}" for name, score in zip(table.names, table.state.scores, strict=True))
    days = (datetime.now().date() - when.date()).days
    day = {0: "today", 1: "yesterday"}.get(days, f"{when:%Y-%m-%d}")
    return f"{table.game.title}: {scores}; left {day} at {when:%H:%M}"


# The game


def card(game: Game) -> str:
    """A game in one line."""
    return f"{game.title}, {game.player_count}, about {game.minutes} minutes"


def rules_markdown(game: Game) -> str:
    """The rules followed by the table of house rules, in Markdown."""
    return "\n".join([game.rules.rstrip(), *house_rules(game), ""])


def rules_lines(game: Game) -> Iterator[str]:
    """The rules as plain text: headings underlined, tables without their frames."""
    for line in rules_markdown(game).splitlines():
        if line.startswith("```"):
            continue
        text = re.sub(r"\*\*|`", "", line)
        if heading := re.match(r"(#+) (.*)", text):
            yield from (heading[2], ("=" if len(heading[1]) == 1 else "-") * len(heading[2]))
        elif text.startswith("|"):
            cells = [cell.strip() for cell in text.strip("| ").split("|")]
            if set("".join(cells)) - set("- :"):
                yield "  " + "; ".join(cells)
        else:
            yield text
