"""The contract that every game meets.

A game is a pure state machine. A `State` is immutable and hashable and knows whose decision it is: a seat, chance,
or nobody any more. Decisions list their legal moves, chance lists its rolls with exact probabilities, and `apply`
and `roll` give the next state. Seats, dice sources and logs are the table's affair; `hotdice.games` finds games by
name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, Self, TypeVar

from hotdice.dice import NO_ROLL, Die, Distribution, Roll, faces_text, parse_faces
from hotdice.errors import IllegalMove, ImpossibleRoll, OptionError, ParseError, SeatError
from hotdice.frozen import frozen
from hotdice.notation import Fields, listed, pick, words
from hotdice.options import Options, Value

if TYPE_CHECKING:
    from hotdice.observation import Observation
    from hotdice.pads import Pad
    from hotdice.solve.batches import Simulator
    from hotdice.solve.stepping import Stepper
    from hotdice.values import Solver
    from hotdice.view import DieView, Grid, MoveView, Result, View

T = TypeVar("T")

CHANCE: Final = -1
"""The `seat` of a state in which dice are rolled."""
OVER: Final = -2
"""The `seat` of a state in which the game is over."""
TURN: Final = "turn"
"""The `occasion` of a roll in somebody's turn."""
PENALTY: Final = "penalty"
"""The `occasion` of a roll in what somebody has to play besides their turns."""
ROLL_OFF: Final = "roll-off"
"""The `occasion` of a roll that decides who begins."""
ROLLED: Final = "rolled"
"""The place of a die that nothing has been done with yet."""
STAYING: Final = frozenset({"kept", "aside", "frozen"})
"""The places of dice that stay where they are while others are rolled."""


class Move:
    """A decision. Each game has its own frozen dataclasses for it, equal by value."""

    __slots__ = ()

    @property
    def text(self) -> str:
        """The move in notation."""
        raise TypeError(f"{type(self).__name__} has to define its notation as `text`")

    @property
    def spoken(self) -> str:
        """The move as it is said at a table: its notation, with `{n}` where that has the number of a seat."""
        return self.text

    def __str__(self) -> str:
        return self.text


class Word(Move, Enum):
    """A base for moves that are single words, such as `roll`."""

    @property
    def text(self) -> str:
        return str(self._value_)  # `value` is the same, by a slow descriptor


