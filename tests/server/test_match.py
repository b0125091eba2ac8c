"""A match by itself: what a log makes of a table, what may be done at it, and what is refused."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Collection, Sequence

import msgspec
import pytest

from hotdice import Game, all_games
from hotdice.errors import HotdiceError
from hotdice.fair import fair_number, seal
from hotdice.game import CHANCE
from hotdice.record import Comment, read_record
from hotdice.server import entries
from hotdice.server.entries import BOT, LOCAL, OPEN, PERSON, AnyEntry, Clock, Created, SeatPlan
from hotdice.server.match import commands, company, dealing
from hotdice.server.match.dealing import Dealer
from hotdice.server.match.fold import FAIR, HARD, MANUAL, OFFER_SECONDS, SAME, Match, Status, fold
from hotdice.server.match.seats import Attendance
from hotdice.server.match.setup import imported
from hotdice.server.refusals import Illegal, Invalid, NoSeat, NotYourTurn
from hotdice.server.tokens import new_key, new_secret, token_hash
from tests.server.playing import quick

NAME = "k3x9w7fm"
ANN, BOB, ROBOT = 0, 1, 1


class Kept(Match):
    """A match that keeps its log beside it, as a store would."""

    def __init__(self) -> None:
        super().__init__(NAME)
        self.log: list[tuple[bytes, int]] = []
        self.entries: list[AnyEntry] = []

    def keep(self, added: Sequence[AnyEntry]) -> list[AnyEntry]:
        self.log += [(entries.encode(entry), self.now) for entry in added]
        self.entries += added
        self.now += 1000
        return list(added)

    def again_from_log(self) -> Match:
        return fold(NAME, [(entries.decode(body), at) for body, at in self.log])

    def first_secret(self) -> str:
        """The secret of the first game's dice."""
        return next(entry.secret for entry in self.entries if isinstance(entry, entries.Promised))


def created(setup: Created) -> Kept:
    """A table that has just been set up, with nobody at it."""
    match = Kept()
    match.keep(commands.create(match, setup, new_key()))
    return match


def table(
    *plans: SeatPlan, game: str = "pig(target=15)", dice: str = FAIR, clock: Clock | None = None, stand_in: str = ""
) -> Kept:
    """A table that has just been set up, its people seated; `Ann`'s token is `Ann's`."""
    match = created(Created(game, plans, False, dice, clock or Clock(), stand_in, origin="192.0.2.1"))
    for seat, plan in enumerate(plans):
        if plan.kind in (PERSON, LOCAL):
            match.keep(commands.claim(match, seat, plan.name, f"{plan.name}'s", (seat,)))
    return match


def join(match: Kept, name: str, seat: int | None = None) -> None:
    match.keep(commands.join(match, name, f"{name}'s", seat))


def start(match: Match, level: str = "", here: Collection[int] = ()) -> list[AnyEntry]:
    """Begin; whoever is here has a share in the dice, and is waited for."""
    return commands.start(match, Dealer(new_secret()), here, level)


def begin_again(
    match: Match, seat: int, present: Collection[int], level: str = "", *, without_absent: bool = False
) -> list[AnyEntry]:
    """Begin another game, for the dice of which everybody draws a string."""
    done = commands.begin_again(match, seat, present, Dealer(new_secret()), level, without_absent=without_absent)
    return done + (deal(match) if match.deal else [])


def deal(match: Match, here: Collection[int] | None = None) -> list[AnyEntry]:
    """Seal and reveal strings, for all people who have a seat or for some of them: `string-0`, `string-1` and so on."""
    seats = [number for number, seat in enumerate(match.seats) if seat.is_held] if here is None else here
    done: list[AnyEntry] = []
    for seat in seats:
        sealed = seal(match.dice_name, match.promise, seat, f"string-{seat}")
        done += dealing.put_seal(match, seat, sealed, seats)
    for seat in seats:
        done += dealing.reveal(match, seat, f"string-{seat}", seats)
    return done


def begun(*plans: SeatPlan, game: str = "pig(target=15)", dice: str = FAIR, stand_in: str = "") -> Kept:
    """A game that has just begun; open seats are taken by Bob, Cat and Dan."""
    match = table(*plans, game=game, dice=dice, stand_in=stand_in)
    for name, _ in zip(("Bob", "Cat", "Dan"), match.open_seats(), strict=False):
        join(match, name)
    match.keep(start(match))
    return match


