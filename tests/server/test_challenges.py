"""Challenges: the same dice for all who play, one try for each name, and nothing shown before one may see it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from hotdice.fair import HIDDEN, SECRET_BYTES, TurnDice, parse_fair
from hotdice.games import all_games, load_game
from hotdice.record import parse_record
from hotdice.server.app import Settings
from hotdice.server.challenges import days
from hotdice.server.challenges.columns import best_play, column_of
from hotdice.server.challenges.log import Challenge, Closed, Opened, Tried, encode, folded
from hotdice.server.entries import BOT, PERSON, SeatPlan
from hotdice.server.refusals import Illegal, Invalid, NoSeat
from hotdice.table import Moved, Rolled
from tests.server.elsewhen import Elsewhen
from tests.server.inside import Inside, within
from tests.server.running import Json, Running, begun, bot, person
from tests.server.test_coach import ready, refused
from tests.server.test_schema import strict

SECRET = bytes(range(SECRET_BYTES))
DICE = TurnDice("challenge-k3x9w7fm", SECRET, ())
SEATS = (SeatPlan(PERSON), SeatPlan(BOT, "Otto", "greedy"))
OPENED = Opened("pig(target=20)", SEATS, DICE.text, since=1000, until=9000, key="00" * 24, maker="Ann")
PIG: Json = {"game": "pig", "options": {"target": 20}, "seats": [person("Ann"), bot()]}
HOUR = 3_600_000


# The log


def challenge(*more: Tried | Closed) -> Challenge:
    first = Tried("Ann", "k3x9w7fm", "a")
    return folded("k3x9w7fm", [(encode(entry), 2000 + at) for at, entry in enumerate((OPENED, first, *more))])


def test_a_challenge_follows_from_its_log() -> None:
    found = challenge(Tried("Ben", "bbbbbbbb", "b"))
    assert [(each.number, each.name, each.table, each.begun) for each in found.tries] == [
        (1, "Ann", "k3x9w7fm", 2001), (2, "Ben", "bbbbbbbb", 2002),
    ]  # fmt: skip
    assert (found.seat, found.dice.text, found.until, found.number) == (0, DICE.text, 9000, 3)
    assert found.of_token("b") is found.tries[1]
    assert found.of_token("") is None
    assert [found.is_over(at) for at in (8999, 9000)] == [False, True]


def test_a_name_has_one_try_however_it_is_written() -> None:
    found = challenge(Tried("Ben", "bbbbbbbb", "b"))
    for name in ("Ben", "BEN", "b en", "Ann", "\uff22en"):
        with pytest.raises(Illegal, match="has had a try at this challenge, and each name has one"):
            found.check_try(name, 3000)
    with pytest.raises(Invalid, match="A bot is called otto"):
        found.check_try("otto", 3000)
    found.check_try("Cleo", 3000)


def test_it_can_be_played_in_its_time_only() -> None:
    with pytest.raises(Illegal, match="has not begun yet"):
        challenge().check_try("Ben", 999)
    with pytest.raises(Illegal, match="is over"):
        challenge().check_try("Ben", 9000)
    closed = challenge(Tried("Ben", "bbbbbbbb", "b"), Closed())
    assert closed.until == 2003
    with pytest.raises(Illegal, match="is over"):
        closed.check_try("Cleo", 2003)


def test_its_maker_alone_closes_it() -> None:
    found = challenge(Tried("Ben", "bbbbbbbb", "b"))
    found.check_close(found.tries[0], 3000)
    for whose in (None, found.tries[1]):
        with pytest.raises(NoSeat, match="Only whoever made a challenge closes it"):
            found.check_close(whose, 3000)
    with pytest.raises(Illegal, match="over already"):
        found.check_close(found.tries[0], 9000)


# Days


def test_every_game_has_its_day_and_days_are_those_of_utc() -> None:
    first = date(2026, 11, 18)
    week = [days.game_of(first + timedelta(days=number)).name for number in range(8)]
    learnt = sorted(game.name for game in all_games() if game.lesson.is_dir())
    assert sorted(week[:4]) == learnt
    assert week[:4] == week[4:]
    midnight = datetime(2026, 11, 18, tzinfo=UTC).timestamp() * 1000
    assert days.beginning(first) == midnight
    assert [days.day_at(int(midnight) + late) for late in (-1, 0)] == [date(2026, 11, 17), first]
    assert days.day_of("2026-11-18") == first
    assert [days.day_of(name) for name in ("20261118", "2026-W47-3", "k3x9w7fm", "")] == [None] * 4


def test_who_can_plays_alone_and_others_against_as_few_bots_as_it_takes() -> None:
    for game in all_games():
        plans = days.seats_of(game)
        assert len(plans) == game.min_players
        assert [plan.kind for plan in plans] == [PERSON, *[BOT] * (game.min_players - 1)]


# The best play


def test_the_best_play_is_a_game_on_the_same_dice() -> None:
    """Checked by its record: every roll follows from the secret, and every choice is the perfect bot's."""
    first = load_game("pig").start(2, load_game("pig").options.parse("target=20"))
    record = best_play(first, ["/", "Otto/greedy"], DICE.text, 0)
    table = record.table()
    assert (record.seats[0].kind, record.seats[1].kind, record.dice) == ("optimal", "greedy", DICE.text)
    column = column_of(record, 0, lambda share: None)
    assert column.account
    assert column.account.losses == pytest.approx(0, abs=1e-9)
    assert column.score == table.state.scores[0] == sum(turn.gained for turn in column.turns)
    rolls = [event.roll for event in table.events if isinstance(event, Rolled) and event.seat == 0]
    assert [step.text for turn in column.turns for step in turn.steps if step.rolled] == [str(*roll) for roll in rolls]


