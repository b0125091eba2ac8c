"""Who plays: what becomes of those who are away or leave, and of seats that move to another device."""

from __future__ import annotations

import random
import time

import msgspec
import pytest

from hotdice import Game, all_games
from hotdice.game import CHANCE
from hotdice.record import read_record
from hotdice.server import entries
from hotdice.server.entries import LOCAL, OPEN, PERSON, SeatPlan
from hotdice.server.match import commands, company
from hotdice.server.match.company import END, OUT
from hotdice.server.match.fold import MANUAL, OFFER_SECONDS, Status
from hotdice.server.match.seats import Attendance
from hotdice.server.refusals import Illegal, Invalid, NoSeat, Stale
from hotdice.server.rooms.presence import PATIENCE_SECONDS, SILENT_SECONDS
from hotdice.server.rooms.presence import Presence as Here
from hotdice.server.tokens import token_hash
from tests.server.playing import quick
from tests.server.test_match import Kept, begun, deal, play, start, table

ANN, BOB, CAT = 0, 1, 2
THREE = (SeatPlan(PERSON, "Ann"), SeatPlan(OPEN), SeatPlan(OPEN))
TWO = (SeatPlan(PERSON, "Ann"), SeatPlan(OPEN))
LONG = "pig(target=10000)"
ALL = Attendance(frozenset({ANN, BOB, CAT}))
STILL = Attendance(ALL.here, still=True)
"""They all are here, and have done nothing for long."""
NO_CAT = Attendance(frozenset({ANN, BOB}), frozenset({CAT}))
"""Cat has been away for long."""


def told(match: Kept) -> str:
    return msgspec.json.decode(match.history[-1], type=entries.ShownEntry).told


def same_from_log(match: Kept) -> None:
    again = match.again_from_log()
    assert again.history == match.history
    assert again.seats == match.seats
    assert (again.host, again.position, again.answered) == (match.host, match.position, match.answered)
    assert again.games == match.games


# Those who are away


def test_anybody_may_let_a_bot_play_for_somebody_who_is_away_until_they_are_back() -> None:
    match = begun(*THREE, game=LONG)
    match.keep(company.substitute(match, BOB, CAT, "greedy", NO_CAT, "id"))
    assert match.seats[CAT].acting_bot == "greedy"
    assert told(match) == "Cat is away; the bot “greedy” plays for them, as Bob decided."
    assert match.answered[match.seats[BOB].token, "id"] == match.number
    match.keep(commands.come_back(match, CAT))
    assert match.seats[CAT].acting_bot == ""
    same_from_log(match)


def test_nobody_is_played_for_who_is_here_or_has_only_just_gone() -> None:
    match = begun(*THREE, game=LONG)
    for attendance in (ALL, Attendance(frozenset({ANN, BOB}))):
        with pytest.raises(Illegal, match="Cat is here, or was a moment ago"):
            company.substitute(match, ANN, CAT, "greedy", attendance)
        with pytest.raises(Illegal, match="Cat is here, or was a moment ago"):
            company.propose(match, ANN, OUT, CAT, attendance)
    with pytest.raises(Invalid, match="no seat of somebody"):
        company.substitute(match, ANN, 7, "greedy", NO_CAT)
    with pytest.raises(Invalid, match="There is no bot “nobody”"):
        company.substitute(match, ANN, CAT, "nobody", NO_CAT)
    bots = begun(SeatPlan(PERSON, "Ann"), SeatPlan("bot", "Robot", "greedy"))
    with pytest.raises(Invalid, match="no seat of somebody"):
        company.substitute(bots, ANN, 1, "greedy", Attendance(frozenset({ANN}), frozenset({1})))