def with_real_dice(*rolls: str, stand_in: str = "") -> Kept:
    """Ann and Bob play Pig with real dice; Ann has rolled these and rolls again between them."""
    match = begun(SeatPlan(PERSON, "Ann"), SeatPlan(OPEN), dice=MANUAL, stand_in=stand_in)
    for number, faces in enumerate(rolls):
        if number:
            match.keep(commands.move(match, ANN, "roll"))
        match.keep(commands.roll(match, ANN, faces))
    return match


def play(match: Kept, chooser: random.Random) -> None:
    """Play to the end by any legal moves."""
    while match.actor is not None:
        assert match.table
        state = match.table.state
        if state.seat == CHANCE:
            match.keep(commands.roll(match, match.actor))
        else:
            match.keep(commands.move(match, match.actor, chooser.choice(state.legal_moves()).text))


ANN_AND_AN_OPEN_SEAT = (SeatPlan(PERSON, "Ann"), SeatPlan(OPEN))
ANN_AND_A_BOT = (SeatPlan(PERSON, "Ann"), SeatPlan(BOT, "Robot", "greedy"))


# The log is the match


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_a_whole_game_is_its_log(game: Game) -> None:
    match = begun(*ANN_AND_AN_OPEN_SEAT, game=game.text(game.make_options(quick(game))))
    play(match, random.Random(3))
    assert match.status is Status.OVER
    again = match.again_from_log()
    assert again.number == match.number == len(match.log)
    assert again.history == match.history
    assert again.record() == match.record()
    assert again.table
    assert match.table
    assert again.table.states == match.table.states


def test_every_entry_has_the_next_number_and_a_sentence() -> None:
    match = begun(*ANN_AND_A_BOT)
    match.keep(commands.roll(match, ANN))
    told = [msgspec.json.decode(entry, type=entries.ShownEntry) for entry in match.history]
    assert [entry.number for entry in told] == list(range(1, match.number + 1))
    assert told[0].told == "The table is set up for Pig."
    assert told[1].told == "Ann sits down."
    assert told[3].told == "The game begins."
    assert told[4].told.startswith("Ann rolls a ")


def test_a_choice_taken_back_is_in_the_log_and_gone_from_the_game() -> None:
    match = with_real_dice("4")
    match.keep(commands.move(match, ANN, "hold"))
    match.keep(commands.ask(match, ANN))
    match.keep(commands.answer(match, BOB, True))
    assert [type(entry).__name__ for entry in match.entries[-4:]] == ["Moved", "Asked", "Agreed", "Undone"]
    assert len(match.record().events) == 1
    assert match.again_from_log().record() == match.record()


# Before the game


def test_a_seat_is_taken_once() -> None:
    match = table(*ANN_AND_AN_OPEN_SEAT)
    join(match, "Bob")
    with pytest.raises(Illegal, match="Every seat at this table is taken; you can watch"):
        commands.join(match, "Cat", "x")
    with pytest.raises(Illegal, match=r"Seat 1 is taken\."):
        commands.join(match, "Cat", "x", 0)
    with pytest.raises(Invalid, match="There is no seat 3; this table has seats 1 to 2"):
        commands.join(match, "Cat", "x", 2)
    assert match.names == ("Ann", "Bob")


def test_nobody_sits_down_once_the_game_has_begun() -> None:
    match = begun(*ANN_AND_AN_OPEN_SEAT)
    with pytest.raises(Illegal, match="This game has begun; you can watch it"):
        commands.join(match, "Cat", "x")


@pytest.mark.parametrize("name", ["", " Bob", "Bob\u202e", "Bob\n", "B" * 25, "Bob  Bobson", "\ud800"])
def test_odd_names_are_refused_with_a_sentence(name: str) -> None:
    match = table(*ANN_AND_AN_OPEN_SEAT)
    with pytest.raises(HotdiceError, match=r"cannot be a name; it takes 1 to 24 characters, single spaces\.$"):
        commands.join(match, name, "x")


def test_two_people_at_a_table_have_different_names() -> None:
    match = table(*ANN_AND_AN_OPEN_SEAT)
    with pytest.raises(Invalid, match="Somebody at this table is already called Ann; take another name"):
        commands.join(match, "Ann", "x")


