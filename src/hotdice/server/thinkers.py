"""Where bots and coaches think: in other processes, so that no table waits for another one's bot.

The simple bots think in a thread, for microseconds. Those that know values need solved tables: processes of their own
make or load them, and until they are there, the bots of that game play by its greedy rule, which the log tells, and its
coaches say that they are not ready. Everywhere addresses take turns, and what takes long to solve is overtaken by what
does not. A bot that fails is named once in the log, and the greedy rule plays on.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import threading
import time
from collections.abc import Callable, MutableSequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from importlib import import_module
from itertools import count
from typing import Final, TypeVar

from hotdice.errors import HotdiceError, SeatError
from hotdice.game import Game, Move, State
from hotdice.games import load_game, parse_position
from hotdice.options import Options
from hotdice.players import LEVELS, GreedyPlayer, RandomPlayer, make_player, named_bot, reason_of
from hotdice.review.report import Moment
from hotdice.server import coach, practising
from hotdice.server.challenges.columns import packed_column
from hotdice.server.coach import Advised, NoSolver, NotReady, NoValues
from hotdice.server.limits import Limits
from hotdice.server.queues import asking
from hotdice.server.refusals import TooMuch, Unavailable
from hotdice.server.replaying import WhatIf, play_out
from hotdice.server.reviewing import packed_review
from hotdice.server.workers import Workers
from hotdice.solve import evaluator_for, solver_of
from hotdice.values import NotInstalled, NotSolved

SIMPLE: Final = (RandomPlayer.kind, GreedyPlayer.kind)
PREPARE_SECONDS: Final = 2.0
"""How long a bot waits for its game to be solved before it plays by the simple rule."""
QUICK_SECONDS: Final = 5.0
"""How long a game may take to be solved before others overtake it."""
STUCK_SECONDS: Final = 90.0
"""How long one may that does not say how far it is."""
SLICE_SECONDS: Final = 30.0
"""How long a game is solved bit by bit before it is another's turn."""
KNOWN: Final = 1000
"""The most games and options of which it is remembered whether they are solved."""
THINK_SECONDS: Final = 60.0
"""How long a bot may think about one move."""
REVIEW_SECONDS: Final = 300.0
"""How long the review of one game may take."""
PLAY_OUT_SECONDS: Final = 60.0
"""How long bots may play a game on."""
THINKERS: Final = 2

T = TypeVar("T")
K = TypeVar("K")
Key = tuple[Game, Options, int]
Progress = MutableSequence[float]
"""Shared with the solver: the number of the game that it solves, and the share of it that is done."""
logger: Final = logging.getLogger("hotdice")


