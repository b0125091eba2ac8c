"""Another game at a table: who is asked, who is in, who is left out, and what stays of the games before."""

from __future__ import annotations

import random

import msgspec
import pytest

from hotdice.server import entries
from hotdice.server.entries import LOCAL, OPEN, PERSON, SeatPlan
from hotdice.server.match import commands
from hotdice.server.match.fold import Match, Status
from hotdice.server.match.played import SeriesScore
from hotdice.server.match.seats import Invitation
from hotdice.server.refusals import Illegal, Invalid, NoSeat, NotYourTurn
from tests.server.playing import SHORT, finish, joined, step
from tests.server.running import OPEN as OPEN_SEAT
from tests.server.running import Running, bot, person
from tests.server.running import begun as wait_for_start
from tests.server.test_match import ANN, ANN_AND_A_BOT, ANN_AND_AN_OPEN_SEAT, BOB, Kept, begin_again, begun, join, play

CAT = 2
ANN_BOB_AND_CAT = (SeatPlan(PERSON, "Ann"), SeatPlan(OPEN), SeatPlan(OPEN))


def over(*plans: SeatPlan) -> Kept:
    """A game that has just been played to its end."""
    match = begun(*plans)
    play(match, random.Random(4))
    return match


def accept(match: Kept, *seats: int) -> None:
    for seat in seats:
        match.keep(commands.accept(match, seat))


# Who is in


def test_an_invitation_leaves_everybody_at_the_result() -> None:
    match = over(*ANN_AND_AN_OPEN_SEAT)
    state = match.table
    accept(match, ANN)
    assert match.invitation
    assert (match.status, match.round, match.table) == (Status.OVER, 1, state)
    assert (match.invitation.by, list(match.invitation.strings)) == (ANN, [ANN])
    last = [msgspec.json.decode(entry, type=entries.ShownEntry).told for entry in match.history[-2:]]
    assert last == ["Ann wants to play again.", "Ann is in the next game."]
    assert match.again_from_log().invitation == match.invitation


def test_asking_twice_and_agreeing_twice_changes_nothing() -> None:
    match = over(*ANN_AND_AN_OPEN_SEAT)
    accept(match, ANN)
    assert commands.accept(match, ANN) == []
    accept(match, BOB)
    assert match.invitation
    assert list(match.invitation.strings) == [ANN, BOB]


def test_the_token_of_a_newcomer_is_nobodys_to_see() -> None:
    match = over(*ANN_AND_AN_OPEN_SEAT)
    accept(match, ANN)
    join(match, "Cat")
    assert match.invitation
    shown = b"".join(bytes(entry) for entry in match.history[-3:]).decode()
    assert match.invitation.newcomers[0].token not in shown


def test_it_does_not_begin_for_somebody_who_has_not_said_so() -> None:
    match = over(*ANN_BOB_AND_CAT)
    accept(match, ANN, CAT)
    match.keep(begin_again(match, ANN, {ANN, BOB, CAT}))
    assert (match.status, match.names) == (Status.PLAYING, ("Ann", "Cat"))
    assert match.seat_of("Cat's") == 1
    assert [share.seat for share in match.shares] == [0, 1]
    with pytest.raises(NoSeat):
        match.seat_of("Bob's")
    play(match, random.Random(1))
    assert match.record().check_dice()
    assert match.again_from_log().record() == match.record()


def test_it_does_not_begin_for_somebody_who_is_away() -> None:
    match = over(*ANN_BOB_AND_CAT)
    accept(match, ANN, BOB, CAT)
    with pytest.raises(Illegal, match="Cat is in, but away; wait, or start without them"):
        begin_again(match, ANN, {ANN, BOB})
    match.keep(begin_again(match, ANN, {ANN, BOB}, without_absent=True))
    assert match.names == ("Ann", "Bob")


def test_people_at_one_device_are_there_together() -> None:
    match = over(SeatPlan(PERSON, "Ann"), SeatPlan(LOCAL, "Lou"))
    accept(match, 0, 1)
    match.keep(begin_again(match, 1, set()))
    assert match.status is Status.PLAYING


