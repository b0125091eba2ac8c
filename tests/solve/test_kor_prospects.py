"""What speaks for a choice in KOR, against turns that are followed toss by toss through the rules."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from random import Random

import pytest

from hotdice import load_game
from hotdice.game import CHANCE, OVER
from hotdice.games.kor.rules import KorOptions, Target
from hotdice.games.kor.solving.prospects import prospects, reaching, turn_points
from hotdice.games.kor.state import KorState
from hotdice.solve.words import difference

SCORES = (900, 950, 850)
TARGET = 1000


def sending(**options: object) -> KorState:
    """A U-TURN of the first of three, who has to name somebody."""
    random = Random(5)
    while True:
        state = load_game("kor").start(3, {"target": TARGET, **options})  # type: ignore[dict-item]
        for _ in range(200):
            if state.seat == CHANCE:
                outcomes = state.outcomes()
                state = state.roll(outcomes.at(random.randrange(outcomes.total)))
            elif (
                state.seat == 0 and not state.penalty and any(isinstance(move, Target) for move in state.legal_moves())
            ):
                return replace(state, scores=SCORES)
            elif state.seat == OVER:
                break
            else:
                state = state.apply(state.legal_moves()[0])


def scores_after(state: KorState, rare: float = 1e-6) -> dict[int, float]:
    """The chance of each score of a roller when the turn or penalty is over, the better sign followed in a split."""
    seat = state.roller
    reached: dict[KorState, float] = {state: 1.0}
    found: defaultdict[int, float] = defaultdict(float)
    while reached:
        then: defaultdict[KorState, float] = defaultdict(float)
        for now, chance in reached.items():
            for roll, weight in zip(now.outcomes().rolls, now.outcomes().weights, strict=True):
                after, part = now.roll(roll), chance * weight / now.outcomes().total
                if after.seat == seat and after.signs:
                    ways = [after.apply(move) for move in after.legal_moves()]
                    after = max(ways, key=lambda way: way.scores[seat] * (1 if not state.penalty else -1))
                if after.seat == CHANCE and after.roller == seat and after.same_turn(state) and not after.fresh:
                    then[after] += part
                else:
                    found[after.scores[seat]] += part
        reached = {now: chance for now, chance in then.items() if chance > rare}
    return found


def turn_of(state: KorState, seat: int) -> KorState:
    """The beginning of somebody's turn, without a point."""
    return replace(
        state, seat=CHANCE, turn=seat, roller=seat, penalty=False, dice=6, points=0, signs=(), scores=(0, 0, 0)
    )


def test_chances_of_the_next_turns() -> None:
    state = sending()
    gains = scores_after(turn_of(state, 0))

    def reached_from(score: int) -> float:
        return sum(chance for gain, chance in gains.items() if score + gain >= TARGET)

    for victim, other in ((1, 2), (2, 1)):
        found = {one.name: one.value for one in prospects(state, Target(victim))}
        assert found["own"] == pytest.approx(reached_from(SCORES[0]), abs=1e-4)
        penalty = scores_after(state.apply(Target(victim)))
        caught = sum(chance * reached_from(score) for score, chance in penalty.items())
        missed = (1 - caught) * (1 - reached_from(SCORES[other]))
        assert found["first"] == pytest.approx(1 - missed, abs=1e-4)


def test_a_turn_has_all_its_ends() -> None:
    for banks in (False, True):
        for scoring in ("highest", "all"):
            assert turn_points(banks, scoring).sum() == pytest.approx(1, abs=1e-9)
            chances = [
                reaching(KorOptions(bank_roll=banks, scoring=scoring), missing) for missing in (0, 1, 25, 26, 500)
            ]
            assert chances == sorted(chances, reverse=True)
            assert chances[0] == 1
            assert chances[1] == chances[2]


def test_it_reads_as_a_reason() -> None:
    state = sending()
    told = difference(prospects(state, Target(1)), prospects(state, Target(2)))
    assert told.endswith("less risk that somebody else gets to 1,000 first")
