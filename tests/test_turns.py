"""Dice by turns: which turn a roll belongs to, by each game's rules; the published scheme; and records made with it."""

from __future__ import annotations

from collections import Counter
from datetime import date
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hotdice.dice import DiceSource, ManualDice, Roll, tosses
from hotdice.errors import DiceError, RecordError
from hotdice.fair import FairNumbers, SameDice, SeededSameDice, Share, Throw, TurnDice, parse_fair
from hotdice.game import ROLL_OFF, TURN, Game, State
from hotdice.games import all_games, load_game, parse_position
from hotdice.players import make_player
from hotdice.record import parse_record, record_of, source_of
from hotdice.table import Rolled, Seat, Table
from hotdice.turns import TurnCounter, counted
from tests.terminal.drive import hotdice

SECRET = bytes(range(32))
SHARES = (Share(0, "ann-1"), Share(1, "b0b"))
DAY = date(2026, 11, 18)
GAMES = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)


def play(game: Game, dice: DiceSource, kinds: tuple[str, ...] = ("greedy", "random"), **options: int | str) -> Table:
    """A game between bots, or as much of it as a few hundred rolls and moves are."""
    seats = [Seat(f"Bot {n}", make_player(kind, n)) for n, kind in enumerate(kinds)]
    table = Table(game.start(len(seats), options), seats, dice)
    while table.state.seat != -2 and table.played < 300:
        table.step()
    return table


def throws(table: Table) -> list[tuple[Throw, Roll]]:
    """Every roll of a game with where it stands."""
    rolled = [(table.before(at), event.roll) for at, event in enumerate(table.events) if isinstance(event, Rolled)]
    return list(zip(counted(state for state, _ in rolled), (roll for _, roll in rolled), strict=True))


# Which turn a roll belongs to


def stood(start: State, *events: str) -> list[tuple[int, str, int, int]]:
    """Seat (from 1), occasion, number and roll of every roll, where rolls and moves are typed one after the other."""
    table = Table(start, [Seat(f"P{n}") for n in range(start.players)], ManualDice())
    counter, found = TurnCounter(), []
    for text in events:
        state = table.state
        if state.seat >= 0:
            table.play(state.parse_move(text))
            continue
        throw = counter.take(state)
        found.append((throw.seat + 1, throw.occasion, throw.number, throw.roll))
        table.roll(state.parse_roll(text))
    return found


def test_turns_of_pig_are_counted_for_each_player() -> None:
    assert stood(load_game("pig").start(2), "3", "roll", "4", "hold", "1", "5") == [
        (1, TURN, 1, 1),
        (1, TURN, 1, 2),
        (2, TURN, 1, 1),
        (1, TURN, 2, 1),
    ]


def test_all_rolls_of_a_turn_of_bjs_dice_count_on_after_hot_dice() -> None:
    found = stood(load_game("bj").start(2), "1 1 1 5 5 5", "roll", "1 2 3 4 6 6", "pass", "2 3 4 4 6 6", "1 2 3 4 6 6")
    assert found == [(1, TURN, 1, 1), (1, TURN, 1, 2), (2, TURN, 1, 1), (1, TURN, 2, 1)]


def test_a_roll_off_is_no_turn_and_is_counted_over_all_players() -> None:
    keep = "keep 4 4"
    found = stood(load_game("kismet").start(2), "5", "5", "2", "6", "1 2 3 4 4", keep, "1 2 3", "score fours", "11123")
    assert found == [
        (1, ROLL_OFF, 1, 1),
        (2, ROLL_OFF, 2, 1),
        (1, ROLL_OFF, 3, 1),
        (2, ROLL_OFF, 4, 1),
        (2, TURN, 1, 1),
        (2, TURN, 1, 2),
        (1, TURN, 1, 1),
    ]


def test_the_turn_after_a_second_kismet_is_the_next_one_and_who_is_passed_over_has_none() -> None:
    found = stood(
        load_game("kismet").start(2), "6", "1",
        "6 6 6 6 6", "score kismet", "1 1 1 2 3", "score aces",
        "5 5 5 5 5", "score fives", "1 2 3 4 6", "score treys", "1 2 3 4 6",
    )  # fmt: skip
    assert found[2:] == [(1, TURN, 1, 1), (2, TURN, 1, 1), (1, TURN, 2, 1), (1, TURN, 3, 1), (2, TURN, 2, 1)]


def test_penalties_of_kor_are_counted_by_themselves() -> None:
    """Two U-TURNs: Ann sends Bob back, he sends her back; then it is Bob's first turn."""
    found = stood(
        load_game("kor").start(2),
        "25 S S D D U", "U U U 25 25", "target 2",
        "U U U 25 25 25", "target 1", "100 S S D D U", "S S S D D",
        "25 S S D D U",
    )  # fmt: skip
    assert found == [
        (1, TURN, 1, 1),
        (1, TURN, 1, 2),
        (2, "penalty", 1, 1),
        (1, "penalty", 1, 1),
        (1, "penalty", 1, 2),
        (2, TURN, 1, 1),
    ]