class State(ABC):
    """One moment of a game. Concrete states are `frozen` classes."""

    __slots__ = ()

    game: ClassVar[Game]
    """The game that this is a state of."""
    fields: ClassVar[str]
    """What the fields of a position are, in order, for the error messages."""

    # The rules

    # Fields or properties, as the game likes. At run time a base class property would become a field's default.
    if TYPE_CHECKING:

        @property
        def options(self) -> Any:
            """The house rules this game is played by."""

        @property
        def seat(self) -> int:
            """Whose decision it is: a seat counted from 0, `CHANCE` or `OVER`."""

        @property
        def roller(self) -> int:
            """Whose dice they are: the seat that rolls now, or whose turn or penalty it is."""

        @property
        def scores(self) -> tuple[int, ...]:
            """Each seat's score as it stands, in the game's own points."""

        @property
        def result(self) -> Result | None:
            """How the game ended, once it is over."""

    @classmethod
    @abstractmethod
    def start(cls, options: Any, players: int) -> Self:
        """The first state of a game; use `Game.start`, which checks both."""

    @abstractmethod
    def legal_moves(self) -> tuple[Move, ...]:
        """Every legal move once; none unless a seat has to decide."""

    @abstractmethod
    def outcomes(self) -> Distribution:
        """Every possible roll with its chance; none unless dice are to be rolled."""

    @abstractmethod
    def apply(self, move: Move) -> Self:
        """The state after a move; `IllegalMove` if it is not one of the legal ones."""

    @abstractmethod
    def roll(self, roll: Roll) -> Self:
        """The state after a roll; `ImpossibleRoll` if the dice cannot show it."""

    @property
    def players(self) -> int:
        """How many seats there are."""
        return len(self.scores)

    @property
    def fresh(self) -> bool:
        """Whether a turn, a penalty or a roll-off begins with the roll to come, where the game can tell."""
        return False

    @property
    def occasion(self) -> str:
        """What the roll to come is part of: a `TURN`, a `PENALTY` or a `ROLL_OFF`, which a field `roll_off` tells."""
        return ROLL_OFF if getattr(self, "roll_off", ()) else TURN

    def same_turn(self, before: Self) -> bool:
        """Whether the roll to come goes on with the turn of the roll before, which was made in the state `before`, by
        the same seat and on the same kind of occasion."""
        return not self.fresh

    @property
    def stake(self) -> int:
        """The points of this turn so far that are still at stake: neither in a score nor safe."""
        return 0

    @property
    def hot(self) -> bool:
        """Whether the last of the dice has just been frozen or set aside, so that all of them are free again."""
        return False

    def places(self, roll: Roll) -> tuple[str, ...]:
        """Where the dice of a roll made here go, a word for each: `rolled`, one of `STAYING`, or the game's own."""
        return (ROLLED,) * len(roll)

    def without(self, seat: int) -> Self:
        """The game as it goes on when a player drops out; those who sat behind move up by one seat.

        No sheet has a rule for it, so each game's `drop_out` is ours. `SeatError` where it cannot go on.
        """
        game = self.game
        if not 0 <= seat < self.players:
            raise SeatError(f"There is no seat {seat + 1}; this game has seats 1 to {self.players}.")
        if self.seat == OVER:
            raise SeatError("The game is over; nobody can drop out of it.")
        if self.players == game.min_players:
            fewest = "one player" if game.min_players == 1 else f"{game.min_players} players"
            raise SeatError(f"{game.title} takes at least {fewest}, so nobody can drop out.")
        return self.drop_out(seat)

    def drop_out(self, seat: int) -> Self:
        """What `without` gives, where the game allows it; a turn that was theirs passes on."""
        raise SeatError(f"{self.game.title} cannot go on without one of its players.")

    def mask(self) -> tuple[bool, ...]:
        """For each of the game's actions (see `Game.actions`), whether it is a legal move now."""
        legal = frozenset(self.legal_moves())
        return tuple(move in legal for move in self.game.actions(self.options, self.players))

    # The notation

    @abstractmethod
    def position_fields(self) -> str:
        """The position without the game's name and house rules."""

    @classmethod
    @abstractmethod
    def read_fields(cls, options: Any, fields: Fields) -> Self:
        """The state that position fields describe; `ParseError` if they cannot be."""

    @property
    def position(self) -> str:
        """The state as one line of text."""
        return f"{self.game.text(self.options)} {self.position_fields()}"

    def parse_move(self, text: str) -> Move:
        """The move that a text stands for, legal or not."""
        return self.game.parse_move(text)

    def parse_roll(self, text: str) -> Roll:
        """The roll that a text stands for, possible or not."""
        return self.game.parse_roll(text)

    def __str__(self) -> str:
        return self.position

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self  # nothing in a state ever changes

    # The words

    @abstractmethod
    def tell_move(self, move: Move) -> str:
        """What the deciding seat does by a legal move, as a sentence after its name: “holds and scores 20.”"""

    def doing(self, move: Move) -> str:
        """A legal move as something one does, as in “keeping 3 3 is best”. A game may have better words than these."""
        return f"{move.text}ing" if isinstance(move, Word) else move.text

    def shortlist(self) -> tuple[tuple[Move, str], ...]:
        """Of many legal moves those that bring the most at once, best first, each with what that is in a few words."""
        return ()

    def reason(self, move: Move) -> str:
        """What speaks for a legal move, as half a sentence from exact facts, as in “two dice bust 4 times in 9”.

        Nothing where the game has none; values say it then.
        """
        return ""

    @abstractmethod
    def tell_roll(self, roll: Roll) -> str:
        """What a possible roll brings about, as a sentence after the roller's name: “rolls a 6.”"""

    @property
    @abstractmethod
    def prompt(self) -> str:
        """What is to happen now, as one sentence, in which names are still to be filled in by `hotdice.view.named`."""

    def grids(self) -> tuple[Grid, ...]:
        """The score sheets, ready to print: a row for each player with the score, unless the game has better ones."""
        from hotdice.view import Grid  # here and below: importing hotdice stays quick

        rows = tuple((f"{{{seat}}}", str(score)) for seat, score in enumerate(self.scores))
        return (Grid(("Player", "Score"), rows),)

    def dice_view(self) -> tuple[DieView, ...]:
        """The dice on the table, where the state knows them."""
        return ()

    def board(self) -> Any:
        """The game's own data for interfaces that draw it specially: a frozen dataclass."""
        return None

    def effect(self, move: Move) -> Any:
        """What a legal move changes, as data: a frozen dataclass of the game's own."""
        return None

    def facts(self) -> Any:
        """What the rules fix for a whole game and pages show, as data: a frozen dataclass of the game's own."""
        return None

    def view(self, *, words: bool = True) -> View:
        """Everything there is to show; all information is public in these games.

        Without `words` there are no sentences and no score sheets to print in it: programs do without.
        """
        view, move_view = _view_types()
        moves = self.legal_moves()
        return view(
            game=self.game.name,
            options=self.options.text,
            position=self.position,
            players=self.players,
            seat=self.seat,
            roller=self.roller,
            prompt=self.prompt if words else "",
            scores=self.scores,
            dice=self.dice_view(),
            moves=tuple(
                [move_view(move.text, self.tell_move(move) if words else "", self.effect(move)) for move in moves]
            ),
            grids=self.grids() if words else (),
            board=self.board(),
            result=self.result,
        )

    # What subclasses say when they refuse

    def why_illegal(self, move: Move) -> str:
        """Why a move is not legal now, where the game can say more than that it is not."""
        return f"“{move.text}” is not a legal move now."

    def illegal(self, move: Move) -> IllegalMove:
        """The error for a move that is not legal here, with what is."""
        if self.seat == OVER:
            return IllegalMove("The game is over; no move is left to make.")
        if self.seat == CHANCE:
            return IllegalMove(f"“{move.text}” has to wait: the dice are to be rolled first.")
        legal = self.legal_moves()
        shown = legal if len(legal) <= 7 else legal[:6]
        more = f" and {len(legal) - len(shown)} more" if len(shown) < len(legal) else ""
        return IllegalMove(f"{self.why_illegal(move)} Legal: {', '.join(map(str, shown))}{more}.")

    def impossible(self, roll: Roll) -> ImpossibleRoll:
        """The error for a roll that cannot happen here, with what could."""
        if self.seat == OVER:
            return ImpossibleRoll("The game is over; no dice are to be rolled.")
        if self.seat != CHANCE:
            return ImpossibleRoll("No dice are to be rolled now; a move is due.")
        example = self.outcomes().rolls[0]
        try:
            shown = self.game.roll_text(roll)
        except KeyError:
            shown = " ".join(map(str, roll))
        return ImpossibleRoll(
            f"“{shown}” is not a roll of the dice in hand; it takes {len(example)} of them, "
            f"such as {self.game.roll_text(example)}."
        )