def test_whoever_leaves_before_the_game_leaves_an_open_seat() -> None:
    match = table(*ANN_AND_AN_OPEN_SEAT)
    join(match, "Bob")
    match.keep(commands.leave(match, BOB))
    assert match.open_seats() == [BOB]
    with pytest.raises(NoSeat):
        match.seat_of("Bob's")
    join(match, "Cat")
    assert match.seat_of("Cat's") == BOB


def test_a_game_begins_when_all_seats_are_taken_or_given_to_bots() -> None:
    match = table(SeatPlan(PERSON, "Ann"), SeatPlan(OPEN), SeatPlan(OPEN))
    with pytest.raises(Illegal, match="2 seats are still open; wait until they are taken, or name a bot's level"):
        start(match)
    with pytest.raises(Invalid, match="There is no bot “genius”; there are random, greedy, beginner, casual,"):
        start(match, "genius")
    match.keep(start(match, "greedy"))
    assert [seat.kind for seat in match.seats] == [PERSON, BOT, BOT]
    assert match.names == ("Ann", "Otto", "Pixel")
    with pytest.raises(Illegal, match="This game has already begun"):
        start(match)


def test_a_table_that_could_not_be_played_at_is_not_set_up() -> None:
    for wrong, why in (
        (Created("pig", (SeatPlan(PERSON, "Ann"),), False, FAIR), "Pig"),
        (Created("pig(target=0)", ANN_AND_A_BOT, False, FAIR), "The option target takes"),
        (Created("pig", (SeatPlan(PERSON, "Ann"), SeatPlan(LOCAL, "Ann")), False, FAIR), "Two players are called Ann"),
        (Created("pig", ANN_AND_A_BOT, False, FAIR, Clock(HARD, 4)), "A clock gives 5 to 86400 seconds"),
        (Created("pig", ANN_AND_A_BOT, False, FAIR, stand_in="genius"), "There is no bot “genius”"),
    ):
        with pytest.raises(HotdiceError, match=why):
            commands.create(Match(NAME), wrong, new_key())


# Fair dice


def test_the_secret_is_promised_before_the_game_and_revealed_at_its_end() -> None:
    match = table(*ANN_AND_AN_OPEN_SEAT)
    assert match.promise == ""
    join(match, "Bob")
    match.keep(start(match, here={ANN, BOB}))
    secret = match.first_secret()
    assert len(bytes.fromhex(secret)) == 32
    assert match.promise == hashlib.sha256(bytes.fromhex(secret)).hexdigest()
    match.keep(deal(match))
    assert secret not in match.record().text
    play(match, random.Random(1))
    shown = [secret in bytes(entry).decode() for entry in match.history]
    assert shown == [False] * (match.number - 1) + [True]
    assert f" {secret} " in match.record().text
    assert match.record().check_dice()


def test_nobody_sees_where_a_table_was_set_up_from_or_what_its_tokens_are_made_with() -> None:
    match = table(*ANN_AND_A_BOT)
    shown = b"".join(bytes(entry) for entry in match.history).decode()
    assert match.setup.origin == "192.0.2.1"
    assert len(match.setup.key) == 48
    assert match.setup.origin not in shown
    assert match.setup.key not in shown


def about_to_begin(*here: int) -> Kept:
    """A table of three, about to begin, whose dice are promised."""
    match = table(SeatPlan(PERSON, "Ann"), SeatPlan(OPEN), SeatPlan(OPEN))
    join(match, "Cat", seat=2)
    join(match, "Bob", seat=1)
    match.keep(start(match, here=here))
    return match


def sealed(match: Match, seat: int) -> str:
    return seal(NAME, match.promise, seat, f"string-{seat}")


def test_strings_are_sealed_by_all_before_any_is_revealed() -> None:
    everybody = {0, 1, 2}
    match = about_to_begin(*everybody)
    match.keep(dealing.put_seal(match, 2, sealed(match, 2), everybody))
    assert match.keep(dealing.put_seal(match, 2, sealed(match, 2), everybody)) == [], "nothing is done twice"
    with pytest.raises(Illegal, match="A string is sealed once"):
        dealing.put_seal(match, 2, sealed(match, 1), everybody)
    with pytest.raises(HotdiceError, match="A seal has 64 hexadecimal digits"):
        dealing.put_seal(match, 1, "string-1", everybody)
    match.keep(dealing.put_seal(match, ANN, sealed(match, ANN), everybody))
    with pytest.raises(Illegal, match="revealed once everybody has sealed"):
        dealing.reveal(match, ANN, "string-0", everybody)
    assert isinstance(match.keep(dealing.put_seal(match, 1, sealed(match, 1), everybody))[-1], entries.Fixed)
    with pytest.raises(Invalid, match="does not fit the seal"):
        dealing.reveal(match, ANN, "string-1", everybody)
    for seat in (1, 0, 2):
        match.keep(dealing.reveal(match, seat, f"string-{seat}", everybody))
    assert match.status is Status.PLAYING
    assert match.record().dice == f"fair2 {NAME} {match.promise} hidden 1:string-0 2:string-1 3:string-2"
    with pytest.raises(Illegal, match="No dice are being drawn"):
        dealing.put_seal(match, 1, sealed(match, 1), everybody)
    assert match.again_from_log().record() == match.record()