def test_an_account_adds_up_turn_by_turn() -> None:
    state = load_game("pig").start(2, load_game("pig").options.parse("target=20"))
    record = best_play(state, ["Ann/greedy", "/"], DICE.text, 1)
    column = column_of(parse_record(record.text), 0, lambda share: None)
    account = column.account
    assert account
    assert account.result == pytest.approx(account.start + account.luck - account.losses + account.gifts, abs=1e-9)
    assert account.losses == pytest.approx(sum(turn.loss for turn in column.turns), abs=1e-9)


# Over HTTP


@dataclass
class Player:
    """Somebody who plays a challenge, at a table of their own."""

    server: Running
    challenge: str
    table: str
    token: str

    def play(self, *choices: int) -> None:
        """Play to the end: by these choices, and then the first legal move."""
        left = list(choices)
        with self.server.client(self.table, self.token) as client:
            if client.state["status"] == "waiting" and not client.state["dealing"]:
                assert self.server.post(f"/tables/{self.table}/start", {}, self.token).is_success
            begun(client)
            while client.state["status"] == "playing":
                if client.state["actor"] not in client.seats:
                    client.receive()
                    continue
                choice = 0 if client.state["rolls"] or not left else left.pop(0)
                assert client.play(choice)["type"] in ("accepted", "stale")

    def shown(self) -> Json:
        found: Json = self.server.get(f"/challenges/{self.challenge}", self.token).json()
        strict("ChallengeShown").validate(found)
        return found

    def record(self) -> str:
        return self.server.get(f"/tables/{self.table}/record", self.token).text

    def column(self, number: int) -> Json:
        found = ready(lambda: self.server.get(f"/challenges/{self.challenge}/columns/{number}", self.token))
        strict("ColumnShown").validate(found)
        column: Json = found["column"]
        return column


def first_player(server: Running, wish: Json = PIG) -> Player:
    """Ann, who makes a challenge by playing."""
    table, (token,) = server.table(wish["game"], wish["seats"], options=wish.get("options", {}), challenge=True)
    return Player(server, table, table, token)


