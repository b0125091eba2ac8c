"""What takes long is away from the event loop, is done once, and addresses take turns at it."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from hotdice.errors import RecordError
from hotdice.game import State
from hotdice.games import load_game
from hotdice.server import thinkers as thinkers_module
from hotdice.server.api import lists
from hotdice.server.app import Settings
from hotdice.server.entries import AnyEntry
from hotdice.server.limits import Limits
from hotdice.server.match.fold import Match, fold
from hotdice.server.queues import FairQueue, asking
from hotdice.server.refusals import TooMuch
from hotdice.server.rooms import replays
from hotdice.server.thinkers import TakesLong, Thinkers, _prepare, _solve_a_while
from hotdice.server.workers import Workers
from tests.server.inside import Inside, within
from tests.server.running import OPEN, Json, local, person

ANN, BEN = "192.0.2.1", "192.0.2.2"


# Queues


def test_addresses_take_turns_however_much_one_of_them_wants() -> None:
    async def test() -> None:
        queue, order = FairQueue(1, most=10), list[str]()
        free = asyncio.Event()

        async def want(address: str, name: str) -> None:
            async with queue.turn(address):
                order.append(name)
                await free.wait()

        wishes = [asyncio.ensure_future(want(ANN, f"Ann {number}")) for number in range(5)]
        await asyncio.sleep(0)
        wishes += [asyncio.ensure_future(want(BEN, f"Ben {number}")) for number in range(2)]
        await asyncio.sleep(0)
        assert len(queue) == 6
        free.set()
        await asyncio.gather(*wishes)
        assert order == ["Ann 0", "Ann 1", "Ben 0", "Ann 2", "Ben 1", "Ann 3", "Ann 4"]
        assert len(queue) == 0

    asyncio.run(test())


def test_so_much_of_one_address_waits_and_no_more() -> None:
    async def test() -> None:
        queue = FairQueue(1, most=1)

        async def want(address: str) -> None:
            async with queue.turn(address):
                await asyncio.sleep(0)

        async with queue.turn(ANN):
            first, other = (asyncio.ensure_future(want(address)) for address in (ANN, BEN))
            await asyncio.sleep(0)
            with pytest.raises(TooMuch, match="from your address"):
                await want(ANN)
        await asyncio.gather(first, other)
        await want(ANN)

    asyncio.run(test())


def test_who_no_longer_waits_leaves_no_gap() -> None:
    async def test() -> None:
        queue = FairQueue(1, most=9)

        async def want() -> str:
            async with queue.turn(ANN):
                return "had it"

        async with queue.turn(BEN):
            gone, stays = asyncio.ensure_future(want()), asyncio.ensure_future(want())
            await asyncio.sleep(0)
            gone.cancel()
            await asyncio.sleep(0)
            assert len(queue) == 1
        assert await stays == "had it"
        last = asyncio.ensure_future(want())
        await asyncio.sleep(0)
        last.cancel()  # in the moment in which its turn has come
        assert await want() == "had it"

    asyncio.run(test())


# Processes


def _end() -> None:
    os._exit(1)


def _refuse() -> None:
    raise RecordError("Not today.", 3, 4)


def test_a_process_that_breaks_or_takes_too_long_is_replaced() -> None:
    async def test() -> None:
        workers = Workers(1, 9)
        try:
            first = await workers.run(ANN, os.getpid)
            assert first != os.getpid()
            assert await workers.run(ANN, os.getpid) == first
            with pytest.raises(RecordError, match=r"line 3, column 4: Not today\."):
                await workers.run(ANN, _refuse)
            assert await workers.run(ANN, os.getpid) == first
            with pytest.raises(BrokenProcessPool):
                await workers.run(ANN, _end)
            second = await workers.run(ANN, os.getpid)
            with pytest.raises(TimeoutError):
                await workers.run(ANN, time.sleep, 60, seconds=0.01)
            assert await workers.run(ANN, os.getpid) not in (first, second)
        finally:
            workers.close()

    asyncio.run(test())


# Solving


class FakeLane:
    """Solves what takes no time, and waits with the rest."""

    def __init__(self, *, quick: bool) -> None:
        self.quick, self.asked = quick, list[tuple[int, str]]()
        self.go = asyncio.Event()
        self.workers = Workers(1, 9)

    async def run(self, key: Any, number: int, work: Any, *_: object, seconds: float | None = None) -> bool:
        target = key[1].target
        self.asked.append((target, asking.get()))
        if self.quick and target > 100:
            raise TakesLong
        if not self.quick:
            await self.go.wait()
        return True

    def share(self, number: int) -> float | None:
        return None


def pig(target: int) -> State:
    return load_game("pig").start(2, {"target": target})


def test_what_is_solved_quickly_overtakes_what_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinkers_module, "PREPARE_SECONDS", 0.01)

    async def test() -> None:
        thinkers = Thinkers()
        quick, slow = FakeLane(quick=True), FakeLane(quick=False)
        thinkers.__dict__["_lanes"] = (quick, slow)
        asking.set(ANN)
        assert [await thinkers._prepared(pig(target)) for target in (500, 600)] == [None, None]
        asking.set(BEN)
        assert await thinkers._prepared(pig(50)) is True
        assert slow.asked == [(500, ANN), (600, ANN)]
        assert (50, BEN) in quick.asked
        slow.go.set()
        while await thinkers._prepared(pig(500)) is None:
            pass
        thinkers.close()

    asyncio.run(test())


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Callable[[Sequence[tuple[float, float]]], None]:
    """Have a solver say at which times how far it is."""

    def plan(steps: Sequence[tuple[float, float]]) -> None:
        clock = SimpleNamespace(now=0.0)
        monkeypatch.setattr(thinkers_module, "time", SimpleNamespace(monotonic=lambda: clock.now))

        def evaluator_for(game: object, options: object, players: int, tell: Callable[[float], None]) -> None:
            for at, share in steps:
                clock.now = at
                tell(share)

        monkeypatch.setattr(thinkers_module, "evaluator_for", evaluator_for)

    return plan


def test_a_game_of_which_most_is_left_takes_long(told: Callable[[Sequence[tuple[float, float]]], None]) -> None:
    told([(30.0, 0.0), (34.0, 0.2), (36.0, 0.3), (37.0, 0.4)])  # compiling takes half a minute, say
    with pytest.raises(TakesLong):
        _prepare(1, "pig", "", 2, 5.0)
    assert _prepare(1, "pig", "", 2, None)
    told([(30.0, 0.0), (34.0, 0.4), (36.0, 0.6), (38.0, 1.0)])  # the rest comes soon
    assert _prepare(1, "pig", "", 2, 5.0)


def test_a_game_is_solved_bit_by_bit_until_it_goes_no_further(monkeypatch: pytest.MonkeyPatch) -> None:
    shares = iter([0.4, 0.8, 1.0, 1.0])

    class InSteps(FakeLane):
        async def run(self, key: Any, number: int, work: Any, *_: object, seconds: float | None = None) -> Any:
            self.asked.append((key[1].target, asking.get()))
            return next(shares)

    async def test() -> None:
        thinkers = Thinkers()
        slow = InSteps(quick=False)
        thinkers.__dict__["_lanes"] = (FakeLane(quick=True), slow)
        assert thinkers._solve_meanwhile(pig(500)) == 0.0
        while thinkers._solve_meanwhile(pig(500)) is not None:
            await asyncio.sleep(0)
        assert len(slow.asked) == 4
        thinkers.close()

    asyncio.run(test())


def test_a_slice_of_solving_ends_when_its_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    def solve_in_steps(options: object, players: int, stop: threading.Event, tell: Callable[[float], None]) -> None:
        tell(0.25)
        assert stop.wait(60.0)

    monkeypatch.setattr(thinkers_module, "SLICE_SECONDS", 0.01)
    monkeypatch.setattr(thinkers_module, "solver_of", lambda _: SimpleNamespace(solve_in_steps=solve_in_steps))
    assert _solve_a_while(1, "pig", "", 2) == 0.25


def test_bots_beyond_what_an_address_may_have_play_by_the_simple_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        thinkers = Thinkers(Limits(thinking=0))

        async def prepared(_: State) -> bool:
            return True

        monkeypatch.setattr(thinkers, "_prepared", prepared)
        state = pig(100).roll((5,))
        chosen = await asyncio.gather(*(thinkers.choose("casual", state, 1) for _ in range(4)))
        assert sorted({bot for _, bot in chosen}) == ["casual", "greedy"]
        thinkers.close()

    asyncio.run(test())


# Replays


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every log is long; what was done in a process, and in which thread logs were folded."""
    done: list[str] = []
    in_process = replays.Replays.in_process

    async def noted(self: replays.Replays, work: Callable[..., Any], *about: object) -> Any:
        done.append(work.__name__)
        return await in_process(self, work, *about)

    def folded(name: str, log: Sequence[tuple[AnyEntry, int]]) -> Match:
        done.append("on the loop" if threading.current_thread() is threading.main_thread() else "in a thread")
        return fold(name, log)

    monkeypatch.setattr(replays.Replays, "in_process", noted)
    monkeypatch.setattr(replays, "fold", folded)
    for module in (replays, lists):
        monkeypatch.setattr(module, "SHORT", 0)
    return done


