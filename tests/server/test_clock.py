"""Clocks, and what becomes of people who are slow or away."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from hotdice.server.run import PING_SECONDS
from hotdice.server.socket import HELLO_SECONDS
from tests.server.fuzz import Line, frame
from tests.server.patience import Hasty
from tests.server.playing import act, joined, to_a_choice, two_people
from tests.server.running import OPEN, TIMEOUT, Client, Json, Running, person

LONG = {"target": 10_000}
EIGHT_SECONDS = {"kind": "hard", "seconds": 8}


def kinds(client: Client) -> list[str]:
    return [event["entry"]["kind"] for event in client.events]


def last(client: Client, kind: str) -> Json:
    return next(event for event in reversed(client.events) if event["entry"]["kind"] == kind)


def test_a_hard_clock_decides_and_a_soft_one_waits(server: Running) -> None:
    soft = {"kind": "soft", "seconds": 5}
    _, patient, _patient_too = two_people(server, options=LONG, clock=soft, stand_in="greedy")
    name, ann, bob = two_people(server, options=LONG, clock=EIGHT_SECONDS, stand_in="greedy")
    with patient, _patient_too, ann, bob:
        assert (patient.welcome["clock"], patient.welcome["seconds"]) == ("soft", 5)
        while patient.present != [0, 1]:
            patient.receive()
        while ann.present != [0, 1]:
            ann.receive()
        started = last(ann, "started")
        assert ann.state["deadline"] == started["at"] + 8_000
        while "rolled" not in kinds(ann):
            ann.receive()
        rolled = last(ann, "rolled")
        assert rolled["entry"]["by"] == "greedy"
        assert rolled["at"] >= started["at"] + 8_000
        assert "away" not in kinds(ann)  # she is there, only slow
        bob.settle(rolled["number"])
        assert act(to_a_choice(ann, bob))["type"] == "accepted"
        assert "# greedy played for Ann" in server.get(f"/tables/{name}/record").text
        patient.send({"do": "ping"})
        patient.until("pong")
        assert patient.state["deadline"] is None
        assert "rolled" not in kinds(patient)


def test_going_away_does_not_stop_a_hard_clock(server: Running) -> None:
    _, ann, bob = two_people(server, options=LONG, clock=EIGHT_SECONDS, stand_in="greedy")
    with bob:
        while bob.present != [0, 1]:
            bob.receive()
        assert bob.state["actor"] == 0
        time.sleep(0.01)
        ann.close()
        while bob.present != [1]:
            bob.receive()
        assert bob.state["deadline"] == last(bob, "started")["at"] + 8_000


def test_a_stand_in_plays_for_somebody_who_is_away_until_they_return(server: Running) -> None:
    soft = {"kind": "soft", "seconds": 5}
    _, alone, gone = two_people(server, options=LONG, clock=soft)
    name, tokens = server.table("pig", [person("Ann"), OPEN], options=LONG, clock=soft, stand_in="greedy")
    token = joined(server, name, "Bob")
    server.post(f"/tables/{name}/start", token=tokens[0])
    ann, bob = server.client(name, tokens[0]), server.client(name, token)
    with alone, ann:
        for client, other in ((alone, gone), (ann, bob)):
            while client.state["actor"] == 0:
                move = client.play(-1)  # hold
                other.settle(move["number"])
            other.close()
            while client.present != [0]:
                client.receive()
        while "away" not in kinds(ann):
            ann.receive()
        assert last(ann, "away")["told"] == "Bob is away; the bot “greedy” plays for them."
        assert ann.state["seats"][1]["away"] == "greedy"
        while ann.state["actor"] != 0:
            ann.receive()
        assert last(ann, "rolled")["entry"]["by"] == "greedy"
        assert ann.play()["type"] == "accepted"
        with server.client(name, token) as back:
            while "back" not in kinds(back):
                back.receive()
            assert not back.state["seats"][1].get("away")
            ann.settle(back.state["number"])
            while back.state["actor"] == 0:
                back.settle(ann.play(-1)["number"])
            answer = back.play()
            assert answer["type"] == "accepted"
            number = answer["number"]
            back.settle(number)
            assert not next(event for event in back.events if event["number"] == number)["entry"].get("by")
        alone.send({"do": "ping"})
        alone.until("pong")
        assert "away" not in kinds(alone)  # that table wants no bot
        assert alone.state["actor"] == 1


def test_without_a_clock_a_minute_is_given_to_come_back(server: Running) -> None:
    _, ann, bob = two_people(server, options=LONG, stand_in="greedy")
    with bob:
        assert bob.state["deadline"] is None or bob.state["deadline"] > bob.state["now"]
        while bob.present != [0, 1]:
            bob.receive()
        before = time.time()
        ann.close()
        while bob.present != [1]:
            presence = bob.until("presence")
        after = time.time()
        assert before + 59 <= presence["deadline"] / 1000 <= after + 61


def test_a_bot_takes_over_from_whoever_leaves_for_good(server: Running) -> None:
    name, tokens = server.table("pig", [person("Ann"), OPEN], options={"target": 15}, stand_in="greedy")
    token = joined(server, name, "Bob")
    server.post(f"/tables/{name}/start", token=tokens[0])
    with server.client(name, token) as bob:
        assert server.post(f"/tables/{name}/leave", token=tokens[0]).json()["status"] == "playing"
        while bob.state["actor"] != 1 and bob.state["status"] == "playing":
            bob.receive()
        assert bob.state["seats"][0]["gone"]
        assert last(bob, "rolled")["entry"]["by"] == "greedy"


def test_a_game_ends_when_everybody_has_left(server: Running) -> None:
    name, tokens = server.table("pig", [person("Ann"), OPEN])
    token = joined(server, name, "Bob")
    server.post(f"/tables/{name}/start", token=tokens[0])
    with server.client(name, tokens[0]) as ann:
        assert server.post(f"/tables/{name}/leave", token=token).json()["status"] == "playing"
        assert server.post(f"/tables/{name}/leave", token=tokens[0]).json()["status"] == "closed"
        while ann.state["status"] != "closed":
            ann.receive()
        assert ann.events[-1]["told"] == "The game ends: everybody left."
        assert len(ann.events[-1]["entry"]["secret"]) == 64
        assert ann.ask("roll")["type"] == "no_seat"


# A network that is gone without a word


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Hasty(str(tmp_path_factory.mktemp("hasty") / "tables.sqlite"), "--unlimited") as running:
        yield running


def test_others_hear_soon_that_somebody_fell_silent(hasty: Running) -> None:
    """A connection that stays open and says nothing, as a phone's does that left the house."""
    name, tokens = hasty.table("pig", [person("Ann"), OPEN])
    token = joined(hasty, name, "Bob")
    silent = Line(hasty.port)
    assert silent.upgrade(name) == 101
    silent.send(frame(json.dumps({"do": "hello", "tokens": [token]}).encode()))
    with hasty.client(name, tokens[0]) as ann:
        while ann.present != [0, 1]:
            ann.receive()
        while ann.present != [0]:
            ann.receive()
    silent.close()
    assert 2 * PING_SECONDS < 15


def test_whoever_does_not_say_hello_is_sent_away(hasty: Running) -> None:
    name, _ = hasty.table("pig", [person("Ann"), OPEN])
    with connect(f"ws://127.0.0.1:{hasty.port}/ws/{name}", open_timeout=TIMEOUT) as silent:
        told = json.loads(silent.recv(TIMEOUT))
        assert told == {"type": "unknown", "message": "Say hello first, within ten seconds."}
        with pytest.raises(ConnectionClosed) as closed:
            silent.recv(TIMEOUT)
    assert closed.value.rcvd
    assert closed.value.rcvd.code == 4000
    assert HELLO_SECONDS == 10
