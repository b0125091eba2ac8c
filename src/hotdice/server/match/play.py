"""One game at a table: its dice, its events, and its record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final

from hotdice.dice import DiceSource, Distribution, ManualDice, Roll
from hotdice.fair import FairDice, PromisedDice, Throw, TurnDice
from hotdice.game import State
from hotdice.record import Comment, Entry, Record, record_of
from hotdice.server.match.seats import MatchSeat
from hotdice.table import Rolled, Table


class DrawnDice:
    """Fair dice of which the next roll can be drawn before it is on the table, as it goes into the log first.

    A game that came in as a record begins with the rolls of the record; nobody promised those.
    """

    manual: Final = False

    def __init__(self, fair: PromisedDice, recorded: Iterable[Roll] | None = None) -> None:
        self.text = fair.text if recorded is None else "recorded"
        self.hidden_text = fair.hidden_text if recorded is None else "recorded"
        self._fair = fair
        self._thrown = fair if isinstance(fair, TurnDice) else None
        self._imported = recorded is not None
        self._recorded = iter(tuple(recorded or ()))
        self._next: Roll | None = None

    def next_roll(self, outcomes: Distribution) -> Roll:
        """The roll that `draw` gives next."""
        roll = self._next
        if roll is None:
            roll = next(self._recorded, None)
            if roll is None:
                roll = self._fair.draw(outcomes)
            self._next = roll
        return roll

    @property
    def by_turn(self) -> bool:
        return self._thrown is not None

    def throw(self, throw: Throw) -> Roll:
        if self._thrown is None:
            raise TypeError("these dice are drawn, whoever's turn it is")
        return self._thrown.throw(throw)

    def bot_seed(self, event: int) -> int | None:
        """What a bot draws from, where it can be checked later."""
        return self._fair.bot_seed(event) if isinstance(self._fair, FairDice) and not self._imported else None

    def draw(self, outcomes: Distribution) -> Roll:
        roll, self._next = self.next_roll(outcomes), None
        return roll


@dataclass(slots=True)
class Play:
    """One game, from its start to its end."""

    table: Table
    day: date
    acted: list[str] = field(default_factory=list)
    """For each event, the bot that acted for a person."""
    numbers: list[int] = field(default_factory=list)
    """For each event, the number of its entry in the table's log; 0 for those that came in as a record."""
    imported: int = 0
    """How many events came in as a record."""
    redrawn: bool = False
    """Whether it goes on from an earlier game with new dice, because a backup was restored."""

    def next_roll(self) -> Roll:
        """What the dice that are due will show."""
        dice = self.table.dice
        if isinstance(dice, DrawnDice) and not dice.by_turn:
            return dice.next_roll(self.table.state.outcomes())
        return self.table.draw()

    def record(self, names: Sequence[str], *, hidden: bool) -> Record:
        """The record of the game; the secret of its dice may stay hidden."""
        record = record_of(self.table, self.day)
        if hidden and isinstance(self.table.dice, DrawnDice):
            record = replace(record, dice=self.table.dice.hidden_text)
        lines: list[Entry] = []
        if self.redrawn:
            lines.append(Comment("continued with new dice, as the server's tables were restored from a backup"))
        for number, (event, bot) in enumerate(zip(record.events, self.acted, strict=True)):
            if self.imported and number == self.imported:
                lines.append(Comment(f"continued here from a record of {number} rolls and moves"))
            if bot:
                lines.append(Comment(f"{bot} played for {names[event.seat]}"))
            lines.append(event)
        return replace(record, entries=tuple(lines))


def begin(
    state: State, seats: Sequence[MatchSeat], day: date, fair: PromisedDice | None, imported: Record | None
) -> Play:
    """Begin a game with fair dice, or with real ones, or go on with one that came in as a record."""
    events = imported.events if imported else ()
    dice: DiceSource = ManualDice()
    if fair:
        rolls = [event.roll for event in events if isinstance(event, Rolled)]
        dice = DrawnDice(fair, rolls or None)
    table = Table(state, [seat.at_table() for seat in seats], dice)
    for event in events:
        table.repeat(event)
    return Play(table, day, [""] * len(events), [0] * len(events), len(events))
