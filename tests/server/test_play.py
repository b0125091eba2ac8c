"""Play over the WebSocket: hello, moves and their typed answers, undo by agreement, and whole games."""

from __future__ import annotations

import hashlib
import json
from contextlib import ExitStack
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from hotdice.record import read_record
from tests.server.playing import SHORT, act, finish, joined, seated, step, to_a_choice, two_people
from tests.server.running import OPEN, TIMEOUT, Client, Json, Running, begun, bot, local, person
from tests.terminal.drive import hotdice

ANN, LOU = person("Ann"), local("Lou")
QUICK = {"target": 15}


class Overhearing(Client):
    """A client that keeps every message as it came."""

    def receive(self, timeout: float = TIMEOUT) -> Json:
        message = super().receive(timeout)
        self.__dict__.setdefault("heard", []).append(json.dumps(message))
        return message

    @property
    def heard(self) -> list[str]:
        found: list[str] = self.__dict__["heard"]
        return found


def record(server: Running, name: str) -> str:
    return server.get(f"/tables/{name}/record").text


def entries(client: Client) -> list[Json]:
    return [event["entry"] for event in client.events]


# Hello


def test_hello_brings_the_whole_table_to_a_newcomer(server: Running) -> None:
    _, ann, bob = two_people(server)
    with ann, bob:
        assert ann.welcome["game"] == "pig(target=15)"
        assert ann.welcome["seats"] == [0]
        assert bob.welcome["seats"] == [1]
        assert [entry["kind"] for entry in entries(ann)] == ["created", "joined", "joined", "promised", "started"]
        assert [event["told"] for event in ann.events][1:] == [
            "Ann sits down.",
            "Bob sits down.",
            "",
            "The game begins.",
        ]
        assert [event["number"] for event in ann.events] == [1, 2, 3, 4, 5]


def test_hello_with_the_last_number_brings_exactly_what_was_missed(server: Running) -> None:
    name, ann, bob = two_people(server, options={"target": 10_000})
    with ann, bob:
        seen = bob.events[-1]["number"]
        bob.close()
        for _ in range(5):
            if ann.state["actor"] == 0:
                act(ann)
        with server.client(name, last=seen) as watching:
            assert watching.events == ann.events[seen:]
        with server.client(name, last=ann.events[-1]["number"]) as watching:
            assert watching.events == []
            assert watching.state["view"] == ann.state["view"]
        with server.client(name, last=10**6) as watching:  # of some other table, surely
            assert watching.events == ann.events


def test_nothing_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    with Running(str(tmp_path / "tables.sqlite"), "--unlimited") as server:
        name, tokens = server.table("pig", [ANN, LOU], options={"target": 10_000}, start=True)
        client = server.client(name, *tokens)
        for _ in range(10):
            number = act(client)["number"]
        message = {"do": "roll" if client.state["rolls"] else "move", "id": "again", "on": client.state["number"]}
        message |= {} if client.state["rolls"] else {"move": "hold"}
        client.send(message)
        accepted = client.until("accepted")
        server.kill()
        server.start()
        with server.client(name, *tokens, last=number) as back:
            assert back.events[0]["number"] == number + 1
            assert accepted["number"] in [event["number"] for event in back.events]
            back.send(message)  # it does not know whether it got through
            assert back.until("accepted") == accepted
            assert back.state["number"] == accepted["number"]
            assert act(back)["type"] == "accepted"


def silent(state: Json) -> Json:
    """A state, or an event, without all that is there to be read."""
    match state:
        case {"view": {"moves": moves} as view}:
            moves = [{**move, "label": ""} for move in moves]
            return {**state, "view": {**view, "prompt": "", "moves": moves, "grids": []}, "now": 0}
        case {"entry": {"kind": "rolled" | "moved"}}:
            return {name: value for name, value in state.items() if name != "yours"} | {"told": ""}
    return state