def test_seats_are_settled_once_the_secret_is_drawn() -> None:
    match = about_to_begin(0, 1, 2)
    with pytest.raises(Illegal, match="This game has begun"):
        commands.join(match, "Dan", "Dan's")
    match.keep(dealing.put_seal(match, 1, sealed(match, 1), {0, 1, 2}))
    match.keep(commands.leave(match, 1))
    assert match.open_seats() == []
    assert match.keep(start(match)) == [], "it is about to begin already"


def test_whoever_is_not_here_has_no_share() -> None:
    match = about_to_begin(ANN)
    match.keep(deal(match, [ANN]))
    assert match.record().dice.endswith(" hidden 1:string-0")


def test_whoever_withholds_a_string_is_left_out_and_the_record_tells() -> None:
    here = {ANN, BOB}
    match = about_to_begin(*here)
    for seat in here:
        match.keep(dealing.put_seal(match, seat, sealed(match, seat), here))
    match.keep(dealing.reveal(match, ANN, "string-0", here))
    assert match.keep(dealing.go_on(match, here)) == [], "Bob is waited for"
    bob = sealed(match, BOB)
    match.keep(dealing.go_on(match, here, late=True))
    assert match.status is Status.PLAYING
    assert match.record().dice.endswith(f" hidden 1:string-0 2:withheld:{bob}")
    play(match, random.Random(3))
    assert match.record().check_dice()


def test_whoever_never_seals_is_not_waited_for_long() -> None:
    match = about_to_begin(ANN, BOB)
    match.keep(dealing.put_seal(match, ANN, sealed(match, ANN), {ANN, BOB}))
    assert isinstance(match.keep(dealing.go_on(match, {ANN, BOB}, late=True))[-1], entries.Fixed)
    match.keep(dealing.reveal(match, ANN, "string-0", {ANN, BOB}))
    assert match.record().dice.endswith(" hidden 1:string-0")


def test_every_roll_follows_from_secret_strings_table_and_number() -> None:
    match = about_to_begin(ANN, BOB)
    match.keep(deal(match, [ANN, BOB]))
    play(match, random.Random(2))
    rolls = [int(entry.roll) for entry in match.entries if isinstance(entry, entries.Rolled)]
    secret = bytes.fromhex(match.first_secret())
    parts = ("hotdice dice 2", NAME, "1:string-0", "2:string-1")
    assert rolls == [fair_number(secret, parts, number, 6) + 1 for number in range(1, len(rolls) + 1)]


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_the_same_dice_are_drawn_again_from_the_log_and_from_the_record(game: Game) -> None:
    match = begun(*ANN_AND_AN_OPEN_SEAT, game=game.text(game.make_options(quick(game))), dice=SAME)
    play(match, random.Random(3))
    record = match.record()
    assert record.dice.startswith(f"fair2-same {NAME} {match.promise} ")
    assert record.check_dice()
    assert match.again_from_log().record() == record


def test_the_first_turns_of_all_players_meet_the_same_dice() -> None:
    match = begun(*ANN_AND_AN_OPEN_SEAT, game="pig(target=100)", dice=SAME)
    while match.actor == ANN:
        match.keep(commands.roll(match, ANN))
        if match.actor == ANN:  # unless it was a 1, which ends a turn by itself
            match.keep(commands.move(match, ANN, "hold"))
    match.keep(commands.roll(match, BOB))
    first = [entry for entry in match.entries if isinstance(entry, entries.Rolled)]
    assert [entry.seat for entry in first] == [ANN, BOB]
    assert first[ANN].roll == first[BOB].roll