def test_falling_out_needs_the_word_of_everybody_who_is_here() -> None:
    match = begun(*THREE, game=LONG)
    match.keep(company.propose(match, ANN, OUT, CAT, NO_CAT, "id"))
    assert told(match) == "Ann would like to go on without Cat."
    assert company.undecided(match, NO_CAT) == (BOB,)
    assert match.status is Status.PLAYING
    assert match.proposal
    with pytest.raises(Illegal, match="Something else is being decided"):
        company.propose(match, BOB, END, -1, NO_CAT)
    with pytest.raises(Stale):
        company.vote(match, BOB, match.proposal.number - 1, True, NO_CAT)
    match.keep(company.vote(match, BOB, match.proposal.number, False, NO_CAT))
    assert told(match) == "Bob would rather wait for Cat."
    assert company.undecided(match, NO_CAT) == ()
    match.keep(company.propose(match, ANN, OUT, CAT, NO_CAT))
    match.keep(company.vote(match, BOB, match.number, True, NO_CAT))
    assert match.names == ("Ann", "Bob")
    same_from_log(match)


def in_the_middle(game: Game, chooser: random.Random) -> Kept:
    """A game of three that has gone on for a while, and is not over by chance."""
    while True:
        match = begun(*THREE, game=game.text(game.make_options(quick(game))))
        for _ in range(8):
            if match.actor is not None and match.table:
                state = match.table.state
                if state.seat == CHANCE:
                    match.keep(commands.roll(match, match.actor))
                else:
                    match.keep(commands.move(match, match.actor, chooser.choice(state.legal_moves()).text))
        if match.actor is not None:
            return match


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
@pytest.mark.parametrize("gone", [ANN, BOB, CAT])
def test_a_game_goes_on_where_it_stood_without_a_player(game: Game, gone: int) -> None:
    chooser = random.Random(gone)
    match = in_the_middle(game, chooser)
    assert match.table
    before = match.table.state
    names = [name for seat, name in enumerate(match.names) if seat != gone]
    here = frozenset({ANN, BOB, CAT} - {gone})
    attendance = Attendance(here, frozenset({gone}))
    asker, other = sorted(here)
    match.keep(company.propose(match, asker, OUT, gone, attendance))
    assert match.proposal
    match.keep(company.vote(match, other, match.proposal.number, True, attendance))
    assert (match.status, match.round, match.actor) == (Status.WAITING, 2, None)
    assert match.position == before.without(gone)
    assert list(match.names) == names
    assert match.record(1).result == "unfinished"
    assert read_record(match.record(1).text).check_dice()
    match.keep(start(match, here=(0, 1)))
    match.keep(deal(match, (0, 1)))
    assert match.table
    assert match.table.state == before.without(gone)
    play(match, chooser)
    assert match.status is Status.OVER
    record = match.record()
    assert read_record(record.text) == record
    assert record.check_dice()
    same_from_log(match)


def test_those_behind_move_up_with_their_tokens_and_answers_and_the_host_stays_host() -> None:
    match = begun(*THREE, game=LONG)
    match.keep(company.propose(match, CAT, OUT, ANN, Attendance(frozenset({BOB, CAT}), frozenset({ANN})), "x"))
    assert match.proposal
    match.keep(
        company.vote(match, BOB, match.proposal.number, True, Attendance(frozenset({BOB, CAT}), frozenset({ANN})))
    )
    assert match.seat_of("Bob's") == 0
    assert match.seat_of("Cat's") == 1
    with pytest.raises(NoSeat):
        match.seat_of("Ann's")
    assert (match.seats[1].token, "x") in match.answered
    assert match.host == -1


def test_a_game_for_two_goes_on_with_a_bot_or_ends_but_not_without_somebody() -> None:
    match = begun(*TWO, game="kor")
    gone = Attendance(frozenset({ANN}), frozenset({BOB}))
    with pytest.raises(Illegal, match="takes at least 2 players"):
        company.propose(match, ANN, OUT, BOB, gone)
    match.keep(company.propose(match, ANN, END, -1, gone))
    assert (match.status, match.why) == (Status.CLOSED, "it was ended.")


def test_whoever_is_back_stays_in_the_game() -> None:
    match = begun(*THREE, game=LONG)
    match.keep(company.propose(match, ANN, OUT, CAT, NO_CAT))
    match.keep(commands.come_back(match, CAT))
    assert told(match) == "Cat is back."
    assert match.proposal is None
    assert commands.come_back(match, CAT) == []
    same_from_log(match)