class Thinkers:
    """The bots and coaches of all tables."""

    def __init__(self, limits: Limits = Limits()) -> None:  # noqa: B008 (it is immutable)
        self._limits = limits
        self._workers = Workers(THINKERS, limits.thinking)
        self._ready: dict[Key, asyncio.Future[bool | None]] = {}
        self._numbers: dict[Key, int] = {}
        self._in_steps: dict[tuple[Key, tuple[int, ...]], asyncio.Future[None]] = {}
        """The games that are solved bit by bit while they are played; done once they are."""
        self._explaining: dict[Key, asyncio.Future[None]] = {}
        """The games whose prospects are being solved, or were."""
        self._making: dict[Game, asyncio.Future[list[str]]] = {}
        """The games for which cards to practise on are being made."""
        self._reviews: dict[str, int] = {}
        """By their records, the games that are being reviewed, with their numbers in that lane."""
        self._review_numbers = count(1)
        self._opened: list[Lane] = []
        self._reported: set[tuple[str, str]] = set()
        """The bots that failed, with the games in which they did: each is logged once."""

    async def choose(self, kind: str, state: State, seed: int) -> tuple[str, str]:
        """A bot's move in notation, and the bot that found it: this one, or a simpler one where it cannot.

        Where bots leave something to chance, the seed decides.
        """
        try:
            if kind not in LEVELS or await self._prepared(state):
                return await self._choose(kind, state, seed), kind
        except TooMuch:
            pass  # there are more bots from one address than can think
        except Exception as error:
            self._report(kind, state.game.name, error)
        try:
            return await asyncio.to_thread(_choose, GreedyPlayer.kind, state, seed), GreedyPlayer.kind
        except Exception as error:
            self._report(GreedyPlayer.kind, state.game.name, error)
        return await asyncio.to_thread(_choose, RandomPlayer.kind, state, seed), RandomPlayer.kind

    async def advise(self, state: State) -> Advised:
        """What a state's moves are worth; `NotReady` while the game is being solved."""
        ready = await self._prepared(state)
        if ready is None:
            raise NotReady(self._share(_key(state)))
        if not ready:
            raise NoSolver("This server cannot value moves; it needs: pip install 'hotdice[solve]'.")
        try:
            found = await self._think(coach.advise, state.game, state.position)
        except BrokenProcessPool:
            raise Unavailable("The coach could not think; ask again.") from None
        except HotdiceError as error:
            raise NoValues(f"There is no advice here. {error}") from None
        return found if found.share is None else replace(found, share=self._solve_meanwhile(state))

    async def explain(self, kind: str, state: State, move: Move) -> str:
        """Why a bot made a move, as half a sentence; `NotReady` while the values that say so are being made."""
        if told := reason_of(kind, state, move):
            return told
        ready = await self._prepared(state)
        if ready is None:
            raise NotReady(self._share(_key(state)))
        if ready:
            with suppress(HotdiceError, BrokenProcessPool):
                return await self._think(coach.explain, state.game, state.position, move.text)
        return "that is its simple rule"

    async def look_back(self, state: State, record: str) -> tuple[Moment, ...]:
        """The moments that mattered in a game, of which this is a state; `NotReady` while it is being solved."""
        if await self._prepared(state) is None:
            raise NotReady(self._share(_key(state)))
        try:
            return await self._think(coach.look_back, state.game, record)
        except BrokenProcessPool:
            raise Unavailable("Nobody could look back at this game; ask again.") from None

    async def make_deck(self, game: Game) -> list[str]:
        """Cards to practise a game on, as texts; `NotReady` while it is being solved or they are being made."""
        state = game.start()
        if await self._prepared(state) is None:
            raise NotReady(self._share(_key(state)))
        making = self._making.get(game)
        if making is None:
            making = self._making[game] = asyncio.ensure_future(self._think(practising.make_deck, game, game.name))
            making.add_done_callback(_heard)
            making.add_done_callback(lambda _: self._making.pop(game, None))
        try:
            return await asyncio.wait_for(asyncio.shield(making), PREPARE_SECONDS)
        except TimeoutError:
            raise NotReady from None
        except BrokenProcessPool:
            raise Unavailable("The positions could not be made; ask again.") from None
        except NotSolved as error:
            raise NoValues(str(error)) from None

    async def reason(self, state: State, card: str, move: str) -> str:
        """What speaks for a move on a card, in the game's own terms; `NotReady` while that is being solved."""
        key = _key(state)
        ready = await self._prepared(state)
        if ready is None:
            raise NotReady(self._share(key))
        if not ready:
            raise NoSolver("This server cannot work out why; it needs: pip install 'hotdice[solve]'.")
        explaining = self._explaining.get(key)
        if explaining and not explaining.done():
            raise NotReady(self._share(key))
        try:
            told = await self._think(practising.find_reason, state.game, card, move)
        except BrokenProcessPool:
            raise Unavailable("Nobody could say why; ask again.") from None
        except NotSolved as error:
            raise NoValues(str(error)) from None
        if told is None and explaining is None:
            _forget(self._explaining)
            work = self._lanes[1].run(key, self._number(key), _solve_prospects)
            self._explaining[key] = asyncio.ensure_future(work)
            self._explaining[key].add_done_callback(_heard)
            raise NotReady(0.0)
        return told or ""

    async def mistakes(
        self, state: State, record: str, seats: tuple[int, ...], event: int | None
    ) -> list[tuple[int, str]]:
        """The mistakes of some seats in a game that began with this state, or that of one event, as events and cards;
        `NotReady` while it is being solved."""
        if await self._prepared(state) is None:
            raise NotReady(self._share(_key(state)))
        about = (record, " ".join(map(str, seats)), "" if event is None else str(event))
        try:
            return await self._think(practising.find_mistakes, state.game, *about)
        except BrokenProcessPool:
            raise Unavailable("Nobody could look for mistakes in this game; ask again.") from None

    async def review(self, state: State, record: str) -> bytes:
        """The review of a game that began with this state, as gzipped JSON; `NotReady` while it is being solved."""
        ready = await self._prepared(state)
        if ready is None:
            raise NotReady(self._share(_key(state)))
        if not ready:
            raise NoSolver("This server cannot review games; it needs: pip install 'hotdice[solve]'.")
        try:
            return await self._have_reviewed(state, record, _review, record)
        except NotSolved as error:
            raise NoValues(f"There is no review of this game. {error}") from None

    async def column(self, state: State, plans: str, source: str, seat: str) -> bytes:
        """What somebody made of the dice of a challenge that began with this state, or the best play where there are
        `plans` of seats, as JSON; `NotReady` while the game is being solved."""
        if await self._prepared(state) is None:
            raise NotReady(self._share(_key(state)))
        return await self._have_reviewed(state, source, _column, plans, source, seat)

    async def _have_reviewed(self, state: State, name: str, work: Callable[..., bytes], *about: str) -> bytes:
        """Have a game worked through in the reviewers' process; how far it is can be asked by the name."""
        number = self._reviews[name] = next(self._review_numbers)
        try:
            return await self._reviewers.run(_key(state), number, work, *about, seconds=REVIEW_SECONDS)
        except (BrokenProcessPool, TimeoutError):
            raise Unavailable("Nobody could review this game; ask again.") from None
        finally:
            self._reviews.pop(name, None)

    def review_share(self, state: State, record: str) -> float | None:
        """How far a review is that is under way, or the solving of its game before it."""
        number = self._reviews.get(record)
        return self._reviewers.share(number) if number else self._share(_key(state))

    async def what_if(self, state: State, record: str, played: int, move: str, seed: int) -> WhatIf:
        """A game that began with this state, played on by bots from after another move, with dice of a seed;
        `NotReady` while it is being solved."""
        if await self._prepared(state) is None:
            raise NotReady(self._share(_key(state)))
        try:
            return await self._think(
                play_out, state.game, record, str(played), move, str(seed), seconds=PLAY_OUT_SECONDS
            )
        except (BrokenProcessPool, TimeoutError):
            raise Unavailable("The game could not be played on in time; ask again.") from None

    def close(self) -> None:
        """Send them home."""
        for ready in self._ready.values():
            ready.cancel()
        for solving in (*self._in_steps.values(), *self._explaining.values()):
            solving.cancel()
        self._workers.close()
        for lane in self._opened:
            lane.workers.close()

    @property
    def waiting(self) -> dict[str, int]:
        """How many wait to be thought about, and to be solved."""
        return {
            "thinkers": len(self._workers.queue),
            "solver": sum(len(lane.workers.queue) for lane in self._lanes),
            "reviews": len(self._reviewers.workers.queue),
        }

    async def _choose(self, kind: str, state: State, seed: int) -> str:
        if not named_bot(kind):
            raise SeatError(f"There is no bot “{kind}” here any more.")
        if kind in SIMPLE:
            return await asyncio.to_thread(_choose, kind, state, seed)
        return await self._think(_choose_at, state.game, kind, state.position, str(seed), seconds=THINK_SECONDS)

    async def _think(self, work: Callable[..., T], game: Game, *about: str, seconds: float | None = None) -> T:
        """Have something worked out about a game in another process."""
        module = game.state.__module__
        return await self._workers.run(asking.get(), _with_game, module, work, *about, seconds=seconds)

    def _report(self, kind: str, game: str, error: Exception) -> None:
        """Name a bot that failed, in one line."""
        if (kind, game) not in self._reported:
            self._reported.add((kind, game))
            reason = " ".join(str(error).split()) or type(error).__name__
            logger.warning("The bot “%s” failed at %s; a simpler one plays on: %s", kind, game, reason)

    # Values

    @cached_property
    def _lanes(self) -> tuple[Lane, Lane]:
        """Where games are solved: what takes long leaves the first for the second, so that quick ones overtake it."""
        return self._lane(self._limits.thinking), self._lane(self._limits.solving, nice=10)

    @cached_property
    def _reviewers(self) -> Lane:
        """Where games are reviewed, so that no bot waits for that."""
        return self._lane(self._limits.thinking, nice=5)

    def _lane(self, most: int, nice: int = 0) -> Lane:
        """A lane that `close` closes. One is made when there is work for it, as it takes shared memory."""
        lane = Lane(most, nice)
        self._opened.append(lane)
        return lane

    async def _prepared(self, state: State) -> bool | None:
        """Whether the values of a game are there, or come in a moment; None while they are being made."""
        key = _key(state)
        ready = self._ready.get(key)
        if ready is None:
            _forget(self._ready)
            ready = self._ready[key] = asyncio.ensure_future(self._prepare(key))
            ready.add_done_callback(_heard)
        with suppress(TimeoutError):
            return await asyncio.wait_for(asyncio.shield(ready), PREPARE_SECONDS)
        return None

    async def _prepare(self, key: Key) -> bool | None:
        quick, slow = self._lanes
        try:
            try:
                return await quick.run(key, self._number(key), _prepare, QUICK_SECONDS, seconds=STUCK_SECONDS)
            except (TakesLong, TimeoutError):
                return await slow.run(key, self._number(key), _prepare, None)
        except BrokenProcessPool:
            self._ready.pop(key, None)
            return None
        except TooMuch:
            self._ready.pop(key, None)
            raise
        except Exception as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            logger.warning("There are no values for %s: %s", key[0].text(key[1]), reason)
            return False

    def _number(self, key: Key) -> int:
        return self._numbers.setdefault(key, len(self._numbers) + 1)

    def _share(self, key: Key) -> float | None:
        """How far a game is solved, if it is one that is being solved now."""
        shares = (lane.share(self._numbers.get(key, 0)) for lane in self._lanes)
        return next((share for share in shares if share is not None), None)

    def _solve_meanwhile(self, state: State) -> float | None:
        """Have a game that takes minutes solved bit by bit; how far that is, or None if it is done.

        At other scores it may need other tables, so it is asked again.
        """
        key, job = _key(state), (_key(state), state.scores)
        solving = self._in_steps.get(job)
        if solving is None:
            _forget(self._in_steps)
            solving = self._in_steps[job] = asyncio.ensure_future(self._solve_in_steps(*job))
        return None if solving.done() else self._share(key) or 0.0

    async def _solve_in_steps(self, key: Key, scores: tuple[int, ...]) -> None:
        """Solve a game bit by bit; between two of them it is others' turn."""
        before = -1.0
        try:
            while before < (share := await self._lanes[1].run(key, self._number(key), _solve_a_while)):
                before = share
        except (BrokenProcessPool, TooMuch):
            self._in_steps.pop((key, scores), None)  # it is tried again when somebody asks again
        except HotdiceError:
            pass  # errors are shown where the values are asked for


