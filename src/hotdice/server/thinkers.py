"""Where bots and coaches think: in other processes, so that no table waits for another one's bot.

The simple bots think in a thread, for microseconds. Those that know values need solved tables: a process of its own
makes or loads them, and until they are there, the bots of that game play by its greedy rule, which the log tells, and
its coaches say that they are not ready. A bot that fails is named once in the log, and the greedy rule plays on.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import secrets
import signal
import threading
from collections.abc import Callable, MutableSequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from multiprocessing import connection
from typing import Final, TypeVar

from hotdice.errors import HotdiceError, SeatError
from hotdice.game import Game, State
from hotdice.games import load_game, parse_position
from hotdice.moments import Moment
from hotdice.options import Options
from hotdice.players import LEVELS, GreedyPlayer, RandomPlayer, make_player, named_bot
from hotdice.server import coach
from hotdice.server.coach import Advised, NoSolver, NotReady, NoValues
from hotdice.server.refusals import Unavailable
from hotdice.solve import evaluator_for
from hotdice.values import NotInstalled, NotSolved

SIMPLE: Final = (RandomPlayer.kind, GreedyPlayer.kind)
PREPARE_SECONDS: Final = 2.0
"""How long a bot waits for its game to be solved before it plays by the simple rule."""
PROGRESS_SECONDS: Final = 0.3
"""How long an answer waits to hear how far a game is solved in the background."""
THINK_SECONDS: Final = 60.0
"""How long a bot may think about one move."""
THINKERS: Final = 2

T = TypeVar("T")
Key = tuple[Game, Options, int]
Progress = MutableSequence[float]
"""Shared with the solver: the number of the game that it solves, and the share of it that is done."""
logger: Final = logging.getLogger("hotdice")


class Thinkers:
    """The bots and coaches of all tables."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._solver: ProcessPoolExecutor | None = None
        self._ready: dict[Key, asyncio.Future[bool | None]] = {}
        self._numbers: dict[Key, int] = {}
        self._progress: Progress = [0.0, 0.0]
        self._reported: set[tuple[str, str]] = set()
        """The bots that failed, with the games in which they did: each is logged once."""

    async def choose(self, kind: str, state: State) -> tuple[str, str]:
        """A bot's move in notation, and the bot that found it: this one, or a simpler one where it cannot."""
        if kind not in LEVELS or await self._prepared(state):
            try:
                return await self._choose(kind, state), kind
            except Exception as error:
                self._report(kind, state.game.name, error)
        try:
            return await asyncio.to_thread(_choose, GreedyPlayer.kind, state), GreedyPlayer.kind
        except Exception as error:
            self._report(GreedyPlayer.kind, state.game.name, error)
        return await asyncio.to_thread(_choose, RandomPlayer.kind, state), RandomPlayer.kind

    async def advise(self, state: State) -> Advised:
        """What a state's moves are worth; `NotReady` while the game is being solved."""
        ready = await self._prepared(state)
        if ready is None:
            raise NotReady(self._share(_key(state)))
        if not ready:
            raise NoSolver("This server cannot work out what moves are worth; install hotdice[solve] on it.")
        try:
            found = await self._think(coach.advise, state.game, state.position)
        except BrokenProcessPool:
            raise Unavailable("The coach could not think; ask again.") from None
        except HotdiceError as error:
            raise NoValues(f"There is no advice here. {error}") from None
        return found if found.exact else replace(found, share=await self._solve_meanwhile(state))

    async def look_back(self, state: State, record: str) -> tuple[Moment, ...]:
        """The moments that mattered in a game, of which this is a state; `NotReady` while it is being solved."""
        if await self._prepared(state) is None:
            raise NotReady(self._share(_key(state)))
        try:
            return await self._think(coach.look_back, state.game, record)
        except BrokenProcessPool:
            raise Unavailable("Nobody could look back at this game; ask again.") from None

    def close(self) -> None:
        """Send them home."""
        for pool in (self._pool, self._solver):
            if pool:
                _end(pool)

    async def _choose(self, kind: str, state: State) -> str:
        if not named_bot(kind):
            raise SeatError(f"There is no bot “{kind}” here any more.")
        if kind in SIMPLE:
            return await asyncio.to_thread(_choose, kind, state)
        async with asyncio.timeout(THINK_SECONDS):
            return await self._think(_choose_at, state.game, kind, state.position)

    async def _think(self, work: Callable[..., T], game: Game, *about: str) -> T:
        """Have something worked out about a game in another process."""
        if self._pool is None:
            self._pool = _new_pool(THINKERS)
        pool = self._pool
        try:
            return await asyncio.get_running_loop().run_in_executor(
                pool, _with_game, game.state.__module__, work, *about
            )
        except (BrokenProcessPool, asyncio.CancelledError):
            if self._pool is pool:  # it may still be busy with what nobody waits for any more
                self._pool = None
                _end(pool)
            raise

    def _report(self, kind: str, game: str, error: Exception) -> None:
        """Name a bot that failed, in one line."""
        if (kind, game) not in self._reported:
            self._reported.add((kind, game))
            reason = " ".join(str(error).split()) or type(error).__name__
            logger.warning("The bot “%s” failed at %s; a simpler one plays on: %s", kind, game, reason)

    # Values

    async def _prepared(self, state: State) -> bool | None:
        """Whether the values of a game are there, or come in a moment; None while they are being made."""
        key = _key(state)
        ready = self._ready.get(key)
        if ready is None:
            ready = self._ready[key] = asyncio.ensure_future(self._prepare(key))
        with suppress(TimeoutError):
            return await asyncio.wait_for(asyncio.shield(ready), PREPARE_SECONDS)
        return None

    async def _prepare(self, key: Key) -> bool | None:
        game, options, players = key
        number = self._numbers.setdefault(key, len(self._numbers) + 1)
        if self._solver is None:
            self._progress = multiprocessing.get_context("spawn").RawArray("d", 2)
            self._solver = _new_pool(1, self._progress)
        about = (game.state.__module__, _prepare, number, game.name, options.text, players)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._solver, _with_game, *about)
        except BrokenProcessPool:
            self._solver = None
            self._ready.pop(key, None)
            return None
        except Exception as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            logger.warning("There are no values for %s: %s", game.text(options), reason)
            return False

    def _share(self, key: Key) -> float | None:
        """How far a game is solved, if it is the one that is being solved now."""
        number, share = self._progress
        return share if number and number == self._numbers.get(key) else None

    async def _solve_meanwhile(self, state: State) -> float | None:
        """Have a game that takes minutes solved in the background; how far that is, or None if it is not solved so."""
        if self._solver is None:
            return None
        about = (state.game.state.__module__, _solve_meanwhile, state.game.name, state.options.text, state.players)
        share = asyncio.get_running_loop().run_in_executor(self._solver, _with_game, *about)
        try:
            return await asyncio.wait_for(share, PROGRESS_SECONDS)
        except TimeoutError:
            return 0.0  # it is busy: it can be asked again
        except BrokenProcessPool:
            return None