@pytest.mark.parametrize("game", SHORT)
def test_a_client_may_do_without_words_and_misses_nothing_else(server: Running, game: str) -> None:
    name, tokens = server.table(game, seated(game, ANN, LOU), options=SHORT[game])
    with server.client(name, *tokens, words=False) as player:
        server.post(f"/tables/{name}/start", token=tokens[0])
        begun(player)
        with server.client(name) as reader, server.client(name, words=False) as watcher:
            finish(player)
            for client in (reader, watcher):
                client.settle(player.state["number"])
                assert silent(client.state) == silent(player.state)
            assert [silent(event) for event in reader.events] == [silent(event) for event in player.events]
            assert watcher.events == player.events
            rolls = [event for event in player.events if event["entry"]["kind"] == "rolled"]
            assert not any(event["told"] or "yours" in event for event in rolls[:-1])  # the last is told with the end
            assert any(event["told"] for event in reader.events if event["entry"]["kind"] == "rolled")
            assert any(event.get("yours") for event in reader.events if event["entry"]["kind"] == "rolled")


@pytest.mark.parametrize("game", SHORT)
def test_who_comes_late_is_told_what_nobody_wanted_to_hear(server: Running, game: str) -> None:
    seats, options = seated(game, ANN, LOU), SHORT[game]
    name, tokens = server.table(game, seats, options=options, start=True)
    player = server.client(name, *tokens, words=False)
    with player:
        begun(player)
        for _ in range(20):
            if player.state["status"] == "playing":
                step(player)
        with server.client(name) as late:
            record = server.get(f"/tables/{name}/record").text
            told = [event["told"] for event in late.events if event["entry"]["kind"] in ("rolled", "moved")]
            table = read_record(record).table()
            assert told[: table.played] == [table.tell(at) for at in range(table.played)]
            assert late.state["view"]["grids"]
            assert not player.state["view"]["grids"]


def test_without_words_a_move_can_be_taken_back(server: Running) -> None:
    name, tokens = server.table("pig", [ANN, LOU], start=True)
    with server.client(name, *tokens, words=False) as client:
        begun(client)
        to_a_choice(client)
        before = client.state["view"]["position"]
        assert client.ask("move", move="hold")["type"] == "accepted"
        assert client.ask("undo")["type"] == "accepted"
        assert client.state["view"]["position"] == before
        with server.client(name) as late:
            told = [event["told"] for event in late.events[-3:]]
            assert told == [
                f"Ann holds and scores {before.split()[-2]}, for {before.split()[-2]} in all.",
                "Ann would like to take the last choice back.",
                "The last choice of Ann is taken back.",
            ]
            assert silent(late.state) == silent(client.state)


def test_a_ping_is_answered(server: Running) -> None:
    name, _ = server.table("pig", [ANN, OPEN])
    with server.client(name) as client:
        client.send({"do": "ping"})
        assert client.until("pong") == {"type": "pong"}


def test_everybody_sees_who_is_there(server: Running) -> None:
    name, ann, bob = two_people(server)
    with ann:
        while ann.present != [0, 1]:
            ann.receive()
        bob.close()
        while ann.present != [0]:
            ann.receive()
    seats = server.get(f"/tables/{name}").json()["seats"]
    assert not seats[1]["present"]


# Typed answers


def test_accepted_gives_the_number_of_the_entry_and_everybody_sees_it(server: Running) -> None:
    name, ann, bob = two_people(server)
    with ann, bob, server.client(name) as watching:
        answer = ann.ask("roll")
        assert answer["type"] == "accepted"
        assert answer["number"] == 6
        for client in (ann, bob, watching):
            client.settle(6)
            assert client.events[-1]["number"] == 6
            assert client.events[-1]["entry"]["kind"] == "rolled"
            assert client.state["number"] == 6


def test_stale_is_what_was_decided_on_another_state(server: Running) -> None:
    _, ann, bob = two_people(server)
    with ann, bob:
        old = ann.state["number"]
        ann.ask("roll")
        answer = ann.ask("roll", on=old)
        assert answer["type"] == "stale"
        assert answer["number"] == ann.state["number"] == old + 1


