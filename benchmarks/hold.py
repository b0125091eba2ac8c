"""Many tables held for a minute: `python -m benchmarks.hold`.

Every table has two players and three onlookers, each with a WebSocket of their own, and a move every so many seconds,
as people make them. What counts is how long a move takes, for whoever makes it and until all five have seen it, and
what memory the server needs. The crowd is one process; if that were busy, its own waiting would be measured, so it says
how busy it was.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import random
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

import uvloop

from benchmarks.report import Row, alone
from benchmarks.server import Client, Crowd, HotdiceServer, State, sqlite
from hotdice.server.doors import raise_descriptors

TABLES = 1000
ONLOOKERS = 3
SECONDS = 60.0
PERIOD = 5.0
"""Seconds between two moves at a table."""
WARM_UP = 10.0
AT_ONCE = 40
"""How many tables are set up at a time."""


@dataclass(slots=True)
class HeldTable:
    """One table's connections."""

    players: tuple[Client, Client]
    onlookers: list[Client]
    state: State
    latencies: list[float] = field(default_factory=list)
    """Seconds from sending a move until it is known to be on disk."""
    spreads: list[float] = field(default_factory=list)
    """And until everybody at the table has seen it."""
    _seen: float = 0.0

    async def watch(self, onlooker: Client) -> NoReturn:
        """Read whatever an onlooker is sent."""
        while True:
            await onlooker.state()
            self._seen = time.perf_counter()

    async def play(self, period: float) -> NoReturn:
        """Make a move every `period` seconds, from a random moment on."""
        loop = asyncio.get_running_loop()
        due = loop.time() + random.uniform(0, period)
        count = 0
        while True:
            await asyncio.sleep(due - loop.time())
            due += period
            seat = self.state.actor or 0
            mover, other = self.players[seat], self.players[1 - seat]
            count += 1
            sent = time.perf_counter()
            await mover.connection.send(self.state.message(str(count)), text=True)
            self.state = await mover.accepted(str(count))
            self.latencies.append(time.perf_counter() - sent)
            await other.state()
            self._seen = max(self._seen, time.perf_counter())
            await asyncio.sleep(period / 2)  # by then the onlookers have seen it too
            self.spreads.append(self._seen - sent)


async def _sit(crowd: Crowd, gate: asyncio.Semaphore) -> HeldTable:
    async with gate:
        name, tokens = await crowd.open()
        players = (await crowd.connect(name), await crowd.connect(name))
        onlookers = [await crowd.connect(name) for _ in range(ONLOOKERS)]
        for onlooker in onlookers:
            await onlooker.hello()
        await players[0].hello(tokens[0])
        return HeldTable(players, onlookers, await players[1].hello(tokens[1]))


@dataclass(frozen=True, slots=True)
class Held:
    """What a minute brought; seconds, bytes, and CPU seconds for each second."""

    moves: float
    latencies: list[float]
    spreads: list[float]
    base: int
    before: int
    after: int
    server_busy: float
    crowd_busy: float


async def _hold(server: HotdiceServer, tables: int, seconds: float, period: float) -> Held:
    base = server.rss()
    async with Crowd(server, words=True) as crowd:
        gate = asyncio.Semaphore(AT_ONCE)
        held = await asyncio.gather(*[_sit(crowd, gate) for _ in range(tables)])
        work = [table.play(period) for table in held]
        work += [table.watch(onlooker) for table in held for onlooker in table.onlookers]
        tasks = [asyncio.create_task(one) for one in work]
        await asyncio.wait(tasks, timeout=WARM_UP, return_when=asyncio.FIRST_EXCEPTION)
        for table in held:
            table.latencies.clear()
            table.spreads.clear()
        gc.collect()
        gc.freeze()
        before, begun, used, own = server.rss(), time.perf_counter(), server.cpu_seconds(), time.process_time()
        done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
        took, used, own = time.perf_counter() - begun, server.cpu_seconds() - used, time.process_time() - own
        for task in done:  # a connection that was lost is an error
            await task
        after = server.rss()
        latencies = [one for table in held for one in table.latencies]
        spreads = [one for table in held for one in table.spreads]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return Held(len(latencies) / took, latencies, spreads, base, before, after, used / took, own / took)


def rows(arguments: Sequence[str]) -> Iterator[Row]:
    """Hold the tables, and say how it went."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks hold", description=__doc__)
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--period", type=float, default=PERIOD, help="seconds between two moves at a table")
    parser.add_argument("--first", action="store_true", help="before all other processes of the machine (Linux, root)")
    chosen = parser.parse_args(arguments)
    if chosen.first:
        Path("/proc/self/autogroup").write_text("-19", "utf-8")
    raise_descriptors()
    with sqlite() as file, HotdiceServer(file) as server:
        held = uvloop.run(_hold(server, chosen.tables, chosen.seconds, chosen.period))
    cuts, seen = statistics.quantiles(held.latencies, n=100), statistics.quantiles(held.spreads, n=100)
    group = f"{chosen.tables * (2 + ONLOOKERS):,} connections at {chosen.tables:,} tables"
    remark = "before all other processes" if chosen.first else ""
    yield Row("hold.moves", group, "moves", held.moves, "moves/s", remark=remark)
    yield Row("hold.p50", group, "a move answered, median", 1000 * cuts[49], "ms", "lower")
    yield Row("hold.p99", group, "a move answered, 99th percentile", 1000 * cuts[98], "ms", "lower", aim=250)
    yield Row("hold.seen.p99", group, "seen by all five, 99th percentile", 1000 * seen[98], "ms", "lower")
    sizes = {"start": held.base, "connected": held.before, "end": held.after}
    whens = {"start": "at its start", "connected": "all connected", "end": "in the end"}
    for name, size in sizes.items():
        what = f"the server's memory, {whens[name]}"
        yield Row(f"hold.memory.{name}", group, what, size / 2**20, "MiB", "lower")
    yield Row("hold.cpu", group, "the server's CPU", 100 * held.server_busy, "% of a core", "lower")
    yield Row("hold.crowd", group, "the crowd's CPU", 100 * held.crowd_busy, "% of a core", ours=False)


if __name__ == "__main__":
    alone(rows)