def test_it_needs_the_fewest_players_or_a_bot() -> None:
    match = over(*ANN_AND_AN_OPEN_SEAT)
    accept(match, ANN)
    with pytest.raises(Illegal, match="The next game needs 1 more player; wait, or name a bot's level"):
        begin_again(match, ANN, {ANN, BOB})
    match.keep(begin_again(match, ANN, {ANN, BOB}, "greedy"))
    assert [seat.kind for seat in match.seats] == ["person", "bot"]


def test_those_who_are_in_start_it() -> None:
    match = over(*ANN_BOB_AND_CAT)
    with pytest.raises(Illegal, match="ask for another one first"):
        begin_again(match, ANN, {ANN})
    accept(match, ANN, BOB)
    with pytest.raises(NotYourTurn, match="Those who are in the next game start it"):
        begin_again(match, CAT, {ANN, BOB, CAT})
    match.keep(begin_again(match, BOB, {ANN, BOB}))
    assert match.round == 2


def test_one_can_change_ones_mind() -> None:
    match = over(*ANN_AND_AN_OPEN_SEAT)
    with pytest.raises(Illegal, match="Nobody has asked for another game"):
        commands.decline(match, BOB)
    accept(match, ANN)
    match.keep(commands.decline(match, BOB))
    assert commands.decline(match, BOB) == []
    accept(match, BOB)
    assert invitation(match).declined == set()
    match.keep(commands.decline(match, ANN))
    match.keep(commands.decline(match, BOB))
    assert match.invitation is None
    accept(match, BOB)
    assert invitation(match).by == BOB


def invitation(match: Match) -> Invitation:
    assert match.invitation
    return match.invitation


def test_against_bots_it_takes_one_yes() -> None:
    match = over(*ANN_AND_A_BOT)
    accept(match, ANN)
    match.keep(begin_again(match, ANN, set()))
    assert (match.status, match.names) == (Status.PLAYING, ("Ann", "Robot"))


# Those who watched


def test_whoever_watched_sits_down_to_the_next_game() -> None:
    match = over(*ANN_AND_AN_OPEN_SEAT)
    with pytest.raises(Illegal, match="This game has begun"):
        join(match, "Cat")
    accept(match, ANN, BOB)
    join(match, "Cat")
    assert match.seat_of("Cat's") == CAT
    assert len(match.seats) == 2
    with pytest.raises(Invalid, match="Somebody at this table is already called Cat"):
        commands.join(match, "Cat", "another's")
    match.keep(begin_again(match, CAT, {ANN, BOB, CAT}))
    assert match.names == ("Ann", "Bob", "Cat")
    assert [share.seat for share in match.shares] == [0, 1, 2]
    assert match.again_from_log().names == match.names


def test_a_newcomer_can_go_again() -> None:
    match = over(*ANN_AND_AN_OPEN_SEAT)
    accept(match, ANN, BOB)
    join(match, "Cat")
    match.keep(commands.leave(match, CAT))
    with pytest.raises(NoSeat):
        match.seat_of("Cat's")
    join(match, "Dan")
    match.keep(begin_again(match, ANN, {ANN, BOB, 3}))
    assert match.names == ("Ann", "Bob", "Dan")


def test_a_newcomer_finds_room_once_somebody_declines() -> None:
    match = over(SeatPlan(PERSON, "Ann"), *[SeatPlan(LOCAL, f"Guest {number}") for number in range(7)])
    accept(match, ANN)
    with pytest.raises(Illegal, match="Every seat of the next game is taken"):
        join(match, "Bob")
    match.keep(commands.decline(match, 7))
    join(match, "Bob")
    with pytest.raises(Illegal, match="Others have taken every seat of the next game"):
        commands.accept(match, 7)


# What stays


def test_every_game_stays_with_its_people_scores_and_entries() -> None:
    match = over(*ANN_BOB_AND_CAT)
    first = match.record()
    accept(match, ANN, CAT)
    match.keep(begin_again(match, ANN, {ANN, CAT}))
    with pytest.raises(Illegal, match="This game is not over yet"):
        match.played(2)
    play(match, random.Random(2))
    one, two = match.games
    assert (one.number, one.record, [seat.name for seat in one.seats]) == (1, first, ["Ann", "Bob", "Cat"])
    assert [seat.name for seat in two.seats] == ["Ann", "Cat"]
    assert one.entries.stop == two.entries.start
    assert two.entries.stop == match.number
    assert one.state().result
    assert match.table
    assert two.state() == match.table.state
    assert [game.standings for game in match.again_from_log().games] == [one.standings, two.standings]