def test_it_may_not_be_your_turn(server: Running) -> None:
    _, ann, bob = two_people(server)
    with ann, bob:
        assert bob.ask("roll")["type"] == "not_your_turn"
        assert bob.ask("move", move="hold")["message"] == "It is Ann's turn to roll."


def test_an_illegal_move_is_answered_with_the_reason_and_the_legal_moves(server: Running) -> None:
    _, ann, bob = two_people(server, options={"target": 10_000})
    with ann, bob:
        chooser = to_a_choice(ann, bob)
        for move in ("keep 3", "fly"):
            answer = chooser.ask("move", move=move)
            assert answer["type"] == "illegal"
            assert answer["message"]
            assert answer["legal"] == ["roll", "hold"]
            assert answer["legal"] == [shown["text"] for shown in chooser.state["view"]["moves"]]
        assert chooser.ask("roll")["message"] == "A move is due, not a roll."


@pytest.mark.parametrize(
    "message",
    [
        "",
        "null",
        "[]",
        "{",
        "3",
        "{}",
        '{"do": "fly"}',
        '{"do": "move"}',
        '{"do": "move", "id": "a", "on": "five", "move": "hold"}',
        '{"do": "move", "id": "", "on": 5, "move": "hold"}',
        '{"do": "move", "id": "a", "on": -1, "move": "hold"}',
        '{"do": "roll", "id": "a", "on": 5, "cheat": true}',
        '{"do": "hello"}',
        b"\x00\x01",
        "[" * 4000,
    ],
)
def test_what_is_no_message_is_unknown_and_changes_nothing(server: Running, message: str | bytes) -> None:
    name, tokens = server.table("pig", [ANN, LOU], start=True)
    with server.client(name, *tokens) as client:
        client.socket.send(message)
        answer = client.until("unknown")
        assert answer["message"].endswith(".")
        assert client.ask("roll")["number"] == 6


def test_whoever_watches_has_no_seat(server: Running) -> None:
    name, tokens = server.table("pig", [ANN, LOU], start=True)
    with server.client(name) as watching:
        for do, more in (("roll", {}), ("move", {"move": "hold"}), ("undo", {}), ("agree", {}), ("refuse", {})):
            assert watching.ask(do, **more)["type"] == "no_seat"
        for message in ({"do": "seal", "id": "s", "seal": "0" * 64}, {"do": "reveal", "id": "r", "string": "mine"}):
            watching.send(message)
            assert watching.until("no_seat")["id"] == message["id"]
    with server.client(name, *tokens) as client:
        assert client.state["number"] == 5


def test_a_wish_for_somebody_elses_seat_has_no_seat(server: Running) -> None:
    _, ann, bob = two_people(server)
    with ann, bob:
        assert bob.ask("agree", seat=0)["type"] == "no_seat"


@pytest.mark.parametrize(
    ("first", "kind"), [({"do": "ping"}, "unknown"), ({"do": "roll", "id": "a", "on": 0}, "unknown"), ("x", "unknown")]
)
def test_hello_comes_first(server: Running, first: Json | str, kind: str) -> None:
    name, _ = server.table("pig", [ANN, OPEN])
    with connect(f"ws://127.0.0.1:{server.port}/ws/{name}", open_timeout=TIMEOUT) as socket:
        socket.send(json.dumps(first))
        assert json.loads(socket.recv(TIMEOUT))["type"] == kind
        with pytest.raises(ConnectionClosed):
            socket.recv(TIMEOUT)


def test_a_table_that_is_not_there_is_answered_as_such(server: Running) -> None:
    with connect(f"ws://127.0.0.1:{server.port}/ws/zzzz-zzzz", open_timeout=TIMEOUT) as socket:
        socket.send('{"do": "hello"}')
        assert json.loads(socket.recv(TIMEOUT))["type"] == "no_table"


