"""The lobby: tables are set up, found, joined, left, started and played again; records go out and come in."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from hotdice.games import all_games, load_game
from hotdice.pads import draw_pad
from hotdice.paper import PAPERS
from hotdice.players import bot_names, free_name
from hotdice.record import parse_record, read_record
from hotdice.server.score_pads import KEPT, PadWanted, ScorePads
from tests.server.playing import finish, joined
from tests.server.running import OPEN, Json, Running, bot, local, person

ANN = person("Ann")
QUICK = {"target": 15}
FINISHED = """\
hotdice record 1
game: pig(target=6)
date: 2026-11-15
seat 1: Ann (person)
seat 2: Bob (person)
dice: manual

1 rolls 6
1 hold
result: winner 1; scores 6 0
"""
UNFINISHED = """\
hotdice record 1
game: pig(target=15)
date: 2026-11-15
seat 1: Ann (person)
seat 2: Bob (person)
seat 3: Robot (greedy)
dice: manual

1 rolls 6
1 hold
2 rolls 4
result: unfinished
"""


def sentence(problem: Json) -> str:
    """What a refusal says to a person: one sentence, and nothing else beside its word for programs."""
    assert set(problem) == {"error", "message"}
    message: str = problem["message"]
    assert message.endswith(".")
    assert "Traceback" not in message
    return message


def listed(server: Running, **params: Any) -> list[str]:
    return [table["name"] for table in server.get("/tables", **params).json()["tables"]]


# Setting up


def test_every_table_has_a_secret_of_its_own(server: Running) -> None:
    """It is drawn when a game begins, not before."""
    waiting, _ = server.table("pig", [ANN, OPEN])
    assert server.get(f"/tables/{waiting}").json()["promise"] == ""
    names = [server.table("pig", [ANN, bot()], start=True)[0] for _ in range(2)]
    promises = [server.get(f"/tables/{name}").json()["promise"] for name in names]
    assert len(promises[0]) == 64
    assert promises[0] != promises[1]


def test_a_table_has_seats_for_people_at_this_screen_bots_and_whoever_comes(server: Running) -> None:
    seats = [ANN, local("Lou"), bot("greedy"), OPEN]
    made = server.post("/tables", {"game": "pig", "options": QUICK, "seats": seats}).json()
    table = made["table"]
    assert [seat["kind"] for seat in table["seats"]] == ["person", "local", "bot", "open"]
    assert [seat["name"] for seat in table["seats"]] == ["Ann", "Lou", "Otto", ""]
    assert [seat["bot"] for seat in table["seats"]] == ["", "", "greedy", ""]
    assert (table["game"], table["options"], table["status"]) == ("pig", "target=15", "waiting")
    assert [token["seat"] for token in made["tokens"]] == [1, 2]
    assert len({token["token"] for token in made["tokens"]}) == 2


def test_a_table_says_how_it_is_played(server: Running) -> None:
    clock = {"kind": "soft", "seconds": 30}
    name, _ = server.table("pig", [ANN, OPEN], dice="manual", clock=clock, stand_in="greedy", public=True)
    table = server.get(f"/tables/{name}").json()
    assert (table["dice"], table["clock"], table["stand_in"], table["public"]) == ("manual", clock, "greedy", True)


def test_a_table_says_which_of_its_seats_has_to_act(server: Running) -> None:
    name, tokens = server.table("pig", [ANN, local("Bob")], options={"target": 6}, dice="manual")

    def actor() -> int | None:
        table = server.get(f"/tables/{name}").json()
        assert table["actor"] in (None, *(seat["seat"] for seat in table["seats"]))
        seat: int | None = table["actor"]
        return seat

    assert actor() is None
    server.post(f"/tables/{name}/start", {}, token=tokens[0])
    with server.client(name, *tokens) as client:
        assert actor() == 1
        client.ask("roll", faces="1")
        assert actor() == 2
        client.ask("roll", faces="6")
        assert actor() == 2
        client.ask("move", move="hold")
    assert actor() is None


def test_fair_dice_and_no_clock_are_what_a_table_has_unless_it_says_otherwise(server: Running) -> None:
    name, _ = server.table("pig", [ANN, OPEN])
    table = server.get(f"/tables/{name}").json()
    assert (table["dice"], table["clock"]["kind"], table["stand_in"], table["public"]) == ("fair", "off", "", False)


@pytest.mark.parametrize(
    ("wish", "status", "why"),
    [
        ({"game": "chess"}, 404, "chess"),
        ({"seats": [ANN]}, 422, "Pig"),
        ({"options": {"target": 0}}, 422, "The option target takes a whole number from 1 to 10000, not 0."),
        ({"options": {"goal": 10}}, 422, "There is no option goal; expected target."),
        ({"seats": [ANN, bot("genius")]}, 422, "There is no bot “genius”"),
        ({"seats": [ANN, person("Bob")]}, 422, "One seat is yours"),
        ({"seats": [ANN, local("Ann")]}, 422, "Two players are called Ann; give each a name of their own."),
        ({"seats": [ANN, {"kind": "local"}]}, 422, "Everybody who plays needs a name."),
        ({"seats": [ANN, {"kind": "open", "name": "Bob"}]}, 422, "An open seat has no name yet"),
        ({"clock": {"kind": "hard", "seconds": 4}}, 422, "A clock gives 5 to 86400 seconds for a decision, not 4."),
        ({"dice": "loaded"}, 422, "dice"),
        ({"stand_in": "genius"}, 422, "There is no bot “genius”"),
        ({"stand_in": "hotdice.players:RandomPlayer"}, 422, "There is no bot “hotdice.players:RandomPlayer”"),
        ({"seats": [ANN, bot("hotdice.players:RandomPlayer")]}, 422, "There is no bot “hotdice.players:RandomPlayer”"),
        ({"start": True, "seats": [ANN, OPEN]}, 409, "A seat is still open"),
        ({"colour": "red"}, 422, "colour"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(server: Running, wish: Json, status: int, why: str) -> None:
    answer = server.post("/tables", {"game": "pig", "seats": [ANN, OPEN], **wish})
    assert answer.status_code == status
    assert why in sentence(answer.json())


@pytest.mark.parametrize("name", [" ", "Bob ", "Bob\u202e", "Bob\u0007", "B" * 25, "B" * 101, "two  spaces"])
def test_long_and_odd_names_are_refused_with_a_sentence(server: Running, name: str) -> None:
    table, _ = server.table("pig", [ANN, OPEN])
    for answer in (
        server.post("/tables", {"game": "pig", "seats": [person(name), OPEN]}),
        server.post(f"/tables/{table}/join", {"name": name}),
    ):
        assert answer.status_code == 422
        sentence(answer.json())


def test_a_name_of_24_signs_in_any_script_is_fine(server: Running) -> None:
    name, _ = server.table("pig", [person("Ζωή O’Brien-Müller 王{0}"), OPEN])
    joined(server, name, "W" * 24)


# Finding


def test_public_tables_are_listed_and_unlisted_ones_are_not(server: Running) -> None:
    public, _ = server.table("kor", [ANN, OPEN], public=True)
    unlisted, _ = server.table("kor", [ANN, OPEN])
    names = listed(server, limit=50)
    assert public in names
    assert unlisted not in names
    assert server.get(f"/tables/{unlisted}").status_code == 200


def test_the_list_is_by_game_and_by_status_and_the_newest_come_first(server: Running) -> None:
    older, _ = server.table("rollers", [ANN, OPEN], public=True)
    newer, tokens = server.table("rollers", [ANN, OPEN], public=True)
    other, _ = server.table("bj", [ANN, OPEN], public=True)
    assert listed(server, game="rollers")[:2] == [newer, older]
    assert other not in listed(server, game="rollers")
    server.post(f"/tables/{newer}/start", {"bots": "greedy"}, tokens[0])
    assert newer not in listed(server, game="rollers")
    assert newer in listed(server, game="rollers", status="playing")


def test_a_code_is_short_and_may_be_typed_with_dashes_and_in_capitals(server: Running) -> None:
    made = server.post("/tables", {"game": "pig", "seats": [ANN, OPEN]}).json()["table"]
    assert made["code"] == f"{made['name'][:4]}-{made['name'][4:]}"
    assert len(made["name"]) == 8
    for typed in (made["code"], made["code"].upper(), made["name"].upper(), made["code"].replace("-", " ")):
        assert server.get(f"/tables/{typed}").json()["name"] == made["name"]
    with server.client(made["code"].upper()) as client:
        assert client.welcome["table"] == made["name"]


@pytest.mark.parametrize("name", ["zzzzzzzz", "short", "k3x9-w7fm-k3x9", "0o1l0o1l", "%2e%2e%2fetc"])
def test_a_table_that_is_not_there_is_not_found(server: Running, name: str) -> None:
    answer = server.get(f"/tables/{name}")
    assert answer.status_code == 404
    assert "There is no" in sentence(answer.json())


def test_the_games_come_with_their_house_rules_and_the_bots(server: Running) -> None:
    found = server.get("/games").json()
    assert [game["name"] for game in found["games"]] == [game.name for game in all_games()]
    pig = next(game for game in found["games"] if game["name"] == "pig")
    assert (pig["min_players"], pig["max_players"]) == (2, 8)
    assert pig["options"][0]["name"] == "target"
    assert found["bots"] == list(bot_names())
    assert found["called"][0] == free_name([])
    assert server.get("/games/pig/rules").text.startswith("# Pig")


def test_pads_are_those_of_the_command_line(server: Running) -> None:
    for game in all_games():
        found = server.get(f"/games/{game.name}/pad.pdf")
        assert (found.status_code, found.headers["content-type"]) == (200, "application/pdf")
        assert found.content == draw_pad(game).pdf()
        assert found.headers["content-disposition"] == f'inline; filename="{game.name}-a4.pdf"'
        svg = server.get(f"/games/{game.name}/pad.svg", paper="letter")
        assert svg.headers["content-type"].startswith("image/svg+xml")
        assert svg.text == draw_pad(game, paper=PAPERS["letter"]).svg()
    assert server.get("/games/warthog/pad.pdf").status_code == 404
    assert server.get("/games/pig/pad.png").status_code == 422
    assert server.get("/games/pig/pad.pdf", paper="a5").status_code == 422


def test_pads_have_a_table_s_house_rules(server: Running) -> None:
    name, _ = server.table("kor", [person("Ann"), OPEN], options={"target": 3000, "bank_roll": True}, dice="manual")
    table, card = server.get(f"/tables/{name}").json(), load_game("kor")
    for _ in range(2):  # drawn, and kept
        found = server.get(f"/games/{table['game']}/pad.svg", options=table["options"])
        assert found.text == draw_pad(card, card.make_options({"target": 3000, "bank_roll": True})).svg()
        assert "The race: 3,000 points" in found.text
    assert "The race: 6,000 points" in server.get("/games/kor/pad.svg").text


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("target=7", "The option target takes a whole number from 25 to 100000 in steps of 25, not 7."),
        ("warthogs=2", "There is no option warthogs; expected bank_roll, final_round, scoring or target."),
        ("bank_roll", "The option bank_roll needs a value, as in bank_roll=…; it takes false or true."),
        ("<svg>", "“<svg>” is not an option; write it as name=value."),
    ],
)
def test_pads_by_rules_that_there_are_not_are_refused(server: Running, options: str, said: str) -> None:
    answer = server.get("/games/kor/pad.pdf", options=options)
    assert (answer.status_code, sentence(answer.json())) == (422, said)


def test_pads_by_endless_rules_are_refused(server: Running) -> None:
    answer = server.get("/games/kor/pad.pdf", options="target=3000," * 20)
    assert answer.status_code == 422
    assert "options" in sentence(answer.json())


def test_pads_that_were_asked_for_lately_are_kept() -> None:
    card, drawn = load_game("kor"), []

    async def counted(work: Any, *about: Any) -> Any:
        drawn.append(about)
        return work(*about)

    pads = ScorePads(counted)
    wanted = [PadWanted(card, card.make_options({"target": target}), "svg", "a4") for target in range(25, 1675, 25)]
    assert len(wanted) == KEPT + 2

    async def ask() -> None:
        for one in (*wanted[: KEPT - 1], wanted[0], *wanted[KEPT - 1 :]):
            await pads.file(one)
        assert len(drawn) == len(wanted)
        assert await pads.file(wanted[0]) == draw_pad(card, wanted[0].options).svg().encode()
        assert len(drawn) == len(wanted)
        await pads.file(wanted[1])
        assert len(drawn) == len(wanted) + 1

    asyncio.run(ask())


def test_a_game_says_its_colour_and_who_plays_it(server: Running) -> None:
    found = server.get("/games").json()
    for shown in found["games"]:
        accent = load_game(shown["name"]).accent
        assert shown["accent"] == {"light": accent.light, "dark": accent.dark}
        assert {"random", "greedy"} <= set(shown["bots"]) <= set(found["bots"])
        assert shown["coach"] is ("optimal" in shown["bots"])


# Joining, leaving, starting


def test_joining_gives_the_next_open_seat_or_the_one_asked_for(server: Running) -> None:
    name, _ = server.table("pig", [ANN, OPEN, OPEN])
    joined(server, name, "Cat", seat=3)
    joined(server, name, "Bob")
    table = server.get(f"/tables/{name}").json()
    assert [seat["name"] for seat in table["seats"]] == ["Ann", "Bob", "Cat"]
    full = server.post(f"/tables/{name}/join", {"name": "Dan"})
    assert full.status_code == 409
    assert sentence(full.json()) == "Every seat at this table is taken; you can watch."


def test_a_name_is_taken_once_at_a_table(server: Running) -> None:
    name, _ = server.table("pig", [ANN, OPEN])
    answer = server.post(f"/tables/{name}/join", {"name": "Ann"})
    assert answer.status_code == 422
    assert sentence(answer.json()) == "Somebody at this table is already called Ann; take another name."


def test_whoever_leaves_gives_up_seat_and_token(server: Running) -> None:
    name, _ = server.table("pig", [ANN, OPEN])
    token = joined(server, name, "Bob")
    assert server.post(f"/tables/{name}/leave", token=token).json()["seats"][1]["kind"] == "open"
    assert server.post(f"/tables/{name}/leave", token=token).status_code == 403
    joined(server, name, "Cat")


def test_the_last_one_to_leave_closes_the_table(server: Running) -> None:
    name, tokens = server.table("pig", [ANN, OPEN], public=True)
    assert server.post(f"/tables/{name}/leave", token=tokens[0]).json()["status"] == "closed"
    assert name not in listed(server, limit=50)
    assert server.post(f"/tables/{name}/join", {"name": "Bob"}).status_code == 409


def test_anybody_at_the_table_may_start_and_bots_fill_the_open_seats(server: Running) -> None:
    name, _ = server.table("pig", [ANN, OPEN, OPEN], options=QUICK)
    token = joined(server, name, "Bob")
    alone = server.post(f"/tables/{name}/start", token=token)
    assert alone.status_code == 409
    assert sentence(alone.json()).startswith("A seat is still open; wait until")
    table = server.post(f"/tables/{name}/start", {"bots": "greedy"}, token).json()
    assert table["status"] == "playing"
    assert [seat["kind"] for seat in table["seats"]] == ["person", "person", "bot"]
    assert server.post(f"/tables/{name}/start", token=token).status_code == 409


def test_bots_among_themselves_begin_at_once_and_play_to_the_end(server: Running) -> None:
    name, tokens = server.table("pig", [bot("greedy"), bot("random")], options=QUICK)
    assert tokens == []
    with server.client(name) as watching:
        finish(watching)
    assert server.get(f"/tables/{name}").json()["status"] == "over"
    assert read_record(server.get(f"/tables/{name}/record").text).check_dice()


def test_a_table_can_be_started_as_it_is_set_up(server: Running) -> None:
    name, _ = server.table("pig", [ANN, local("Lou")], start=True)
    assert server.get(f"/tables/{name}").json()["status"] == "playing"


def test_another_game_at_the_same_table_has_a_new_promise(server: Running) -> None:
    name, tokens = server.table("pig", [ANN, local("Lou")], options=QUICK, start=True)
    before = server.get(f"/tables/{name}").json()
    early = server.post(f"/tables/{name}/rematch", token=tokens[0])
    assert early.status_code == 409
    with server.client(name, *tokens) as client:
        finish(client)
        for token in tokens:
            server.post(f"/tables/{name}/rematch", token=token)
        again = server.post(f"/tables/{name}/start", token=tokens[0]).json()
        assert (again["round"], again["name"]) == (2, name)
        assert again["promise"] != before["promise"]
        while client.state["status"] != "playing":
            client.receive()
        assert client.state["promise"] == again["promise"]
        drawn = [client.strings[again["promise"], seat] for seat in (0, 1)]
        finish(client)
    first, second = (read_record(server.get(f"/tables/{name}/record", game=number).text) for number in (1, 2))
    assert first.check_dice()
    assert second.check_dice()
    assert first.dice.startswith(f"fair2 {name} {before['promise']} ")
    assert second.dice.startswith(f"fair2 {name}-2 {again['promise']} ")
    assert second.dice.endswith(f" 1:{drawn[0]} 2:{drawn[1]}")
    assert server.get(f"/tables/{name}/record").text == second.text
    assert server.get(f"/tables/{name}/record", game=3).status_code == 422


# Records


def test_there_is_no_record_before_the_game(server: Running) -> None:
    name, _ = server.table("pig", [ANN, OPEN])
    answer = server.get(f"/tables/{name}/record")
    assert answer.status_code == 409
    assert sentence(answer.json()) == "The game has not begun, so there is no record yet."


def test_a_record_is_a_file_to_keep(server: Running) -> None:
    name, tokens = server.table("pig", [ANN, bot()], options=QUICK, start=True)
    answer = server.get(f"/tables/{name}/record")
    assert answer.headers["content-disposition"] == f'attachment; filename="{name}.hotdice"'
    record = parse_record(answer.content)
    assert [(seat.name, seat.kind) for seat in record.seats] == [("Ann", "person"), ("Otto", "greedy")]
    assert record.dice.split()[3] == "hidden"
    with server.client(name, *tokens) as client:
        finish(client)
    assert read_record(server.get(f"/tables/{name}/record").content).check_dice()


def test_a_game_that_was_put_aside_goes_on_with_who_comes_for_it(server: Running) -> None:
    answer = server.post("/records", {"record": UNFINISHED, "mine": [1]})
    assert answer.status_code == 201
    made = answer.json()
    name = made["table"]["name"]
    assert [seat["kind"] for seat in made["table"]["seats"]] == ["local", "open", "bot"]
    assert [token["seat"] for token in made["tokens"]] == [1]
    token = joined(server, name, "Bob")
    server.post(f"/tables/{name}/start", token=token)
    with server.client(name, token) as bob:
        assert bob.state["view"]["position"] == "pig(target=15) 6/0/0 2 4 decide"
        assert bob.state["undo"] is None
        assert bob.ask("move", move="hold")["type"] == "accepted"
    lines = server.get(f"/tables/{name}/record").text.splitlines()
    assert lines[-4:] == [
        "2 rolls 4", "# continued here from a record of 3 rolls and moves", "2 hold", "result: unfinished",
    ]  # fmt: skip


def test_bots_that_were_put_aside_go_on_by_themselves(server: Running) -> None:
    record = UNFINISHED.replace("(person)", "(greedy)").replace("dice: manual", "dice: recorded")
    name = server.post("/records", {"record": record}).json()["table"]["name"]
    with server.client(name) as watching:
        assert watching.state["status"] != "waiting"
        finish(watching)


def test_a_finished_game_comes_in_to_be_looked_at(server: Running) -> None:
    made = server.post("/records", {"record": FINISHED, "public": True}).json()
    assert (made["table"]["status"], made["tokens"]) == ("over", [])
    name = made["table"]["name"]
    with server.client(name) as watching:
        assert watching.state["view"]["scores"] == [6, 0]
        assert watching.state["view"]["result"]["winners"] == [0]
    assert server.get(f"/tables/{name}/record").text == FINISHED


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("scores 6 0", "scores 9 0", "line 10, column 9"),
        ("dice: manual", "dice: seeded 1", "line 8, column 9"),
        ("1 hold", "2 hold", "line 9"),
        ("hotdice record 1", "hotdice record 2", "line 1"),
        ("result: winner 1; scores 6 0\n", "", "cut short"),
    ],
)
def test_a_false_record_is_refused_with_the_line(server: Running, old: str, new: str, why: str) -> None:
    answer = server.post("/records", {"record": FINISHED.replace(old, new)})
    assert answer.status_code == 422
    assert why in sentence(answer.json())


def test_a_false_roll_of_fair_dice_does_not_come_in(server: Running) -> None:
    name, _ = server.table("pig", [bot(), bot()], options=QUICK)
    with server.client(name) as watching:
        finish(watching)
    text = server.get(f"/tables/{name}/record").text
    assert server.post("/records", {"record": text}).status_code == 201
    secret = text.splitlines()[5].split()[4]
    other = text.replace(secret, f"{int(secret[0], 16) ^ 1:x}{secret[1:]}")
    answer = server.post("/records", {"record": other})
    assert answer.status_code == 422
    assert "not the one that was promised" in sentence(answer.json())


def test_a_bots_seat_in_a_record_cannot_be_taken(server: Running) -> None:
    answer = server.post("/records", {"record": UNFINISHED, "mine": [3]})
    assert answer.status_code == 422
    assert sentence(answer.json()) == "Seat 3 of this record is not a person's, so you cannot take it."


def test_what_the_server_rolled_goes_into_another_table_while_its_secret_is_hidden(server: Running) -> None:
    name, tokens = server.table("pig", [ANN, local("Lou")], start=True)
    with server.client(name, *tokens) as client:
        client.play()
    unfinished = server.get(f"/tables/{name}/record").text
    made = server.post("/records", {"record": unfinished, "mine": [1, 2]}).json()
    started = server.post(f"/tables/{made['table']['name']}/start", token=made["tokens"][0]["token"])
    assert started.json()["status"] == "playing"
    there = parse_record(server.get(f"/tables/{made['table']['name']}/record").text)
    assert there.events == parse_record(unfinished).events


def test_a_wish_to_join_can_be_repeated(server: Running) -> None:
    """When no answer came, the same wish gives the same seat, here and nowhere else."""
    wish = {"name": "Bob", "id": "3f1c9a7e-52d0-4b1e-9d57"}
    name, _ = server.table("pig", [person("Ann"), OPEN, OPEN])
    first = server.post(f"/tables/{name}/join", wish).json()
    again = server.post(f"/tables/{name}/join", wish).json()
    assert first["tokens"] == again["tokens"]
    assert first["tokens"][0]["seat"] == 2
    assert [seat["kind"] for seat in again["table"]["seats"]] == ["person", "person", "open"]
    other, _ = server.table("pig", [person("Ann"), OPEN])
    assert server.post(f"/tables/{other}/join", wish).json()["tokens"][0]["token"] != first["tokens"][0]["token"]
    assert server.post(f"/tables/{name}/join", {"name": "Eve", "id": "short"}).status_code == 422
