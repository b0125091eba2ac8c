"""A table: seats, a dice source and the log of a game. It plays any game to its end and knows what can be undone.

The table owns no rule. It asks the state who is to act, draws rolls, takes moves, and keeps every state
so that a choice can be taken back. `apply_event` is the one way from an event to the next state; records, servers and
terminals all play through a table, so nothing is checked in two ways.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from hotdice.dice import DiceSource, Roll
from hotdice.errors import DiceError, IllegalMove, OutOfTurn, SeatError, UndoError
from hotdice.fair import DiceByTurns
from hotdice.frozen import frozen
from hotdice.game import CHANCE, OVER, Game, Move, State
from hotdice.players import Player
from hotdice.turns import TurnCounter
from hotdice.view import named, who

PERSON: Final = "person"
"""The kind of a seat in which somebody decides for themselves."""
NAME_LENGTH: Final = 24


@dataclass(frozen=True, slots=True)
class Seat:
    """Who plays in a seat: a name, and a bot unless a person decides there."""

    name: str
    """What the player is called: 1 to 24 characters, single spaces, nobody else's at the table."""
    player: Player | None = None
    """The bot that decides; None where a person does."""

    def __post_init__(self) -> None:
        check_name(self.name)

    @property
    def kind(self) -> str:
        """The bot's kind, or `person`, as a record has it."""
        return self.player.kind if self.player else PERSON


def check_name(name: str, taken: Collection[str] = ()) -> None:
    """Refuse a name that a score sheet could not show, or that somebody else has."""
    if not 1 <= len(name) <= NAME_LENGTH or not name.isprintable() or name != " ".join(name.split()):
        shown = name if name.isprintable() else ascii(name)
        raise SeatError(f"“{shown[:40]}” cannot be a name; it takes 1 to {NAME_LENGTH} characters, single spaces.")
    if name in taken:
        raise SeatError(f"Two players are called {name}; give each a name of their own.")


@frozen
class Rolled:
    """A roll, whoever's it was."""

    seat: int
    """Whose roll it was."""
    roll: Roll
    """What the dice showed."""


@frozen
class Moved:
    """A decision."""

    seat: int
    """Who decided."""
    move: Move
    """What they chose."""


Event = Rolled | Moved
"""What happens in a game."""


def apply_event(state: State, event: Event) -> State:
    """The state after an event; `OutOfTurn`, `IllegalMove` or `ImpossibleRoll` if it cannot happen there."""
    if isinstance(event, Moved):
        if state.seat >= 0 and event.seat != state.seat:
            raise OutOfTurn(f"This move is for seat {state.seat + 1}, not for seat {event.seat + 1}.")
        return state.apply(event.move)
    if state.seat == CHANCE and event.seat != state.roller:
        raise OutOfTurn(f"This roll is for seat {state.roller + 1}, not for seat {event.seat + 1}.")
    return state.roll(event.roll)