# Repeating


def test_repeating_a_message_by_its_id_is_harmless(server: Running) -> None:
    name, tokens = server.table("pig", [ANN, OPEN])
    joined(server, name, "Bob")
    server.post(f"/tables/{name}/start", token=tokens[0])
    with server.client(name, *tokens) as ann:
        message = {"do": "roll", "id": "my-roll", "on": ann.state["number"]}
        answers = []
        for _ in range(3):
            ann.send(message)
            answers.append(ann.until("accepted", "stale"))
        assert answers == [{"type": "accepted", "id": "my-roll", "number": 6}] * 3
        with server.client(name, *tokens) as other:
            other.send(message)
            assert other.until("accepted") == answers[0]
        assert ann.state["number"] == 6
        assert record(server, name).count("rolls") == 1


def test_repeating_is_harmless_for_several_people_at_one_screen(server: Running) -> None:
    name, tokens = server.table("pig", [ANN, LOU], options={"target": 10_000}, start=True)
    with server.client(name, *tokens) as first, server.client(name, *tokens) as second:
        while first.state["rolls"]:
            act(first)
        message = {"do": "move", "id": "mine", "on": first.state["number"], "move": "hold"}
        first.send(message)
        answer = first.until("accepted")  # now it is the other one's turn
        for client in (first, second):
            client.send(message)
            assert client.until("accepted", "stale") == answer
        assert record(server, name).count(" hold") == 1


def test_the_same_id_from_two_people_is_two_messages(server: Running) -> None:
    _, ann, bob = two_people(server, options={"target": 10_000})
    with ann, bob:
        while ann.state["actor"] == 0:
            if ann.state["rolls"]:
                ann.send({"do": "roll", "id": f"x{ann.state['number']}", "on": ann.state["number"]})
                ann.until("accepted")
            else:
                ann.send({"do": "move", "id": "x", "on": ann.state["number"], "move": "hold"})
                ann.until("accepted")
        bob.settle(ann.state["number"])
        bob.send({"do": "roll", "id": "x", "on": bob.state["number"]})
        assert bob.until("accepted", "stale")["number"] == ann.state["number"] + 1


# Undo


def passed(*clients: Client) -> tuple[Client, list[Client]]:
    """Somebody holds, so that a choice stands that may be taken back; who, and the others."""
    chooser = to_a_choice(*clients)
    number = chooser.ask("move", move="hold")["number"]
    for client in clients:
        client.settle(number)
    return chooser, [client for client in clients if client is not chooser]


def test_a_choice_is_taken_back_when_the_other_agrees(server: Running) -> None:
    _, ann, bob = two_people(server, options={"target": 10_000})
    with ann, bob:
        asker, (other,) = passed(ann, bob)
        assert other.state["undo"] == asker.seats[0]
        assert asker.ask("undo")["type"] == "accepted"
        while other.state["asked"] is None:
            other.receive()
        assert other.state["waiting"] == other.seats
        assert other.state["actor"] == other.seats[0]
        assert other.ask("agree")["type"] == "accepted"
        while asker.state["actor"] != asker.seats[0]:
            asker.receive()
        assert asker.state["view"]["moves"]
        assert asker.ask("move", move="roll")["type"] == "accepted"


def test_a_choice_stands_when_the_other_refuses(server: Running) -> None:
    _, ann, bob = two_people(server, options={"target": 10_000})
    with ann, bob:
        asker, (other,) = passed(ann, bob)
        assert asker.ask("refuse")["type"] == "illegal"
        asker.ask("undo")
        assert asker.ask("agree")["type"] == "not_your_turn"
        while other.state["asked"] is None:
            other.receive()
        assert other.ask("refuse")["type"] == "accepted"
        assert other.state["asked"] is None
        assert other.state["actor"] == other.seats[0]