def test_a_bank_roll_of_kor_does_not_end_the_turn() -> None:
    found = stood(load_game("kor").start(2, {"bank_roll": True}), "25 25 25 50 50 100", "25 S S D D U", "25 25 25 50 S")
    assert found == [(1, TURN, 1, 1), (1, TURN, 1, 2), (1, TURN, 1, 3)]


def test_after_a_final_round_of_kor_without_a_winner_the_same_player_has_another_turn() -> None:
    """With two players: Ann has reached the target, Bob equals her, and moves again."""
    start = parse_position("kor(final_round=true,target=1000) 1000/900 2 2 toss 6 0 1")
    found = stood(start, "100 S S D D U", "S S S D D", "25 S S D D U")
    assert found == [(2, TURN, 1, 1), (2, TURN, 1, 2), (2, TURN, 2, 1)]


@GAMES
def test_each_roll_of_a_game_has_a_number_of_its_own(game: Game) -> None:
    found = [throw for throw, _ in throws(play(game, SeededSameDice(3)))]
    places = [(throw.seat, throw.occasion, throw.number, throw.roll) for throw in found]
    assert len(set(places)) == len(places)
    for seat in range(2):
        turns = [throw.number for throw in found if (throw.seat, throw.occasion) == (seat, TURN)]
        assert sorted(set(turns)) == list(range(1, turns[-1] + 1))


# The scheme


def words(*digests: int) -> Roll:
    """Faces of ordinary dice by the first numbers of digests; all of these are below 2^32 - 2^32 mod 6."""
    return tuple(sorted(digest % 6 + 1 for digest in digests))


def test_faces_follow_from_the_digests_of_another_program() -> None:
    """As OpenSSL prints them for the messages of docs/fair-dice.md."""
    dice = load_game("kismet").dice
    first = Throw(1, TURN, 1, 1, ((dice[0], 5),))
    same = SameDice("k3x9", SECRET, SHARES)
    assert same.throw(first) == words(0x9F75128D, 0xE26F807C, 0xDB54DFDA, 0x8C9807FE, 0x1A70925D)
    off = Throw(0, ROLL_OFF, 2, 1, ((dice[0], 1),))
    assert same.throw(off) == words(0x6A29700D)
    purple, black = load_game("rollers").dice
    zap = same.throw(Throw(0, TURN, 3, 2, ((purple, 0), (black, 1))))
    assert zap == (10 + 0x3313D9FD % 6 + 1,)
    penalty = Throw(1, "penalty", 1, 4, ((dice[0], 6),))
    assert 0x8C5C6A86 % 6 + 1 in TurnDice("k3x9", SECRET, SHARES).throw(penalty)
    seeded = SeededSameDice(42).throw(first)
    assert seeded == words(0x3830A0E7, 0x2A869419, 0xA50F8EFE, 0x8018D303, 0x7751983C)