def left_out(values: tuple[T, ...], seat: int) -> tuple[T, ...]:
    """What each seat has, without one of the seats."""
    return values[:seat] + values[seat + 1 :]


def seat_without(seat: int, gone: int, players: int) -> int:
    """The number of a seat once another is gone; of the gone one, the number of whoever sat before it.

    `CHANCE`, `OVER` and other stand-ins for a seat stay as they are.
    """
    if seat == gone:
        seat = (gone - 1) % players
    return seat - 1 if seat > gone else seat


Verb = Callable[[str, int], Move]
"""Reads what follows a move's first word, given the column where that starts."""


def bare(move: Move) -> Verb:
    """The verb of a move that is one word and takes nothing after it."""

    def read(rest: str, column: int) -> Move:
        if found := words(rest, column):
            raise ParseError(f"“{move.text}” stands alone; leave out “{rest.strip()}”.", found[0][1])
        return move

    return read


if TYPE_CHECKING:
    from typing_extensions import TypeVar as WithDefault

    S = WithDefault("S", bound=State, default=Any)  # `Game` alone is a game of any kind
else:
    S = TypeVar("S", bound=State)


@dataclass(frozen=True, slots=True)
class Accent:
    """The colour that marks a game, as `#rrggbb`: on light pages and on dark ones."""

    light: str
    """On light pages."""
    dark: str
    """On dark pages."""