def answer(server: Running, name: str, who: str, request: str = "") -> Player:
    made = server.post(f"/challenges/{name}/tries", {"name": who, "id": request})
    assert made.status_code == 201, made.text
    return Player(server, name, made.json()["table"]["name"], made.json()["tokens"][0]["token"])


@pytest.fixture(scope="module")
def ann(server: Running) -> Player:
    """Ann's finished game, of which nobody has had a second try yet."""
    player = first_player(server)
    player.play(1, 0, 1)
    return player


def test_whoever_chooses_alike_plays_the_same_game(server: Running) -> None:
    ann = first_player(server)
    ann.play(1, 1, 0, 1)
    ben, cleo = (answer(server, ann.challenge, name) for name in ("Ben", "Cleo"))
    ben.play(1, 1, 0, 1)
    cleo.play()
    one, two, three = (parse_record(player.record()) for player in (ann, ben, cleo))
    assert one.events == two.events
    assert one.dice == two.dice == three.dice
    assert one.events[0] == three.events[0]
    chose = any(isinstance(event, Moved) and event.seat == 0 for event in one.events)  # it may be over before
    assert (one.events != three.events) == chose
    assert [two.seats[0].name, *two.seats[1:]] == ["Ben", *one.seats[1:]]


def test_every_game_can_be_a_challenge(server: Running) -> None:
    for game in all_games():
        seats = [person("Ann"), *[bot()] * (game.min_players - 1)]
        ann = first_player(server, {"game": game.name, "seats": seats})
        with server.client(ann.table, ann.token) as client:
            assert server.post(f"/tables/{ann.table}/start", {}, ann.token).is_success
            begun(client)
            assert (client.welcome["challenge"], client.welcome["dice"]) == (ann.table, "turns")


def test_it_is_opened_by_the_end_of_its_first_game(server: Running) -> None:
    ann = first_player(server)
    path = f"/challenges/{ann.challenge}"
    assert refused(server.get(path), 404, "no_challenge").startswith(
        "This challenge begins once its first game is over"
    )
    refused(server.post(f"{path}/tries", {"name": "Ben"}), 404, "no_challenge")
    ann.play()
    assert server.get(path).json()["maker"] == "Ann"
    usual, _ = server.table("pig", PIG["seats"])
    for name in (usual, "zzzzzzzz", "nonsense", "2026-02-30", "c-2026-11-18"):
        refused(server.get(f"/challenges/{name}"), 404, "no_challenge")


def test_a_first_game_that_was_given_up_is_no_challenge(server: Running) -> None:
    ann = first_player(server)
    assert server.post(f"/tables/{ann.table}/start", {}, ann.token).is_success
    assert server.post(f"/tables/{ann.table}/leave", {}, ann.token).is_success
    assert "was given up" in refused(server.get(f"/challenges/{ann.challenge}"), 404, "no_challenge")
    assert " hidden " not in server.get(f"/tables/{ann.table}/record").text


def test_nothing_is_given_away_to_those_who_may_still_play(server: Running, ann: Player) -> None:
    """No address of a table or a challenge says what was rolled or what came of it, and nobody can watch."""
    name, table = ann.challenge, ann.table
    stranger, _ = server.table("pig", PIG["seats"])
    ben = answer(server, name, "Ben who looks")
    for token in ("", "nonsense", ben.token):
        for path in ("record", "history", "review", "moments", "position", "why", "mistakes", "games/1"):
            refused(server.get(f"/tables/{table}/{path}", token), 403, "held")
        refused(server.get("/practice/cards", token, id=f"{table}.1.2"), 403, "held")
        refused(server.post("/practice/answers", {"id": f"{table}.1.2", "move": "hold"}, token), 403, "held")
        for number in (0, 1, 2):
            refused(server.get(f"/challenges/{name}/columns/{number}", token), 403, "held")
        refused(server.post(f"/challenges/{name}/close", {}, token), 403 if token else 401, "no_seat")
        shown = server.get(f"/challenges/{name}", token).json()
        assert (shown["results"], shown["secret"], shown["may_close"]) == (False, "", False)
        assert {each["result"] for each in shown["tries"]} == {None}
    for found in (server.get(f"/tables/{table}").json(), *server.get("/tables", name=table).json()["tables"]):
        assert (found["games"], found["series"], found["actor"]) == ([], [], None)
    assert table not in server.get("/tables", status="over").text
    for tokens in ((), ("nonsense",), (ben.token,)):
        with pytest.raises((ConnectionClosed, KeyError)), server.client(table, *tokens):
            pass
    assert parse_record(ann.record()).dice.split()[3] == HIDDEN
    refused(server.get(f"/tables/{stranger}/record", ann.token), 409, "illegal")  # usual tables are as they were


