"""The Kismet solver against published digits, brute force, and the rules themselves.

Tables are solved once for all tests, into a folder of their own. Brute force goes over the states of the real game
late in it, and over a tiny game of the same family that is written down independently here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations, product
from pathlib import Path
from random import Random

import numpy as np
import pytest

from hotdice.dice import Roll
from hotdice.game import CHANCE, OVER, State
from hotdice.games import parse_position
from hotdice.games.kismet import KISMET, Box, Keep, KismetOptions, KismetState, Score
from hotdice.games.kismet.rules import TOSSES
from hotdice.games.kismet.solving import KismetSolver
from hotdice.games.kismet.solving.box_sets import NEVER
from hotdice.games.kismet.solving.endgames import play_endgame
from hotdice.games.kismet.solving.evaluators import (
    MOST,
    Alone,
    Together,
    Toward,
    after_kismet,
    beginners,
    player,
    seats,
)
from hotdice.games.kismet.solving.sheets import FIVE, Sheet, make_sheet
from hotdice.games.kismet.solving.tables import follow_sheet, pack, points_table, solve_sheet, spread_table, unpack
from hotdice.games.kismet.solving.wins import payoff, total_chances
from hotdice.rolloff import after_roll_off
from hotdice.solve import evaluate_toward, store
from hotdice.solve.multisets import multisets
from hotdice.values import Evaluator, NotSolved, Unit
from tests.solve.yahtzee import Joker, yahtzee

PRINTED = KismetOptions()


@pytest.fixture(scope="module", autouse=True)
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("tables")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "folder", lambda: folder)
        yield folder


@pytest.fixture(scope="module")
def alone() -> Alone:
    made = KismetSolver().evaluator(PRINTED, 1)
    assert isinstance(made, Alone)
    return made


@pytest.fixture(scope="module")
def pair() -> Together:
    return Together(PRINTED, 2)


@pytest.fixture(scope="module")
def trio() -> Together:
    return Together(PRINTED, 3)


# The method, to published digits


@pytest.mark.parametrize(
    ("rule", "published"), [(Joker.FREE, 254.5896), (Joker.FORCED, 254.5877), (Joker.NOTHING, 245.8708)]
)
def test_yahtzee_as_verhoeff_and_others_published_it(rule: Joker, published: float) -> None:
    """T. Verhoeff, Optimal Solitaire Yahtzee Strategies, 1999; J. Glenn, 2006; P. Woodward, 2003."""
    assert round(float(solve_sheet(yahtzee(rule), FIVE.edges)[0, 0]), 4) == published


def test_the_lattice_has_the_edges_that_the_method_promises() -> None:
    five = multisets(5)
    assert (len(five.all), five.keeps, len(five.rolls)) == (462, 210, 252)
    assert five.edges.more.size == len(five.edges.fewer) == 1260
    assert five.rolls == TOSSES[5].rolls
    assert five.edges.chance * TOSSES[5].total == pytest.approx(TOSSES[5].weights)


# Tiny games, by an independent expectimax over ordered dice

Figures = tuple[float, float, float, float]
"""Expected points; the least and the greatest mean square among equally good plays; expected doubles or triples."""


def tiny_points(dice: Roll) -> tuple[int, int, int]:
    """Two basic boxes (threes, fives) and a chance that pays a bit more for all alike."""
    return 3 * dice.count(3), 5 * dice.count(5), sum(dice) + (7 if len(set(dice)) == 1 else 0)


def tiny_bonus(basic: int) -> int:
    return 11 if basic >= 13 else 6 if basic >= 8 else 0


def tiny_game(dice: int, rolls: int) -> Callable[[int, int], Figures]:
    def mean(found: list[Figures]) -> Figures:
        count = len(found)
        return (
            sum(one[0] for one in found) / count,
            sum(one[1] for one in found) / count,
            sum(one[2] for one in found) / count,
            sum(one[3] for one in found) / count,
        )

    def best(found: list[Figures]) -> Figures:
        most = max(one[0] for one in found)
        tied = [one for one in found if one[0] > most - 1e-9]
        return most, min(one[1] for one in tied), max(one[2] for one in tied), tied[0][3]

    @cache
    def start(mask: int, basic: int) -> Figures:
        if mask == 0b111:
            points = tiny_bonus(basic)
            return points, points**2, points**2, 0.0
        return rolled(mask, basic, (), 0)

    @cache
    def rolled(mask: int, basic: int, kept: Roll, taken: int) -> Figures:
        throws = product(range(1, 7), repeat=dice - len(kept))
        return mean([decided(mask, basic, tuple(sorted(kept + throw)), taken + 1) for throw in throws])

    @cache
    def decided(mask: int, basic: int, hand: Roll, taken: int) -> Figures:
        choices: list[Figures] = []
        for box, points in enumerate(tiny_points(hand)):
            if not mask >> box & 1:
                value, low, high, alike = start(mask | 1 << box, min(13, basic + (points if box < 2 else 0)))
                shift = points**2 + 2 * points * value
                choices.append((points + value, low + shift, high + shift, alike + (len(set(hand)) == 1)))
        if taken < rolls:
            keeps = {kept for count in range(dice) for kept in combinations(hand, count)}
            choices += [rolled(mask, basic, kept, taken) for kept in sorted(keeps)]
        return best(choices)

    return start


def tiny_sheet(dice: int, rolls: int) -> Sheet:
    lattice = multisets(dice)
    points = np.array([tiny_points(roll) for roll in lattice.rolls])
    return make_sheet(
        rolls=rolls,
        points=points[np.newaxis],
        gain=points * [1, 1, 0],
        bonus=[tiny_bonus(basic) for basic in range(14)],
        marked=[len(set(roll)) == 1 for roll in lattice.rolls],
    )


@pytest.mark.parametrize(("dice", "rolls"), [(2, 3), (3, 2), (3, 3)])
def test_tiny_games_by_brute_force(dice: int, rolls: int) -> None:
    lattice = multisets(dice)
    sheet = tiny_sheet(dice, rolls)
    value = solve_sheet(sheet, lattice.edges)
    variance, alike = follow_sheet(sheet, lattice.edges, value)
    brute = tiny_game(dice, rolls)
    for mask in range(8):
        for basic in np.flatnonzero(sheet.lane[sheet.group[mask]] >= 0).tolist():
            mean, low, high, count = brute(mask, basic)
            assert value[mask, basic] == pytest.approx(mean, abs=1e-9)
            assert low - mean**2 - 1e-7 <= variance[mask, basic] <= high - mean**2 + 1e-7
            assert low != high or alike[mask, basic] == pytest.approx(count, abs=1e-9)
    assert brute(0, 0)[1] == pytest.approx(brute(0, 0)[2]), "no ties that matter, so the variance is checked exactly"


@pytest.mark.parametrize(("dice", "rolls"), [(2, 3), (3, 2)])
def test_lanes_are_all_there_is_to_keep(dice: int, rolls: int) -> None:
    sheet = tiny_sheet(dice, rolls)
    value = solve_sheet(sheet, multisets(dice).edges)
    packed = pack(sheet, value)
    assert len(packed) == sheet.lanes[sheet.group].sum() < value.size
    possible = sheet.lane[sheet.group] >= 0
    assert unpack(sheet, packed, raised=True)[possible] == pytest.approx(value[possible], abs=1e-12)


def tiny_endgame(dice: int, rolls: int, payoff: list[float]) -> Callable[[int, int, int], float]:
    """The best mean payoff by boxes filled, sum, and what is written."""

    @cache
    def start(mask: int, basic: int, written: int) -> float:
        if mask == 0b111:
            return payoff[min(written + tiny_bonus(basic), len(payoff) - 1)]
        return rolled(mask, basic, written, (), 0)

    @cache
    def rolled(mask: int, basic: int, written: int, kept: Roll, taken: int) -> float:
        throws = list(product(range(1, 7), repeat=dice - len(kept)))
        found = (decided(mask, basic, written, tuple(sorted(kept + throw)), taken + 1) for throw in throws)
        return sum(found) / len(throws)

    @cache
    def decided(mask: int, basic: int, written: int, hand: Roll, taken: int) -> float:
        choices = [
            start(mask | 1 << box, min(13, basic + (points if box < 2 else 0)), written + points)
            for box, points in enumerate(tiny_points(hand))
            if not mask >> box & 1
        ]
        if taken < rolls:
            keeps = {kept for count in range(dice) for kept in combinations(hand, count)}
            choices += [rolled(mask, basic, written, kept, taken) for kept in sorted(keeps)]
        return max(choices)

    return start


@pytest.mark.parametrize(("dice", "rolls"), [(2, 2), (2, 3)])
@pytest.mark.parametrize("kind", ["a target", "a tie counts half", "a distribution"])
def test_tiny_endgames_by_brute_force(dice: int, rolls: int, kind: str) -> None:
    """From every set of filled boxes and every sum, for one start and for a range of starts at once."""
    random = Random(f"{dice} {rolls} {kind}")
    chances = {"a target": [0.0] * 17 + [1.0], "a tie counts half": [0.0] * 17 + [0.5, 1.0]}
    payoff = chances.get(kind) or sorted(random.random() for _ in range(30))
    sheet, edges = tiny_sheet(dice, rolls), multisets(dice).edges
    brute = tiny_endgame(dice, rolls, payoff)
    for mask in range(8):
        for basic in np.flatnonzero(sheet.lane[sheet.group[mask]] >= 0).tolist():
            found = play_endgame(sheet, edges, mask, basic, np.array(payoff), start=9)
            expected = [brute(mask, basic, written) for written in range(9)]
            assert [found.value(written) for written in range(9)] == pytest.approx(expected, abs=1e-12)
            assert play_endgame(sheet, edges, mask, basic, np.array(payoff)).value() == pytest.approx(expected[0])
            for roll, hand in enumerate(multisets(dice).rolls):
                for box, points in enumerate(tiny_points(hand)):
                    if not mask >> box & 1:
                        then = brute(mask | 1 << box, min(13, basic + (points if box < 2 else 0)), 3 + points)
                        assert found.entries(3)[roll, box] == pytest.approx(then, abs=1e-12)


# The real game, late, by brute force over its states


def brute_force(pays: Callable[[State], tuple[float, ...]]) -> Callable[[State], tuple[float, ...]]:
    """The expectimax of everybody's payoff: each seat plays for its own."""

    @cache
    def worth(state: State) -> tuple[float, ...]:
        if state.seat == OVER:
            return pays(state)
        if state.seat != CHANCE:
            seat = state.seat
            return max((worth(state.apply(move)) for move in state.legal_moves()), key=lambda values: values[seat])
        outcomes = state.outcomes()
        found = np.array([worth(state.roll(roll)) for roll in outcomes.rolls])
        return tuple((np.array(outcomes.weights) @ found / outcomes.total).tolist())

    return worth