PLAIN_ACCENT: Final = Accent("#3a6ea5", "#8fb8e8")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Game(Generic[S]):
    """A game's card: what it is called, who can play it, with what, and the class of its states."""

    name: str
    """What commands, records and positions call it."""
    title: str
    """What people call it."""
    pitch: str
    """What it is about, in a sentence or two."""
    minutes: int
    """About how long a game takes."""
    min_players: int
    """The fewest players."""
    max_players: int
    """The most players."""
    dice: tuple[Die, ...]
    """The kinds of dice that it is played with."""
    options: type[Options]
    """The class of its house rules."""
    state: type[S]
    """The class of its states."""
    verbs: Mapping[str, Verb]
    """How each move is read, by its first word."""
    moves: Callable[[Any, int], Iterable[Move]]
    """Every move that can ever be legal, given the options and the number of players."""
    greedy: Callable[[S], Move]
    """A sensible move by a simple rule: the game's own idea of a casual player."""
    folder: Path
    """Where the game's `rules.md` lies: beside its code."""
    solver: Callable[[], Solver] | None = None
    """Gives the game's own solver. A function, as what solves is heavy and is imported when somebody asks."""
    simulator: Callable[[], Simulator] | None = None
    """Gives what plays the game compiled, many times over; imported when somebody asks, likewise."""
    observation: Observation[S] | None = None
    """What learning programs see of a state; without one, the fields of states."""
    stepper: Callable[[], Stepper] | None = None
    """Gives what plays thousands of games step by step, compiled, for learning; imported when somebody asks."""
    accent: Accent = PLAIN_ACCENT
    """The colour that marks it in the browser."""
    pad: Callable[[Pad, Any], None] | None = None
    """Draws the game's own score pad for a set of options; a plain table of scores without."""

    @property
    def player_count(self) -> str:
        """How many can play: `2 to 8 players`."""
        fewest, most = self.min_players, self.max_players
        return f"{fewest} to {most} players" if fewest < most else f"{most} player{'s' if most > 1 else ''}"

    @property
    def rules(self) -> str:
        """The rules in Markdown, from `rules.md` beside the game's code."""
        return (self.folder / "rules.md").read_text("utf-8")

    @property
    def lesson(self) -> Path:
        """Where the game's guided first game is, if it has one: the folder `lesson` beside its code."""
        return self.folder / "lesson"

    def start(self, players: int | None = None, options: Options | Mapping[str, Value] | None = None) -> S:
        """The first state of a game, for the fewest players unless told otherwise; `SeatError` or `OptionError`."""
        players = self.min_players if players is None else players
        if not self.min_players <= players <= self.max_players:
            raise SeatError(f"{self.title} takes {self.min_players} to {self.max_players} players, not {players}.")
        return self.state.start(self.make_options(options), players)

    def make_options(self, options: Options | Mapping[str, Value] | None = None) -> Options:
        """This game's options, from its own or from names and values; `OptionError` if it has no such."""
        if options is None:
            return self.options()
        if isinstance(options, Options):
            if type(options) is not self.options:
                raise OptionError(f"These are not options of {self.title}: {options.text or 'none'}.")
            return options
        return self.options.make(options.items())

    def text(self, options: Options) -> str:
        """The game and its house rules in canonical text, such as `kor(bank_roll=true,target=3000)`."""
        text = options.text
        return f"{self.name}({text})" if text else self.name

    def actions(self, options: Options, players: int) -> tuple[Move, ...]:
        """All moves that can ever be legal, in a fixed order; to learning programs an action is the index of a move."""
        return _actions(self, options, players)

    def parse_move(self, text: str) -> Move:
        """A move from its notation, with abbreviations, legal or not; `ParseError` or `AmbiguousMove` if it is none."""
        return _parsed(self, text)

    def parse_roll(self, text: str) -> Roll:
        """A roll from its notation, in any order of the faces; `ParseError` if it is none."""
        roll = parse_faces(self.dice, text)
        if not roll:
            raise ParseError("Nothing was typed; a roll is the faces that the dice show.")
        return roll

    def roll_text(self, roll: Roll) -> str:
        """A roll in notation."""
        return _roll_text(self, roll)

    def roll_words(self, roll: Roll) -> str:
        """A roll as sentences have it: `STOP, STOP, 50` by the faces' names; numbers alone as in notation, `3 3 5`."""
        names = [_face_names(self)[code] for code in roll]
        return (" " if all(map(str.isdigit, names)) else ", ").join(names)

    def counted(self, roll: Roll) -> tuple[int, ...]:
        """How many dice of each kind a roll has, in the order of `dice`."""
        return _counted(self, roll)

    def die_view(self, code: int, place: str) -> DieView:
        """A die as an interface sees it, by the code of its face and where it lies."""
        from hotdice.view import DieView

        for die in self.dice:
            for face in die.faces:
                if face.code == code:
                    return DieView(die.name, code, face.text, face.name, place)
        raise KeyError(code)


