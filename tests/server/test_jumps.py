"""A clock that jumps closes no game: it has to prove itself first, or somebody has to say that it is right."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from hotdice.server.rooms import clock, driver
from hotdice.server.rooms.clock import COUNTED, DAY, ClockWatch
from hotdice.server.store import Store
from tests.server.elsewhen import Elsewhen
from tests.server.playing import two_people
from tests.server.running import TIMEOUT, local, person
from tests.server.test_seats import ask
from tests.server.test_store import TABLE, card, using, write

NOON = 1_800_000_000_000
Look = Callable[[int], Awaitable[bool]]


def until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + TIMEOUT
    while not done():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_clock_that_is_far_ahead_at_a_start_closes_no_game(tmp_path: Path) -> None:
    database = str(tmp_path / "tables.sqlite")
    with Elsewhen(database, tmp_path / "ahead", "--unlimited") as server:
        name, _ = server.table("pig", [person("Ann"), local("Bob")], start=True)
        for _ in range(2):  # the second time, it has not jumped since the last start
            server.stop()
            server.set(31 * DAY)
            before = server.output()
            server.start()
            until(lambda: "The clock has jumped: it says " in server.output()[len(before) :])  # noqa: B023
            assert server.get(f"/tables/{name}").json()["status"] == "playing"
    believing = Elsewhen(database, tmp_path / "ahead", "--unlimited", "--believe-clock")
    believing.set(31 * DAY)
    with believing as server:
        until(lambda: server.get(f"/tables/{name}").json()["status"] == "closed")


def test_a_jump_ends_no_game_that_somebody_wants_to_end(tmp_path: Path) -> None:
    """Those who let it stand still are not waited for after an hour, and those who are away not after a moment."""
    with Elsewhen(str(tmp_path / "tables.sqlite"), tmp_path / "ahead", "--unlimited") as server:
        name, there, asking = two_people(server)
        with there, asking:
            assert there.state["actor"] == 0
            assert ask(asking, "propose", what="end")["type"] == "accepted"
            server.set(31 * DAY)
            proposal = asking.state["proposal"]["number"]
            assert ask(asking, "vote", proposal=proposal, yes=True, seat=1)["type"] == "accepted"
            assert server.get(f"/tables/{name}").json()["status"] == "playing"


def test_bots_do_not_wait_for_a_clock_that_was_set_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "now", lambda: NOON)
    assert driver._left(NOON + 3000, 15.0) == 3.0
    assert driver._left(NOON - 3000, 15.0) == 0.0
    assert driver._left(NOON + 31 * DAY, 15.0) == 0.0


def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, story: Callable[[Store, Look], Awaitable[None]]) -> None:
    """Tell a story of looks at the clock, each at a time; was it believed?"""

    async def work(store: Store) -> None:
        watch = ClockWatch(store)

        async def look(at: int) -> bool:
            monkeypatch.setattr(clock, "now", lambda: at)
            return await watch.look() is not None

        await story(store, look)

    using(str(tmp_path / "tables.sqlite"), work)


def test_a_clock_proves_itself_by_a_day_without_a_jump(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def story(_: Store, look: Look) -> None:
        assert await look(NOON)
        assert await look(NOON + DAY)  # a night without a server is nothing special
        at = NOON + 33 * DAY
        assert not await look(at)
        for _look in range(DAY // COUNTED - 1):
            at += COUNTED
            assert not await look(at)
        assert await look(at + COUNTED)

    with caplog.at_level(logging.WARNING, "hotdice"):
        watched(tmp_path, monkeypatch, story)
    jumped, again = caplog.messages
    assert jumped.startswith("The clock has jumped: it says 2027-02-17 08:00 UTC, after 2027-01-16 08:00 UTC. No idle")
    assert again == "The clock is believed again; idle tables are closed."


def test_time_without_a_server_proves_nothing_and_a_new_start_does_not_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(store: Store, look: Look) -> None:
        assert await look(NOON)
        assert not await look(NOON + 31 * DAY)
        assert not await look(NOON + 31 * DAY + 23 * 3_600_000)
        monkeypatch.setattr(clock, "now", lambda: NOON + 31 * DAY + 23 * 3_600_000 + 1)
        assert await ClockWatch(store).look() is None
        assert await ClockWatch(store, believe=True).look()
        assert await ClockWatch(store).look()

    watched(tmp_path, monkeypatch, story)


def test_a_clock_that_is_set_back_has_to_prove_itself_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(_: Store, look: Look) -> None:
        assert await look(NOON)
        assert not await look(NOON - 2 * DAY)
        assert not await look(NOON)

    watched(tmp_path, monkeypatch, story)


def test_a_database_without_marks_is_compared_with_its_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(store: Store, look: Look) -> None:
        await write(store, TABLE, 1, NOON, [], card(TABLE, touched=NOON))
        assert not await look(NOON + 2 * DAY)

    watched(tmp_path, monkeypatch, story)
