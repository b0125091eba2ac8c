"""The conformance kit: one line that puts a game through everything the contract promises.

    from hotdice.testing import conformance

    def test_my_game() -> None:
        conformance("mygame")

It plays random games to the end under every combination of options, with few and with many players, and
raises a `ConformanceError` that says what is wrong, where, and how to mend it. Rules are not its affair: whether
a game is the right game is for the game's own tests.
"""

from __future__ import annotations

import json
import pickle
import random
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import FrozenInstanceError, asdict, is_dataclass
from datetime import date
from typing import Final

from hotdice.dice import Roll, SeededDice
from hotdice.errors import HotdiceError, IllegalMove, ImpossibleRoll, OutOfTurn, SeatError, UndoError
from hotdice.game import CHANCE, OVER, Game, State, left_out
from hotdice.games import load_game, parse_game, parse_position
from hotdice.options import Options
from hotdice.players import RandomPlayer
from hotdice.record import read_record, record_of
from hotdice.table import Moved, Seat, Table
from hotdice.view import named

CLOSE_LOOKS = 40
"""How many states at the start of a game are looked at closely; later ones more and more rarely."""
RARER = 1.05
MASKS = 4
"""In how many states of a game every action is tried."""
LONGEST = 500_000
"""Events after which a random game is taken to be endless."""
_COLOUR: Final = re.compile("#[0-9a-f]{6}")


class ConformanceError(AssertionError):
    """A promise of the contract that a game breaks."""


def conformance(game: Game | str, seeds: Iterable[int] = (1, 2), options: Options | None = None) -> None:
    """Check that a game meets the contract, under every combination of options or under the one given.

    `ConformanceError` says what is wrong, where, and how to mend it. For each of the `seeds` a random game is played,
    with the fewest, with three and with the most players.
    """
    game = load_game(game) if isinstance(game, str) else game
    with _where(f"The card of {game.name}"):
        check_card(game)
    seeds = tuple(seeds)
    for each in game.options.combinations() if options is None else (options,):
        check_options(game, each)
        for players in sorted({game.min_players, min(3, game.max_players), game.max_players}):
            for seed in seeds:
                with _where(f"{game.text(each)} with {players} players and seed {seed}"):
                    check_play(game, each, players, seed)


def check_card(game: Game) -> None:
    """What the game says of itself."""
    _expect(load_game(game.name) is game, "the game is not registered under its name", "call register(game)")
    _expect(game.state.game is game, "its states belong to another game", "register one game per state class")
    _expect(1 <= game.min_players <= game.max_players, "the player range is empty", "set min and max players")
    _expect(bool(game.title and game.pitch and game.dice), "title, pitch or dice are missing", "fill in the card")
    for colour in (game.accent.light, game.accent.dark):
        _expect(bool(_COLOUR.fullmatch(colour)), f"the accent “{colour}” is not a colour", "write it as #rrggbb")
    _expect(game.rules.startswith("# "), "the rules have no heading", "begin rules.md with “# Title”")
    for players in (game.min_players - 1, game.max_players + 1):
        try:
            game.start(players)
        except HotdiceError:
            continue
        _fail(f"it starts with {players} players", "leave the check to Game.start")


def check_options(game: Game, options: Options) -> None:
    """Options travel as text and come back the same."""
    text = game.text(options)
    _expect(parse_game(text) == (game, options), f"{text} does not read back", "give every option by `option(…)`")


