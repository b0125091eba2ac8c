"""Compiled play of Rollers against the rules: what dice do, which moves are chosen, and whole rounds."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

from hotdice.dice import Roll
from hotdice.game import CHANCE, Move
from hotdice.games.rollers import Apply, Keep
from hotdice.games.rollers.rules import CHIPS, FULL_BOARD, ROLLS, STOP, TOSSES, ZAP, Board, RollersOptions, pool_of
from hotdice.games.rollers.solving import equity, playing
from hotdice.games.rollers.solving.boards import FULL, board_of, number_of
from hotdice.games.rollers.solving.evaluator import RollersEvaluator, position_of
from hotdice.games.rollers.solving.guide import Players
from hotdice.games.rollers.solving.lattice import full_lattice, pool_numbers
from hotdice.games.rollers.solving.playing import (
    LOG_OF_ROLL,
    LOG_POOL,
    LOG_ROLLS,
    LOG_SEAT,
    LOG_USE,
    LOGGED,
    Choice,
    Memory,
    Rollouts,
    Root,
)
from hotdice.games.rollers.solving.pools import NONE
from hotdice.games.rollers.solving.tables import VERSION, round_key
from hotdice.games.rollers.state import RollersState
from hotdice.solve import store
from hotdice.solve.store import Tables

ALL_OPTIONS = [
    RollersOptions(saved_dice=saved, chip_tie=tie) for saved in ("free", "locked") for tie in ("nobody", "share")
]


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test uses or leaves tables in the user's cache."""
    monkeypatch.setattr(store, "folder", lambda: tmp_path_factory.getbasetemp() / "tables")


@cache
def made_up(locked: bool = False) -> Tables:
    """A table of values that are wrong, but differ everywhere: choices have to follow it all the same."""
    rng = np.random.default_rng(5)
    values = rng.normal(size=(FULL, FULL, 2 * CHIPS + 1))
    return Tables(round_key(locked), VERSION, {"values": values, "error": np.zeros(1)}, "", 0.0)


def evaluator_of(options: RollersOptions, players: int, solved: bool) -> RollersEvaluator:
    table = made_up(options.saved_dice == "locked") if solved else None
    return RollersEvaluator(options, players, table)


def random_position(
    rng: random.Random, players: int, options: RollersOptions, points: tuple[int, ...] | None = None
) -> RollersState:
    """A turn before its first roll."""
    boards = tuple(board_of(rng.randrange(FULL)) for _ in range(players))
    chips = [rng.randrange(60) * rng.randrange(2) for _ in boards[1:]]
    chips.insert(rng.randrange(players), CHIPS * players - sum(chips))
    seat = rng.randrange(players)
    return RollersState(
        options, boards, tuple(chips), points or tuple(rng.randrange(5) for _ in boards), 0, CHANCE, seat,
        0, (), (), (),
    )  # fmt: skip


# What dice do


def test_uses_are_those_of_the_rules() -> None:
    rng = random.Random(3)
    full = playing.full_turn(False)
    for _ in range(200):
        before = random_position(rng, rng.choice((2, 2, 4, 5)), RollersOptions())
        seat, players = before.roller, before.players
        state = before.roll(rng.choice(TOSSES[5][1].rolls)).apply(STOP)
        chips = np.array(state.chips)
        everybody = Players(np.array([number_of(board) for board in state.boards]), chips)
        after, pays = np.empty((5, 7), np.int64), np.empty((players, 5, 7), np.int64)
        playing.steps_on(full.sections, everybody, seat, after, pays)
        legal = {move.uses for move in state.legal_moves() if isinstance(move, Apply)}
        for uses in legal:
            board, left, _ = state.outcome_of(uses)
            purses = chips.copy()
            use = pool_numbers()[(*uses, 0)]
            playing.pay(pays, full.pools, use, seat, purses)
            assert playing.board_after(after, full.pools, use) == number_of(board)
            assert tuple(purses) == left
        pool = pool_of(state.usable)
        for use in range(playing.USES):
            uses = tuple(full.pools[use, :5].tolist())
            if uses not in legal and playing.board_after(after, full.pools, use) >= 0:  # it takes other dice, then
                missing = [max(0, used - have) for used, have in zip(uses, pool.counts, strict=True)]
                assert sum(missing) > pool.stars


# Turns and rounds, replayed by the rules