def total_points(state: State) -> tuple[float, ...]:
    return tuple(map(float, state.scores))


def shared_win(state: State) -> tuple[float, ...]:
    assert state.result is not None
    winners = state.result.winners
    return tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(state.players))


def late(fields: str, options: str = "") -> KismetState:
    state = parse_position(f"kismet{options} {fields}")
    assert isinstance(state, KismetState)
    return state


FILLED = "3,6,9,12,15,18,20,20,30,35,30,38,41,21,0"
"""A full sheet; 63 in the basic boxes, 333 in all."""


def without(*boxes: Box, sheet: str = FILLED) -> str:
    entries = sheet.split(",")
    for box in boxes:
        entries[box] = "-"
    return ",".join(entries)


@pytest.mark.parametrize(
    "fields",
    [
        f"{without(Box.SIXES)} 1 0 -",
        f"{without(Box.FULL_HOUSE_SAME_COLOR)} 1 0 -",
        f"{without(Box.FIVES, Box.STRAIGHT)} 1 0 -",
    ],
)
def test_late_points_by_brute_force(alone: Alone, fields: str) -> None:
    state = late(fields)
    brute = brute_force(total_points)
    assert alone.expected(state, 0) == pytest.approx(brute(state)[0], abs=1e-9)
    random = Random(fields)
    for rolls in range(3):
        outcomes = state.outcomes()
        state = state.roll(outcomes.at(random.randrange(outcomes.total)))
        expected = [brute(state.apply(move))[0] for move in state.legal_moves()]
        assert alone.action_values(state, 0) == pytest.approx(expected, abs=1e-9)
        if rolls < 2:
            state = state.apply(random.choice([move for move in state.legal_moves() if isinstance(move, Keep)]))