class Table:
    """One game being played.

    There are as many seats as the state has players, with different names; `SeatError` otherwise. Events are numbered
    from 0, in the order in which they happened.
    """

    def __init__(self, state: State, seats: Sequence[Seat], dice: DiceSource) -> None:
        if len(seats) != state.players:
            raise SeatError(f"This game has {state.players} seats, and {len(seats)} are taken.")
        names: list[str] = []
        for seat in seats:
            check_name(seat.name, names)
            names.append(seat.name)
        self.seats = tuple(seats)
        self.names = tuple(names)
        self.dice = dice
        self._thrown = dice if isinstance(dice, DiceByTurns) and dice.by_turn else None
        self._turns = TurnCounter()
        self._states = [state]
        self._events: list[Event] = []

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.state.game

    @property
    def state(self) -> State:
        """The state now."""
        return self._states[-1]

    @property
    def states(self) -> tuple[State, ...]:
        """Every state from the first to now."""
        return tuple(self._states)

    @property
    def events(self) -> tuple[Event, ...]:
        """What has happened, in order."""
        return tuple(self._events)

    @property
    def last(self) -> Event | None:
        """What happened last."""
        return self._events[-1] if self._events else None

    @property
    def played(self) -> int:
        """How many events there are."""
        return len(self._events)

    def event(self, index: int) -> Event:
        """The event of that number."""
        return self._events[index]

    def before(self, index: int) -> State:
        """The state in which the event of that number happened."""
        return self._states[index]

    def turns(self) -> list[range]:
        """The numbers of the events of each turn: what a seat does until another turn, penalty or round begins."""
        begins = [
            index
            for index, event in enumerate(self._events)
            if not index
            or event.seat != self._events[index - 1].seat
            or (isinstance(event, Rolled) and self._states[index].fresh)
        ]
        return [range(first, after) for first, after in pairwise((*begins, len(self._events)))]

    def roll(self, roll: Roll | None = None) -> Rolled:
        """Roll the dice that are due; with real dice (`ManualDice`), take what they show.

        `ImpossibleRoll` if none are due or the dice cannot show that, `DiceError` if a roll is given to dice that the
        program rolls, or none to real ones.
        """
        state = self.state
        if roll is None:
            if state.seat != CHANCE:
                raise state.impossible(())
            roll = self.draw()
        elif not self.dice.manual:
            raise DiceError("The program rolls the dice at this table; a roll cannot be typed in.")
        event = Rolled(state.roller, roll)
        self._add(event, apply_event(state, event))
        return event

    def play(self, move: Move, seat: int | None = None) -> Moved:
        """Make a move for the seat whose decision it is: `IllegalMove` if it is not legal, `OutOfTurn` if `seat` names
        another seat."""
        state = self.state
        if seat is not None and seat != state.seat and state.seat >= 0:
            raise OutOfTurn(f"It is {self.seats[state.seat].name}'s decision.")
        event = Moved(state.seat, move)
        self._add(event, apply_event(state, event))
        return event

    def decide(self) -> Move:
        """What the bot chooses whose decision it is; nothing has happened yet. `IllegalMove` if no bot is to decide."""
        seat = self.state.seat
        if seat == OVER:
            raise IllegalMove("The game is over; nothing is left to play.")
        if seat == CHANCE:
            raise IllegalMove("The dice are to be rolled first.")
        player = self.seats[seat].player
        if player is None:
            raise IllegalMove(f"{self.seats[seat].name} decides here, and no bot does it for them.")
        return player.choose(self.state)

    def step(self) -> Event:
        """Roll the dice that are due, or let the bot move whose decision it is; `IllegalMove` if a person decides."""
        return self.roll() if self.state.seat == CHANCE else self.play(self.decide())

    def run(self) -> State:
        """Roll and let bots move to the end of the game; `IllegalMove` as soon as a person has to decide."""
        while self.state.seat != OVER:
            self.step()
        return self.state

    def repeat(self, event: Event) -> None:
        """Take an event of a game that was played before. Dice that can be drawn again must come out the same:
        `DiceError` if they do not."""
        state = self.state
        after = apply_event(state, event)
        if isinstance(event, Rolled) and not self.dice.manual:
            drawn = self.draw()
            if drawn != event.roll:
                shown, due = self.game.roll_text(event.roll), self.game.roll_text(drawn)
                name = " ".join(self.dice.text.split()[:2])
                raise DiceError(f"The dice ({name}) roll {due} here, not {shown}.")
        self._add(event, after)

    def undo(self) -> Event:
        """Take back the last choice, and give it back; a roll stands, unless it was typed in: `UndoError`."""
        if not self._events:
            raise UndoError("Nothing has happened yet, so there is nothing to take back.")
        last = self._events[-1]
        if isinstance(last, Rolled) and not self.dice.manual:
            raise UndoError("The dice have been rolled since; a choice can be taken back only before the next roll.")
        self._events.pop()
        self._states.pop()
        return last

    def sentence(self, index: int) -> str:
        """What happened in the event of that number, as a sentence in which `named` fills in the names."""
        event, before, seat = self._events[index], self._states[index], self._events[index].seat
        sentence = before.tell_roll(event.roll) if isinstance(event, Rolled) else before.tell_move(event.move)
        subject = who(seat) if sentence.startswith(f"{{{seat}:") else f"{{{seat}}}"
        return f"{subject} {sentence}"

    def tell(self, index: int, you: int | None = None) -> str:
        """What happened in the event of that number, with the names, told to everybody or, as “You …”, to a seat."""
        return named(self.sentence(index), self.names, you)

    def draw(self) -> Roll:
        """What the dice give for the roll that is due; it has not been made yet."""
        if self._thrown:
            return self._thrown.throw(self._turns.next(self.state))
        return self.dice.draw(self.state.outcomes())

    def _add(self, event: Event, after: State) -> None:
        if self._thrown and isinstance(event, Rolled):
            self._turns.take(self.state)
        self._events.append(event)
        self._states.append(after)


__all__ = ["PERSON", "Event", "Moved", "Rolled", "Seat", "Table", "apply_event"]