def test_a_choice_is_taken_back_at_once_by_somebody_alone_with_bots(server: Running) -> None:
    name, tokens = server.table("pig", [ANN, bot(), bot()], dice="manual", start=True)
    with server.client(name, *tokens) as client:
        client.ask("roll", faces="4")
        client.ask("move", move="roll")
        assert client.state["undo"] == 0
        assert client.ask("undo")["type"] == "accepted"
        assert client.state["view"]["moves"]


def held(client: Client, grace: int) -> int:
    """Roll until there is a choice, then hold with bots waiting so long; the number of the choice."""
    while client.state["rolls"] or client.state["actor"] != 0:
        step(client)
    number: int = client.ask("move", move="hold", grace=grace)["number"]
    client.settle(number)
    return number


def test_a_choice_is_taken_back_before_the_bot_rolls(server: Running) -> None:
    name, tokens = server.table("pig", [ANN, bot()], options={"target": 10_000}, start=True)
    with server.client(name, *tokens) as client:
        answer: Json = {}
        while answer.get("type") != "accepted":  # on a slow machine the bot may be faster
            held(client, 5_000)
            answer = client.ask("undo")
        assert client.state["actor"] == 0
        assert not client.state["rolls"]
        client.send({"do": "move", "id": "too-long", "on": client.state["number"], "move": "roll", "grace": 5_001})
        assert "grace" in client.until("unknown")["message"]


def test_bots_go_on_at_once_when_nobody_wants_to_take_anything_back(server: Running) -> None:
    name, tokens = server.table("pig", [ANN, bot()], options={"target": 10_000}, start=True)
    with server.client(name, *tokens) as client, server.client(name) as onlooker:

        def waited(grace: int, *, by: Client | None = None) -> int:
            number = held(client, grace)
            if by:
                by.send({"do": "proceed"})
            client.settle(number + 1)
            times = {event["number"]: event["at"] for event in client.events}
            return int(times[number + 1] - times[number])

        assert waited(500) >= 500
        assert waited(500, by=onlooker) >= 500
        assert min(waited(5_000, by=client) for _ in range(5)) < 5_000


def test_a_choice_is_taken_back_at_once_where_all_sit_at_one_screen(server: Running) -> None:
    name, tokens = server.table("pig", [ANN, LOU], options={"target": 10_000}, start=True)
    with server.client(name, *tokens) as client:
        while client.state["rolls"]:
            act(client)
        actor = client.state["actor"]
        client.ask("move", move="hold")
        assert client.state["actor"] != actor
        assert client.ask("undo")["type"] == "accepted"
        assert client.state["actor"] == actor


def test_whoever_is_away_for_a_moment_is_asked_all_the_same(server: Running) -> None:
    _, ann, bob = two_people(server, options={"target": 10_000})
    with ann, bob:
        asker, (other,) = passed(ann, bob)
        other.close()
        while asker.present != asker.seats:
            asker.receive()
        actor = asker.state["actor"]
        asker.ask("undo")
        assert asker.state["waiting"] == other.seats
        assert asker.state["actor"] == actor


def test_a_roll_is_final(server: Running) -> None:
    _, ann, bob = two_people(server, options={"target": 10_000})
    with ann, bob:
        chooser = to_a_choice(ann, bob)
        assert chooser.state["undo"] is None
        assert chooser.ask("undo")["type"] == "illegal"
        chooser.ask("move", move="roll", then_roll=True)
        assert chooser.state["undo"] is None
        assert chooser.ask("undo")["type"] == "illegal"


def test_a_roll_of_real_dice_may_be_taken_back(server: Running) -> None:
    name, ann, bob = two_people(server, dice="manual")
    with ann, bob:
        assert ann.welcome["manual"]
        assert ann.ask("roll")["type"] == "illegal"
        assert bob.ask("roll", faces="5")["type"] == "accepted"  # Bob reads Ann's die out, wrongly
        while bob.state["undo"] is None:
            bob.receive()
        bob.ask("undo")
        while ann.state["asked"] is None:
            ann.receive()
        ann.ask("agree")
        assert ann.ask("roll", faces="6")["type"] == "accepted"
        assert "1 rolls 6" in record(server, name)
        assert "1 rolls 5" not in record(server, name)