def test_the_other_reading_of_the_full_house_by_brute_force() -> None:
    options = KismetOptions(kismet_is_full_house=False)
    state = late(f"{without(Box.FULL_HOUSE)} 1 1 66666", "(kismet_is_full_house=false)")
    assert Alone(options).expected(state, 0) == pytest.approx(brute_force(total_points)(state)[0], abs=1e-9)
    assert points_table(options).arrays["value"][0, 0] < points_table(PRINTED).arrays["value"][0, 0]


# A total to reach


def toward(state: KismetState, target: int) -> Toward:
    made = KismetSolver().toward(state.options, state.players, target)
    assert isinstance(made, Toward)
    return made


@pytest.mark.parametrize(
    ("fields", "options", "target"),
    [
        (f"{without(Box.SIXES, Box.STRAIGHT)} 1 2 33366", "", 325),
        (f"{without(Box.FIVES, Box.YARBOROUGH)}/{FILLED} 1 2 15566", "", 330),
        (f"{without(Box.FLUSH, Box.KISMET)}/{without(Box.ACES)} 1 2 22555", "(second_kismet=false)", 370),
    ],
)
def test_the_chance_of_a_target_by_brute_force(fields: str, options: str, target: int) -> None:
    """63 points in the basic boxes are worth a bonus, so that Sixes and Fives count for more than themselves."""
    state = late(fields, options)
    alone = late(fields.partition("/")[0].split()[0] + " " + fields.split(maxsplit=1)[1], options)
    brute = brute_force(lambda state: (float(state.scores[0] >= target),))
    expected = {move: brute(alone.apply(move))[0] for move in alone.legal_moves()}
    found = evaluate_toward(state, target)
    assert (found.unit, found.exact, found.seat) == (Unit.TARGET, True, 0)
    assert {line.action: line.value for line in found.lines} == pytest.approx(expected, abs=1e-12)
    assert found.value == pytest.approx(max(expected.values()))
    assert 0.01 < found.value < 0.99
    assert toward(state, target).value(state, 0).value == pytest.approx(found.value)


