"""What the chapter on KOR says: exact for two players, by rollouts and simulated games for more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from random import Random
from typing import Final

import numpy as np

from hotdice import CHANCE, OVER, load_game, simulate
from hotdice.game import Move
from hotdice.games.kor import KOR, KorOptions, KorState
from hotdice.games.kor.rules import DICE, NOBODY, Follow, Side, Target
from hotdice.games.kor.solving import KorSolver
from hotdice.games.kor.solving.turns import turn_law
from hotdice.solve import evaluator_for
from hotdice.values import Evaluator
from strategy.figures import SEED, Estimate, Match, Report, Seats, match, seats

PLAIN: Final = KorOptions()
VARIANTS: Final = {
    "as printed": PLAIN,
    "Bank Roll": KorOptions(bank_roll=True),
    "final round": KorOptions(final_round=True),
    "both": KorOptions(bank_roll=True, final_round=True),
}
GAMES: Final = 200_000
POSITIONS: Final = 150
"""Choices of whom to send back that are judged, for each number of players."""
MINE: Final = 3000
SCORES: Final = (500, 1500, 2500, 3500, 4500, 5500)
"""Scores of the two opponents for which it is worked out whom to send back."""
STAKES: Final = range(0, 1001, 25)
PAIRS: Final = ((0, 0), (3000, 3000), (5000, 5000), (2000, 4000), (4000, 2000), (3000, 5500), (5500, 3000))


@dataclass(frozen=True, slots=True)
class Variant:
    """What a set of house rules comes to."""

    name: str
    first: float
    """What the first of two wins, both playing their best."""
    points: float
    """The mean of a turn."""
    lengths: Sequence[tuple[int, Estimate]]
    """Turns and penalties of a game, by the number of players."""
    banks: Estimate
    """Bank Rolls of a player in a game of four."""


@dataclass(frozen=True, slots=True)
class Sending:
    """Whom to send back among three, with 3000 points of one's own, after one's own turn."""

    following: int
    """The score of whoever is next."""
    last: int
    """The score of the other."""
    gains: Estimate
    """What it gains in wins to send back whoever is next, rather than the other."""


@dataclass(frozen=True, slots=True)
class Habit:
    """What ways to choose whom to send back lose by a choice, judged by rollouts with other dice."""

    players: int
    positions: int
    leader: Estimate
    """The best score."""
    random: Estimate
    last: Estimate
    """The lowest score."""


@dataclass(frozen=True, slots=True)
class Split:
    """In a penalty between two, DEAD END or U-TURN: from how many points on DEAD END is better."""

    own: int
    other: int
    limit: int


@dataclass(frozen=True, slots=True)
class Overturned:
    """How often the final round is won by another than whoever began it; the others play on the same dice."""

    players: int
    share: Estimate


@dataclass(frozen=True, slots=True)
class Alone:
    """What one player wins who chooses whom to send back in one way, and all others in another."""

    player: str
    others: str
    players: int
    wins: Estimate


@dataclass(frozen=True, slots=True)
class Figures:
    """All that the chapter says in numbers."""

    dead_end: float
    u_turn: float
    split: float
    variants: Sequence[Variant]
    sending: Sequence[Sending]
    habits: Sequence[Habit]
    splits: Sequence[Split]
    simple: Sequence[tuple[str, float]]
    """For each other split, what the plain rule says, and on what share of positions between two it is right."""
    overturned: Sequence[Overturned]
    seats: Sequence[Seats]
    luck: Sequence[Match]
    alone: Sequence[Alone]


def variant(name: str, options: KorOptions) -> Variant:
    """A set of house rules, solved for two and simulated for more."""
    chosen = {"bank_roll": options.bank_roll, "final_round": options.final_round}
    lengths, banks = [], Estimate(0.0)
    for players in (2, 4, 8):
        columns = simulate("kor", ["duel"] * players, games=GAMES // 4, seed=SEED, options=chosen).columns
        lengths.append((players, _mean(columns["turns"])))
        if players == 4 and options.bank_roll:
            banks = _mean(np.concatenate([columns[f"banks_{seat}"] for seat in range(1, 5)]))
    return Variant(name, KorSolver().summary(options).value, turn_law(options).points, lengths, banks)


def _mean(numbers: Sequence[float] | np.ndarray[tuple[int], np.dtype[np.float64]]) -> Estimate:
    every = np.asarray(numbers, float)
    return Estimate(float(every.mean()), float(every.std() / len(every) ** 0.5))


def sending() -> list[Sending]:
    """Whom to send back among three."""
    values = evaluator_for(KOR, PLAIN, 3)
    found = []
    for following, last in product(SCORES, SCORES):
        state = KorState(PLAIN, (MINE, following, last), 0, 0, 0, False, DICE, 0, (), NOBODY)
        evaluation = values.evaluate(state, seed=SEED)
        one, other = evaluation.line(Target(1)), evaluation.line(Target(2))
        gap = one.value - other.value
        found.append(Sending(following, last, Estimate(gap, max(one.behind_error, other.behind_error))))
    return found


def u_turns(players: int) -> Iterator[KorState]:
    """One choice of whom to send back of each game of greedy players, at random."""
    random, kor = Random(players), load_game("kor")
    while True:
        state, found = KorState.start(PLAIN, players), list[KorState]()
        while state.seat != OVER:
            if state.seat == CHANCE:
                outcomes = state.outcomes()
                state = state.roll(outcomes.at(random.randrange(outcomes.total)))
            else:
                found += [] if state.signs else [state]
                moved = state.apply(kor.greedy(state))
                state = moved
        if found:
            yield random.choice(found)


def habit(players: int) -> Habit:
    """What habits lose against the choice of the rollouts, all judged by rollouts with other dice."""
    values = evaluator_for(KOR, PLAIN, players)
    lost: list[tuple[float, float, float]] = []
    for state in islice(u_turns(players), POSITIONS):
        best = values.evaluate(state, seed=SEED).lines[0].action
        judged = {line.action: line.value for line in values.evaluate(state, seed=SEED + 1).lines}
        worth = judged[best]

        def score(move: object, state: KorState = state) -> int:
            return state.scores[move.seat] if isinstance(move, Target) else 0

        leader, last = max(judged, key=score), min(judged, key=score)
        lost.append((worth - judged[leader], worth - float(np.mean(list(judged.values()))), worth - judged[last]))
    leader_lost, random_lost, last_lost = zip(*lost, strict=True)
    return Habit(players, POSITIONS, _mean(leader_lost), _mean(random_lost), _mean(last_lost))


def split(values: Evaluator, own: int, other: int, points: int, signs: tuple[Side, Side], penalty: bool) -> float:
    """What the first sign gains over the second, between two."""
    turn = 1 if penalty else 0
    state = KorState(PLAIN, (own, other), 0, turn, 0, penalty, DICE, points, signs, NOBODY)
    one, two = (values.expected(state.apply(_follow(sign)), 0) for sign in signs)
    return one - two


def _follow(sign: Side) -> Move:
    return Follow(sign)


def splits(values: Evaluator) -> list[Split]:
    """From how many points of a penalty on DEAD END is better than U-TURN; 0 if it always is, the last if never."""
    signs = (Side.DEAD_END, Side.U_TURN)
    found = []
    for own, other in PAIRS:
        better = [points for points in STAKES if split(values, own, other, points, signs, True) >= 0]
        found.append(Split(own, other, better[0] if better else STAKES[-1]))
    return found


def simple(values: Evaluator) -> list[tuple[str, float]]:
    """The other splits: a rule for each, and how often it is right over positions between two."""
    stop, dead, u_turn = Side.STOP, Side.DEAD_END, Side.U_TURN
    rules = (
        ("in a turn, STOP rather than DEAD END", (stop, dead), False),
        ("in a turn, U-TURN rather than DEAD END", (u_turn, dead), False),
        ("in a turn, U-TURN rather than STOP", (u_turn, stop), False),
        ("in a penalty, DEAD END rather than STOP", (dead, stop), True),
        ("in a penalty, U-TURN rather than STOP", (u_turn, stop), True),
    )
    scores, points = range(0, 5501, 500), range(50, 601, 50)
    found = []
    for words, (one, two), penalty in rules:
        order = (one, two) if list(Side).index(one) < list(Side).index(two) else (two, one)
        sign = 1 if order == (one, two) else -1
        right = [
            sign * split(values, own, other, stake, order, penalty) >= -1e-9
            for own, other, stake in product(scores, scores, points)
        ]
        found.append((words, float(np.mean(right))))
    return found


def overturned(players: int) -> Overturned:
    """Games with and without a final round are the same until somebody reaches the target."""
    winners = []
    for final in (False, True):
        columns = simulate(
            "kor", ["greedy"] * players, games=GAMES, seed=SEED, options={"final_round": final}
        ).columns  # fmt: skip
        winners.append(np.stack([columns[f"win_{seat}"] for seat in range(1, players + 1)]).argmax(axis=0))
    return Overturned(players, _mean(winners[0] != winners[1]))


def alone(player: str, others: str, players: int) -> Alone:
    """One player against others who play alike, in every seat equally often."""
    shares = []
    for seat in range(players):
        ways = [player if place == seat else others for place in range(players)]
        shares.append(simulate("kor", ways, games=GAMES // players, seed=SEED).columns[f"win_{seat + 1}"])
    return Alone(player, others, players, _mean(np.mean(shares, axis=0)))


def work(told: Report) -> Figures:
    """Everything from the solved tables, which are loaded or solved first."""
    told("four sets of house rules, solved for two (a minute of CPU the first time)")
    variants = [variant(name, options) for name, options in VARIANTS.items()]
    two, law = evaluator_for(KOR, PLAIN, 2), turn_law(PLAIN)
    told("splits")
    found, others = splits(two), simple(two)
    told("whom to send back among three")
    sent = sending()
    told(f"habits in {3 * POSITIONS} positions (two minutes of CPU)")
    habits = [habit(players) for players in (3, 4, 6)]
    told("simulated games")
    first = Seats(2, 0, [Estimate(variants[0].first), Estimate(1 - variants[0].first)])
    return Figures(
        law.dead_end, law.u_turn, law.split, variants, sent, habits, found, others,
        [overturned(players) for players in (2, 4, 8)],
        [first, *(seats("kor", "duel", players, GAMES) for players in range(3, 9))],
        [match("kor", "optimal", rival, GAMES) for rival in ("expert", "casual", "beginner", "greedy", "random")],
        [alone("greedy", "random", players) for players in (3, 4, 6)]
        + [alone("random", "greedy", players) for players in (3, 4, 6)],
    )  # fmt: skip
