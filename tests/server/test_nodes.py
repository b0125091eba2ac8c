"""Two nodes on one PostgreSQL and one Redis: a table is the same table wherever one sits."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from websockets.exceptions import ConnectionClosed

from hotdice.server.broker import Alone, Note
from hotdice.server.entries import PERSON, Created, SeatPlan
from hotdice.server.match import commands
from hotdice.server.match.fold import FAIR, Match, fold
from hotdice.server.rooms import presence
from hotdice.server.rooms.registry import Rooms
from hotdice.server.store import Store
from hotdice.server.thinkers import Thinkers
from tests.server.chaos import Result, verify
from tests.server.running import OPEN, TIMEOUT, Client, Json, Running, bot, local, person
from tests.services import PostgresServer, RedisServer, serving


class Nodes(NamedTuple):
    """Two servers that share everything."""

    one: Running
    two: Running
    redis: RedisServer


@pytest.fixture(scope="module")
def nodes(postgres: PostgresServer, pytestconfig: pytest.Config) -> Iterator[Nodes]:
    with serving(RedisServer(), pytestconfig) as redis:
        options = ("--redis", redis.url, "--unlimited")
        database = postgres.create_database()
        with Running(database, *options) as one, Running(database, *options) as two:
            yield Nodes(one, two, redis)


def until(done: Callable[[], bool]) -> None:
    """Wait for something that has to happen soon."""
    end = time.monotonic() + TIMEOUT
    while not done():
        assert time.monotonic() < end
        time.sleep(0.02)


def seated(server: Running, game: str, others: Sequence[Json] = (), **more: object) -> tuple[str, list[str]]:
    """A table of Ann and Bob, who each have a screen of their own: its name and their tokens."""
    name, tokens = server.table(game, [person("Ann"), OPEN, *others], **more)
    joined = server.post(f"/tables/{name}/join", {"name": "Bob"}).json()
    token = joined["tokens"][0]["token"]
    assert server.post(f"/tables/{name}/start", token=token).status_code == 200
    return name, [*tokens, token]


def step(clients: Sequence[Client], chance: random.Random) -> Json | None:
    """Whoever is to act does something at random; all others hear of it. None once the game is over."""
    number = max(client.state["number"] for client in clients)
    for client in clients:
        client.settle(number)
    state = clients[0].state
    if state["status"] != "playing":
        return None
    for client in clients:
        if state["actor"] in client.seats:
            moves = state["view"]["moves"]
            answer = client.play(chance.randrange(len(moves)) if moves else 0)
            if answer["type"] == "accepted":
                client.settle(number + 1)
            return answer
    clients[0].receive()  # it is a bot's turn
    return {}


def play(clients: Sequence[Client], chance: random.Random) -> None:
    """Play at random to the end."""
    while (answer := step(clients, chance)) is not None:
        assert not answer or answer["type"] in ("accepted", "stale"), answer
    until_over(clients)


def until_over(clients: Sequence[Client]) -> None:
    for client in clients:
        while client.state["status"] == "playing":
            client.receive()


def log_of(database: str, name: str) -> Match:
    """A table as its log has it, once all of it was looked through."""

    async def read() -> Match:
        store = Store(database)
        try:
            return fold(name, await store.read(name))
        finally:
            await store.close()

    result = Result()
    asyncio.run(verify(database, [], result))
    assert not result.violations, result.text
    return asyncio.run(read())


@pytest.mark.parametrize(("game", "others"), [("pig", []), ("kismet", []), ("kor", [bot("greedy")])])
def test_all_see_the_same_in_the_same_order(nodes: Nodes, game: str, others: list[Json]) -> None:
    name, [ann, bob] = seated(nodes.one, game, others)
    with (
        nodes.one.client(name, ann) as first,
        nodes.two.client(name, bob) as second,
        nodes.one.client(name) as third,
        nodes.two.client(name) as fourth,
    ):
        clients = [first, second, third, fourth]
        play(clients, random.Random(game))
        for client in clients:
            client.settle(first.state["number"])
        numbers = [event["number"] for event in first.events]
        assert numbers == list(range(1, len(numbers) + 1))
        assert all(client.events == first.events for client in clients)
    match = log_of(nodes.one.database, name)
    assert match.number == len(numbers)
    assert match.record().check_dice()


def race(first: Client, second: Client, wishes: tuple[Json, Json], ids: tuple[str, str]) -> list[Json]:
    """Two messages on the same state at once; their answers."""
    number = max(first.state["number"], second.state["number"])
    first.settle(number)
    second.settle(number)
    sent = list(zip((first, second), wishes, ids, strict=True))
    for client, wish, name in sent if number % 2 else reversed(sent):
        client.send({**wish, "id": name, "on": number})
    answers: list[Json] = []
    for client, name in zip((first, second), ids, strict=True):
        while (answer := client.receive()).get("id") != name:
            pass
        answers.append(answer)
    return answers


def due(client: Client, index: int) -> Json:
    """What the actor may do: a roll, or the move of that index."""
    if client.state["rolls"]:
        return {"do": "roll"}
    moves = client.state["view"]["moves"]
    return {"do": "move", "move": moves[index % len(moves)]["text"], "then_roll": bool(index % 2)}


def test_of_two_that_race_one_wins(nodes: Nodes) -> None:
    """The same seats at both nodes do different things on the same state, hundreds of times."""
    winners: dict[str, dict[int, str]] = {}
    won: Counter[int] = Counter()
    for game in ("kismet", "kor", "kismet"):
        name, tokens = nodes.one.table(game, [person("Ann"), local("Bob")], start=True)
        winners[name] = {}
        with nodes.one.client(name, *tokens) as first, nodes.two.client(name, *tokens) as second:
            while first.state["status"] == "playing":
                turn = len(winners[name])
                ids = (f"one-{turn}", f"two-{turn}")
                second.settle(first.state["number"])
                answers = race(first, second, (due(first, turn), due(second, turn + 1)), ids)
                assert sorted(answer["type"] for answer in answers) == ["accepted", "stale"], answers
                winner = 0 if answers[0]["type"] == "accepted" else 1
                won[winner] += 1
                winners[name][answers[winner]["number"]] = ids[winner]
                for client in (first, second):
                    client.settle(answers[winner]["number"])
                    while client.events[-1]["number"] < client.state["number"]:
                        client.receive()
                if turn >= 200:
                    break
            second.settle(first.state["number"])
            assert second.events[: len(first.events)] == first.events[: len(second.events)]
    assert won.total() >= 300
    assert won[0]
    assert won[1]
    for name, numbers in winners.items():
        match = log_of(nodes.one.database, name)
        asked = {number for (_, _), number in match.answered.items()}
        assert asked == set(numbers)
        assert {client for _, client in match.answered} == set(numbers.values())


def test_different_seats_that_race(nodes: Nodes) -> None:
    """Ann takes her choice back at one node while Bob acts at the other: one of both happens."""
    name, [ann, bob] = nodes.one.table("pig", [person("Ann"), local("Bob")], start=True, options={"target": 500})
    seen: Counter[tuple[str, str]] = Counter()
    chance = random.Random(5)
    with nodes.one.client(name, ann) as first, nodes.two.client(name, bob) as second:
        for turn in range(400):
            answer = step((first, second), chance)
            if answer is None or seen.total() >= 60:
                break
            number = max(first.state["number"], second.state["number"])
            first.settle(number)
            second.settle(number)
            if first.state["undo"] == 0 and first.state["actor"] == 1:
                answers = race(first, second, ({"do": "undo"}, due(second, turn)), (f"undo-{turn}", f"act-{turn}"))
                types = (str(answers[0]["type"]), str(answers[1]["type"]))
                assert types.count("accepted") == 1, answers
                assert set(types) <= {"accepted", "stale", "illegal"}, answers
                seen[types] += 1
                last = next(int(answer["number"]) for answer in answers if answer["type"] == "accepted")
                for client in (first, second):
                    while client.events[-1]["number"] < last or client.state["number"] <= number:
                        client.receive()
    assert seen.total() >= 20, seen
    log_of(nodes.one.database, name)


def test_only_the_seat_whose_turn_it_is_wins(nodes: Nodes) -> None:
    """Ann at one node and Bob at the other both want to act: it is the turn of one of them."""
    name, [ann, bob] = seated(nodes.one, "pig")
    with nodes.one.client(name, ann) as first, nodes.two.client(name, bob) as second:
        for turn in range(60):
            second.settle(first.state["number"])
            first.settle(second.state["number"])
            if first.state["status"] != "playing":
                break
            actor = first.state["actor"]
            answers = race(first, second, (due(first, turn), due(second, turn)), (f"a{turn}", f"b{turn}"))
            assert answers[actor]["type"] == "accepted", answers
            assert answers[1 - actor]["type"] in ("not_your_turn", "stale"), answers
            for client in (first, second):
                client.settle(answers[actor]["number"])


def test_a_message_repeated_at_the_other_node_is_done_once(nodes: Nodes) -> None:
    """Whether or not the other node has heard of it, the answer is the first one."""
    name, tokens = nodes.one.table("kismet", [person("Ann"), local("Bob")], start=True)
    with nodes.one.client(name, *tokens) as first, nodes.two.client(name, *tokens) as second:
        for turn in range(100):
            if first.state["status"] != "playing":
                break
            second.settle(first.state["number"])
            answers = race(first, second, (due(first, turn), due(first, turn)), (f"same-{turn}", f"same-{turn}"))
            assert [answer["type"] for answer in answers] == ["accepted", "accepted"]
            assert answers[0]["number"] == answers[1]["number"]
            first.settle(answers[0]["number"])
            while first.events[-1]["number"] < first.state["number"]:
                first.receive()
    log_of(nodes.one.database, name)


def test_what_was_done_at_one_node_counts_at_the_other_at_once(nodes: Nodes) -> None:
    """Also without a note: here Redis is away, and the other node has the table in memory as it was."""
    nodes.redis.kill()
    try:
        for _ in range(20):
            name, [ann] = nodes.one.table("pig", [person("Ann"), OPEN])
            with nodes.two.client(name):
                joined = nodes.one.post(f"/tables/{name}/join", {"name": "Bob"}).json()
                bob = joined["tokens"][0]["token"]
                with nodes.two.client(name, bob) as client:
                    assert client.seats == [1]
                    last = client.events[-1]["number"]
                assert nodes.one.post(f"/tables/{name}/start", token=ann).status_code == 200
                with nodes.two.client(name, bob, last=last) as client:
                    assert client.state["status"] == "playing"
                    assert nodes.two.post(f"/tables/{name}/start", token=bob).status_code == 409
    finally:
        nodes.redis.start()


def test_presence_is_seen_across_nodes(nodes: Nodes) -> None:
    name, [ann, bob] = seated(nodes.one, "pig")
    with nodes.one.client(name, ann) as first:
        with nodes.two.client(name, bob) as second:
            while first.present != [0, 1]:
                first.receive()
            while second.present != [0, 1]:
                second.receive()
        while first.present != [0]:
            first.receive()


def test_those_at_a_silent_node_are_gone_after_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A node that was killed cannot say who left with it; the others find out."""
    monkeypatch.setattr(presence, "BEAT_SECONDS", 0.5)
    heard: list[bytes] = []

    class Many(Alone):
        alone = False  # type: ignore[misc]

    class Ann:
        seats: tuple[int, ...] = ()
        keys: tuple[str, ...] = ()
        words = True

        def hold(self, packed: bytes) -> None:
            heard.append(packed)

        def send(self, packed: bytes) -> None:
            heard.append(packed)

        def dismiss(self, said: str) -> None:
            raise AssertionError(said)

    async def run() -> None:
        store = Store(str(tmp_path / "tables.sqlite"))
        await store.open()
        rooms = Rooms(store, Many(), Thinkers())
        await rooms.open()
        setup = Created("pig", (SeatPlan(PERSON, "Ann"), SeatPlan(PERSON, "Bob")), False, FAIR)
        room = await rooms.create(setup, lambda match: commands.claim(match, 0, "Ann", "ann", (0,)))
        await room.enter(Ann(), ("ann",), 0)
        room.hear(Note("another", room.match.name, present=(1,)))
        assert room.presence.everywhere() == {0, 1}
        heard.clear()
        for _ in range(3000):
            if any(b'"presence","present":[0]' in packed for packed in heard):
                break
            await asyncio.sleep(0.02)
        else:
            raise AssertionError(heard)
        await rooms.close()
        await store.close()

    asyncio.run(run())