def check_play(game: Game, options: Options, players: int, seed: int) -> None:
    """One random game: every state, the log, its record, and a second game in lockstep."""
    table = _table(game, options, players, seed)
    twin = _table(game, options, players, seed)
    facts = table.state.facts()
    masks = 0
    next_look = 0
    for number in range(LONGEST):
        state = table.state
        with _where(f"event {number}, at “{state.position}”"):
            if number >= next_look or state.seat == OVER:
                next_look = number + 1 if number < CLOSE_LOOKS else int(number * RARER) + 1
                check_state(state)
                _check_seats(table)
                _expect(state.facts() == facts, "the facts changed in mid-game", "tell what changes by `board`")
            if state.seat >= 0 and masks < MASKS:
                masks += 1
                check_mask(state)
            if state.seat == OVER:
                check_result(state)
                break
            table.step()
            _disturb()
            twin.step()
            _expect(
                table.state == twin.state,
                "two games with one seed went apart",
                "take randomness from nowhere but the rolls; keep no state outside the state",
            )
    else:
        _fail(f"the game did not end in {LONGEST} events", "make sure that random play can finish it")
    _check_record(table)
    _check_undo(table)


def check_state(state: State) -> None:
    """Everything that must hold in any state by itself."""
    before = hash(state)
    seat, moves, outcomes = state.seat, state.legal_moves(), state.outcomes()
    _expect(seat in (CHANCE, OVER) or 0 <= seat < state.players, f"the seat is {seat}", "use a seat, CHANCE or OVER")
    _expect(0 <= state.roller < state.players, f"the roller is {state.roller}", "the roller is always a seat")
    _expect(
        bool(moves) == (seat >= 0), "legal moves and seat disagree", "list moves exactly where a seat has to decide"
    )
    _expect(len(set(moves)) == len(moves), "a move is listed twice", "list every legal move once")
    _expect(bool(len(outcomes)) == (seat == CHANCE), "outcomes and seat disagree", "list rolls exactly where dice roll")
    _expect((state.result is None) == (seat != OVER), "there is a result and no end, or the reverse", "match them")
    _expect(
        len(state.scores) == state.players and all(type(score) is int for score in state.scores),
        "the scores are not one whole number a seat",
        "give a tuple of int",
    )
    if seat == CHANCE:
        _check_chance(state)
    _check_moves(state)
    _check_dropping_out(state)
    _check_texts(state)
    _check_frozen(state)
    _expect(
        hash(state) == before and state.legal_moves() == moves,
        "looking at the state changed it",
        "return new objects and never change one",
    )


def check_mask(state: State) -> None:
    """The mask, the list of legal moves, and what `apply` accepts are the same thing."""
    actions = state.game.actions(state.options, state.players)
    legal = set(state.legal_moves())
    _expect(len(set(actions)) == len(actions), "an action is listed twice", "list each move of the game once")
    _expect(legal <= set(actions), f"actions lack {legal - set(actions)}", "list every move that can be legal")
    for action, allowed in zip(actions, state.mask(), strict=True):
        try:
            state.apply(action)
            accepted = True
        except IllegalMove as error:
            accepted = False
            _expect("\n" not in str(error), "the reason for an illegal move has several lines", "write a sentence")
        _expect(
            accepted == allowed == (action in legal),
            f"“{action.text}” is {'' if allowed else 'not '}in the mask, but apply "
            f"{'takes' if accepted else 'refuses'} it",
            "make `apply` accept exactly the legal moves",
        )


def check_result(state: State) -> None:
    """Winners, standings and scores tell the same story."""
    result = state.result
    if result is None:
        raise ConformanceError("the game is over without a result. To mend it: give one.")
    seats = [standing.seat for standing in result.standings]
    places = [standing.place for standing in result.standings]
    _expect(sorted(seats) == list(range(state.players)), "the standings miss a seat", "list each seat once")
    _expect(
        places == [1 + sum(other < place for other in places) for place in sorted(places)],
        f"the places are {places}",
        "count from 1, best first; those who share a place have the same number and the next is skipped",
    )
    first = {standing.seat for standing in result.standings if standing.place == 1}
    _expect(set(result.winners) == first and bool(first), "the winners are not those in first place", "match them")
    _expect(
        all(standing.score == state.scores[standing.seat] for standing in result.standings),
        "the standings give other scores than the state",
        "take them from `scores`",
    )
    _expect(bool(named(result.reason, _names(state.players))), "there is no reason", "say how the game was won")