def test_nobody_watches_and_the_refusal_says_why(server: Running, ann: Player) -> None:
    from websockets.sync.client import connect

    with connect(f"ws://127.0.0.1:{server.port}/ws/{ann.table}", compression=None) as socket:
        socket.send(json.dumps({"do": "hello", "tokens": [], "last": 0}))
        said = json.loads(socket.recv(20))
        assert (said["type"], said["message"].split(".")[0]) == ("held", "This game is not shown yet")
        with pytest.raises(ConnectionClosed):
            socket.recv(20)
        assert socket.close_code == 4005


def test_the_log_of_an_answer_hides_the_secret(server: Running, ann: Player) -> None:
    dora = answer(server, ann.challenge, "Dora")
    with server.client(dora.table, dora.token) as client:
        begun(client)
        said = json.dumps(client.events)
    assert "hidden" in said
    dora.play()
    history = server.get(f"/tables/{dora.table}/history", dora.token).text
    hashes = {found for text in (history, dora.record()) for found in re.findall(r"\b[0-9a-f]{64}\b", text)}
    _, _, promise, _, signed, *_ = parse_record(dora.record()).dice.split()
    assert hashes == {promise, signed.split(":")[2]}  # what was promised and the key, and nothing else


def test_whoever_has_played_sees_what_all_made_of_it(server: Running, ann: Player) -> None:
    eve = answer(server, ann.challenge, "Eve")
    assert eve.shown()["mine"] == len(eve.shown()["tries"])
    refused(server.get(f"/challenges/{eve.challenge}/columns/1", eve.token), 403, "held")
    eve.play(1, 1)
    shown = eve.shown()
    assert (shown["results"], shown["over"], shown["secret"], shown["may_close"]) == (True, False, "", False)
    ranks = [each["result"]["rank"] for each in shown["tries"] if each["result"]["rank"]]
    assert ranks == sorted(ranks)
    number = shown["mine"]
    mine, first, best = (eve.column(which) for which in (number, 1, 0))
    assert [mine["name"], first["name"], best["name"]] == ["Eve", "Ann", "Best play"]
    assert (
        mine["turns"][0]["steps"][0]["text"]
        == first["turns"][0]["steps"][0]["text"]
        == best["turns"][0]["steps"][0]["text"]
    )
    assert best["account"]["losses"] == pytest.approx(0, abs=1e-9)
    refused(server.get(f"/challenges/{eve.challenge}/columns/99", eve.token), 422, "unknown")


def test_a_name_has_one_try_also_at_the_same_moment(server: Running, ann: Player) -> None:
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: server.post(f"/challenges/{ann.challenge}/tries", {"name": "Finn"}), range(4)))
    assert sorted(each.status_code for each in found) == [201, 409, 409, 409]
    said = refused(server.post(f"/challenges/{ann.challenge}/tries", {"name": "FINN"}), 409, "illegal")
    assert said == "FINN has had a try at this challenge, and each name has one."