def test_targets_that_have_no_chance_to_speak_of() -> None:
    sheet = without(Box.SIXES, Box.STRAIGHT)
    whole = late(f"{sheet} 1 0 -")
    nine = without(*list(Box)[:9])
    for fields, target, why in (
        (f"{sheet} 1 0 -", 250, "The target is reached: this sheet has 250 points already."),
        (f"{sheet} 1 0 -", 366, "366 points are out of reach: this sheet can come to 365 at most."),
        (f"{nine} 1 0 -", 300, "the last 8 boxes of a sheet; 9 are vacant"),
        (f"{sheet}/{sheet} 1 0 -", 300, "Others are still playing"),
        (f"{without(*Box)}/{without(*Box)} 1 off .,.", 300, "the last 8 boxes"),
    ):
        with pytest.raises(NotSolved, match=why):
            evaluate_toward(late(fields), target)
    assert evaluate_toward(whole, 365).value > 0
    with pytest.raises(NotSolved, match="Pig has no chances of a target"):
        evaluate_toward(parse_position("pig 0/0 1 20 decide"), 50)


def test_values_agree_when_all_others_have_finished(pair: Together) -> None:
    """Eight boxes and fewer are exact, so an entry is worth what the state after it is."""
    random = Random(3)
    state: State = late(f"{without(Box.FOURS, Box.FIVES, Box.FLUSH, Box.KISMET)}/{FILLED} 1 0 -")
    while state.seat != OVER:
        found = pair.evaluate(state)
        assert found.exact
        if state.seat == CHANCE:
            outcomes = state.outcomes()
            state = state.roll(outcomes.at(random.randrange(outcomes.total)))
            continue
        after = [pair.value(state.apply(move), 0).value for move in state.legal_moves()]
        assert pair.action_values(state, 0) == pytest.approx(after, abs=1e-9)
        state = state.apply(random.choice(state.legal_moves()))


# Values agree with one another


def random_game(players: int, seed: int, options: KismetOptions = PRINTED) -> Iterator[KismetState]:
    """The states of a game of random moves, most of them sensible enough to fill the sheets with something."""
    random = Random(seed)
    state: State = KISMET.start(players, options)
    while True:
        assert isinstance(state, KismetState)
        yield state
        if state.seat == OVER:
            return
        if state.seat == CHANCE:
            outcomes = state.outcomes()
            state = state.roll(outcomes.at(random.randrange(outcomes.total)))
        else:
            state = state.apply(random.choice(state.legal_moves()))