@lru_cache(4096)
def _parsed(game: Game, text: str) -> Move:
    found = words(text)
    if not found:
        raise ParseError(f"Nothing was typed; a move starts with {listed(game.verbs, 'or')}.")
    word, column = found[0]
    verb = pick(word, game.verbs, f"a move of {game.title}", column)
    after = column - 1 + len(word)
    return verb(text[after:], after + 1)


@lru_cache(4096)
def _roll_text(game: Game, roll: Roll) -> str:
    return faces_text(game.dice, roll)


@cache
def _view_types() -> tuple[type[View], type[MoveView]]:
    from hotdice.view import MoveView, View

    return View, MoveView


@cache
def _counted(game: Game, roll: Roll) -> tuple[int, ...]:
    kinds = (tuple(face.code for face in die.faces) for die in game.dice)
    return tuple(sum(code in codes for code in roll) for codes in kinds)


@cache
def _face_names(game: Game) -> dict[int, str]:
    return {face.code: face.name for die in game.dice for face in die.faces}


@cache
def _actions(game: Game, options: Options, players: int) -> tuple[Move, ...]:
    return tuple(game.moves(options, players))


@lru_cache(1024)
def race(scores: tuple[int, ...], goal: int) -> tuple[Grid, ...]:
    """The score sheet of a game that is a race to a goal: a row for each player, with a bar."""
    from hotdice.view import Bar, Grid

    rows = tuple((f"{{{seat}}}", f"{score:,}", Bar(score, goal)) for seat, score in enumerate(scores))
    return (Grid(("Player", "Score", f"of {goal:,}"), rows),)


__all__ = [
    "CHANCE",
    "NO_ROLL",
    "OVER",
    "PENALTY",
    "ROLLED",
    "ROLL_OFF",
    "STAYING",
    "TURN",
    "Accent",
    "Game",
    "Move",
    "State",
    "Verb",
    "Word",
    "bare",
    "frozen",
    "left_out",
    "race",
    "seat_without",
]