def test_another_game_at_the_table_has_a_new_secret_and_new_strings() -> None:
    match = begun(*ANN_AND_AN_OPEN_SEAT)
    with pytest.raises(Illegal, match="A rematch can begin once this game is over"):
        commands.accept(match, ANN)
    play(match, random.Random(4))
    first = match.record()
    promise = match.promise
    match.keep(commands.accept(match, BOB))
    match.keep(commands.accept(match, ANN))
    assert (match.status, match.round, match.promise) == (Status.OVER, 1, promise)
    match.keep(begin_again(match, BOB, {ANN, BOB}))
    assert (match.status, match.round) == (Status.PLAYING, 2)
    assert match.promise != promise
    assert match.record().dice == f"fair2 {NAME}-2 {match.promise} hidden 1:string-0 2:string-1"
    play(match, random.Random(5))
    assert match.record().check_dice()
    assert match.record(1) == first
    assert match.record(2) == match.record()
    with pytest.raises(Invalid, match="There is no game 3 at this table; its games are numbered 1 to 2"):
        match.record(3)
    assert match.again_from_log().record(1) == first


def test_players_do_not_see_hashes_of_tokens_nor_where_a_table_comes_from() -> None:
    match = begun(*ANN_AND_AN_OPEN_SEAT)
    shown = b"".join(bytes(entry) for entry in match.history).decode()
    assert "192.0.2.1" not in shown
    assert token_hash("Bob's") not in shown


# Moves and rolls


def test_what_is_illegal_is_refused_with_the_legal_moves() -> None:
    match = with_real_dice("4")
    with pytest.raises(Illegal) as refused:
        commands.move(match, ANN, "keep 6")
    assert refused.value.legal == ("roll", "hold")
    with pytest.raises(Illegal, match=r"A move is due, not a roll\.") as refused:
        commands.roll(match, ANN, "3")
    assert refused.value.legal == ("roll", "hold")
    match.keep(commands.move(match, ANN, "roll"))
    with pytest.raises(Illegal, match=r"The dice are to be rolled first\."):
        commands.move(match, ANN, "hold")


def test_nobody_moves_or_rolls_for_another() -> None:
    match = begun(*ANN_AND_AN_OPEN_SEAT)
    with pytest.raises(NotYourTurn, match="It is Ann's turn to roll"):
        commands.roll(match, BOB)
    with pytest.raises(NotYourTurn, match="It is Ann's turn to roll"):
        commands.move(match, BOB, "hold")


def test_a_refusal_changes_nothing() -> None:
    match = with_real_dice("4")
    before = match.record(), match.number, match.state_number
    wishes: tuple[Callable[[], object], ...] = (
        lambda: commands.move(match, ANN, "fly"),
        lambda: commands.move(match, BOB, "hold"),
        lambda: commands.answer(match, BOB, True),
        lambda: commands.accept(match, ANN),
        lambda: start(match),
    )
    for wish in wishes:
        with pytest.raises(HotdiceError):
            wish()
    assert (match.record(), match.number, match.state_number) == before


def test_rolls_are_typed_in_with_real_dice_only() -> None:
    fair = begun(*ANN_AND_A_BOT)
    with pytest.raises(Illegal, match="The server rolls the dice at this table"):
        commands.roll(fair, ANN, "6")
    real = with_real_dice()
    with pytest.raises(Illegal, match="These are real dice: roll them and type what they show"):
        commands.roll(real, ANN)
    with pytest.raises(Illegal):
        commands.roll(real, ANN, "7")
    real.keep(commands.roll(real, BOB, "6"))  # Bob reads Ann's die out
    assert real.record().text.splitlines()[-2] == "1 rolls 6"


def test_a_choice_to_roll_again_may_bring_the_roll_at_once() -> None:
    match = begun(*ANN_AND_A_BOT, game="pig")
    while match.actor != ANN or not match.table or match.table.state.seat == CHANCE:
        match.keep(commands.roll(match, match.actor or 0) if match.table and match.table.state.seat == CHANCE else [])
        if match.actor == ROBOT and match.table and match.table.state.seat == ROBOT:
            match.keep(commands.move(match, ROBOT, "hold"))
    done = match.keep(commands.move(match, ANN, "roll", then_roll=True, client="id"))
    assert [type(entry) for entry in done] == [entries.Moved, entries.Rolled]
    assert match.answered[match.seats[ANN].token, "id"] == match.number - 1