class Lane:
    """A process that solves or reviews one game at a time, and says how far it is."""

    def __init__(self, most: int, nice: int = 0) -> None:
        self._progress: Progress = multiprocessing.get_context("spawn").RawArray("d", 2)
        self.workers = Workers(1, most, partial(_begin, self._progress, nice))

    async def run(
        self, key: Key, number: int, work: Callable[..., T], *more: object, seconds: float | None = None
    ) -> T:
        """Do something about a game that has that number here."""
        game, options, players = key
        about = (game.state.__module__, work, number, game.name, options.text, players, *more)
        return await self.workers.run(asking.get(), _with_game, *about, seconds=seconds)

    def share(self, number: int) -> float | None:
        """How far the game of that number is, if it is the one."""
        solving, share = self._progress
        return share if number and number == solving else None


class TakesLong(Exception):
    """A game that is not solved quickly."""


def _key(state: State) -> Key:
    return state.game, state.options, state.players


def _forget(known: dict[K, asyncio.Future[T]]) -> None:
    """Forget the first of many, if it is done."""
    if len(known) >= KNOWN:
        first = next(iter(known))
        if known[first].done():
            del known[first]


def _heard(ready: asyncio.Future[T]) -> None:
    """Take note of an error that nobody may be waiting for."""
    if not ready.cancelled():
        ready.exception()


