"""Rollouts of KOR: the simulator against `State` and against the solved game, and what is read off them."""

from __future__ import annotations

from functools import cache
from itertools import combinations, product
from random import Random

import numpy as np
import pytest

from hotdice.game import CHANCE, OVER, State
from hotdice.games import parse_position
from hotdice.games.kor import KOR, KorOptions, KorState
from hotdice.games.kor.rules import DICE, TOSSES, Follow, Side, Target, read_toss
from hotdice.games.kor.solving.kernel import U_TURN
from hotdice.games.kor.solving.race import judged, reached
from hotdice.games.kor.solving.rollouts import DEAD, KorRollouts, Moment, move_on, roll_out
from hotdice.games.kor.solving.solver import solve
from hotdice.solve.rollouts import PlayOut, mean_and_error, without_luck
from hotdice.solve.store import Arrays
from hotdice.values import NotSolved, Unit

RULES = [
    KorOptions(bank_roll=bank_roll, final_round=final_round, scoring=scoring, target=1000)
    for bank_roll, final_round, scoring in product((False, True), (False, True), ("highest", "all"))
]


@cache
def solved(options: KorOptions) -> Arrays:
    """Smaller grids, which are quickly solved and good for a thousandth."""
    precision, rare = (5e-2, 1e-7) if options.final_round else (1e-4, 1e-9)
    return solve(options, precision=precision, rare=rare)


def rollouts(options: KorOptions, players: int) -> KorRollouts:
    return KorRollouts(options, players, solved(options))


def rolled_out(values: KorRollouts, state: KorState, count: int) -> tuple[np.ndarray, np.ndarray]:
    winners, luck = np.zeros(count, np.int64), np.zeros((count, state.players))
    roll_out(values.two_policy, values.start(state, 0), 5, 0, winners, luck)
    return winners, luck


@pytest.mark.parametrize("options", [rule for rule in RULES if not rule.final_round], ids=lambda rule: rule.text)
def test_between_two_luck_explains_every_result(options: KorOptions) -> None:
    """The luck of all turns and penalties together is the result less the solved value, in each single game."""
    values = rollouts(options, 2)
    winners, luck = rolled_out(values, KorState.start(options, 2), 500)
    value = values.two.expected(KorState.start(options, 2), 0)
    assert (winners == 0) - (luck[:, 0] - luck[:, 1]) == pytest.approx(np.full(500, value), abs=1e-6)


@pytest.mark.parametrize("options", [rule for rule in RULES if rule.final_round], ids=lambda rule: rule.text)
def test_final_rounds_between_two_come_to_the_solved_value(options: KorOptions) -> None:
    values = rollouts(options, 2)
    winners, luck = rolled_out(values, KorState.start(options, 2), 40_000)
    mean, error = mean_and_error(without_luck((winners == 0).astype(float), luck))
    assert abs(mean - values.two.expected(KorState.start(options, 2), 0)) < 4 * error + 0.001


def decided(values: KorRollouts, state: KorState) -> KorState:
    """A split decided as the policy does."""
    while state.seat >= 0 and state.signs:
        state = state.apply(values.choice(state))
    return state


def turn_of(values: KorRollouts, state: KorState, random: Random) -> tuple[KorState, bool]:
    """Play one turn or penalty through `State`: the state after it, and whether a U-TURN ended it."""
    while True:
        outcomes = state.outcomes()
        roll = outcomes.at(random.randrange(outcomes.total))
        toss = read_toss(roll)
        banked = state.options.bank_roll and toss.scoring == DICE
        ends = not banked and (bool(toss.signs) or not toss.scoring)
        state = decided(values, state.roll(roll))
        if ends:
            return state, state.seat >= 0


@pytest.mark.parametrize("options", RULES, ids=lambda rule: rule.text)
@pytest.mark.parametrize("players", [2, 3, 8])
def test_turns_follow_each_other_as_in_the_game(options: KorOptions, players: int) -> None:
    values = rollouts(options, players)
    random = Random(players)
    for _ in range(30):
        state = KorState.start(options, players)
        while state.seat != OVER:
            before = state
            state, u_turn = turn_of(values, state, random)
            scores = np.array([values._score(score) for score in state.scores])
            now = Moment(before.turn, before.roller, before.penalty, before.leader, -1)
            found = move_on(values.two_policy.goal, options.final_round, scores, now, u_turn)
            if u_turn:
                state = state.apply(values.choice(state))
            if state.seat == OVER:
                result = state.result
                assert result is not None
                assert (found.winner,) == result.winners
            else:
                assert found == Moment(state.turn, state.roller, state.penalty, state.leader, -1)


@pytest.mark.parametrize("options", RULES, ids=lambda rule: rule.text)
@pytest.mark.parametrize("dice", [1, 3, 6])
def test_ends_are_drawn_with_the_chances_of_the_dice(options: KorOptions, dice: int) -> None:
    """U-TURNs are as likely as DEAD ENDs, and the first toss ends a turn as often as the dice say."""
    values = rollouts(options, 3)
    policy = values.two_policy
    drawn = np.zeros(policy.share.shape[1])
    for column, part in enumerate(policy.share[dice]):
        drawn[column] += part / drawn.size
        drawn[policy.other[dice, column]] += (1 - part) / drawn.size
    ends = [drawn[end * policy.width : (end + 1) * policy.width].sum() for end in range(DEAD + 1)]
    assert ends[U_TURN] == pytest.approx(ends[DEAD], abs=1e-9)  # the faces are alike
    assert drawn[: policy.width][0] == pytest.approx(at_once(dice), abs=1e-9)