def test_ids_are_those_of_one_owner_in_one_game() -> None:
    """Whoever takes a seat over, and whoever plays again, may use any id."""
    match = with_real_dice("4")
    match.keep(commands.move(match, ANN, "hold", client="a"))
    match.keep(commands.roll(match, BOB, "6", client="a"))
    anns, bobs = match.tokens
    assert match.answered == {(anns, "a"): match.number - 1, (bobs, "a"): match.number}
    match.keep(company.offer(match, BOB, (BOB,), "h4kq2m"))
    match.keep(company.take(match, "h4kq2m", ["another"]))
    assert (match.tokens[BOB], "a") not in match.answered
    while match.status is Status.PLAYING:
        match.keep(commands.roll(match, ANN, "6") if match.rolls else commands.move(match, match.actor or 0, "hold"))
    match.keep(commands.accept(match, ANN))
    match.keep(commands.accept(match, BOB))
    match.keep(begin_again(match, ANN, {ANN, BOB}))
    assert match.answered == {}
    assert match.again_from_log().answered == {}


def test_a_log_does_not_grow_for_ever() -> None:
    match = begun(*ANN_AND_AN_OPEN_SEAT)
    play(match, random.Random(4))
    for _ in range(commands.FULL):
        match.keep(commands.accept(match, ANN))
        match.keep(commands.decline(match, ANN))
        if match.number >= commands.FULL:
            break
    wishes: Sequence[Callable[[], object]] = (
        lambda: commands.accept(match, ANN),
        lambda: commands.join(match, "Cat", "Cat's"),
        lambda: company.offer(match, ANN, (ANN,), "h4kq2m"),
        lambda: company.ask_for_seat(match, BOB, "new", Attendance(frozenset({ANN}))),
    )
    for wish in wishes:
        with pytest.raises(Illegal, match="The log of this table is full; set up a new table"):
            wish()


def test_codes_that_have_ended_are_forgotten() -> None:
    match = table(*ANN_AND_AN_OPEN_SEAT)
    for number in range(5):
        match.keep(company.offer(match, ANN, (ANN,), f"code{number}"))
        match.now += 1000 * OFFER_SECONDS // 2
    assert len(match.offers) == 2


# Taking choices back


def test_a_choice_is_asked_for_once_until_somebody_answers() -> None:
    match = with_real_dice("4")
    match.keep(commands.move(match, ANN, "hold"))
    match.keep(commands.ask(match, ANN))
    for seat in (ANN, BOB):
        with pytest.raises(Illegal, match="That has been asked already; wait for an answer"):
            commands.ask(match, seat)
    match.keep(commands.answer(match, BOB, False))
    match.keep(commands.ask(match, ANN))
    match.keep(match.add(entries.Away(BOB, "greedy")))
    match.keep(commands.ask(match, ANN))  # nobody is left to answer
    assert match.asked is None


def test_a_choice_is_taken_back_when_all_who_are_asked_agree() -> None:
    match = begun(SeatPlan(PERSON, "Ann"), SeatPlan(OPEN), SeatPlan(OPEN), dice=MANUAL)
    match.keep(commands.roll(match, ANN, "4"))
    match.keep(commands.move(match, ANN, "hold"))
    match.keep(commands.ask(match, ANN))
    assert match.asked == ANN
    with pytest.raises(NotYourTurn, match="You asked; the others answer"):
        commands.answer(match, ANN, True)
    match.keep(commands.answer(match, 2, True))
    assert match.actor == BOB
    match.keep(commands.answer(match, 1, True))
    assert match.actor == ANN
    assert match.asked is None


def test_one_who_refuses_is_enough() -> None:
    match = begun(SeatPlan(PERSON, "Ann"), SeatPlan(OPEN), SeatPlan(OPEN), dice=MANUAL)
    match.keep(commands.roll(match, ANN, "4"))
    match.keep(commands.move(match, ANN, "hold"))
    match.keep(commands.ask(match, ANN))
    match.keep(commands.answer(match, 2, False))
    assert match.asked is None
    assert match.actor == BOB
    with pytest.raises(Illegal, match="Nobody has asked to take a choice back"):
        commands.answer(match, 1, True)


def test_playing_on_answers_the_question() -> None:
    match = with_real_dice("4")
    match.keep(commands.move(match, ANN, "hold"))
    match.keep(commands.ask(match, ANN))
    match.keep(commands.roll(match, BOB, "3"))
    assert match.asked is None


