"""Where bots think: in other processes, so that no table waits for another one's bot.

The simple bots think in a thread, for microseconds. Those that know values need solved tables: a process of its own
makes or loads them, and until they are there, the bots of that game play by its greedy rule, which the log tells.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import secrets
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import connection
from typing import Final

from hotdice.errors import HotdiceError
from hotdice.game import Game, State, load_game, parse_position
from hotdice.options import Options
from hotdice.players import GreedyPlayer, RandomPlayer, make_player

SIMPLE: Final = (RandomPlayer.kind, GreedyPlayer.kind)
MOMENT: Final = 2.0
"""Seconds that a bot waits for its game to be solved before it plays by the simple rule."""
THINKERS: Final = 2

Key = tuple[Game, Options, int]
log: Final = logging.getLogger("hotdice")


class Thinkers:
    """The bots of all tables."""

    def __init__(self) -> None:
        self._minds: ProcessPoolExecutor | None = None
        self._solver: ProcessPoolExecutor | None = None
        self._ready: dict[Key, asyncio.Future[bool]] = {}

    async def choose(self, kind: str, state: State) -> tuple[str, str]:
        """A bot's move in notation, and the bot that found it."""
        if kind not in SIMPLE and await self._prepared(state):
            try:
                return await self._think(kind, state), kind
            except (BrokenProcessPool, HotdiceError) as error:
                log.warning("A bot could not think (%s); it plays by the simple rule.", error)
                self._minds = None
        simple = kind if kind in SIMPLE else GreedyPlayer.kind
        return await asyncio.to_thread(_simply, simple, state), simple

    def close(self) -> None:
        """Send them home."""
        for pool in (self._minds, self._solver):
            if pool:
                for process in list((pool._processes or {}).values()):
                    process.terminate()
                pool.shutdown(cancel_futures=True)

    async def _think(self, kind: str, state: State) -> str:
        if self._minds is None:
            self._minds = _pool(THINKERS)
        return await asyncio.get_running_loop().run_in_executor(self._minds, _think, kind, state.position)

    async def _prepared(self, state: State) -> bool:
        """Whether the values of a game are there, or come in a moment."""
        key = (state.game, state.options, state.players)
        ready = self._ready.get(key)
        if ready is None:
            ready = self._ready[key] = asyncio.ensure_future(self._prepare(key))
        with suppress(TimeoutError):
            return await asyncio.wait_for(asyncio.shield(ready), MOMENT)
        return False

    async def _prepare(self, key: Key) -> bool:
        game, options, players = key
        if self._solver is None:
            self._solver = _pool(1)
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._solver, _prepare, game.name, options.text, players)
        except BrokenProcessPool:
            self._solver = None
            self._ready.pop(key, None)
            return False


def _pool(workers: int) -> ProcessPoolExecutor:
    """Processes that start when they are needed, and end with this one, however it ends."""
    return ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), initializer=_begin)


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()
    with suppress(AttributeError, OSError):
        os.nice(5)


def _end_with(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(1)


def _prepare(name: str, options: str, players: int) -> bool:
    """Solve or load a game's tables; False if there is nothing to solve it with."""
    try:
        from hotdice.solve.evaluator import NotSolved, evaluator_for
    except ImportError:
        return False
    game = load_game(name)
    with suppress(NotSolved):
        evaluator_for(game, game.options.parse(options), players)
    return True


def _think(kind: str, position: str) -> str:
    return make_player(kind, secrets.randbits(32)).choose(parse_position(position)).text


def _simply(kind: str, state: State) -> str:
    return make_player(kind, secrets.randbits(32)).choose(state).text
