"""Every registered game passes the conformance kit, and the kit finds each kind of fault in a faulty game."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, cast

import pytest

import hotdice.game
from hotdice import CHANCE, Distribution, Game, IllegalMove, Move, Options, Roll, State, all_games, register
from hotdice.game import Accent, frozen
from hotdice.games.pig import HOLD, MOVES, ONE_DIE, PIG, ROLL, PigState
from hotdice.testing import ConformanceError, conformance
from hotdice.view import Result, Standing, View


def several(options: Options) -> list[pytest.MarkDecorator]:
    """`make quick` tries options one at a time, `make test` every combination."""
    return [pytest.mark.slow] if options.text.count("=") > 1 else []


@pytest.mark.parametrize(
    ("game", "options"),
    [
        pytest.param(game, options, id=game.text(options), marks=several(options))
        for game in all_games()
        for options in game.options.combinations()
    ],
)
def test_conformance(game: Game, options: Options) -> None:
    """With each number of players two games by the usual rules, and one, with other dice, by any others."""
    conformance(game, (1, 2) if options == game.options() else (3,), options)


# A faulty game is Pig with one thing wrong. Each fault is a class body; the kit has to name it.


class WrongChances(PigState):
    __slots__ = ()

    def outcomes(self) -> Distribution:
        found = PigState.outcomes(self)
        return Distribution([((1,), 1), ((2,), 0)]) if len(found) else found


class MoveListedTwice(PigState):
    __slots__ = ()

    def legal_moves(self) -> tuple[Move, ...]:
        return (*PigState.legal_moves(self), ROLL) if self.seat >= 0 else ()


class AcceptsWhatItDoesNotList(PigState):
    __slots__ = ()

    def legal_moves(self) -> tuple[Move, ...]:
        return (ROLL,) if self.total <= 6 and self.seat >= 0 else PigState.legal_moves(self)


class RefusesWhatItLists(PigState):
    __slots__ = ()

    def apply(self, move: Move) -> Any:
        if self.total == 3 and move is HOLD:
            raise IllegalMove("Not now.")
        return PigState.apply(self, move)


class MovesOutOfTurn(PigState):
    __slots__ = ()

    def apply(self, move: Move) -> Any:
        return self if self.seat == CHANCE else PigState.apply(self, move)


class TakesAnyRoll(PigState):
    __slots__ = ()

    def roll(self, roll: Roll) -> Any:
        return PigState.roll(self, roll if roll in ONE_DIE else (2,))


class UsesTheGlobalGenerator(PigState):
    __slots__ = ()

    def roll(self, roll: Roll) -> Any:
        after = PigState.roll(self, roll)
        return replace(after, total=after.total + random.randrange(3)) if after.seat >= 0 else after


class ForgetsAFieldInItsPosition(PigState):
    __slots__ = ()

    def position_fields(self) -> str:
        return PigState.position_fields(replace(self, total=0))


class NoSentence(PigState):
    __slots__ = ()

    def tell_move(self, move: Move) -> str:
        return "rolls"


class CallsAllMovesTheSame(PigState):
    __slots__ = ()

    def doing(self, move: Move) -> str:
        return "playing"


class WrongWinner(PigState):
    __slots__ = ()

    @property
    def result(self) -> Result | None:
        found = super().result
        return replace(found, winners=(1 - found.winners[0],)) if found and self.players == 2 else found


class WrongPlaces(PigState):
    __slots__ = ()

    @property
    def result(self) -> Result | None:
        found = super().result
        if found is None:
            return None
        standings = tuple(replace(standing, place=1) for standing in found.standings)
        return replace(found, standings=standings)


class OtherScores(PigState):
    __slots__ = ()

    @property
    def result(self) -> Result | None:
        found = super().result
        if found is None:
            return None
        first, *rest = found.standings
        return replace(found, standings=(Standing(first.seat, 1, first.score + 1), *rest))


class ResultBeforeTheEnd(PigState):
    __slots__ = ()

    @property
    def result(self) -> Result | None:
        return super().result or Result((0,), "Why not.", (Standing(0, 1, 0), Standing(1, 2, 0)))


class RaisesAnythingElse(PigState):
    __slots__ = ()

    def roll(self, roll: Roll) -> Any:
        if self.total == 6:
            raise KeyError(roll)
        return PigState.roll(self, roll)


class ViewThatIsNotJson(PigState):
    __slots__ = ()

    def view(self, *, words: bool = True) -> View:
        return replace(PigState.view(self, words=words), board={1, 2})


class EffectAsADictionary(PigState):
    __slots__ = ()

    def effect(self, move: Move) -> Any:
        return {"points": 1}


@dataclass
class Changeable:
    points: int = 1


class EffectThatCanBeChanged(PigState):
    __slots__ = ()

    def effect(self, move: Move) -> Any:
        return Changeable()


@dataclass(frozen=True)
class Faces:
    seen: Any


class FactsThatAreNotJson(PigState):
    __slots__ = ()

    def facts(self) -> Any:
        return Faces({1, 6})


class FactsThatChange(PigState):
    __slots__ = ()

    def facts(self) -> Any:
        return Faces(self.total)


class BoardAsADictionary(PigState):
    __slots__ = ()

    def board(self) -> Any:
        return {"total": self.total}


class NeverEnds(PigState):
    __slots__ = ()

    def apply(self, move: Move) -> Any:
        after = PigState.apply(self, move)
        return replace(after, seat=CHANCE, scores=(0,) * self.players) if after.result else after


class CanBeChanged(PigState):
    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)


@frozen
class Fine(PigState):
    """Nothing wrong with it."""


FAULTS: dict[type[State], str] = {
    WrongChances: "add up to exactly 1",
    MoveListedTwice: "listed twice",
    AcceptsWhatItDoesNotList: "apply takes it",
    RefusesWhatItLists: "IllegalMove",
    MovesOutOfTurn: "where none is due",
    TakesAnyRoll: "accepted where it cannot be",
    UsesTheGlobalGenerator: "went apart",
    ForgetsAFieldInItsPosition: "does not read back",
    NoSentence: "not a sentence",
    CallsAllMovesTheSame: "called the same",
    WrongWinner: "first place",
    WrongPlaces: "places",
    OtherScores: "other scores",
    ResultBeforeTheEnd: "a result and no end",
    RaisesAnythingElse: "KeyError",
    ViewThatIsNotJson: "not JSON serializable",
    EffectAsADictionary: "the effect of a move is of type dict",
    EffectThatCanBeChanged: "the effect of a move is of type Changeable",
    FactsThatAreNotJson: "what `facts` gives does not turn into JSON",
    FactsThatChange: "the facts changed",
    BoardAsADictionary: "the board is of type dict",
    NeverEnds: "did not end",
    CanBeChanged: "can be set",
}


@pytest.fixture
def shelf(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[type[State]], Game]]:
    """Register a variant of Pig for the time of a test."""
    monkeypatch.setattr(hotdice.games, "_registry", dict(hotdice.games._registry))

    def put(state: type[State]) -> Game:
        return register(replace(cast(Game, PIG), name=f"pig-{state.__name__.lower()}", state=state))

    yield put
    PigState.game = PIG


@pytest.mark.parametrize(("fault", "named"), FAULTS.items(), ids=lambda value: getattr(value, "__name__", ""))
def test_the_kit_finds_a_fault_and_says_how_to_mend_it(
    fault: type[State], named: str, shelf: Callable[[type[State]], Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hotdice.testing.LONGEST", 3000)
    with pytest.raises(ConformanceError, match=named) as found:
        conformance(shelf(fault), seeds=(1,))
    assert "To mend it:" in str(found.value)


def test_the_kit_finds_a_move_that_is_missing_from_the_actions(shelf: Callable[[type[State]], Game]) -> None:
    game = replace(PIG, name="pig-fewer", state=Fine, moves=lambda options, players: MOVES[:1])
    with pytest.raises(ConformanceError, match="actions lack"):
        conformance(register(game), seeds=(1,))


@pytest.mark.parametrize("colour", ["red", "#fff", "#FF0000", "#ff00000"])
def test_the_kit_finds_an_accent_that_is_not_a_colour(colour: str, shelf: Callable[[type[State]], Game]) -> None:
    game = replace(PIG, name="pig-bright", state=Fine, accent=Accent(light="#884400", dark=colour))
    with pytest.raises(ConformanceError, match="is not a colour"):
        conformance(register(game), seeds=(1,))


def test_the_kit_passes_a_game_that_is_as_good_as_pig(shelf: Callable[[type[State]], Game]) -> None:
    conformance(shelf(Fine), seeds=(1,))