def test_rolls_are_final_unless_the_dice_are_real() -> None:
    fair = begun(*ANN_AND_AN_OPEN_SEAT)
    fair.keep(commands.roll(fair, ANN))
    assert fair.undoable() is None
    with pytest.raises(Illegal, match="There is no choice to take back: it stands once the dice have been rolled"):
        commands.ask(fair, ANN)
    real = with_real_dice("4")
    assert real.undoable() == ANN
    real.keep(commands.ask(real, BOB))  # whoever saw the mistake
    real.keep(commands.answer(real, ANN, True))
    assert real.table
    assert real.table.played == 0
    assert real.actor == ANN


def test_only_ones_own_choice_is_taken_back() -> None:
    match = begun(*ANN_AND_AN_OPEN_SEAT, game="bj")
    while match.table and match.table.state.seat == CHANCE:
        match.keep(commands.roll(match, match.actor or 0))
    mover = match.actor
    assert mover is not None
    match.keep(commands.move(match, mover, "pass"))
    with pytest.raises(NotYourTurn, match="only they can take it back"):
        commands.ask(match, 1 - mover)
    match.keep(commands.ask(match, mover))
    match.keep(commands.answer(match, 1 - mover, True))
    assert match.actor == mover


def test_whoever_a_bot_plays_for_is_not_asked() -> None:
    match = begun(*ANN_AND_AN_OPEN_SEAT, game="bj", stand_in="greedy")
    while match.table and match.table.state.seat == CHANCE:
        match.keep(commands.roll(match, match.actor or 0))
    mover = match.actor
    assert mover is not None
    match.keep(commands.move(match, mover, "pass"))
    match.keep(commands.stand_in(match, 1 - mover))
    match.keep(commands.ask(match, mover))
    assert match.actor == mover


def test_what_a_bot_chose_since_goes_with_what_is_taken_back() -> None:
    match = begun(*ANN_AND_A_BOT, dice=MANUAL)
    match.keep(commands.roll(match, ANN, "1"))
    match.keep(commands.roll(match, ANN, "5"))  # for the robot, which has no hands; it was a 2
    match.keep(commands.move(match, ROBOT, "hold"))
    assert match.undoable() == ROBOT
    match.keep(commands.ask(match, ANN))
    assert match.table
    assert match.table.played == 1
    assert (match.actor, match.rolls) == (ROBOT, True)
    told = msgspec.json.decode(match.history[-1], type=entries.ShownEntry).told
    assert told == f"The last choice of {match.names[ROBOT]} is taken back."
    match.keep(commands.roll(match, ANN, "2"))
    assert match.again_from_log().record() == match.record()
    assert len(match.record().events) == 2


def test_a_bots_own_choice_is_not_somebody_elses_to_take_back() -> None:
    match = begun(*ANN_AND_A_BOT)
    while not match.table or match.actor != ROBOT:
        match.keep(commands.roll(match, ANN))
        if not match.rolls and match.actor == ANN:
            match.keep(commands.move(match, ANN, "hold"))
    while match.rolls and match.actor == ROBOT:
        match.keep(commands.roll(match, ROBOT, by="greedy"))
    if match.actor == ROBOT:
        match.keep(commands.move(match, ROBOT, "hold", by="greedy"))
    assert match.undoable() is None


# Leaving and being away


def test_a_game_ends_when_the_last_one_leaves() -> None:
    match = begun(*ANN_AND_AN_OPEN_SEAT)
    match.keep(commands.leave(match, BOB))
    assert match.actor == ANN
    match.keep(commands.leave(match, ANN))
    assert match.status is Status.CLOSED
    ended = match.entries[-1]
    assert isinstance(ended, entries.Ended)
    assert (ended.why, ended.result, ended.secret) == ("everybody left.", "unfinished", match.first_secret())
    with pytest.raises(Illegal, match="The game was given up: everybody left"):
        commands.roll(match, ANN)


def test_a_stand_in_plays_on_for_whoever_leaves() -> None:
    match = begun(*ANN_AND_AN_OPEN_SEAT, stand_in="greedy")
    match.keep(commands.leave(match, BOB))
    assert match.status is Status.PLAYING
    assert match.seats[BOB].acting_bot == "greedy"
    match.keep(commands.leave(match, ANN))
    assert match.why == "everybody left."


