"""The coach: advice at tables that agreed to it, the moments that mattered, and the table as it stood then.

Pig to 2 is small enough to be worked out by hand: any roll but a 1 wins by holding, so whoever is to roll wins with a
chance V = 5/6 + 1/6 (1 - V), which is 6/7.
"""

from __future__ import annotations

import asyncio
import errno
import re
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import httpx
import pytest
from msgspec.json import decode

from hotdice import State, load_game
from hotdice.errors import HotdiceError
from hotdice.games import parse_position
from hotdice.record import parse_record
from hotdice.server import thinkers as thinkers_module
from hotdice.server import wire
from hotdice.server.app import Server, Settings
from hotdice.server.coach import Advised, NoSolver, NotReady, NoValues
from hotdice.server.rooms import coaching
from hotdice.server.rooms.coaching import SharedAnswer
from hotdice.server.thinkers import Thinkers
from tests.server.playing import finish, joined
from tests.server.running import OPEN, Json, Running, bot, local, person
from tests.test_moments import HAND_MADE

TIMEOUT = 60.0
TO_TWO = {"target": 2}
V = 6 / 7


def advice(server: Running, name: str, token: str = "") -> httpx.Response:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return httpx.get(f"{server.url}/api/tables/{name}/advice", headers=headers, timeout=TIMEOUT)


def ready(ask: Callable[[], httpx.Response]) -> Json:
    """The answer, once it is ready."""
    until = time.monotonic() + TIMEOUT
    while True:
        answer = ask()
        assert answer.status_code == 200, answer.text
        found: Json = answer.json()
        if found["ready"]:
            return found
        assert time.monotonic() < until
        time.sleep(0.1)


def refused(answer: httpx.Response, status: int, error: str) -> str:
    assert answer.status_code == status, answer.text
    assert answer.json()["error"] == error
    message: str = answer.json()["message"]
    return message


def coached(server: Running, **more: object) -> tuple[str, list[str]]:
    """Ann and Bob at one screen, with real dice and a coach."""
    wishes: Json = {"options": TO_TWO, "dice": "manual", "coach": "ask", "start": True, **more}
    return server.table("pig", [person("Ann"), local("Bob")], **wishes)


# What the table agreed


@pytest.mark.parametrize("kind", ["off", "ask", "always"])
def test_everybody_sees_what_was_agreed_and_a_rematch_keeps_it(server: Running, kind: str) -> None:
    name, tokens = server.table("pig", [person("Ann"), bot()], options=TO_TWO, coach=kind, start=True)
    assert server.get(f"/tables/{name}").json()["coach"] == kind
    with server.client(name) as watching:
        assert watching.welcome["coach"] == kind
    with server.client(name, tokens[0]) as client:
        finish(client)
    assert server.post(f"/tables/{name}/rematch", token=tokens[0]).json()["coach"] == kind


def test_a_table_has_no_coach_unless_it_says_so(server: Running) -> None:
    name, tokens = server.table("pig", [person("Ann"), local("Bob")], options=TO_TWO, start=True)
    assert server.get(f"/tables/{name}").json()["coach"] == "off"
    said = refused(advice(server, name, tokens[0]), 403, "no_coach")
    assert said == "This table agreed to play without a coach."


def test_a_coach_of_another_kind_is_refused(server: Running) -> None:
    wish = {"game": "pig", "seats": [person("Ann"), OPEN], "coach": "sometimes"}
    assert server.post("/tables", wish).status_code == 422


# Who may ask, and when


def test_only_those_who_sit_at_the_table_may_ask(server: Running) -> None:
    name, tokens = coached(server)
    _, others = coached(server)
    assert "token" in refused(advice(server, name), 401, "no_seat")
    refused(advice(server, name, others[0]), 403, "no_seat")
    assert [advice(server, name, token).status_code for token in tokens] == [200, 200]


def test_the_coach_waits_for_the_game(server: Running) -> None:
    name, (token,) = server.table("pig", [person("Ann"), OPEN], options=TO_TWO, coach="ask")
    assert refused(advice(server, name, token), 409, "illegal") == "The game has not begun yet."
    joined(server, name, "Bob")
    assert server.post(f"/tables/{name}/leave", token=token).is_success
    refused(advice(server, name, token), 403, "no_seat")


def test_a_game_that_is_over_needs_no_advice(server: Running) -> None:
    name, tokens = coached(server)
    with server.client(name, *tokens) as client:
        client.ask("roll", faces="6")
        client.ask("move", move="hold")
    assert refused(advice(server, name, tokens[0]), 409, "illegal") == "The game is over."