def _check_chance(state: State) -> None:
    outcomes = state.outcomes()
    _expect(
        sum(outcomes.weights) == outcomes.total and min(outcomes.weights) > 0,
        "the chances do not add up to exactly 1",
        "use integer weights",
    )
    _expect(
        all(tuple(sorted(roll)) == roll for roll in outcomes.rolls), "a roll is not sorted", "list multisets in order"
    )
    for roll in outcomes.rolls[:: max(1, len(outcomes) // 5)]:
        text = state.game.roll_text(roll)
        _expect(state.parse_roll(text) == roll, f"the roll “{text}” does not read back", "give each face a text")
        _check_sentence(state, state.tell_roll(roll))
        _check_step(state, state.roll(roll))
    for impossible in ((), (*outcomes.rolls[0], outcomes.rolls[0][0]), (-99,)):
        _expect_refusal(state, impossible)


def _check_moves(state: State) -> None:
    moves = state.legal_moves()
    some_moves = moves[:: max(1, len(moves) // 12)]
    legal = set(moves)
    listed = [move for move, _ in state.shortlist()]
    _expect(legal.issuperset(listed), "the shortlist has a move that is not legal", "list legal moves in `shortlist`")
    called = {state.doing(move) for move in some_moves}
    _expect(len(called) == len(some_moves), "two moves are called the same", "have `doing` tell legal moves apart")
    for move in some_moves:
        _expect(state.parse_move(move.text) == move, f"“{move.text}” does not read back", "make parsing its inverse")
        _expect(move.text == move.text.strip() and "\n" not in move.text, "a move's text is untidy", "tidy it")
        _check_sentence(state, state.tell_move(move))
        _check_data(state.effect(move), "the effect of a move")
        _check_step(state, state.apply(move))
    if state.seat < 0:
        some = state.game.actions(state.options, state.players)[0]
        try:
            state.apply(some)
        except IllegalMove:
            pass
        else:
            _fail("a move is accepted where none is due", "refuse moves unless a seat has to decide")
    if state.seat != CHANCE:
        _expect_refusal(state, (1,))


def _check_dropping_out(state: State) -> None:
    """Where a player can drop out, the others keep their scores and go on, in their order."""
    for seat in range(state.players):
        try:
            after = state.without(seat)
        except SeatError:
            continue
        _expect(after.options == state.options, "the options changed as somebody dropped out", "carry them along")
        _expect(
            after.scores == left_out(state.scores, seat),
            f"the scores are {after.scores} when seat {seat + 1} drops out",
            "leave out that seat's score and no other",
        )
        again = parse_position(after.position)
        _expect(again == after, f"“{after.position}”, without a player, does not read back", "see the notation")
        _expect((after.seat == OVER) == (after.result is not None), "an end without a result", "match them")


def _check_step(state: State, after: State) -> None:
    _expect(type(after) is type(state), "the next state is of another class", "return the same class")
    _expect(after.options == state.options, "the options changed on the way", "carry them along")
    _expect(after.players == state.players, "a seat came or went", "keep the seats")


def _check_texts(state: State) -> None:
    again = parse_position(state.position)
    _expect(again == state, "the position does not read back to the same state", "write and read every field")
    _expect(hash(again) == hash(state), "equal states have different hashes", "hash by value")
    _expect(again.position == state.position and "\n" not in state.position, "its position differs", "use one form")
    _expect(pickle.loads(pickle.dumps(state)) == state, "it does not survive pickling", "keep to plain fields")  # noqa: S301
    _check_data(state.board(), "the board")
    _check_data(state.facts(), "what `facts` gives")
    view = state.view()
    shown = json.loads(json.dumps(view.as_json()))
    _expect(shown["position"] == state.position, "the view shows another position", "build it from the state")
    _expect([move["text"] for move in shown["moves"]] == [move.text for move in state.legal_moves()], "moves", "match")
    _check_sentence(state, view.prompt)
    for grid in view.grids:
        widths = {len(row) for row in (grid.head, *grid.rows)}
        _expect(len(widths) == 1, "a grid has rows of different lengths", "give every row a cell a column")


def _check_data(data: object, what: str) -> None:
    """Data for interfaces is a frozen dataclass that turns into JSON, or nothing."""
    if data is None:
        return
    if not is_dataclass(data) or isinstance(data, type) or not data.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        _fail(f"{what} is of type {type(data).__name__}", "give a frozen dataclass or None")
        return
    try:
        json.dumps(asdict(data))
    except TypeError as error:
        _fail(f"{what} does not turn into JSON: {error}", "use texts, numbers, tuples and dataclasses of them")


def _check_sentence(state: State, text: str) -> None:
    told = named(text, _names(state.players))
    _expect(told.rstrip().endswith((".", "!")), f"“{told}” is not a sentence", "end it with a full stop")


def _check_frozen(state: State) -> None:
    try:
        state.seat = 0  # type: ignore[misc]
    except (AttributeError, FrozenInstanceError):
        return
    _fail("a field of the state can be set", "make the class `@frozen`")


def _expect_refusal(state: State, roll: Roll) -> None:
    try:
        state.roll(roll)
    except ImpossibleRoll:
        return
    _fail(f"the roll {roll} is accepted where it cannot be", "check that the roll is one of `outcomes()`")


def _check_seats(table: Table) -> None:
    """Nobody but the seat whose decision it is may act."""
    state, moves = table.state, table.state.legal_moves()
    for seat in range(state.players):
        if moves and seat != state.seat:
            try:
                table.play(moves[0], seat)
            except OutOfTurn:
                continue
            _fail(f"seat {seat + 1} moved for seat {state.seat + 1}", "let the table compare seats")
    _expect(table.state == state, "a refused move changed the table", "change nothing before the checks")


def _check_record(table: Table) -> None:
    record = record_of(table, date(2026, 1, 1))
    again = read_record(record.text.encode())
    _expect(again == record and again.text == record.text, "the record does not read back", "check the notations")
    _expect(tuple(again.replay()) == table.states, "replaying the record gives other states", "check the notations")
    _expect(again.check_dice(), "the seeded dice cannot be drawn again", "take rolls from `outcomes()` alone")


def _check_undo(table: Table) -> None:
    """Every choice since the last roll can be taken back, one by one; the roll stands."""
    while table.events and isinstance(table.events[-1], Moved):
        before = table.states[-2]
        table.undo()
        _expect(table.state == before, "undo does not lead back", "keep states immutable")
    try:
        table.undo()
    except UndoError:
        return
    _fail("a roll was taken back", "let rolls stand")


def _table(game: Game, options: Options, players: int, seed: int) -> Table:
    bots = [Seat(name, RandomPlayer(seed * 100 + number)) for number, name in enumerate(_names(players))]
    return Table(game.start(players, options), bots, SeededDice(seed))


def _names(players: int) -> list[str]:
    return [f"Seat {number}" for number in range(1, players + 1)]


def _disturb() -> None:
    """Move the global generators on, numpy's where it is loaded, so that a game that uses one is found out.

    A number is drawn and no seed set, as numpy takes half a millisecond for that and long games have 10,000 events.
    """
    random.random()
    if numpy := sys.modules.get("numpy"):
        numpy.random.random()


def _expect(holds: bool, wrong: str, mend: str) -> None:
    if not holds:
        _fail(wrong, mend)


def _fail(wrong: str, mend: str) -> None:
    raise ConformanceError(f"{wrong}. To mend it: {mend}.")


@contextmanager
def _where(place: str) -> Iterator[None]:
    """Say where a promise was broken, also where a game fails with an error of its own."""
    try:
        yield
    except ConformanceError as error:
        raise ConformanceError(f"{place}: {error}") from error.__cause__
    except Exception as error:
        wrong = f"{type(error).__name__} was raised: {error}"
        raise ConformanceError(f"{place}: {wrong}. To mend it: raise HotdiceErrors for bad input alone.") from error


__all__ = ["ConformanceError", "conformance"]