def test_a_game_with_real_dice_goes_on_without_a_player() -> None:
    match = begun(*THREE, game=LONG, dice=MANUAL)
    match.keep(company.propose(match, ANN, OUT, CAT, Attendance(frozenset({ANN}), frozenset({BOB, CAT}))))
    match.keep(start(match))
    match.keep(commands.roll(match, ANN, "4"))
    same_from_log(match)


# Ending it for everybody


def test_ending_a_game_needs_everybodys_word() -> None:
    match = begun(*THREE, game=LONG)
    match.keep(company.propose(match, BOB, END, -1, ALL))
    assert company.undecided(match, ALL) == (ANN, CAT)
    assert match.proposal
    match.keep(company.vote(match, CAT, match.proposal.number, True, ALL))
    assert match.status is Status.PLAYING
    match.keep(company.vote(match, ANN, match.proposal.number, True, ALL))
    assert (match.status, match.why) == (Status.CLOSED, "everybody agreed to end it.")
    same_from_log(match)


def test_those_who_have_been_away_for_long_do_not_keep_a_game_from_ending() -> None:
    match = begun(*THREE, game=LONG)
    only_just = Attendance(frozenset({ANN, BOB}))
    match.keep(company.propose(match, ANN, END, -1, only_just))
    assert match.proposal
    match.keep(company.vote(match, BOB, match.proposal.number, True, only_just))
    assert match.actor == ANN
    assert company.settle(match, Attendance(frozenset(), frozenset({ANN, BOB, CAT}))) == []
    match.keep(company.settle(match, NO_CAT))
    assert match.status is Status.CLOSED


def test_whoever_is_here_and_neither_plays_nor_answers_does_not_keep_a_game_from_ending() -> None:
    """Or the secret of its dice would not be revealed as long as they stay."""
    match = begun(*THREE, game=LONG)
    assert match.actor == ANN
    match.keep(company.propose(match, ANN, END, -1, ALL))
    assert match.proposal
    assert company.settle(match, STILL) == []  # Ann is to act herself
    match.keep(commands.roll(match, ANN))
    if match.actor == ANN:
        match.keep(commands.move(match, ANN, "hold"))
    assert match.actor == BOB
    assert company.settle(match, ALL) == []
    assert company.undecided(match, ALL) == (BOB, CAT)
    match.keep(company.settle(match, STILL))
    assert match.status is Status.CLOSED
    same_from_log(match)