def at_once(dice: int) -> float:
    """The chance that the first toss ends the turn with nothing gained by a STOP or by no scoring die."""
    outcomes = TOSSES[dice]
    weight = 0
    for roll, times in zip(outcomes.rolls, outcomes.weights, strict=True):
        signs = [sign.name for sign in read_toss(roll).signs]
        if signs == ["STOP"] or (not signs and not read_toss(roll).scoring):
            weight += times
    return weight / outcomes.total


def test_luck_has_no_direction() -> None:
    values = rollouts(RULES[0], 4)
    _, luck = rolled_out(values, KorState.start(RULES[0], 4), 20_000)
    assert (np.abs(luck.mean(axis=0)) < 4 * luck.std(axis=0) / 20_000**0.5).all()


def test_the_leader_is_the_best_one_to_send_back() -> None:
    found = rollouts(RULES[0], 3).evaluate(parse_position("kor(target=1000) 300/250/900 1 1 target 6 0 -"))
    assert found.unit is Unit.WIN
    assert not found.exact
    assert found.lines[0].action == Target(2)
    assert not found.lines[1].tied


def test_a_split_that_wins_is_certain() -> None:
    found = rollouts(RULES[0], 3).evaluate(parse_position("kor(target=1000) 750/250/900 1 1 stop+dead-end 6 250 -"))
    assert [line.action for line in found.lines] == [Follow(Side.STOP), Follow(Side.DEAD_END)]
    assert (found.lines[0].value, found.lines[0].error) == (1.0, 0.0)


def test_a_u_turn_among_eight_takes_few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of seven targets took thousands of games once, which were seconds of CPU for a bot's choice."""
    values = rollouts(RULES[0], 8)
    games: list[int] = []
    begin = values.begin

    def counted(state: State, seat: int) -> PlayOut:
        play = begin(state, seat)

        def play_out(seed: int, first: int, winners: np.ndarray, luck: np.ndarray) -> None:
            games.append(winners.size)
            play(seed, first, winners, luck)

        return play_out

    monkeypatch.setattr(values, "begin", counted)
    found = values.evaluate(parse_position("kor(target=1000) 300/250/900/100/700/0/650/425 1 1 target 6 0 -"))
    assert found.lines[0].action == Target(2)
    assert sum(games) <= 1024


@pytest.mark.parametrize("options", RULES[:4], ids=lambda rule: rule.text)
def test_whom_to_send_back_is_judged_as_games_played_to_their_end_do(options: KorOptions) -> None:
    """The differences between targets, against those of whole games with other dice."""
    values = rollouts(options, 4)
    name = KOR.text(options)
    for scores, turn in (("600/250/900/700", 1), ("100/850/0/800", 3), ("900/900/850/300", 4)):
        state = parse_position(f"{name} {scores} {turn} {turn} target 6 0 -")
        targets = [state.apply(move) for move in state.legal_moves()]
        results, luck = values.sampler(targets, state.seat, [3] * len(targets))(np.arange(len(targets)), 0, 8192)
        played = np.array([without_luck(*one) for one in zip(results, luck, strict=True)])
        worth = {line.action: line.value for line in values.evaluate(state).lines}
        short = np.array([worth[move] for move in state.legal_moves()])
        for one, other in combinations(range(len(targets)), 2):
            gap, error = mean_and_error(played[one] - played[other])
            assert abs(gap - (short[one] - short[other])) < 4 * error + 0.01


def test_somebody_wins_the_race() -> None:
    chances = reached(RULES[0])
    scores = np.array([10, 0, 30, 25])
    for turn in range(4):
        assert sum(judged(chances, 40, scores, turn, seat) for seat in range(4)) == pytest.approx(1, abs=1e-6)
    assert chances[0].tolist() == [1.0] * chances.shape[1]
    assert (np.diff(chances, axis=1) >= 0).all()


@pytest.mark.parametrize("options", [rule for rule in RULES if not rule.bank_roll][:2], ids=lambda rule: rule.text)
def test_the_chance_to_be_there_within_a_turn_is_that_of_the_dice(options: KorOptions) -> None:
    """By playing turns through `State`, without a choice in them: a split counts as STOP where it has one."""
    random, count, far = Random(5), 4000, KorOptions(scoring=options.scoring, target=100_000)
    there = 0
    for _ in range(count):
        state = KorState.start(far, 3)
        while state.seat == CHANCE and state.turn == 0 and not state.penalty:
            outcomes = state.outcomes()
            state = state.roll(outcomes.at(random.randrange(outcomes.total)))
            while state.seat >= 0 and state.signs:
                state = state.apply(state.legal_moves()[0])
        there += state.scores[0] >= 500
    expected = reached(options)[500 // 25, 1]
    assert there / count == pytest.approx(expected, abs=4 * (0.25 / count) ** 0.5)


def test_chances_of_all_seats_add_up() -> None:
    values = rollouts(RULES[0], 3)
    state = KOR.start(3, RULES[0])
    assert sum(values.expected(state, seat) for seat in range(3)) == pytest.approx(1, abs=0.01)
    assert state.seat == CHANCE


def test_a_position_always_has_the_same_values() -> None:
    state = parse_position("kor(target=1000) 300/250/900 1 1 target 6 0 -")
    first, second = (rollouts(RULES[0], 3).evaluate(state) for _ in range(2))
    assert first == second


def test_other_rules_are_refused() -> None:
    with pytest.raises(NotSolved):
        rollouts(RULES[0], 3).evaluate(KOR.start(4, RULES[0]))
    lost = parse_position("kor(target=1000) -900000/-900000/-900000 1 1 toss 6 0 -")
    with pytest.raises(NotSolved, match="Nobody"):
        rollouts(RULES[0], 3).evaluate(lost)