def check_agreement(values: Evaluator, state: KismetState) -> None:
    """A state is worth its best move, or the average of its rolls, to whoever has the turn."""
    if state.seat == OVER:
        return
    found = values.evaluate(state)
    assert found.unit is values.unit
    assert found.seat == state.roller
    assert {line.action for line in found.lines} == set(state.legal_moves() or state.outcomes().rolls)
    assert values.expected(state, found.seat) == pytest.approx(found.value, abs=1e-9)


def test_values_agree_alone(alone: Alone) -> None:
    assert alone.unit is Unit.POINTS
    for state in random_game(1, 5):
        check_agreement(alone, state)
        if state.seat >= 0:
            after = [alone.expected(state.apply(move), 0) for move in state.legal_moves()]
            assert alone.action_values(state, 0) == pytest.approx(after, abs=1e-9)
        elif state.seat == OVER:
            assert alone.expected(state, 0) == state.scores[0]


@pytest.mark.parametrize("seed", [1, 2])
def test_values_agree_for_two(pair: Together, seed: int) -> None:
    for state in random_game(2, seed):
        check_agreement(pair, state)
        assert pair.expected(state, 0) + pair.expected(state, 1) == pytest.approx(1)


def test_values_agree_for_three(trio: Together) -> None:
    for state in random_game(3, 3):
        check_agreement(trio, state)
        assert sum(trio.expected(state, seat) for seat in range(3)) == pytest.approx(1)


def test_foreign_positions_are_refused(alone: Alone, pair: Together) -> None:
    with pytest.raises(NotSolved, match="kismet"):
        alone.expected(KISMET.start(1, KismetOptions(second_kismet=False)), 0)
    with pytest.raises(NotSolved, match="2 players"):
        pair.expected(KISMET.start(3), 0)


# What play for points brings, by simulation


def play_for_points(alone: Alone, random: Random) -> tuple[int, int]:
    """The total and the number of Kismets of one game."""
    sheet = player((-1,) * len(Box))
    kismets = 0
    while sheet.vacant:
        turn = alone.points_turn(sheet.mask, sheet.basic)
        row, taken = 0, 0
        while row < FIVE.keeps:
            taken += 1
            rest = TOSSES[5 - len(FIVE.all[row])]
            row = FIVE.number[tuple(sorted(FIVE.all[row] + rest.at(int(random.random() * rest.total))))]
            row = int(turn.choice[taken, row])
        roll = row - FIVE.keeps
        box = int(turn.boxes[roll])
        points, gain = int(alone.sheet.points[0, roll, box]), int(alone.sheet.gain[roll, box])
        kismets += int(alone.sheet.marked[roll])
        sheet = type(sheet)(sheet.mask | 1 << box, min(sheet.basic + gain, 78), sheet.written + points)
    return sheet.written + int(alone.sheet.bonus[sheet.basic]), kismets


def test_mean_variance_and_kismets_by_simulation(alone: Alone) -> None:
    spread = spread_table(PRINTED).arrays
    random = Random(7)
    games = np.array([play_for_points(alone, random) for _ in range(2500)], np.float64)
    totals, kismets = games.T
    root, mean = len(totals) ** 0.5, float(points_table(PRINTED).arrays["value"][0, 0])
    assert abs(totals.mean() - mean) < 4 * totals.std() / root
    squares = (totals - mean) ** 2
    assert abs(squares.mean() - spread["variance"][0, 0]) < 4 * squares.std() / root
    assert abs(kismets.mean() - spread["kismets"][0, 0]) < 4 * kismets.std() / root