def test_the_same_wish_gives_the_same_try(server: Running, ann: Player) -> None:
    one, two = (answer(server, ann.challenge, "Gus", "g" * 20) for _ in range(2))
    assert (one.table, one.token) == (two.table, two.token)


def test_a_try_that_was_broken_off_counts_and_goes_on_with_its_token(server: Running, ann: Player) -> None:
    hal = answer(server, ann.challenge, "Hal")
    refused(server.post(f"/challenges/{ann.challenge}/tries", {"name": "Hal"}), 409, "illegal")
    assert [each["standing"] for each in hal.shown()["tries"] if each["name"] == "Hal"] == ["playing"]
    assert server.post(f"/tables/{hal.table}/leave", {}, hal.token).is_success
    ida = answer(server, ann.challenge, "Ida")
    ida.play()
    (gave_up,) = (each for each in ida.shown()["tries"] if each["name"] == "Hal")
    assert (gave_up["standing"], gave_up["result"]["rank"]) == ("given up", 0)


def test_a_challenge_is_played_once_and_by_nobody_else(server: Running, ann: Player) -> None:
    assert "played once" in refused(server.post(f"/tables/{ann.table}/rematch", {}, ann.token), 409, "illegal")
    jo = answer(server, ann.challenge, "Jo")
    refused(server.post(f"/tables/{jo.table}/join", {"name": "Kim"}), 409, "illegal")
    assert "by a code" in refused(server.post(f"/tables/{jo.table}/ask", {"seat": 1}), 409, "illegal")
    refused(server.get(f"/tables/{jo.table}/advice", jo.token), 403, "no_coach")


def test_a_try_moves_to_another_device_with_its_results(server: Running, ann: Player) -> None:
    kim = answer(server, ann.challenge, "Kim")
    code = server.post(f"/tables/{kim.table}/offer", {}, kim.token).json()["code"]
    taken = server.post(f"/tables/{kim.table}/take", {"code": code}).json()["tokens"][0]["token"]
    elsewhere = Player(server, ann.challenge, kim.table, taken)
    elsewhere.play()
    assert elsewhere.shown()["results"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"seats": [person("Ann"), {"kind": "local", "name": "Ben"}]}, "one person, alone or against bots"),
        ({"seats": [person("Ann"), {"kind": "open"}]}, "one person, alone or against bots"),
        ({"seats": [bot(), bot()]}, "one person, alone or against bots"),
        ({"dice": "manual"}, "dice of its own"),
        ({"dice": "same"}, "dice of its own"),
        ({"public": True}, "without onlookers"),
        ({"coach": "ask"}, "without onlookers, coach"),
        ({"stand_in": "casual"}, "without onlookers, coach, clock and stand-in"),
        ({"clock": {"kind": "soft", "seconds": 60}}, "clock"),
    ],
)
def test_what_can_be_no_challenge_is_refused(server: Running, more: Json, said: str) -> None:
    found = refused(server.post("/tables", {**PIG, "challenge": True, **more}), 422, "unknown")
    assert said in found


def test_a_bad_name_is_refused(server: Running, ann: Player) -> None:
    for name in ("", " ", "x" * 25, "Otto"):
        assert server.post(f"/challenges/{ann.challenge}/tries", {"name": name}).status_code == 422


def test_once_closed_everything_is_there_and_nobody_plays(server: Running) -> None:
    ann = first_player(server)
    ann.play(1)
    ben, late = answer(server, ann.challenge, "Ben"), answer(server, ann.challenge, "Late")
    ben.play()
    closed = server.post(f"/challenges/{ann.challenge}/close", {}, ann.token).json()
    assert (closed["over"], closed["results"], closed["may_close"]) == (True, True, False)
    refused(server.post(f"/challenges/{ann.challenge}/close", {}, ann.token), 409, "illegal")
    assert "is over" in refused(server.post(f"/challenges/{ann.challenge}/tries", {"name": "Cleo"}), 409, "illegal")
    for player in (ann, ben):
        record = parse_record(server.get(f"/tables/{player.table}/record").text)
        assert record.check_dice()
        dice = parse_fair(record.dice)
        assert isinstance(dice, TurnDice)
        assert (dice.secret.hex(), dice.challenge, dice.daily) == (closed["secret"], ann.challenge, False)
        assert dice.commitment == closed["promise"]["promise"]
    late.play()
    (shown,) = (each for each in ann.shown()["tries"] if each["name"] == "Late")
    assert (shown["standing"], shown["result"]["rank"]) == ("late", 0)
    with server.client(ben.table) as client:  # anybody can look at it now
        assert client.state["status"] == "over"