def test_what_has_to_last_is_measured_by_a_clock_that_does_not_jump(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    match = begun(*THREE, game=LONG)
    here = Here.of_all(match.seats)
    match.keep(company.propose(match, BOB, END, -1, here.attendance(match)))
    assert here.wait(match) == SILENT_SECONDS  # Ann is to act
    clock[0] += SILENT_SECONDS - 1
    assert not here.attendance(match).still
    clock[0] += 1
    assert here.attendance(match).still
    match.keep(commands.roll(match, ANN))  # she does
    assert not here.attendance(match).still

    here.here = frozenset({ANN, BOB})
    here._note_away((CAT,), now=match.now)
    match.now += 365 * 24 * 3600 * 1000
    assert here.wait(match) == PATIENCE_SECONDS
    assert not here.attendance(match).missed
    clock[0] += PATIENCE_SECONDS
    assert here.attendance(match) == Attendance(frozenset({ANN, BOB}), frozenset({CAT}))


def test_one_word_is_enough_for_all_at_one_device() -> None:
    match = begun(SeatPlan(PERSON, "Ann"), SeatPlan(LOCAL, "Lou"), SeatPlan(OPEN), game=LONG)
    match.keep(company.propose(match, 1, END, -1, ALL))
    assert company.undecided(match, ALL) == (2,)


def test_the_rules_of_a_proposal_are_kept() -> None:
    match = begun(*THREE, game=LONG)
    with pytest.raises(Invalid, match="leave the seat out"):
        company.propose(match, ANN, END, CAT, ALL)
    match.keep(company.propose(match, ANN, END, -1, ALL))
    assert match.proposal
    match.keep(company.vote(match, ANN, match.proposal.number, False, ALL))
    assert told(match) == "Ann takes that back."
    with pytest.raises(Stale):
        company.vote(match, BOB, 1, True, ALL)
    with pytest.raises(Illegal, match="has not begun"):
        company.propose(table(*THREE), ANN, END, -1, ALL)


# Leaving


def test_a_game_of_three_waits_for_what_those_who_stay_decide() -> None:
    match = begun(*THREE, game=LONG)
    match.keep(commands.leave(match, CAT))
    assert match.status is Status.PLAYING
    assert (match.seats[CAT].gone, match.seats[CAT].acting_bot) == (True, "")
    with pytest.raises(NoSeat):
        match.seat_of("Cat's")
    match.keep(company.substitute(match, ANN, CAT, "greedy", Attendance(frozenset({ANN, BOB}))))
    assert told(match) == "Cat has left; the bot “greedy” plays for them, as Ann decided."
    match.keep(company.propose(match, ANN, OUT, CAT, Attendance(frozenset({ANN, BOB}))))
    assert match.proposal
    match.keep(company.vote(match, BOB, match.proposal.number, True, Attendance(frozenset({ANN, BOB}))))
    assert match.names == ("Ann", "Bob")
    same_from_log(match)


def test_what_a_leaver_proposed_is_off() -> None:
    match = begun(*THREE, game=LONG)
    match.keep(company.propose(match, CAT, END, -1, ALL))
    match.keep(commands.leave(match, CAT))
    assert match.proposal is None


def test_whoever_leaves_while_the_game_is_about_to_go_on_has_left_it() -> None:
    match = begun(*THREE, SeatPlan(OPEN), game=LONG)
    alone = Attendance(frozenset({ANN}), frozenset({BOB, CAT, 3}))
    match.keep(company.propose(match, ANN, OUT, CAT, alone))
    match.keep(commands.leave(match, BOB))
    assert match.open_seats() == []
    match.keep(start(match))
    assert match.seats[BOB].gone
    same_from_log(match)


# Seats that move


def test_a_seat_moves_by_a_one_time_code_and_the_old_token_ends() -> None:
    match = begun(*THREE, game=LONG)
    match.keep(company.offer(match, BOB, (BOB,), "abcdef"))
    assert told(match) == "Bob is moving to another device."
    with pytest.raises(NoSeat, match="opens no seat here"):
        company.take(match, "abcdeg", ["new"])
    match.keep(company.take(match, "abcdef", ["new", "unused"]))
    assert told(match) == "Bob plays at another device now."
    assert match.seat_of("new") == BOB
    with pytest.raises(NoSeat):
        match.seat_of("Bob's")
    assert company.take(match, "abcdef", ["new", "unused"]) == []  # no answer came, and it is asked again
    with pytest.raises(NoSeat, match="opens no seat here"):
        company.take(match, "abcdef", ["another"])
    same_from_log(match)


def test_a_code_is_good_for_some_minutes() -> None:
    match = begun(*THREE, game=LONG)
    match.keep(company.offer(match, BOB, (BOB,), "abcdef"))
    match.now += 1000 * OFFER_SECONDS
    with pytest.raises(NoSeat, match="older than ten minutes"):
        company.take(match, "abcdef", ["new"])


def test_all_seats_of_a_device_may_move_or_one_and_then_it_has_a_say_of_its_own() -> None:
    plans = (SeatPlan(PERSON, "Ann"), SeatPlan(LOCAL, "Lou"), SeatPlan(OPEN))
    match = begun(*plans, game=LONG)
    match.keep(company.offer(match, ANN, (0, 1), "abcdef"))
    match.keep(company.take(match, "abcdef", ["one", "two", "three"]))
    assert (match.seat_of("one"), match.seat_of("two")) == (0, 1)
    assert match.seats[0].device == match.seats[1].device
    match.keep(company.offer(match, ANN, (1,), "ghjkmn"))
    match.keep(company.take(match, "ghjkmn", ["lou"]))
    assert told(match) == "Lou plays at another device now."
    match.keep(company.propose(match, ANN, END, -1, ALL))
    assert company.undecided(match, ALL) == (1, 2)
    with pytest.raises(NoSeat, match="played on this device"):
        company.offer(match, ANN, (0, 2), "pqrstu")
    with pytest.raises(NoSeat, match="played on this device"):
        company.offer(match, ANN, (9,), "pqrstu")
    same_from_log(match)


def test_the_host_lets_somebody_have_their_seat_again_on_a_new_device() -> None:
    match = begun(*THREE, game=LONG)
    match.keep(company.ask_for_seat(match, CAT, "new", NO_CAT))
    assert told(match) == "Somebody at another device says that they are Cat."
    assert company.ask_for_seat(match, CAT, "new", NO_CAT) == []
    assert company.undecided(match, NO_CAT) == (ANN,)
    assert match.proposal
    match.keep(company.vote(match, ANN, match.proposal.number, True, NO_CAT))
    assert match.seat_of("new") == CAT
    with pytest.raises(NoSeat):
        match.seat_of("Cat's")
    same_from_log(match)


def test_where_the_host_is_away_all_others_agree() -> None:
    match = begun(*THREE, game=LONG)
    no_ann = Attendance(frozenset({BOB, CAT}))
    match.keep(company.ask_for_seat(match, ANN, "new", no_ann))
    assert company.undecided(match, no_ann) == (BOB, CAT)
    assert match.proposal
    number = match.proposal.number
    match.keep(company.vote(match, BOB, number, True, no_ann))
    match.keep(company.vote(match, CAT, number, False, no_ann))
    assert told(match) == "Cat does not agree; the seat stays as it is."
    with pytest.raises(NoSeat):
        match.seat_of("new")


def test_a_seat_cannot_be_asked_for_that_is_played_or_that_nobody_could_give() -> None:
    match = begun(*THREE, game=LONG)
    with pytest.raises(Illegal, match="Cat is here already"):
        company.ask_for_seat(match, CAT, "new", ALL)
    with pytest.raises(Illegal, match="Nobody is at the table"):
        company.ask_for_seat(match, CAT, "new", Attendance())
    with pytest.raises(Illegal, match="Seat 9 is nobody's"):
        company.ask_for_seat(match, 8, "new", NO_CAT)
    match.keep(company.propose(match, ANN, END, -1, NO_CAT))
    with pytest.raises(Illegal, match="Something else is being decided"):
        company.ask_for_seat(match, CAT, "new", NO_CAT)
    match.keep(commands.close(match, "nobody came back."))
    with pytest.raises(Illegal, match="This table is closed"):
        company.ask_for_seat(match, CAT, "new", NO_CAT)
    with pytest.raises(Illegal, match="This table is closed"):
        company.offer(match, ANN, (ANN,), "abcdef")


def test_a_leaver_may_come_back_on_any_device_if_the_host_agrees() -> None:
    match = begun(*THREE, game=LONG)
    match.keep(commands.leave(match, CAT))
    here = Attendance(frozenset({ANN, BOB}))
    match.keep(company.ask_for_seat(match, CAT, "new", here))
    assert match.proposal
    match.keep(company.vote(match, ANN, match.proposal.number, True, here))
    assert not match.seats[CAT].gone


def test_no_token_and_no_code_is_shown_to_anybody() -> None:
    match = begun(*THREE, game=LONG)
    match.keep(company.offer(match, BOB, (BOB,), "abcdef"))
    match.keep(company.take(match, "abcdef", ["new"]))
    match.keep(company.ask_for_seat(match, CAT, "newer", NO_CAT))
    match.keep(company.propose(match, ANN, OUT, CAT, Attendance(frozenset({ANN}), frozenset({BOB, CAT}))))
    shown = b" ".join(bytes(entry) for entry in match.history)
    hidden = [token_hash(text) for text in ("Bob's", "Cat's", "abcdef", "new", "newer")]
    kept = b" ".join(body for body, _ in match.log)
    assert all(value.encode() in kept and value.encode() not in shown for value in hidden)