# Whole games


@pytest.mark.parametrize("game", SHORT)
def test_a_game_of_two_people_and_a_bot_is_played_to_its_end_and_verified(server: Running, game: str) -> None:
    name, tokens = server.table(game, seated(game, ANN, OPEN, bot()), options=SHORT[game])
    other = joined(server, name, "Bob")
    with (
        Overhearing(server, name, tokens, 0) as ann,
        Overhearing(server, name, [other], 0) as bob,
        Overhearing(server, name, [], 0) as watching,
    ):
        server.post(f"/tables/{name}/start", token=tokens[0])
        begun(ann, bob, watching)
        promise = ann.state["promise"]
        drawn = f"1:{ann.strings[promise, 0]} 2:{bob.strings[promise, 1]}"
        answers = [record(server, name), server.get(f"/tables/{name}").text]
        while ann.state["status"] == "playing":
            step(ann, bob)
            if len(answers) < 30:
                answers += [record(server, name), server.get(f"/tables/{name}").text]
        for client in (bob, watching):
            while client.state["status"] == "playing":
                client.receive()
        assert ann.events == bob.events == watching.events
        assert [event["number"] for event in ann.events] == list(range(1, len(ann.events) + 1))
        ended = ann.events[-1]["entry"]
        assert ended["kind"] == "ended"
        secret = ended["secret"]
        assert hashlib.sha256(bytes.fromhex(secret)).hexdigest() == promise
        for client in (ann, bob, watching):
            telling = [text for text in client.heard if secret in text]
            assert all('"kind": "ended"' in text for text in telling)
        assert all("\nresult: winner" in answer for answer in answers if secret in answer)
    kept = read_record(record(server, name))
    assert kept.check_dice()
    assert kept.dice.startswith(f"fair2 {name} {promise} {secret} signed:")
    assert kept.dice.endswith(f" {drawn}")
    assert kept.result == ended["result"]
    assert kept.result.startswith("winner")


@pytest.mark.parametrize("game", SHORT)
def test_a_household_plays_at_one_screen(server: Running, game: str) -> None:
    name, tokens = server.table(game, seated(game, ANN, LOU), options=SHORT[game], start=True)
    with server.client(name, *tokens) as client:
        assert client.seats == [0, 1]
        finish(client)
        assert client.state["view"]["result"]
        assert client.ask("roll")["message"] == "The game is over."
    assert read_record(record(server, name)).check_dice()


def test_a_game_with_real_dice(server: Running) -> None:
    name, tokens = server.table("pig", [ANN, bot()], options=QUICK, dice="manual", start=True)
    with server.client(name, *tokens) as client:
        assert client.ask("roll", faces="7")["type"] == "illegal"
        assert client.ask("roll", faces="1")["type"] == "accepted"
        while client.state["actor"] == 1:  # the bot decides, and Ann rolls for it
            if client.state["rolls"]:
                client.ask("roll", faces="5")
            else:
                client.receive()
            if client.state["status"] == "over":
                break
    lines = record(server, name).splitlines()
    assert lines[5:] == [
        "dice: manual", "", "1 rolls 1",
        "2 rolls 5", "2 roll", "2 rolls 5", "2 roll", "2 rolls 5", "2 hold",
        "result: winner 2; scores 0 15",
    ]  # fmt: skip


def test_a_bot_that_knows_the_odds_plays_as_soon_as_they_are_known(server: Running) -> None:
    by: list[str] = []
    while by[-1:] != ["casual"]:  # a short game may be over before they are known
        name, _ = server.table("pig", [bot("casual"), bot("greedy")], options={"target": 50})
        with server.client(name) as watching:
            finish(watching)
            assert watching.state["seats"][0]["name"] == "Otto"
            by = [entry["by"] for entry in entries(watching) if entry["kind"] == "moved" and entry["seat"] == 0]
    kept = read_record(record(server, name))
    assert kept.check_dice()
    assert kept.seats[0].kind == "casual"


