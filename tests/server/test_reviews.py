"""The review of a game at a table: the same account as anywhere once it is there, and how far it is until then."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest

from hotdice import State, load_game
from hotdice.record import parse_record
from hotdice.server.app import Server, Settings
from hotdice.server.coach import NoSolver, NotReady
from hotdice.server.thinkers import Thinkers
from tests.server.running import Running, local, person
from tests.server.test_coach import Preparing, ready, refused
from tests.server.test_schema import strict
from tests.test_moments import HAND_MADE


def test_a_game_that_is_over_has_its_account(server: Running) -> None:
    """Worked out by hand: Ann loses 5/7 by a 1 and another 1/7 by Bob's 3; Bob gives 1/7 back by not taking his win,
    and their last rolls are worth 5/7 and 1/7 to Ann."""
    name = server.post("/records", {"record": HAND_MADE}).json()["table"]["name"]
    found = ready(lambda: server.get(f"/tables/{name}/review"))
    strict("Reviewed").validate(found)
    report = found["report"]
    assert (found["share"], report["done"], report["exact"], report["unit"]) == (None, 1.0, True, "win probability")
    assert [event["luck"][0] for event in report["events"]] == pytest.approx([-5 / 7, -1 / 7, 0, 5 / 7, 1 / 7, 0])
    ann, bob = report["seats"]
    for seat, start, losses, gifts, result in ((ann, 6 / 7, 0, 1 / 7, 1), (bob, 1 / 7, 1 / 7, 0, 0)):
        account = [seat[figure] for figure in ("start", "luck", "losses", "gifts", "result", "remainder")]
        assert account == pytest.approx([start, 0, losses, gifts, result, 0], abs=1e-9)
    plain = httpx.get(f"{server.url}/api/tables/{name}/review?game=1", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.json() == found
    refused(server.get(f"/tables/{name}/review", game=2), 422, "unknown")


def test_a_review_waits_for_the_end(server: Running) -> None:
    name, _ = server.table("pig", [person("Ann"), local("Bob")], options={"target": 2}, start=True)
    assert refused(server.get(f"/tables/{name}/review"), 409, "illegal") == "This game is not over yet."


def test_a_review_that_is_not_ready_says_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def solving(_: Thinkers, state: State, record: str) -> bytes:
        raise NotReady(0.25)

    monkeypatch.setattr(Thinkers, "review", solving)

    async def test() -> None:
        server = Server(Settings(str(tmp_path / "tables.sqlite")))
        await server.open()
        try:
            transport = httpx.ASGITransport(server)
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost/api") as client:
                made = (await client.post("/records", json={"record": HAND_MADE})).json()
                found = await client.get(f"/tables/{made['table']['name']}/review")
                assert found.json() == {"ready": False, "share": 0.25, "report": None}
        finally:
            await server.close()

    asyncio.run(test())


def test_the_share_of_a_review_is_that_of_its_own_game() -> None:
    thinkers, state = Thinkers(), parse_record(HAND_MADE).first_state
    thinkers._reviews = {"one": 1, "other": 2}
    thinkers._reviewers._progress[:] = 2, 0.5
    assert [thinkers.review_share(state, record) for record in ("one", "other", "third")] == [None, 0.5, None]


def test_a_server_that_has_no_values_says_so() -> None:
    state = load_game("pig").start()
    with pytest.raises(NoSolver, match=r"pip install 'hotdice\[solve\]'"):
        asyncio.run(Preparing(False).review(state, HAND_MADE))
    with pytest.raises(NotReady):
        asyncio.run(Preparing(None).review(state, HAND_MADE))