def test_bots_have_chosen_what_follows_from_the_secret(
    server: Running, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from hotdice.commands.records import verify

    ann = first_player(server)
    ann.play()
    ben = answer(server, ann.challenge, "Ben")
    ben.play(1, 1)
    server.post(f"/challenges/{ann.challenge}/close", {}, ann.token)
    file = tmp_path / "ben.hotdice"
    file.write_text(server.get(f"/tables/{ben.table}/record").text)
    verify(file, bots=True)
    said = capsys.readouterr().out
    assert f"the secret of the challenge {ann.challenge}" in said
    assert "of bots are theirs" in said
    assert "Ben drew" not in said


# Databases and nodes


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "tables.sqlite")
    made: str = request.getfixturevalue("postgres").create_database()
    return made


def test_nothing_is_lost_when_the_server_is_killed(database: str) -> None:
    with Running(database, "--unlimited") as server:
        ann = first_player(server)
        ann.play(1)
        ben = answer(server, ann.challenge, "Ben", "b" * 20)
        with server.client(ben.table, ben.token) as client:
            begun(client)
            while client.state["actor"] != 0 or not client.state["rolls"]:
                client.play() if client.state["actor"] == 0 else client.receive()
            client.play()
            rolled = [event["entry"] for event in client.events if event["entry"]["kind"] == "rolled"]
        server.kill()
        server.start()
        again = answer(server, ann.challenge, "Ben", "b" * 20)
        assert (again.table, again.token) == (ben.table, ben.token)
        refused(server.post(f"/challenges/{ann.challenge}/tries", {"name": "Ben"}), 409, "illegal")
        refused(server.get(f"/tables/{ben.table}/record"), 403, "held")
        ben.play()
        record = parse_record(ben.record())
        first = [event for event in record.events if isinstance(event, Rolled)]
        assert [record.game.roll_text(event.roll) for event in first[: len(rolled)]] == [
            each["roll"] for each in rolled
        ]
        assert ben.shown()["results"]


def test_a_try_of_which_the_table_was_never_written_is_made_again(tmp_path: Path) -> None:
    """As when the server is killed between the two: the name has had its try, and whoever has the id still gets it."""

    async def work(inside: Inside) -> None:
        keeper = inside.server.challenges
        name = (await keeper.today()).name
        room, token = await keeper.begin(name, "Ben", "b" * 20, "127.0.0.1")
        table = room.match.name
        await inside.server.rooms.delete(table)
        again, same = await keeper.begin(name, "Ben", "b" * 20, "127.0.0.1")
        assert (again.match.name, same, again.match.status) == (table, token, "playing")
        with pytest.raises(Illegal):
            await keeper.begin(name, "Ben", "c" * 20, "127.0.0.1")

    within(Settings(str(tmp_path / "tables.sqlite")), work)


def test_a_name_has_one_try_on_several_nodes(postgres: object, tmp_path: Path) -> None:
    database: str = postgres.create_database()  # type: ignore[attr-defined]
    with Running(database, "--unlimited") as one, Running(database, "--unlimited") as two:
        ann = first_player(one)
        ann.play()
        names = [f"Player {number}" for number in range(6)]

        def both(name: str) -> list[httpx.Response]:
            with ThreadPoolExecutor(2) as pool:
                return list(
                    pool.map(lambda node: node.post(f"/challenges/{ann.challenge}/tries", {"name": name}), (one, two))
                )

        for name in names:
            assert sorted(each.status_code for each in both(name)) == [201, 409]
        for node in (one, two):
            assert [each["name"] for each in node.get(f"/challenges/{ann.challenge}").json()["tries"]] == [
                "Ann",
                *names,
            ]