def forget(inside: Inside) -> None:
    inside.server.rooms._rooms.clear()


def test_lists_read_long_logs_in_another_process_and_once(tmp_path: Path, watched: list[str]) -> None:
    async def work(inside: Inside) -> None:
        client = inside.client()
        wish: Json = {"game": "pig", "seats": [person("Ann"), OPEN], "public": True}
        made = [(await client.post("/api/tables", json=wish)).json() for _ in range(2)]
        in_memory = (await client.get("/api/tables")).json()
        assert len(in_memory["tables"]) == 2
        assert watched == []
        forget(inside)
        for _ in range(2):
            assert (await client.get("/api/tables")).json() == in_memory
        assert watched == ["log_shown"] * 2
        assert not list(inside.server.rooms)
        name = made[0]["table"]["name"]
        await client.post(f"/api/tables/{name}/join", json={"name": "Ben"})
        forget(inside)
        found = (await client.get(f"/api/tables?name={name}")).json()["tables"][0]
        assert [seat["name"] for seat in found["seats"]] == ["Ann", "Ben"]
        assert watched == [*["log_shown"] * 2, "in a thread", "log_shown"]

    within(Settings(str(tmp_path / "tables.sqlite")), work)


def test_a_long_log_is_folded_in_a_thread(tmp_path: Path, watched: list[str]) -> None:
    async def work(inside: Inside) -> None:
        client = inside.client()
        made = await client.post("/api/tables", json={"game": "pig", "seats": [person("Ann"), OPEN]})
        address = f"/api/tables/{made.json()['table']['name']}"
        forget(inside)
        assert (await client.get(address)).json() == made.json()["table"]
        assert watched == ["in a thread"]

    within(Settings(str(tmp_path / "tables.sqlite")), work)