def _key(state: State) -> Key:
    return state.game, state.options, state.players


def _new_pool(workers: int, progress: Progress | None = None) -> ProcessPoolExecutor:
    """Processes that start when they are needed, and end with this one, however it ends."""
    return ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _begin, (progress,))


def _end(pool: ProcessPoolExecutor) -> None:
    """End the processes of a pool, whatever they are doing."""
    for process in list((pool._processes or {}).values()):
        process.terminate()
    pool.shutdown(cancel_futures=True)


# In the other processes

_told: Progress = [0.0, 0.0]
"""In the solver's process: where it says how far it is."""


def _begin(progress: Progress | None) -> None:
    global _told  # noqa: PLW0603 (a process begins once)
    _told = progress or _told
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()
    with suppress(AttributeError, OSError):
        os.nice(5)


def _end_with(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(1)


def _with_game(module: str, work: Callable[..., T], *about: object) -> T:
    """Do something about a game. It may be one that the server's process registered, which is not known here yet."""
    with suppress(ImportError):  # if it is needed, there is an error that says more
        import_module(module)
    return work(*about)


def _prepare(number: int, name: str, options: str, players: int) -> bool:
    """Solve or load a game's tables; False if there is nothing to solve it with."""

    def tell(share: float) -> None:
        _told[:] = number, share

    game = load_game(name)
    try:
        evaluator_for(game, game.options.parse(options), players, tell)
    except NotInstalled:
        return False
    except NotSolved:
        pass
    return True


def _solve_meanwhile(name: str, options: str, players: int) -> float | None:
    """Solve a game in the background of this process, if its solver can."""
    from hotdice.solve import background

    game = load_game(name)
    background.start(game, game.options.parse(options), players)
    return background.progress(game, game.options.parse(options), players)


def _choose_at(kind: str, position: str) -> str:
    return _choose(kind, parse_position(position))


def _choose(kind: str, state: State) -> str:
    """A bot's move in notation, which can be read back and is legal."""
    text = make_player(kind, secrets.randbits(32)).choose(state).text
    state.apply(state.parse_move(text))
    return text