def test_the_distributions_of_the_last_boxes_have_the_mean_and_the_variance(pair: Together) -> None:
    for sheet in (without(Box.SIXES), without(Box.FOURS, Box.KISMET), without(Box.FLUSH, Box.YARBOROUGH), FILLED):
        one = player(late(f"{sheet}/{without(Box.ACES)} 2 0 -").sheets[0])
        full = player(late(f"{FILLED}/{without(Box.ACES)} 2 0 -").sheets[0])
        chances = np.empty(MOST)
        total_chances(pair.sheet, pair.model.forecast, seats((one, full), (False, False)), 0, chances)
        totals = np.arange(len(chances))
        mean = float(chances @ totals)
        assert chances.sum() == pytest.approx(1, abs=1e-6)
        assert mean == pytest.approx(one.written + pair.points_table[one.mask, one.basic], abs=1e-3)
        assert float(chances @ (totals - mean) ** 2) == pytest.approx(
            pair.model.forecast.variance[one.mask, one.basic], abs=1e-2
        )


# Playing for the win


def test_nobody_is_ahead_at_the_start(pair: Together, trio: Together) -> None:
    for values, players in ((pair, 2), (trio, 3)):
        start = KISMET.start(players)
        assert [values.expected(start, seat) for seat in range(players)] == pytest.approx([1 / players] * players)
        begun = late("/".join([without(*Box)] * players) + " 1 0 -")
        assert abs(values.expected(begun, 0) - 1 / players) < 0.01


def test_a_certain_win_and_a_certain_loss(pair: Together) -> None:
    poor = ",".join(["0"] * 15)
    won = late(f"{without(Box.KISMET)}/{poor} 1 1 12346")
    assert pair.action_values(won, 0) == pytest.approx([1.0] * len(won.legal_moves()))
    lost = late(f"{without(Box.ACES, sheet=poor)}/{FILLED} 1 1 12346")
    assert pair.action_values(lost, 0) == pytest.approx([0.0] * len(lost.legal_moves()))
    assert pair.expected(lost, 1) == pytest.approx(1)


def test_moves_that_win_alike_are_told_apart_by_points(alone: Alone, pair: Together) -> None:
    """The last boxes of a game that is lost or won are filled as they are in a game for points."""
    poor = ",".join(["0"] * 15)
    for sheets, chance in (
        (f"{without(Box.ACES, Box.SIXES, Box.FLUSH, sheet=poor)}/{FILLED}", 0),
        (f"{without(Box.ACES, Box.SIXES)}/{poor}", 1),
    ):
        for dice in ("11666", "22334", "13335"):
            for taken in (1, 2, 3):
                found = pair.evaluate(late(f"{sheets} 1 {taken} {dice}"))
                points = alone.evaluate(late(f"{sheets.partition('/')[0]} 1 {taken} {dice}"))
                assert [line.value for line in found.lines] == pytest.approx([chance] * len(found.lines), abs=1e-9)
                assert all(line.tied for line in found.lines)
                assert [line.action for line in found.lines] == [line.action for line in points.lines]


def test_it_gambles_when_behind(alone: Alone, pair: Together) -> None:
    """27 in the last box is a fine score, but 28 would still lose by one."""
    ahead = FILLED.replace("41,21", "41,29")
    state = late(f"{without(Box.YARBOROUGH)}/{ahead} 1 2 55566")
    assert alone.evaluate(late(f"{without(Box.YARBOROUGH)} 1 2 55566")).lines[0].action == Score(Box.YARBOROUGH)
    found = pair.evaluate(state)
    brute = brute_force(shared_win)
    expected = {move: brute(state.apply(move))[0] for move in state.legal_moves()}
    assert found.exact
    assert {line.action: line.value for line in found.lines} == pytest.approx(expected, abs=1e-9)
    assert found.lines[0].action == Keep((5, 6, 6))
    assert expected[Score(Box.YARBOROUGH)] == 0


@pytest.mark.parametrize(
    "fields",
    [
        f"{without(Box.STRAIGHT)}!/{without(Box.SIXES)} 1 0 -",
        f"{without(Box.SIXES, sheet=FILLED.replace('35,30', '0,30'))}/{without(Box.STRAIGHT)}! 1 0 -",
        f"{without(Box.STRAIGHT, Box.FLUSH)}/{FILLED.replace('30,35', '0,35')} 1 0 -",
    ],
)
def test_the_last_turns_of_two_by_brute_force(pair: Together, fields: str) -> None:
    """The answer to the last but one turn, a second Kismet that takes it away, and two turns in a row."""
    state = late(fields)
    brute = brute_force(shared_win)
    assert pair.evaluate(state).exact
    assert 0.01 < brute(state)[0] < 0.99
    assert pair.expected(state, 0) == pytest.approx(brute(state)[0], abs=1e-9)
    assert pair.expected(state, 1) == pytest.approx(brute(state)[1], abs=1e-9)