def test_three_at_a_table_have_a_coach_too(server: Running) -> None:
    """Whoever rolls first wins with a chance W = 5/6 + (1/6)³ W, which is 36/43."""
    seats = [person("Ann"), local("Bob"), local("Cy")]
    name, tokens = server.table("pig", seats, options=TO_TWO, coach="ask", start=True)
    found = ready(lambda: advice(server, name, tokens[0]))
    assert found["unit"] == "win probability"
    assert found["value"] == pytest.approx(36 / 43, abs=0.1)


# What the coach says


def test_before_a_roll_there_is_the_average_and_after_it_every_move(server: Running) -> None:
    name, tokens = coached(server)
    with server.client(name, *tokens) as client:
        before = ready(lambda: advice(server, name, tokens[1]))
        assert before.pop("value") == pytest.approx(V, abs=1e-9)
        assert 0 <= before.pop("error") < 1e-9
        assert before == {
            "number": client.state["number"],
            "ready": True,
            "share": None,
            "seat": 0,
            "rolls": True,
            "unit": "win probability",
            "exact": True,
            "told": "The dice decide now; on average this is worth 85.7% to win.",
            "short": "The dice decide now; on average this is worth 85.7% to win.",
            "moves": [],
        }
        client.ask("roll", faces="1")
        client.ask("roll", faces="5")
        after = ready(lambda: advice(server, name, tokens[0]))
        assert (after["number"], after["seat"], after["rolls"]) == (client.state["number"], 1, False)
        assert after["told"] == "Holding is best: 100.0% to win, against 85.7% for rolling."
        assert after["short"] == "Holding is best: 100.0% to win."
        assert [(move["text"], move["tied"]) for move in after["moves"]] == [("hold", True), ("roll", False)]
        assert [move["value"] for move in after["moves"]] == pytest.approx([1.0, V], abs=1e-9)
        assert after["value"] == after["moves"][0]["value"]
        assert all(0 <= move["error"] < 1e-8 for move in after["moves"])


# One thing at a time


class Work:
    """Counts how often it is done, and takes as long as it is told."""

    def __init__(self, answer: str = "done") -> None:
        self.answer, self.begun = answer, 0
        self.go = asyncio.Event()

    async def __call__(self) -> str:
        self.begun += 1
        await self.go.wait()
        return self.answer


def test_many_who_ask_the_same_cost_one_computation() -> None:
    async def test() -> None:
        shared, work = SharedAnswer[str](), Work()
        asked = [asyncio.ensure_future(shared.get("state 1", work)) for _ in range(5)]
        await asyncio.sleep(0)
        work.go.set()
        assert await asyncio.gather(*asked) == ["done"] * 5
        assert await shared.get("state 1", work) == "done"
        assert work.begun == 1

    asyncio.run(test())


def test_the_next_question_waits_for_the_last_one() -> None:
    async def test() -> None:
        shared, first, second = SharedAnswer[str](), Work("first"), Work("second")
        one = asyncio.ensure_future(shared.get(1, first))
        await asyncio.sleep(0)
        two = asyncio.ensure_future(shared.get(2, second))
        await asyncio.sleep(0.01)
        assert (first.begun, second.begun) == (1, 0)
        first.go.set()
        second.go.set()
        assert (await one, await two) == ("first", "second")

    asyncio.run(test())


def test_who_has_waited_long_is_told_to_ask_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        monkeypatch.setattr(coaching, "ANSWER_SECONDS", 0.01)
        shared, work = SharedAnswer[str](), Work()
        with pytest.raises(NotReady):
            await shared.get(1, work)
        work.go.set()
        assert await shared.get(1, work) == "done"
        assert work.begun == 1

    asyncio.run(test())


def test_an_answer_that_can_become_better_is_given_once_and_then_worked_out_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def test() -> None:
        monkeypatch.setattr(coaching, "ANSWER_SECONDS", 0.01)
        shared, rough, fine = SharedAnswer[str](stale=lambda answer: answer == "about"), Work("about"), Work("exactly")
        with pytest.raises(NotReady):
            await shared.get(1, rough)
        rough.go.set()
        fine.go.set()
        await asyncio.sleep(0.01)
        asked = [asyncio.ensure_future(shared.get(1, rough)) for _ in range(3)]
        assert await asyncio.gather(*asked) == ["about"] * 3
        assert rough.begun == 1
        assert [await shared.get(1, fine) for _ in range(2)] == ["exactly"] * 2
        assert fine.begun == 1

    asyncio.run(test())


def test_what_went_wrong_is_not_kept() -> None:
    async def test() -> None:
        async def fail() -> str:
            raise HotdiceError("Not today.")

        shared, work = SharedAnswer[str](), Work()
        with pytest.raises(HotdiceError):
            await shared.get(1, fail)
        work.go.set()
        assert await shared.get(1, work) == "done"

    asyncio.run(test())