def faces(black: int, pool: int) -> Roll:
    """Dice from a program's numbers for them."""
    counts = full_lattice(False).pools[pool].tolist()
    purple = [face + 1 for face in range(6) for _ in range(counts[face])]
    return tuple(sorted(purple + ([10 + black] if black != NONE else [])))


def less(dice: Roll, part: Roll) -> Roll:
    rest = list(dice)
    for die in part:
        rest.remove(die)
    return tuple(sorted(rest))


def replayed(state: RollersState, note: list[int]) -> list[tuple[RollersState, Move]]:
    """A turn as it was noted, played by the rules: each decision and the move that was made there."""
    made: list[tuple[RollersState, Move]] = []
    assert note[LOG_SEAT] == state.roller
    for roll in range(ROLLS):
        at = LOG_ROLLS + LOG_OF_ROLL * roll
        black, pool, kept_black, kept = note[at : at + LOG_OF_ROLL]
        if black < 0:
            continue
        state = state.roll(less(faces(black, pool), state.kept))
        if state.rolls < ROLLS:
            dice = faces(kept_black, kept)
            move = Keep(dice) if len(dice) < 6 else STOP
            made.append((state, move))
            state = state.apply(move)
    counts = pool_of(state.usable)
    assert note[LOG_POOL] == pool_numbers()[(*counts.counts, counts.stars)]
    made.append((state, Apply(tuple(full_lattice(False).pools[note[LOG_USE], :5].tolist()))))
    return made


def played_round(
    evaluator: RollersEvaluator, state: RollersState, seed: int
) -> tuple[list[list[int]], list[float], list[float]]:
    """The notes of one round from a state on, before the first roll, with what it brought everybody and their luck."""
    position, full = position_of(state), playing.full_turn(evaluator.locked)
    turn = evaluator.turn(state)
    root = Root(position.players, 0, Memory(turn.uses, turn.rows))
    results, luck = np.zeros((1, 1, state.players)), np.zeros((1, 1, state.players))
    log = np.full((2000, LOGGED), -9)
    moves = np.array([Choice(-1, ROLLS)])
    rollouts = Rollouts(seed, 0, results, luck, log)
    playing.play_out(full, evaluator.aims(position), root, moves, playing.work_memory(full), rollouts)
    notes = log[log[:, LOG_SEAT] >= 0].tolist()
    for note in notes:
        note[LOG_SEAT] = (note[LOG_SEAT] + state.roller) % state.players
    turned = [(seat - state.roller) % state.players for seat in range(state.players)]
    return notes, results[0, 0, turned].tolist(), luck[0, 0, turned].tolist()


@pytest.mark.parametrize("options", ALL_OPTIONS, ids=lambda options: options.text or "default")
@pytest.mark.parametrize(("players", "solved"), [(2, True), (2, False), (3, True), (4, False), (5, True)])
def test_rounds_are_played_by_the_rules_and_by_the_best_values(
    players: int, solved: bool, options: RollersOptions
) -> None:
    """Every move made is worth as much as the evaluator's best, and boards, chips and points are those of the rules."""
    rng = random.Random(f"{players} {options.text}")
    evaluator = evaluator_of(options, players, solved)
    compared = completed = 0
    for game in range(3):
        state = random_position(rng, players, options, None if game else (0,) * players)
        scores = state.scores
        notes, results, luck = played_round(evaluator, state, game)
        stakes = position_of(state).stakes
        for at, note in enumerate(notes):
            made = replayed(state, note)
            for before, move in made if at < 4 else ():
                values = dict(zip(before.legal_moves(), evaluator.looked_ahead(before), strict=True))
                assert values[move] == pytest.approx(max(values.values()), abs=1e-9)
                compared += len(values) > 1
            last, move = made[-1]
            state = last.apply(move)
        if len(notes) > players * (playing.ENDLESS - 1):
            continue  # values that are made up may have everybody wait for ever
        completed += 1
        finisher = last.seat
        board, chips, _ = last.outcome_of(made[-1][1].uses)  # type: ignore[attr-defined]
        assert board == FULL_BOARD
        richest = sum(1 << seat for seat in range(players) if chips[seat] == max(chips))
        turned = [(seat - notes[0][LOG_SEAT]) % players for seat in range(players)]
        most = sum(1 << turned[seat] for seat in range(players) if richest >> seat & 1)
        expected = stakes[turned[finisher], int(chips[finisher] > 0), most][turned]
        assert results == pytest.approx(expected.tolist())
        assert sum(state.scores) > sum(scores)
        assert len(luck) == players
    assert compared > 10
    assert completed > 1