@pytest.mark.parametrize("counts", [(4, 1), (2, 0), (0, 1)])
def test_rolls_are_distributed_exactly_as_those_of_ordinary_dice(
    counts: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each number of each die is as likely as any other: all ways together give every roll its exact weight."""
    dice = tuple(zip(load_game("rollers").dice, counts, strict=True))
    numbers, found = FairNumbers(SECRET, ("x",)), Counter[Roll]()
    for way in product(range(6), repeat=sum(counts)):
        left = iter(way)
        monkeypatch.setattr(FairNumbers, "number", lambda self, roll, total, left=left: next(left))
        found[numbers.roll(Throw(0, TURN, 1, 1, dice), "all")] += 1
    usual = tosses(*dice)
    assert found == dict(zip(usual.rolls, usual.weights, strict=True))


def test_all_parts_of_a_place_count() -> None:
    die = load_game("kismet").dice[0]
    numbers = FairNumbers(SECRET, ("x",))
    base = Throw(0, TURN, 1, 1, ((die, 12),))
    others = [Throw(0, TURN, 2, 1, base.dice), Throw(0, TURN, 1, 2, base.dice), Throw(0, "penalty", 1, 1, base.dice)]
    rolls = [numbers.roll(throw, "all") for throw in (base, *others)]
    rolls += [numbers.roll(base, "1"), FairNumbers(SECRET[::-1], ("x",)).roll(base, "all")]
    assert len(set(rolls)) == len(rolls)


def test_dice_of_different_secrets_have_nothing_to_do_with_each_other() -> None:
    die = load_game("kismet").dice[0]
    throw = Throw(0, TURN, 1, 1, ((die, 1),))
    faces = [SameDice("k3x9", number.to_bytes(32), SHARES).throw(throw)[0] for number in range(7200)]
    pairs = Counter(zip(faces[::2], faces[1::2], strict=True))
    assert len(pairs) == 36
    assert sum((count - 100) ** 2 / 100 for count in pairs.values()) < 66.6  # 35 degrees of freedom: 1 in 1000


@settings(max_examples=10, deadline=None)
@given(st.sampled_from(all_games()), st.integers(0, 10**6))
def test_everybody_meets_the_same_dice_in_turns_of_the_same_number(game: Game, seed: int) -> None:
    """Whoever rolls as many dice gets the same faces; with fewer dice, some of these."""
    met: dict[tuple[str, int, int], list[tuple[Throw, Roll]]] = {}
    for kinds in (("greedy", "random"), ("random", "greedy")):
        for throw, roll in throws(play(game, SeededSameDice(seed), kinds)):
            met.setdefault((throw.occasion, throw.number, throw.roll), []).append((throw, roll))
    shared = 0
    for each in met.values():
        for (one, rolled), (other, again) in product(each, each):
            fewer = all(a <= b for (_, a), (_, b) in zip(one.dice, other.dice, strict=True))
            if fewer:
                assert not Counter(rolled) - Counter(again)
            if one.dice == other.dice:
                assert rolled == again
            shared += one.seat != other.seat
    assert shared


@GAMES
def test_dice_by_turns_that_are_each_players_own_differ_between_players(game: Game) -> None:
    met: dict[tuple[int, int], dict[int, Roll]] = {}
    for throw, roll in throws(play(game, TurnDice("k3x9", SECRET, SHARES))):
        if throw.occasion == TURN:
            met.setdefault((throw.number, throw.roll), {})[throw.seat] = roll
    assert any(len(set(rolls.values())) > 1 for rolls in met.values())


def test_a_roll_off_with_the_same_dice_ends() -> None:
    for game in all_games():
        for seed in range(8):
            found = throws(play(game, SeededSameDice(seed), ("greedy",) * max(2, game.min_players)))
            assert sum(throw.occasion == ROLL_OFF for throw, _ in found) < 20


# Records


@pytest.mark.parametrize("kind", [SameDice, TurnDice])
@GAMES
def test_records_are_verified_with_dice_by_turns(game: Game, kind: type[TurnDice]) -> None:
    table = play(game, kind("k3x9", SECRET, SHARES))
    text = record_of(table, DAY).text
    assert f"\ndice: {kind.kind} k3x9 " in text
    record = parse_record(text)
    assert record.check_dice()
    assert record.same_dice is (kind is SameDice)
    assert record.table().events == table.events


class Swapped(SameDice):
    """The dice of a server that lies about turns: it gives what the next turn would have met."""

    def throw(self, throw: Throw) -> Roll:
        later = Throw(throw.seat, throw.occasion, throw.number + 1, throw.roll, throw.dice)
        return super().throw(later)


class Split(SameDice):
    """The dice of one that calls the second roll of a turn the first of another, where it likes that better."""

    def throw(self, throw: Throw) -> Roll:
        if throw.roll == 2:
            throw = Throw(throw.seat, throw.occasion, throw.number + 1, 1, throw.dice)
        return super().throw(throw)


@pytest.mark.parametrize("altered", [Swapped, Split])
@GAMES
def test_dice_of_other_turns_are_found_out(game: Game, altered: type[SameDice]) -> None:
    record = record_of(play(game, altered("k3x9", SECRET, SHARES)), DAY)
    with pytest.raises(RecordError, match=r"The dice \(fair2-same k3x9\) roll .* here, not"):
        parse_record(record.text).check_dice()


def test_dice_that_were_the_same_cannot_be_passed_off_as_others() -> None:
    text = record_of(play(load_game("pig"), SameDice("k3x9", SECRET, SHARES)), DAY).text
    for kind in ("fair2", "fair2-turns"):
        with pytest.raises(RecordError, match="here, not"):
            parse_record(text.replace("fair2-same", kind)).check_dice()


def test_hidden_dice_by_turns_have_their_kind() -> None:
    dice = SameDice("k3x9", SECRET, SHARES)
    assert parse_fair(dice.hidden_text).text == dice.hidden_text
    again = parse_fair(dice.text)
    assert isinstance(again, SameDice)
    assert again.text == dice.text
    assert isinstance(source_of("seeded-same 7"), SeededSameDice)


def test_dice_by_turns_are_not_rolled_without_a_turn() -> None:
    with pytest.raises(DiceError, match="rolled at a table"):
        SeededSameDice(1).draw(load_game("pig").start(2).outcomes())


# The command line


def test_play_takes_the_same_dice_and_verify_says_so(tmp_path: Path) -> None:
    file = tmp_path / "game.hotdice"
    seats = ("-p", "Ann", "-p", "Bob")
    told = hotdice("play", "pig", *seats, "--seed", "5", "--same-dice", typed=["", f"save {file}", "quit"])
    assert told.code == 0, told
    assert "\ndice: seeded-same 5\n" in file.read_text()
    assert "The dice were the same for all" in hotdice("verify", file).out


def test_real_dice_cannot_be_the_same_for_all() -> None:
    refused = hotdice("play", "pig", "--dice", "manual", "--same-dice").refused()
    assert refused.endswith("--same-dice is for a new game with dice that the program rolls.")
