"""What a table waits for, by a clock that goes on at once instead of waiting."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

import pytest

from hotdice.server.entries import AnyEntry
from hotdice.server.match import commands, company
from hotdice.server.match.company import END
from hotdice.server.match.fold import Match, Status
from hotdice.server.metrics import Metrics
from hotdice.server.rooms import driver, presence
from hotdice.server.rooms.presence import PATIENCE_SECONDS, SILENT_SECONDS, Guest
from hotdice.server.rooms.room import Node, Room
from hotdice.server.store import Append
from tests.server.test_company import ANN, BOB, CAT, LONG, THREE, TWO
from tests.server.test_match import begun

HALF: float = SILENT_SECONDS / 2


class Skipping(asyncio.SelectorEventLoop):
    """An event loop that does not wait: its clock is set to when something is due."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = 1000.0
        selector = cast(Any, self)._selector
        select = selector.select

        def skip(seconds: float | None = None) -> Any:
            assert seconds is not None, "nothing is due any more"
            self.clock += max(0.0, seconds)
            return select(0)

        selector.select = skip

    def time(self) -> float:
        return self.clock


class Kept:
    """A store that has everything at once."""

    restored = 0

    def __init__(self) -> None:
        self.metrics = Metrics()

    def append(self, append: Append) -> None:
        append.done(None)


class Silent:
    """A client who is there, and says nothing."""

    def __init__(self, seat: int, key: str) -> None:
        self.seats, self.keys, self.words = (seat,), (key,), True

    def send(self, packed: bytes) -> None: ...

    def hold(self, packed: bytes) -> None: ...


def room_of(match: Match) -> Room:
    broker = SimpleNamespace(alone=True, tell=lambda *_, **__: None)
    node = SimpleNamespace(
        store=Kept(), broker=broker, thinkers=None, replays=None, dealer=None, drop=None, spawn=asyncio.ensure_future
    )
    room = Room(match, cast(Node, node))
    for seat, key in enumerate(match.tokens):
        room.presence.enter(cast(Guest, Silent(seat, key)))
    return room


def by_the_clock(work: Coroutine[Any, Any, None], monkeypatch: pytest.MonkeyPatch) -> None:
    """Do something while nobody waits."""
    loop = Skipping()
    monkeypatch.setattr(time, "monotonic", loop.time)
    for module in (driver, presence):
        monkeypatch.setattr(module, "now", lambda: int(1000 * loop.time()))
    try:
        loop.run_until_complete(work)
    finally:
        loop.close()


@pytest.mark.parametrize("acts", [False, True], ids=["never", "once"])
def test_a_game_that_somebody_wants_to_end_does_so_an_hour_after_the_others_last_did_something(
    acts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are connected, and neither play nor answer. No message comes then: the table has to look by itself."""

    async def work() -> None:
        loop = asyncio.get_running_loop()
        match = begun(*TWO, game=LONG)
        match.unsaved.clear()
        room = room_of(match)
        began = loop.time()
        attendance = room.attendance()
        await room.do(partial(company.propose, seat=BOB, what=END, about=-1, attendance=attendance))
        if acts:
            await asyncio.sleep(HALF)
            await room.do(partial(commands.roll, seat=ANN))
            while match.actor == BOB:  # Ann rolled a 1: so he passes the dice back
                await room.do(partial(commands.roll, seat=BOB))
                if match.actor == BOB:
                    await room.do(partial(commands.move, seat=BOB, text="hold"))
        due = began + SILENT_SECONDS + (HALF if acts else 0)
        while match.status is Status.PLAYING and loop.time() < due + 5:
            await asyncio.sleep(1)
        assert due <= loop.time() < due + 5
        assert match.why == "it was ended."

    by_the_clock(work(), monkeypatch)


def test_somebody_who_is_given_up_between_the_last_word_and_the_look_at_it_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They are still waited for when the last vote is counted, and no longer when the table looks how long to wait."""

    async def work() -> None:
        loop = cast(Skipping, asyncio.get_running_loop())
        match = begun(*THREE, game=LONG)
        match.unsaved.clear()
        room = room_of(match)
        (cat,) = (guest for guest in room.presence.guests if guest.seats == (CAT,))
        room.presence.leave(cat, int(1000 * loop.time()))
        await room.do(partial(company.propose, seat=ANN, what=END, about=-1, attendance=room.attendance()))

        def vote(match: Match) -> list[AnyEntry]:
            assert match.proposal is not None
            done = company.vote(match, BOB, match.proposal.number, True, room.attendance())
            loop.clock += PATIENCE_SECONDS + 1
            return done

        await room.do(vote)
        assert match.status is Status.PLAYING
        await asyncio.sleep(5)
        assert match.why == "everybody agreed to end it."

    by_the_clock(work(), monkeypatch)