def test_a_choice_may_come_with_the_roll_that_follows(server: Running) -> None:
    _, ann, bob = two_people(server, options={"target": 10_000})
    with ann, bob:
        chooser = to_a_choice(ann, bob)
        number = chooser.ask("move", move="roll", then_roll=True)["number"]
        assert [event["number"] for event in chooser.events[-2:]] == [number, number + 1]
        assert [entry["kind"] for entry in entries(chooser)[-2:]] == ["moved", "rolled"]


# The dice are drawn


def test_everybody_who_is_here_has_a_share_in_the_dice(server: Running) -> None:
    """First the promise, then all seals, then the strings; whoever is away has no share."""
    name, tokens = server.table("pig", [ANN, OPEN, OPEN], options=SHORT["pig"])
    bob = joined(server, name, "Bob")
    joined(server, name, "Cat")
    with server.client(name, *tokens) as ann, server.client(name, bob) as other:
        assert (ann.state["promise"], ann.state["shares"]) == ("", [])
        server.post(f"/tables/{name}/start", token=tokens[0])
        begun(ann, other)
        kinds = [entry["kind"] for entry in entries(ann)[4:]]
        assert kinds == ["promised", "sealed", "sealed", "fixed", "revealed", "revealed", "started"]
        promise = ann.state["promise"]
        drawn = [ann.strings[promise, 0], other.strings[promise, 1]]
        assert [share["string"] for share in ann.state["shares"]] == drawn
        assert record(server, name).splitlines()[6].endswith(f" 1:{drawn[0]} 2:{drawn[1]}")


def test_whoever_withholds_a_string_is_left_out_after_a_while(tmp_path: Path) -> None:
    with Running(str(tmp_path / "tables.sqlite")) as server, ExitStack() as stack:
        name, tokens = server.table("pig", [ANN, OPEN], options=SHORT["pig"])
        ann = stack.enter_context(server.client(name, *tokens))
        bob = stack.enter_context(server.client(name, joined(server, name, "Bob")))
        bob.shares = False
        server.post(f"/tables/{name}/start", token=tokens[0])
        while not (ann.state["dealing"] and ann.state["shares"]):
            ann.receive()
        bob.send({"do": "seal", "id": "mine", "seal": "0" * 64, "seat": 1})
        assert bob.until("accepted", "illegal")["type"] == "accepted"
        bob.send({"do": "seal", "id": "another", "seal": "1" * 64, "seat": 1})
        assert bob.until("accepted", "illegal")["type"] == "illegal"
        begun(ann)
        assert ann.events[-1]["told"] == (
            "The game begins. Bob's share in the dice did not come, so they were drawn without it."
        )
        assert record(server, name).splitlines()[5].endswith(f" 2:withheld:{'0' * 64}")


def test_a_promise_is_signed_with_the_key_that_the_server_shows(server: Running, tmp_path: Path) -> None:
    name, tokens = server.table("pig", [ANN, bot()], options=SHORT["pig"])
    with server.client(name, *tokens) as ann:
        server.post(f"/tables/{name}/start", token=tokens[0])
        begun(ann)
        promise = ann.state["promise"]
        finish(ann)
    file = tmp_path / "game.hotdice"
    file.write_text(record(server, name), "utf-8")
    shown = server.get("/key").json()
    assert shown["algorithm"] == "Ed25519"
    outcome = hotdice("verify", file, "--promise", promise, "--key", shown["key"], "--bots")
    assert (outcome.code, outcome.err) == (0, "")
    assert "The key has signed the promise, dated " in outcome.out
    assert "what Ann drew" in outcome.out