# The challenge of the day


@pytest.fixture
def elsewhen(tmp_path: Path) -> Iterator[Elsewhen]:
    with Elsewhen(str(tmp_path / "tables.sqlite"), tmp_path / "ahead", "--unlimited", "--believe-clock") as server:
        yield server


def test_a_day_has_a_challenge_that_is_promised_before_and_revealed_after_it(
    elsewhen: Elsewhen, tmp_path: Path
) -> None:
    today = elsewhen.get("/challenges/today").json()
    strict("ChallengeShown").validate(today)
    assert (today["daily"], today["maker"], today["secret"], today["may_close"]) == (True, "", "", False)
    tomorrow = today["tomorrow"]
    after = elsewhen.get(f"/challenges/{tomorrow['dice'].removeprefix('daily-')}").json()
    assert after["promise"] == tomorrow
    refused(elsewhen.post(f"/challenges/{after['name']}/tries", {"name": "Ann"}), 409, "illegal")
    ann, ben, cleo = (answer(elsewhen, today["name"], name) for name in ("Ann", "Ben", "Cleo"))
    ann.play()
    ben.play()
    assert parse_record(ann.record()).events == parse_record(ben.record()).events
    refused(elsewhen.get(f"/challenges/{today['name']}/columns/1", cleo.token), 403, "held")
    refused(elsewhen.post(f"/challenges/{today['name']}/close", {}, ann.token), 403, "no_seat")
    assert parse_record(ann.record()).dice.split()[3] == HIDDEN
    elsewhen.set(24 * HOUR)
    past = elsewhen.get(f"/challenges/{today['name']}").json()
    assert (past["over"], past["results"], past["tomorrow"]) == (True, True, None)
    assert [(each["name"], each["standing"]) for each in past["tries"]][2] == ("Cleo", "playing")
    assert [each["result"]["rank"] for each in past["tries"]] == [1, 1, 0]
    record = parse_record(elsewhen.get(f"/tables/{ann.table}/record").text)
    assert record.check_dice()
    dice = parse_fair(record.dice)
    assert isinstance(dice, TurnDice)
    assert (dice.daily, dice.challenge, dice.secret.hex()) == (True, today["name"], past["secret"])
    assert dice.commitment == today["promise"]["promise"]
    assert "is over" in refused(elsewhen.post(f"/challenges/{today['name']}/tries", {"name": "Dora"}), 409, "illegal")
    cleo.play()
    assert [each["standing"] for each in cleo.shown()["tries"]][2] == "late"
    now = elsewhen.get("/challenges/today").json()
    assert (now["name"], now["promise"]) == (after["name"], tomorrow)
    elsewhen.set(120 * HOUR)
    long_ago = (date.fromisoformat(after["name"]) + timedelta(days=2)).isoformat()
    assert "nobody played that day" in refused(elsewhen.get(f"/challenges/{long_ago}"), 404, "no_challenge")


def test_the_book_waits_until_a_challenge_is_over(tmp_path: Path) -> None:
    with Running(str(tmp_path / "tables.sqlite"), "--unlimited", "--book") as server:
        ann = first_player(server)
        ann.play()
        server.get(f"/challenges/{ann.challenge}")
        assert server.get("/book").json()["house"]["games"] == 0
        refused(server.get("/book/player", name="Ann"), 404, "no_book")
        assert "Ann" not in server.get("/book/export").text
        server.post(f"/challenges/{ann.challenge}/close", {}, ann.token)
        assert server.get("/book/player", name="Ann").is_success