# Where values are not there yet, or never


class Preparing(Thinkers):
    """Thinkers whose games are ready, or not, as the test says."""

    def __init__(self, answer: bool | None) -> None:
        super().__init__()
        self._answer = answer

    async def _prepared(self, state: State) -> bool | None:
        return self._answer


def test_closing_makes_nothing_for_work_that_never_came(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server has to end in good order where there is no shared memory to be had."""

    def no_memory(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(thinkers_module, "Lane", no_memory)
    Thinkers().close()


def test_without_the_solver_the_coach_says_what_to_install() -> None:
    with pytest.raises(NoSolver, match=r"pip install 'hotdice\[solve\]'"):
        asyncio.run(Preparing(False).advise(load_game("pig").start()))


def test_while_a_game_is_being_solved_advice_and_moments_are_not_ready() -> None:
    state = load_game("pig").start()
    with pytest.raises(NotReady):
        asyncio.run(Preparing(None).advise(state))
    with pytest.raises(NotReady):
        asyncio.run(Preparing(None).look_back(state, HAND_MADE))


def test_the_share_that_is_solved_belongs_to_the_game_that_is_being_solved() -> None:
    thinkers = Thinkers()
    one, other = (thinkers_module._key(load_game("pig").start(2, {"target": target})) for target in (20, 30))
    thinkers._numbers = {one: 1, other: 2}
    assert thinkers._share(one) is None
    thinkers._lanes[1]._progress[:] = 2, 0.25
    assert (thinkers._share(one), thinkers._share(other)) == (None, 0.25)


def test_an_answer_that_is_not_ready_says_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def solving(_: State, record: str = "") -> Advised:
        raise NotReady(0.25)

    async def test() -> None:
        server = Server(Settings(str(tmp_path / "tables.sqlite")))
        monkeypatch.setattr(server.rooms.thinkers, "advise", solving)
        monkeypatch.setattr(server.rooms.thinkers, "look_back", solving)
        await server.open()
        try:
            transport = httpx.ASGITransport(server)
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost/api") as client:
                seats = [person("Ann"), local("Bob")]
                wish = {"game": "pig", "options": TO_TWO, "seats": seats, "coach": "always", "start": True}
                made = (await client.post("/tables", json=wish)).json()
                address = f"/tables/{made['table']['name']}"
                headers = {"Authorization": f"Bearer {made['tokens'][0]['token']}"}
                found = (await client.get(f"{address}/advice", headers=headers)).json()
                assert (found["ready"], found["share"], found["value"]) == (False, 0.25, None)
                assert (found["seat"], found["rolls"], found["moves"]) == (0, True, [])
                record = (await client.post("/records", json={"record": HAND_MADE})).json()
                found = (await client.get(f"/tables/{record['table']['name']}/moments")).json()
                assert found == {"ready": False, "unit": "", "moments": []}
        finally:
            await server.close()

    asyncio.run(test())


def test_a_position_without_values_is_refused_by_the_thinkers() -> None:
    async def test() -> None:
        thinkers = Preparing(True)
        try:
            with pytest.raises(NoValues):
                await thinkers.advise(parse_position("pig 100/0 1 0 over"))
        finally:
            thinkers.close()

    asyncio.run(test())


# The moments that mattered


def test_a_recorded_game_has_its_moments(server: Running) -> None:
    made = server.post("/records", {"record": HAND_MADE}).json()
    name = made["table"]["name"]
    found = ready(lambda: server.get(f"/tables/{name}/moments"))
    assert found["unit"] == "win probability"
    assert [moment["first"] for moment in found["moments"]] == [0, 1, 4]
    turn = found["moments"][1]
    assert turn["swing"] == pytest.approx(2 - 3 * V, abs=1e-9)
    assert 0 <= turn["error"] < 1e-8
    assert (turn["last"], turn["event"], turn["seat"], turn["kind"]) == (3, 3, 1, "luck")
    assert (turn["told"], turn["better"]) == ("Bob rolls a 1 and loses the 3 of this turn.", "")
    assert ready(lambda: server.get(f"/tables/{name}/moments", game=1))["moments"][2]["kind"] == "luck"
    refused(server.get(f"/tables/{name}/moments", game=2), 422, "unknown")


def test_moments_wait_for_the_end_and_those_of_earlier_games_stay(server: Running) -> None:
    name, tokens = coached(server)
    assert refused(server.get(f"/tables/{name}/moments"), 409, "illegal") == "This game is not over yet."
    with server.client(name, *tokens) as client:
        client.ask("roll", faces="6")
        client.ask("move", move="hold")
        (moment,) = ready(lambda: server.get(f"/tables/{name}/moments"))["moments"]
        assert (moment["told"], moment["kind"]) == (
            "Ann rolls a 6, 6 this turn. Ann holds and scores 6, for 6 in all.",
            "luck",
        )
        assert moment["swing"] == pytest.approx(1 - V, abs=1e-9)
        for token in tokens:
            assert server.post(f"/tables/{name}/rematch", token=token).is_success
        assert server.post(f"/tables/{name}/start", token=tokens[0]).is_success
        assert refused(server.get(f"/tables/{name}/moments"), 409, "illegal") == "This game is not over yet."
        assert ready(lambda: server.get(f"/tables/{name}/moments", game=1))["moments"][0]["event"] == 0


def test_a_game_that_is_over_is_shown_as_it_stood_at_any_moment(server: Running) -> None:
    name = server.post("/records", {"record": HAND_MADE}).json()["table"]["name"]

    def at(played: int) -> Json:
        answer = server.get(f"/tables/{name}/position", played=played)
        assert answer.status_code == 200
        found: Json = answer.json()
        return found

    states = parse_record(HAND_MADE).replay()
    for played, state in enumerate(states):
        found = at(played)
        assert (found["type"], found["seats"], found["game"]) == ("welcome", [], "pig(target=2)")
        assert found["state"]["view"] == decode(wire.encoded(state.view()))
        events = [event for event in found["events"] if event["entry"]["kind"] in ("rolled", "moved")]
        assert len(events) == played
        assert found["state"]["status"] == ("over" if played == len(states) - 1 else "playing")
        assert [seat["name"] for seat in found["state"]["seats"]] == ["Ann", "Bob"]
    assert at(2)["events"][-1]["told"] == "Bob rolls a 3, 3 this turn."
    refused(server.get(f"/tables/{name}/position", played=7), 422, "unknown")


def test_a_game_that_goes_on_is_not_shown_as_it_stood(server: Running) -> None:
    name, _ = coached(server)
    assert refused(server.get(f"/tables/{name}/position"), 409, "illegal") == "This game is not over yet."


# Why bots do what they do


def choices(server: Running, game: str, *seats: Json, **more: object) -> tuple[str, list[Json]]:
    """A game that bots play to its end, and the entries of their choices."""
    name, _ = server.table(game, list(seats), **more)
    with server.client(name) as client:
        client.to_the_end()
    with server.client(name) as client:
        return name, [event for event in client.welcome["events"] if event["entry"]["kind"] == "moved"]


def test_a_bot_says_why_from_facts(server: Running) -> None:
    """Two dice score nothing 4 times in 9: neither a 1 nor a 5, (4/6)²."""
    name, moves = choices(server, "bj", bot(), bot(), options={"target": 1000})
    asked = [partial(server.get, f"/tables/{name}/why", number=move["number"]) for move in moves]
    told = [ready(ask)["told"] for ask in asked]
    assert all(re.match(r"\w+ (die|dice) busts? |.+ has [\d,]+, and only more|Nobody plays", one) for one in told), told
    assert all(reason[0].isupper() and reason.endswith(".") for reason in told)
    two = {reason.split(",")[0] for reason in told if reason.startswith("Two dice")}
    assert two <= {"Two dice bust 4 times in 9", "Two dice bust 4 times in 9."}


def test_a_bot_says_why_from_values_where_the_game_has_no_words_for_it(server: Running) -> None:
    """Pig to 2: to hold wins, which the greedy rule does; to roll again would win 6 times in 7."""
    name, moves = choices(server, "pig", bot(), bot(), options=TO_TWO)
    told = ready(lambda: server.get(f"/tables/{name}/why", number=moves[-1]["number"]))["told"]
    assert told == "It is best: 100.0% to win, against 85.7% for rolling."
    random, moves = choices(server, "pig", bot("random"), bot("random"), options=TO_TWO)
    assert (
        ready(lambda: server.get(f"/tables/{random}/why", number=moves[0]["number"]))["told"] == "It plays at random."
    )


def test_only_a_bots_choice_is_asked_about(server: Running) -> None:
    name, tokens = coached(server)
    with server.client(name, *tokens) as client:
        client.ask("roll", faces="6")
        rolled = client.state["number"]
        client.ask("move", move="hold")
        moved = rolled + 1
    for number, words in ((0, "There is no such move"), (rolled, "no bot's choice"), (moved, "no bot's choice")):
        assert words in refused(server.get(f"/tables/{name}/why", number=number), 422, "unknown")