def test_the_series_counts_wins_by_name() -> None:
    match = over(*ANN_AND_AN_OPEN_SEAT)
    for seed in range(5, 9):
        accept(match, ANN, BOB)
        match.keep(begin_again(match, ANN, {ANN, BOB}))
        play(match, random.Random(seed))
    winners = [game.seats[game.winners[0]].name for game in match.games]
    assert set(match.series) == {SeriesScore(name, winners.count(name)) for name in ("Ann", "Bob")}
    assert match.series[0].wins >= match.series[1].wins
    assert sum(score.wins for score in match.series) == len(match.games) == 5


# Over the network


def test_a_rematch_asks_and_whoever_watches_comes_in(server: Running) -> None:
    name, tokens = server.table("pig", [person("Ann"), OPEN_SEAT], options=SHORT["pig"])
    tokens.append(joined(server, name, "Bob"))
    assert server.post(f"/tables/{name}/start", token=tokens[0]).is_success
    with server.client(name, tokens[0]) as ann, server.client(name, tokens[1]) as bob, server.client(name) as watching:
        while ann.state["status"] == "playing":
            step(ann, bob)
        assert server.post(f"/tables/{name}/rematch", token=tokens[1]).json()["status"] == "over"
        third = joined(server, name, "Cat")
        for client in (ann, bob, watching):
            while client.state["invitation"] is None or client.state["invitation"]["accepted"] != [1, 2]:
                client.receive()
            assert client.state["status"] == "over"
        with server.client(name, third) as cat:
            assert cat.seats == [2]
            started = server.post(f"/tables/{name}/start", token=third)
            assert started.is_success, started.text
            assert [seat["name"] for seat in started.json()["seats"]] == ["Bob", "Cat"]
            # Everybody is told which seats they have now.
            assert cat.until("welcome")["seats"] == [1]
            assert ann.until("welcome")["seats"] == []
            assert bob.until("welcome")["seats"] == [0]
            while watching.state["round"] == 1:
                watching.receive()
            wait_for_start(bob, cat, watching)
            assert watching.state["round"] == 2


def test_a_game_that_is_over_has_an_address_of_its_own(server: Running) -> None:
    name, tokens = server.table("pig", [person("Ann"), bot()], options=SHORT["pig"], start=True)
    assert server.get(f"/tables/{name}/games/1").status_code == 409
    with server.client(name, *tokens) as client:
        finish(client)
        live = client.state
        assert server.post(f"/tables/{name}/rematch", token=tokens[0]).is_success
        assert server.post(f"/tables/{name}/start", token=tokens[0]).is_success
    past = server.get(f"/tables/{name}/games/1").json()
    assert (past["type"], past["seats"]) == ("welcome", [])
    assert (past["state"]["status"], past["state"]["round"]) == ("over", 1)
    assert past["state"]["view"] == live["view"]
    assert past["state"]["promise"] == live["promise"]
    assert past["events"][-1]["entry"]["kind"] == "ended"
    (game,) = server.get(f"/tables/{name}").json()["games"]
    assert game["number"] == 1
    assert [seat["score"] for seat in game["seats"]] == live["view"]["scores"]
    assert sorted(seat["place"] for seat in game["seats"]) == [1, 2]
    assert server.get(f"/tables/{name}/games/3").status_code == 422
    assert (
        'filename="' + name + '.hotdice"' in server.get(f"/tables/{name}/record", game=1).headers["Content-Disposition"]
    )


def test_tables_are_asked_for_by_name(server: Running) -> None:
    names = [server.table("pig", [person("Ann"), bot()])[0] for _ in range(2)]
    found = server.get("/tables", name=[*names, "zzzzzzzz", "no name"]).json()["tables"]
    assert [table["name"] for table in found] == names
    assert server.get("/tables", name=["zzzzzzzz"] * 51).status_code == 422