def test_whoever_left_is_not_in_the_next_game() -> None:
    match = begun(*ANN_AND_AN_OPEN_SEAT, stand_in="greedy")
    match.keep(commands.leave(match, BOB))
    play(match, random.Random(6))
    match.keep(commands.accept(match, ANN))
    join(match, "Cat")
    match.keep(begin_again(match, ANN, {ANN, 2}))
    assert match.names == ("Ann", "Cat")


def test_the_record_says_what_a_bot_decided_for_a_person() -> None:
    match = with_real_dice("4", stand_in="greedy")
    match.keep(commands.stand_in(match, ANN))
    assert match.seats[ANN].acting_bot == "greedy"
    match.keep(commands.move(match, ANN, "hold", by="greedy"))
    match.keep(commands.come_back(match, ANN))
    assert match.seats[ANN].acting_bot == ""
    record = match.record()
    assert record.entries[-2] == Comment("greedy played for Ann")
    assert read_record(record.text) == record


def test_a_hard_clock_has_a_stand_in_even_if_none_was_named() -> None:
    assert table(*ANN_AND_A_BOT).stand_in == ""
    assert table(*ANN_AND_A_BOT, clock=Clock(HARD, 5)).stand_in == "casual"
    assert table(*ANN_AND_A_BOT, clock=Clock(HARD, 5), stand_in="greedy").stand_in == "greedy"


def test_whoever_takes_the_creators_seat_is_of_another_household() -> None:
    match = table(SeatPlan(PERSON, "Ann"), SeatPlan(LOCAL, "Lou"))
    assert match.host == ANN
    match.keep(commands.leave(match, ANN))
    join(match, "Bob")
    assert match.host != ANN


# Records that come in

UNFINISHED = """\
hotdice record 1
game: pig(target=15)
date: 2026-11-15
seat 1: Ann (person)
seat 2: Robot (greedy)
seat 3: Bob (person)
dice: {dice}

1 rolls 6
1 hold
2 rolls 1
3 rolls 2
3 roll
result: unfinished
"""
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


def test_a_game_that_was_put_aside_goes_on_where_it_stood() -> None:
    match = created(imported(UNFINISHED.format(dice="manual"), [0], public=False, origin=""))
    assert [seat.kind for seat in match.seats] == [LOCAL, BOT, OPEN]
    match.keep(commands.claim(match, 0, "Ann", "Ann's", (0,)))
    join(match, "Bea", seat=2)
    match.keep(start(match))
    assert match.actor == 2
    assert match.undoable() is None  # it stood when the record was written
    match.keep(commands.roll(match, 2, "3"))
    match.keep(commands.move(match, 2, "hold"))
    assert match.table
    assert match.table.state.scores == (6, 0, 5)
    assert match.again_from_log().record() == match.record()
    assert read_record(match.record().text).seats[2].name == "Bea"


def test_dice_that_go_on_with_a_record_do_not_pretend_to_have_been_promised() -> None:
    match = created(imported(UNFINISHED.format(dice="recorded"), [0, 2], public=False, origin=""))
    match.keep(start(match))
    play(match, random.Random(7))
    assert match.record().dice == "recorded"
    assert match.again_from_log().record() == match.record()


def test_a_finished_game_can_be_looked_at_and_nothing_else() -> None:
    match = created(imported(FINISHED, [], public=False, origin=""))
    assert match.status is Status.OVER
    assert match.record().text == FINISHED
    with pytest.raises(Illegal, match="A game that came in as a record has no rematch"):
        commands.accept(match, 0)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (FINISHED.replace("scores 6 0", "scores 7 0"), "The result should be"),
        (FINISHED.replace("1 rolls 6", "1 rolls 7"), "line 8"),
        (FINISHED.replace("dice: manual", "dice: seeded 1"), "line 8, column 9: The dice .* roll . here, not 6"),
        (FINISHED.partition("result")[0], "The record is cut short"),
        ("", "The first line of a record"),
    ],
)
def test_a_record_that_does_not_hold_is_refused_with_its_line(text: str, why: str) -> None:
    with pytest.raises(HotdiceError, match=why):
        imported(text, [], public=False, origin="")


def test_a_bots_seat_of_a_record_is_nobodys_to_take() -> None:
    with pytest.raises(Invalid, match="Seat 2 of this record is not a person's"):
        imported(UNFINISHED.format(dice="manual"), [1], public=False, origin="")