@pytest.mark.parametrize("options", [PRINTED, KismetOptions(second_kismet=False)])
def test_what_a_kismet_does_to_the_others_as_the_rules_have_it(options: KismetOptions) -> None:
    random = Random(11)
    hit = 0
    for state in random_game(3, 4, options):
        if state.seat != CHANCE or state.rolls or state.roll_off:
            continue
        begun = [any(entry >= 0 for entry in sheet) for sheet in state.sheets]
        had = tuple(one and random.random() < 0.5 for one in begun)
        rolled = replace(state, had_kismet=had, seat=state.roller, rolls=3, dice=(4,) * 5)
        after = rolled.apply(rolled.legal_moves()[-1])
        assert isinstance(after, KismetState)
        before = tuple(map(player, state.sheets))
        everybody, flags = after_kismet(options, before, had, state.roller)
        others = [seat for seat in range(3) if seat != state.roller]
        assert [everybody[seat] for seat in others] == [player(after.sheets[seat]) for seat in others]
        assert everybody[state.roller] == before[state.roller]
        assert flags == after.had_kismet
        hit += everybody != before
    assert (hit > 10) == options.second_kismet


def test_it_knows_what_a_second_kismet_costs_the_others(pair: Together) -> None:
    """The other has Fives to fill. A second Kismet writes a zero there, and so wins where a first one need not."""
    sheets = "{}{}/{}".format(without(Box.FLUSH), "{}", without(Box.FIVES))
    values = {flag: pair.expected(late(f"{sheets.format(flag)} 1 3 22222"), 0) for flag in ("", "!")}
    assert values["!"] > values[""] + 0.1
    begun = without(*Box).replace("-", "5", 1)
    chase = Keep((4, 4, 4))

    def eager(flag: str) -> float:
        state = late(f"{begun}{flag}/{begun} 1 1 44456")
        return pair.action_values(state, 0)[state.legal_moves().index(chase)]

    assert eager("!") > eager("")


def test_what_ties_pay() -> None:
    """Three players with 10, one of whom may have 11, by hand."""
    roller = -1
    others = np.zeros((2, MOST))
    others[0, 10], others[1, 10], others[1, 11] = 1, 0.75, 0.25
    for place, at_ten in ((roller, 0.75 / 3), (0, 0.75 / 3), (1, 0.75 / 3 + 0.25)):
        pays = payoff(others, place)
        assert pays[10] == pytest.approx(at_ten)
        assert pays[9] == pytest.approx({roller: 0, 0: 0.375, 1: 0.625}[place])
        assert pays[12] == pytest.approx(1 if place == roller else 0)


@pytest.mark.parametrize("roll_off", [(0, 0), (0, 0, 0), (3, 0, 0), (6, 6, 0, -1), (2, 5, 5, 0, 0), (-1, 0, 0)])
def test_who_begins(roll_off: tuple[int, ...]) -> None:
    chances = beginners(roll_off)
    assert sum(chances) == pytest.approx(1)
    following = np.zeros(len(roll_off))
    for value in range(1, 7):
        first, after = after_roll_off(roll_off, value)
        following += np.array(beginners(after) if after else np.eye(len(roll_off))[first]) / 6
    assert chances == pytest.approx(following.tolist())


def test_the_points_table_is_read_from_its_folder(tables: Path, alone: Alone) -> None:
    before = points_table(PRINTED)
    assert any(tables.iterdir())
    assert before.checksum == points_table(KismetOptions(second_kismet=False)).checksum
    assert alone.points_table.min() >= 0 > NEVER


# What the boxes will bring: alone in `test_kismet_worths`


def test_several_players_are_told_of_play_for_points_on_their_own_sheets(alone: Alone, pair: Together) -> None:
    for sheet in (FILLED, without(Box.ACES)):
        own = f"{without(Box.DEUCES, Box.STRAIGHT, Box.KISMET)}"
        together = late(f"{own}/{sheet} 1 2 22345")
        single = late(f"{own} 1 2 22345")
        for move in together.legal_moves():
            assert pair.prospects(together, move) == alone.prospects(single, move)