# In the other processes

_told: Progress = [0.0, 0.0]
"""In a solver's process: where it says how far it is."""


def _begin(progress: Progress, nice: int) -> None:
    global _told  # noqa: PLW0603 (a process begins once)
    _told = progress
    with suppress(AttributeError, OSError):
        os.nice(nice)


def _with_game(module: str, work: Callable[..., T], *about: object) -> T:
    """Do something about a game. It may be one that the server's process registered, which is not known here yet."""
    with suppress(ImportError):  # if it is needed, there is an error that says more
        import_module(module)
    return work(*about)


def _prepare(number: int, name: str, options: str, players: int, quickly: float | None) -> bool:
    """Solve or load a game's tables; False if there is nothing to solve it with, and `TakesLong` where it has to be
    done `quickly`, in so many seconds, and most of it is left by then."""
    first: tuple[float, float] | None = None

    def tell(share: float) -> None:
        nonlocal first
        _told[:] = number, share
        at = time.monotonic()
        if first is None:
            first = (at, share)  # before it, kernels may have been compiled
        elif quickly is not None and at - first[0] > quickly and share - first[1] < 1.0 - share:
            raise TakesLong

    game = load_game(name)
    try:
        evaluator_for(game, game.options.parse(options), players, tell)
    except NotInstalled:
        return False
    except NotSolved:
        pass
    return True