@cache
def record(last: str = "result: unfinished") -> str:
    head = "hotdice record 1\ngame: pig\ndate: 2026-11-15\nseat 1: Ann (person)\nseat 2: Ben (person)\ndice: manual\n"
    return f"{head}\n1 rolls 6\n1 hold\n{last}\n"


def test_records_are_checked_in_another_process(tmp_path: Path, watched: list[str]) -> None:
    async def work(inside: Inside) -> None:
        client = inside.client()
        answer = await client.post("/api/records", json={"record": record("1 rolls 6\nresult: unfinished")})
        assert answer.status_code == 422
        assert answer.json()["message"].startswith("line 10, column ")
        made = await client.post("/api/records", json={"record": record(), "mine": [1]})
        assert made.status_code == 201, made.text
        assert watched == ["imported"] * 2
        address = f"/api/tables/{made.json()['table']['name']}"
        forget(inside)
        assert (await client.get(address)).json() == made.json()["table"]

    within(Settings(str(tmp_path / "tables.sqlite")), work)


def test_records_that_are_refused_count_as_much_as_tables(tmp_path: Path) -> None:
    async def work(inside: Inside) -> None:
        client = inside.client()
        answers = [await client.post("/api/records", json={"record": "none"}) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [422, 422, 429]

    within(Settings(str(tmp_path / "tables.sqlite"), limits=Limits(news=0.001, new_burst=2)), work)


def test_a_game_as_it_stood_is_made_in_another_process(tmp_path: Path, watched: list[str]) -> None:
    async def work(inside: Inside) -> None:
        client = inside.client()
        seats = [person("Ann"), local("Ben")]
        wish: Json = {"game": "pig", "options": {"target": 2}, "seats": seats, "start": True}
        made = (await client.post("/api/tables", json=wish)).json()
        address = f"/api/tables/{made['table']['name']}"
        for token in made["tokens"]:
            await client.post(f"{address}/leave", headers={"Authorization": f"Bearer {token['token']}"})
        then = await client.get(f"{address}/position?played=0")
        assert then.json()["state"]["status"] == "over"
        assert (await client.get(f"{address}/games/1")).json()["state"]["status"] == "closed"
        assert watched == ["_seen"]

    within(Settings(str(tmp_path / "tables.sqlite")), work)