def test_keeps_follow_the_dice_of_a_zap() -> None:
    """After a ZAP what was kept stands, and the roll is lost."""
    evaluator = evaluator_of(RollersOptions(), 2, True)
    rng = random.Random(8)
    zaps = 0
    for seed in range(40):
        state = random_position(rng, 2, RollersOptions(), (0, 0))
        notes, _, _ = played_round(evaluator, state, seed)
        for note in notes[:1]:
            zaps += sum(ZAP in before.rolled for before, _ in replayed(state, note))
    assert zaps > 5


# What rounds are worth


def test_a_round_brings_points() -> None:
    """Completing is worth 2, or 1 without chips; the most chips are worth 1; a tie is nobody's or everybody's."""
    for share in (False, True):
        stakes = equity.round_stakes(2, share)
        assert stakes[0, 1, 0b01].tolist() == [3, -3]
        assert stakes[0, 1, 0b10].tolist() == [1, -1]
        assert stakes[1, 0, 0b01].tolist() == [0, 0]
        assert stakes[1, 1, 0b11].tolist() == [-2, 2]
    assert equity.round_stakes(3, True)[0, 1, 0b110].tolist() == [1, -0.5, -0.5]
    assert equity.round_stakes(3, False)[0, 1, 0b110].tolist() == [2, -1, -1]


@pytest.mark.parametrize("share", [False, True])
def test_the_end_of_a_match_is_that_of_the_rules(share: bool) -> None:
    """Every way to end a round of three, against the result that the rules give."""
    options = RollersOptions(chip_tie="share" if share else "nobody")
    ended = 0
    for points in ((4, 4, 4), (3, 4, 2), (4, 0, 3), (2, 4, 4), (3, 3, 3)):
        stakes = equity.stakes_of(tuple(5 - have for have in points), share, equity.chances)
        assert stakes[:, :, 1:].sum(axis=-1) == pytest.approx(1.0)
        for chips in ((55, 55, 55), (60, 60, 45), (0, 100, 65), (0, 83, 82), (100, 60, 5), (55, 30, 80), (60, 45, 60)):
            boards: tuple[Board, ...] = ((2, 2, 2, 2, 1), (0, 0, 0, 0, 0), (2, 2, 2, 2, 0))
            state = RollersState(options, boards, chips, points, 0, 0, 0, ROLLS, (), (5, 11, 1, 1, 1, 1), ())
            after = state.apply(Apply((0, 0, 0, 0, 1)))
            if after.result is None:
                continue
            ended += 1
            most = sum(1 << seat for seat in range(3) if chips[seat] == max(chips))
            winners = after.result.winners
            expected = [(seat in winners) / len(winners) for seat in range(3)]
            assert stakes[0, int(chips[0] > 0), most].tolist() == pytest.approx(expected)
    assert ended > 15


def test_matches_are_even_and_a_point_helps() -> None:
    for players in range(2, 6):
        for needs in range(1, 30):
            assert equity.chances((needs,) * players) == pytest.approx((1 / players,) * players)
            ahead = equity.chances((needs, *(needs + 1,) * (players - 1)))
            assert sum(ahead) == pytest.approx(1.0)
            assert ahead[0] > 1 / players


def test_who_needs_one_point_loses_only_to_all_three() -> None:
    """At 4 to 3 of 5 the other wins a round by completing it, unless the leader has the most chips."""
    both, other, nobody, broke = equity.ROUNDS[2]
    assert both + other + nobody + broke == pytest.approx(1.0)
    # Completing, the leader wins; if the other completes, the leader still wins with the most chips.
    assert equity.chances((1, 2))[0] == pytest.approx(1 - 0.5 * (both + nobody))
    assert equity.chances((1, 1))[0] == pytest.approx(0.5)


def test_far_from_the_end_chances_go_on_smoothly() -> None:
    for players in range(2, 6):
        near = equity.chances((equity.FAR - 2, *(equity.FAR,) * (players - 1)))[0]
        far = equity.chances((equity.FAR - 1, *(equity.FAR + 1,) * (players - 1)))[0]
        assert far == pytest.approx(near, abs=0.02)