def _solve_a_while(number: int, name: str, options: str, players: int) -> float:
    """Solve a game for a while, and keep what there is by then; the share that is solved."""
    share = 0.0

    def tell(done: float) -> None:
        nonlocal share
        share = done
        _told[:] = number, min(done, 0.999)

    game = load_game(name)
    stop = threading.Event()
    timer = threading.Timer(SLICE_SECONDS, stop.set)
    timer.start()
    try:
        solver_of(game).solve_in_steps(game.options.parse(options), players, stop, tell)
    finally:
        timer.cancel()
    return share


def _solve_prospects(number: int, name: str, options: str, players: int) -> None:
    """Solve what a game's reasons are read from, and keep it."""

    def tell(share: float) -> None:
        _told[:] = number, min(share, 0.999)

    game = load_game(name)
    solver_of(game).solve_prospects(game.options.parse(options), players, threading.Event(), tell)


def _review(number: int, name: str, options: str, players: int, record: str) -> bytes:
    def tell(share: float) -> None:
        _told[:] = number, share

    tell(0.0)
    return packed_review(record, tell)


def _column(number: int, name: str, options: str, players: int, plans: str, source: str, seat: str) -> bytes:
    def tell(share: float) -> None:
        _told[:] = number, share

    tell(0.0)
    game = load_game(name)
    return packed_column(game.start(players, game.options.parse(options)), plans, source, seat, tell)


def _choose_at(kind: str, position: str, seed: str) -> str:
    return _choose(kind, parse_position(position), int(seed))


def _choose(kind: str, state: State, seed: int) -> str:
    """A bot's move in notation, which can be read back and is legal."""
    text = make_player(kind, seed).choose(state).text
    state.apply(state.parse_move(text))
    return text
