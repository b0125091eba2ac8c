"""Where bots and coaches think: in other processes, so that no table waits for another one's bot.

The simple bots think in a thread, for microseconds. Those that know values need solved tables: a process of its own
makes or loads them, and until they are there, the bots of that game play by its greedy rule, which the log tells, and
its coaches say that they are not ready.
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
from multiprocessing import connection
from typing import Final, TypeVar

from hotdice.errors import HotdiceError
from hotdice.game import Game, State
from hotdice.games import load_game, parse_position
from hotdice.moments import Moment
from hotdice.options import Options
from hotdice.players import GreedyPlayer, RandomPlayer, make_player
from hotdice.server import coach
from hotdice.server.coach import Advised, NoSolver, NotReady, NoValues
from hotdice.server.refusals import Unavailable
from hotdice.solve import evaluator_for
from hotdice.values import NotInstalled, NotSolved

SIMPLE: Final = (RandomPlayer.kind, GreedyPlayer.kind)
MOMENT: Final = 2.0
"""Seconds that a bot waits for its game to be solved before it plays by the simple rule."""
SOON: Final = 0.3
"""Seconds that an answer waits to hear how far a game is solved in the background."""
THINKERS: Final = 2

T = TypeVar("T")
Key = tuple[Game, Options, int]
Told = MutableSequence[float]
"""Shared with the solver: the number of the game that it solves, and the share of it that is done."""
log: Final = logging.getLogger("hotdice")


class Thinkers:
    """The bots and coaches of all tables."""

    def __init__(self) -> None:
        self._minds: ProcessPoolExecutor | None = None
        self._solver: ProcessPoolExecutor | None = None
        self._ready: dict[Key, asyncio.Future[bool | None]] = {}
        self._numbers: dict[Key, int] = {}
        self._told: Told = [0.0, 0.0]

    async def choose(self, kind: str, state: State) -> tuple[str, str]:
        """A bot's move in notation, and the bot that found it."""
        if kind not in SIMPLE and await self._prepared(state):
            try:
                return await self._mind(_think, kind, state.position), kind
            except (BrokenProcessPool, HotdiceError) as error:
                log.warning("A bot could not think (%s); it plays by the simple rule.", error)
                self._minds = None
        simple = kind if kind in SIMPLE else GreedyPlayer.kind
        return await asyncio.to_thread(_simply, simple, state), simple

    async def advise(self, state: State) -> Advised:
        """What a state's moves are worth; `NotReady` while the game is being solved."""
        ready = await self._prepared(state)
        if ready is None:
            raise NotReady(self._share(_key(state)))
        if not ready:
            raise NoSolver("Nobody here knows what moves are worth; on the server, install hotdice[solve].")
        try:
            found = await self._mind(coach.advise, state.position)
        except BrokenProcessPool:
            self._minds = None
            raise Unavailable("The coach could not think; ask again.") from None
        except HotdiceError as error:
            raise NoValues(f"There is no advice here. {error}") from None
        return found if found.exact else replace(found, share=await self._meanwhile(state))

    async def look_back(self, state: State, record: str) -> tuple[Moment, ...]:
        """The moments that mattered in a game, of which this is a state; `NotReady` while it is being solved."""
        if await self._prepared(state) is None:
            raise NotReady(self._share(_key(state)))
        try:
            return await self._mind(coach.look_back, record)
        except BrokenProcessPool:
            self._minds = None
            raise Unavailable("Nobody could look back at this game; ask again.") from None

    def close(self) -> None:
        """Send them home."""
        for pool in (self._minds, self._solver):
            if pool:
                for process in list((pool._processes or {}).values()):
                    process.terminate()
                pool.shutdown(cancel_futures=True)

    async def _mind(self, work: Callable[..., T], *about: str) -> T:
        if self._minds is None:
            self._minds = _pool(THINKERS)
        return await asyncio.get_running_loop().run_in_executor(self._minds, work, *about)

    async def _prepared(self, state: State) -> bool | None:
        """Whether the values of a game are there, or come in a moment; None while they are being made."""
        key = _key(state)
        ready = self._ready.get(key)
        if ready is None:
            ready = self._ready[key] = asyncio.ensure_future(self._prepare(key))
        with suppress(TimeoutError):
            return await asyncio.wait_for(asyncio.shield(ready), MOMENT)
        return None

    async def _prepare(self, key: Key) -> bool | None:
        game, options, players = key
        number = self._numbers.setdefault(key, len(self._numbers) + 1)
        if self._solver is None:
            self._told = multiprocessing.get_context("spawn").RawArray("d", 2)
            self._solver = _pool(1, self._told)
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._solver, _prepare, number, game.name, options.text, players)
        except BrokenProcessPool:
            self._solver = None
            self._ready.pop(key, None)
            return None

    def _share(self, key: Key) -> float | None:
        """How far a game is solved, if it is the one that is being solved now."""
        number, share = self._told
        return share if number and number == self._numbers.get(key) else None

    async def _meanwhile(self, state: State) -> float | None:
        """Have a game that takes minutes solved beside the others; how far that is, or None if it is not solved so."""
        if self._solver is None:
            return None
        about = (state.game.name, state.options.text, state.players)
        share = asyncio.get_running_loop().run_in_executor(self._solver, _meanwhile, *about)
        try:
            return await asyncio.wait_for(share, SOON)
        except TimeoutError:
            return 0.0  # it is busy: it can be asked again
        except BrokenProcessPool:
            return None


def _key(state: State) -> Key:
    return state.game, state.options, state.players


def _pool(workers: int, told: Told | None = None) -> ProcessPoolExecutor:
    """Processes that start when they are needed, and end with this one, however it ends."""
    return ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _begin, (told,))


_telling: Told = [0.0, 0.0]
"""In the solver's process: where it tells how far it is."""


def _begin(told: Told | None) -> None:
    global _telling  # noqa: PLW0603 (a process begins once)
    _telling = told or _telling
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()
    with suppress(AttributeError, OSError):
        os.nice(5)


def _end_with(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(1)


def _prepare(number: int, name: str, options: str, players: int) -> bool:
    """Solve or load a game's tables; False if there is nothing to solve it with."""

    def tell(share: float) -> None:
        _telling[:] = number, share

    game = load_game(name)
    try:
        evaluator_for(game, game.options.parse(options), players, tell)
    except NotInstalled:
        return False
    except NotSolved:
        pass
    return True


def _meanwhile(name: str, options: str, players: int) -> float | None:
    """Solve a game in the background of this process, if its solver can."""
    from hotdice.solve import background

    game = load_game(name)
    background.start(game, game.options.parse(options), players)
    return background.progress(game, game.options.parse(options), players)


def _think(kind: str, position: str) -> str:
    return make_player(kind, secrets.randbits(32)).choose(parse_position(position)).text


def _simply(kind: str, state: State) -> str:
    return make_player(kind, secrets.randbits(32)).choose(state).text
