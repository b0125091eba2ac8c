"""People who go away, leave, or go on at another device, over real connections."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from hotdice.record import read_record
from hotdice.server.limits import Limits
from tests.server.patience import PATIENCE, Impatient
from tests.server.playing import joined
from tests.server.running import OPEN, Client, Json, Running, begun, local, person

LONG = {"target": 10_000}
ANN, BOB, CAT = 0, 1, 2


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder: Path = tmp_path_factory.mktemp("impatient")
    with Impatient(str(folder / "tables.sqlite"), "--unlimited") as running:
        yield running


class Three:
    """Ann, Bob and Cat, each at a screen of their own, at a game that has begun."""

    def __init__(self, server: Running, stack: ExitStack, game: str = "pig") -> None:
        options = LONG if game == "pig" else {}
        self.server = server
        self.name, tokens = server.table(game, [person("Ann"), OPEN, OPEN], options=options)
        self.tokens = [*tokens, joined(server, self.name, "Bob"), joined(server, self.name, "Cat")]
        assert server.post(f"/tables/{self.name}/start", token=tokens[0]).status_code == 200
        self.ann, self.bob, self.cat = (
            stack.enter_context(server.client(self.name, token)) for token in self.tokens
        )  # fmt: skip
        self.present(self.ann, 0, 1, 2)

    def present(self, client: Client, *seats: int) -> None:
        while client.present != list(seats):
            client.receive()


@pytest.fixture
def three(impatient: Running) -> Iterator[Three]:
    with ExitStack() as stack:
        yield Three(impatient, stack)


def until(client: Client, kind: str) -> Json:
    """The last entry of a kind, as soon as there is one."""
    while not any(event["entry"]["kind"] == kind for event in client.events):
        client.receive()
    return next(event["entry"] for event in reversed(client.events) if event["entry"]["kind"] == kind)


def ask(client: Client, do: str, **fields: object) -> Json:
    """Wishes about the company are not made on a state."""
    client.send({"do": do, "id": f"{do}-{time.monotonic_ns()}", **fields})
    return client.until("accepted", "illegal", "stale", "unknown", "no_seat")


def patiently(client: Client, do: str, **fields: object) -> Json:
    """Ask until the others may decide about somebody who has only just gone."""
    while (answer := ask(client, do, **fields))["type"] != "accepted":
        assert "a moment ago" in answer["message"]
        time.sleep(0.1)
    return answer


def vote(client: Client, yes: bool) -> Json:
    while client.state["proposal"] is None:
        client.receive()
    return ask(client, "vote", proposal=client.state["proposal"]["number"], yes=yes)


def test_a_bot_plays_for_a_dead_phone_until_it_is_back(three: Three) -> None:
    assert three.ann.welcome["patience"] == PATIENCE
    assert three.ann.state["since"] == [0, 0, 0]
    assert ask(three.ann, "substitute", seat=CAT, bot="greedy")["message"] == "Cat is here, or was a moment ago."
    three.cat.close()
    three.present(three.ann, 0, 1)
    answer = patiently(three.bob, "substitute", seat=CAT, bot="greedy")
    assert until(three.ann, "away") == {"kind": "away", "seat": 2, "bot": "greedy", "asker": 1, "client": answer["id"]}
    assert three.ann.state["since"][CAT] > 0
    assert three.ann.state["droppable"] == [CAT]
    with three.server.client(three.name, three.tokens[CAT]) as back:
        until(back, "back")
        assert not back.state["seats"][CAT].get("away")
        assert back.state["since"] == [0, 0, 0]


@pytest.mark.parametrize("game", ["pig", "kismet"])
def test_a_game_goes_on_by_itself_without_a_player_whom_all_others_give_up(impatient: Running, game: str) -> None:
    with ExitStack() as stack:
        three = Three(impatient, stack, game)
        three.ann.close()
        three.present(three.bob, 1, 2)
        patiently(three.bob, "propose", what="out", seat=ANN)
        assert vote(three.cat, True)["type"] == "accepted"
        for client, seat in ((three.bob, 0), (three.cat, 1)):
            while client.state["round"] == 1:
                client.receive()
            assert client.seats == [seat]
            assert client.state["view"]["scores"] == [0, 0]
        assert [seat["name"] for seat in three.bob.state["seats"]] == ["Bob", "Cat"]
        begun(three.bob, three.cat)
        assert [bool(share.get("string")) for share in three.bob.state["shares"]] == [True, True]
        first = impatient.get(f"/tables/{three.name}/record", game=1).text
        assert read_record(first).result == "unfinished"
        answer = ask(three.bob, "roll", on=three.bob.state["number"])
        if three.bob.state["actor"] == 0:
            assert answer["type"] == "accepted"
        assert impatient.post(f"/tables/{three.name}/leave", token=three.tokens[ANN]).status_code == 403


def test_without_any_strings_it_goes_on_all_the_same(three: Three) -> None:
    three.ann.shares = three.bob.shares = False
    three.cat.close()
    three.present(three.ann, 0, 1)
    patiently(three.ann, "propose", what="out", seat=CAT)
    vote(three.bob, True)
    while three.ann.state["status"] != "playing" or three.ann.state["round"] == 1:
        three.ann.receive()
    assert three.ann.state["shares"] == []


def test_whoever_has_not_voted_and_stays_away_is_not_waited_for(three: Three) -> None:
    three.cat.close()
    three.present(three.ann, 0, 1)
    assert ask(three.ann, "propose", what="end")["type"] == "accepted"
    assert vote(three.bob, True)["type"] == "accepted"
    ended = until(three.ann, "ended")
    assert ended["why"] == "everybody agreed to end it."
    assert three.ann.state["status"] == "closed"


def test_a_seat_moves_by_a_code_and_the_old_device_watches(three: Three) -> None:
    server, name = three.server, three.name
    offered = server.post(f"/tables/{name}/offer", token=three.tokens[BOB])
    assert offered.status_code == 200
    assert offered.json()["seats"] == [2]
    code = offered.json()["code"]
    assert server.post(f"/tables/{name}/take", {"code": "aaaaaa"}).status_code == 403
    wish = {"code": f" {code[:3].upper()}-{code[3:]}", "id": "0123456789abcdef"}
    taken = server.post(f"/tables/{name}/take", wish)
    assert taken.status_code == 201
    (token,) = taken.json()["tokens"]
    assert token["seat"] == 2
    assert server.post(f"/tables/{name}/take", wish).json()["tokens"] == [token]
    assert server.post(f"/tables/{name}/take", {"code": code}).status_code == 403
    welcome = three.bob.until("welcome")
    assert (welcome["seats"], welcome["opens"]) == ([], [-1])
    assert welcome["events"][-1]["told"] == "Bob plays at another device now."
    assert ask(three.bob, "roll", on=three.bob.state["number"])["type"] == "no_seat"
    assert server.post(f"/tables/{name}/leave", token=three.tokens[BOB]).status_code == 403
    with server.client(name, token["token"]) as new:
        assert new.seats == [1]


def test_all_seats_of_a_device_may_move_at_once(impatient: Running) -> None:
    name, tokens = impatient.table("pig", [person("Ann"), local("Lou")], options=LONG, start=True)
    offered = impatient.post(f"/tables/{name}/offer", {"seats": [1, 2]}, token=tokens[0]).json()
    taken = impatient.post(f"/tables/{name}/take", {"code": offered["code"]}).json()["tokens"]
    assert [token["seat"] for token in taken] == [1, 2]
    with impatient.client(name, *(token["token"] for token in taken)) as client:
        assert client.seats == [0, 1]


def test_where_the_device_is_gone_the_host_lets_a_new_one_have_the_seat(three: Three) -> None:
    server, name = three.server, three.name
    assert server.post(f"/tables/{name}/ask", {"seat": 3}).status_code == 409
    three.cat.close()
    three.present(three.ann, 0, 1)
    asked = server.post(f"/tables/{name}/ask", {"seat": 3, "id": "0123456789abcdef"})
    assert asked.status_code == 202
    token = asked.json()["token"]
    assert server.post(f"/tables/{name}/start", token=token).status_code == 403
    assert vote(three.ann, True)["type"] == "accepted"
    with server.client(name, token) as new:
        assert new.seats == [CAT]
    assert server.post(f"/tables/{name}/leave", token=three.tokens[CAT]).status_code == 403


def test_those_who_stay_decide_what_becomes_of_a_leavers_seat(three: Three) -> None:
    left = three.server.post(f"/tables/{three.name}/leave", token=three.tokens[BOB])
    assert left.json()["status"] == "playing"
    until(three.ann, "left")
    assert three.ann.state["seats"][BOB]["gone"]
    assert three.ann.state["droppable"] == [BOB]
    assert ask(three.cat, "substitute", seat=BOB, bot="greedy")["type"] == "accepted"
    while until(three.ann, "away") and three.ann.state["actor"] == ANN:
        three.ann.play(-1)
    while three.ann.state["actor"] != CAT:
        three.ann.receive()
    assert until(three.ann, "rolled")["by"] == "greedy"


def test_codes_cannot_be_guessed_for_long(tmp_path: Path) -> None:
    with Running(str(tmp_path / "tables.sqlite")) as server:
        name, tokens = server.table("pig", [person("Ann"), local("Lou")], start=True)
        assert server.post(f"/tables/{name}/offer", token=tokens[0]).status_code == 200
        answers = [server.post(f"/tables/{name}/take", {"code": "aaaaaa"}).status_code for _ in range(12)]
        assert set(answers[: Limits().guess_burst]) == {403}
        assert 429 in answers