def test_clients_of_a_killed_node_go_on_at_the_other(nodes: Nodes) -> None:
    name, [ann, bob] = seated(nodes.one, "kismet")
    chance = random.Random(9)
    with nodes.one.client(name, ann) as first:
        try:
            with nodes.two.client(name, bob) as lost:
                for _ in range(30):
                    step((first, lost), chance)
                nodes.two.kill()
                with pytest.raises(ConnectionClosed):
                    lost.until("never")
            before = lost.events
            with nodes.one.client(name, bob, last=before[-1]["number"]) as second:
                play((first, second), chance)
                second.settle(first.state["number"])
                assert before + second.events == first.events
        finally:
            nodes.two.start()
    log_of(nodes.one.database, name)


def test_the_game_goes_on_while_redis_is_away(nodes: Nodes) -> None:
    name, [ann, bob] = seated(nodes.one, "pig")
    chance = random.Random(3)
    with nodes.one.client(name, ann) as first, nodes.two.client(name, bob) as second:
        clients = (first, second)
        for _ in range(10):
            step(clients, chance)
        nodes.redis.kill()
        try:
            for _ in range(6):
                step(clients, chance)
        finally:
            nodes.redis.start()
        play(clients, chance)
        second.settle(first.state["number"])
        assert first.events == second.events
    log_of(nodes.one.database, name)


def test_bots_go_on_when_the_node_that_drove_them_is_killed(nodes: Nodes) -> None:
    """Here in a game of bots alone: whoever watches it at the other node sees it end."""
    for _ in range(5):
        name, _ = nodes.one.table("kismet", [bot("greedy")] * 8)
        with nodes.two.client(name) as watcher:
            while watcher.state["number"] < 20:
                watcher.receive()
            nodes.one.kill()
            killed_at = log_of_unfinished(nodes.two.database, name)
            nodes.one.start()
            until_over([watcher])
            numbers = [event["number"] for event in watcher.events]
            assert numbers == list(range(1, len(numbers) + 1))
        if killed_at < len(numbers):
            break
    else:
        pytest.fail("every game was over before its node was killed")
    assert log_of(nodes.two.database, name).record().check_dice()


def log_of_unfinished(database: str, name: str) -> int:
    """How many entries a log has."""

    async def read() -> int:
        store = Store(database)
        try:
            return len(await store.read(name))
        finally:
            await store.close()

    return asyncio.run(read())
