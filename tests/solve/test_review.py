"""The account of a game: it adds up, for every seat of every game, and says nothing of what cannot be told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from itertools import pairwise
from random import Random

import pytest

from hotdice import load_game, parse_position
from hotdice.dice import SeededDice
from hotdice.game import OVER, State
from hotdice.games.kismet.rules import VACANT, Box
from hotdice.games.rollers.solving import evaluator
from hotdice.players import make_player
from hotdice.record import record_of
from hotdice.review import Report, Review, judging, review
from hotdice.review.report import BEST, MOVE, ROLL
from hotdice.solve import evaluator_for
from hotdice.table import Moved, Seat, Table
from hotdice.values import Evaluator, Unit, Worth, payoff
from tests.solve import expectimax
from tests.test_moments import Careless, _won_by_holding

ROUNDING = 1e-6


def played(
    position: str,
    seed: int,
    most: int = 100_000,
    kind: str = "random",
    until: Callable[[State], bool] = lambda state: False,
) -> Table:
    """A game from there on, by players who move at random, or some other bots."""
    state = parse_position(position)
    seats = [Seat(f"P{seat}", make_player(kind, 10 * seed + seat)) for seat in range(state.players)]
    table = Table(state, seats, SeededDice(seed))
    while table.state.seat != OVER and table.played < most and not until(table.state):
        table.step()
    return table


def adds_up(report: Report, table: Table) -> None:
    """The account of every seat, from its events alone; the parts of an event, too, where values are exact."""
    for one, after in pairwise(report.events):
        assert one.after == pytest.approx(after.before, abs=ROUNDING)
    for own in report.seats:
        seat = own.seat
        rolls = [one for one in report.events if one.kind == ROLL]
        moves = [one for one in report.events if one.kind == MOVE]
        assert own.luck == pytest.approx(sum(one.luck[seat] for one in rolls))
        assert own.losses == pytest.approx(sum(one.loss for one in moves if one.seat == seat))
        assert own.gifts == pytest.approx(sum(one.gifts[seat] for one in moves if one.seat != seat))
        assert own.result == pytest.approx(own.start + own.luck - own.losses + own.gifts + own.remainder)
        if report.finished:
            assert own.result == payoff(table.state, seat)
        assert sum(own.qualities.values()) == own.decisions
        for one in report.events:
            if one.exact:
                lost = one.loss if one.seat == seat else 0.0
                change = one.luck[seat] - lost + one.gifts[seat]
                assert one.after[seat] - one.before[seat] == pytest.approx(change, abs=ROUNDING)
    for one in report.events:
        assert one.loss >= 0
        if one.quality == BEST:
            assert one.loss == 0


def start(game: str, players: int, **options: object) -> str:
    return str(load_game(game).start(players, options))  # type: ignore[arg-type]


def with_two_boxes(seed: int, **options: object) -> str:
    """Kismet between two with one box each to fill, as greedy players came there: wins are exact from there on."""

    def until(state: State) -> bool:
        return all(sheet.count(VACANT) == 1 for sheet in state.sheets)  # type: ignore[attr-defined]

    return str(played(start("kismet", 2, **options), seed, kind="greedy", until=until).state)


@pytest.mark.parametrize(
    "position",
    [
        start("pig", 2, target=20),
        start("bj", 2, target=1000),
        start("bj", 2, target=1000, dice=5),
        start("bj", 2, target=1000, bust="all_dice"),
        start("kor", 2, target=500),
        start("kor", 2, target=100, bank_roll=True),
        start("kor", 2, target=100, final_round=True),
        start("kor", 2, target=100, scoring="all"),
        start("kismet", 1),
        start("kismet", 1, kismet_is_full_house=False),
    ],
)
def test_the_account_adds_up_where_values_are_exact(position: str) -> None:
    for seed in range(3):
        table = played(position, seed)
        report = review(table)
        assert report.exact
        assert report.done == 1
        adds_up(report, table)
        for own in report.seats:
            assert own.remainder == pytest.approx(0, abs=ROUNDING)
            assert own.remainder_error == 0
        if report.players == 2:
            first, second = report.seats
            assert first.luck == pytest.approx(-second.luck, abs=ROUNDING)
            assert first.gifts == pytest.approx(second.losses, abs=ROUNDING)


def test_the_account_adds_up_at_the_end_of_sheets() -> None:
    """The last turns of Kismet between two, with and without the second Kismet; ties are shared."""
    ties = 0
    for seed in range(6):
        begun = with_two_boxes(seed, second_kismet=bool(seed % 2))
        same = parse_position(begun)
        boxes = [0 if entry == VACANT else entry for entry in same.sheets[0]]  # type: ignore[attr-defined]
        boxes[Box.KISMET] = VACANT
        level = replace(same, sheets=(tuple(boxes),) * 2, had_kismet=(False,) * 2)  # type: ignore[type-var]
        for position in (begun, str(level)):
            table = played(position, seed)
            ties += table.state.result is not None and len(table.state.result.winners) == 2
            report = review(table)
            adds_up(report, table)
            for own in report.seats:
                assert abs(own.remainder) <= ROUNDING + own.remainder_error
                assert not report.exact or own.remainder == pytest.approx(0, abs=ROUNDING)
    assert ties


def test_a_game_is_judged_as_brute_force_has_it() -> None:
    begun = load_game("pig").start(2, {"target": 8})
    first = expectimax.solve(expectimax.explore([begun], frontier=_won_by_holding))
    table = Table(begun, [Seat("Ann", Careless(3)), Seat("Bob", Careless(4))], SeededDice(7))
    table.run()
    values = [*(first[state] for state in table.states[:-1]), expectimax.win(table.state)]
    report = review(table)
    for one, (before, after) in zip(report.events, pairwise(values), strict=True):
        assert one.before == pytest.approx((before, 1 - before), abs=1e-8)
        assert one.after == pytest.approx((after, 1 - after), abs=1e-8)
        own = (after - before) * (1 if one.seat == 0 else -1)
        assert (one.luck[one.seat] if one.kind == ROLL else -one.loss) == pytest.approx(own, abs=1e-8)
        assert bool(one.quality) == (one.choices > 1)


@pytest.mark.parametrize(
    "position",
    [
        start("kismet", 2),
        start("kismet", 3, second_kismet=False),
        start("rollers", 2, target_points=2, chip_tie="share"),
    ],
)
def test_what_a_model_leaves_open_is_the_remainder(position: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluator, "saved_match", lambda *_: None)  # whatever this machine has solved
    table = played(position, 1, kind="greedy")
    report = review(table)
    assert not report.exact
    adds_up(report, table)
    for own in report.seats:
        assert own.remainder_error > 0
        assert abs(own.remainder) < 5 * own.remainder_error
    for one in report.events:
        made = next((line for line in one.alternatives if line.text == one.text), None)
        if made is not None and made.tied:
            assert (one.loss, one.quality) == (0, BEST)


@pytest.mark.parametrize(
    ("position", "seed"),
    [("kor(target=1000) 950/900/850", 4), ("bj 4900/4600/4800/4700", 1)],
)
def test_sampled_values_add_up_too(position: str, seed: int) -> None:
    table = played(start_at(position), seed)
    report = review(table, precision=0.02)
    adds_up(report, table)
    for own in report.seats:
        assert own.remainder == pytest.approx(0, abs=ROUNDING)
        assert own.remainder_error > 0
    assert sum(own.luck for own in report.seats) == pytest.approx(0, abs=ROUNDING)


def start_at(position: str) -> str:
    """A position near the end: the first state of its game with other scores."""
    game, scores = position.split()[:2]
    state = parse_position(start(game.partition("(")[0], scores.count("/") + 1, **_options(game)))
    return state.position.replace("/".join(map(str, state.scores)), scores, 1)


def _options(game: str) -> dict[str, object]:
    _, _, inner = game.rstrip(")").partition("(")
    return {name: int(value) for name, _, value in (pair.partition("=") for pair in inner.split(",") if pair)}


def test_points_that_were_luck_have_nothing_to_do_with_the_others() -> None:
    """A sheet's points are what it could expect alone, luck in points, and what its player's choices cost of them."""
    table = played(start("kismet", 2, second_kismet=False), 2)
    alone = evaluator_for(table.game, table.state.options, 1)
    for own in review(table).seats:
        lost = 0.0
        for at, event in enumerate(table.events):
            state = table.before(at)
            if isinstance(event, Moved) and event.seat == own.seat:
                sheet = replace(state, sheets=(state.sheets[own.seat],), seat=0, roller=0, had_kismet=(False,))  # type: ignore[type-var, attr-defined]
                lost += alone.evaluate(sheet).line(event.move).behind
        expected = alone.expected(load_game("kismet").start(1, table.state.options), 0)
        assert own.points_luck == pytest.approx(table.state.scores[own.seat] - expected + lost, abs=1e-6)
    assert review(played(start("kismet", 1), 2)).seats[0].points_luck is None


def test_an_unfinished_game_is_worth_what_its_last_state_is() -> None:
    table = played(start("pig", 2, target=20), 3, most=9)
    report = review(table)
    assert not report.finished
    adds_up(report, table)
    assert report.seats[0].result == report.events[-1].after[0]
    empty = review(played(start("pig", 2, target=20), 3, most=0))
    assert (empty.events, empty.seats[0].result) == ((), empty.seats[0].start)


def test_a_review_cut_short_says_what_is_done() -> None:
    work = Review(played(start("bj", 2, target=1000), 3))

    def interrupt(done: float) -> None:
        if done > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work.run(interrupt)
    report = work.report()
    assert 0.3 < report.done < 1
    assert [one.judged for one in report.events] == sorted((one.judged for one in report.events), reverse=True)
    work.run()
    assert work.report().done == 1


def test_a_record_is_reviewed_with_the_kinds_of_its_seats() -> None:
    table = played(start("pig", 2, target=20), 5)
    of_record, of_table = review(record_of(table, date(2026, 11, 18))), review(table)
    assert of_record == of_table
    assert [own.kind for own in of_record.seats] == ["random", "random"]


def test_everybody_is_told_the_same_as_each_one() -> None:
    """In all sampled games the chances of all seats add up to one, and each is what it is for the seat alone."""
    for position in (start_at("bj 4900/4600/4800/4700"), start("pig", 3, target=30)):
        state = parse_position(position)
        values = evaluator_for(state.game, state.options, state.players)
        found: tuple[Worth, ...] = values.everybody(state, precision=0.02)
        assert sum(worth.value for worth in found) == pytest.approx(1)
        for seat, worth in enumerate(found):
            alone = values.value(state, seat, precision=0.02)
            assert worth.value == pytest.approx(alone.value, abs=5 * (worth.error + alone.error))


class Noisy(Evaluator):
    """Exact values with an error of known size, the same for a position every time, as a model's are."""

    unit = Unit.WIN
    exact = False
    error = 0.02

    def __init__(self, exact: Evaluator) -> None:
        self._exact = exact

    def expected(self, state: State, seat: int) -> float:
        off = Random(state.position).gauss(0, self.error / 2)
        return self._exact.expected(state, seat) + (off if seat == 0 else -off)


def test_what_estimates_leave_open_is_as_large_as_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over many games the remainders are as large as their errors say: neither is the error a pretext nor a boast."""
    begun = parse_position(start("pig", 2, target=20))
    noisy = Noisy(evaluator_for(begun.game, begun.options, 2))
    monkeypatch.setattr(judging, "evaluator_for", lambda *about: noisy)
    scores = []
    for seed in range(60):
        table = played(start("pig", 2, target=20), seed, kind="greedy")
        report = review(table)
        assert not report.exact
        adds_up(report, table)
        own = report.seats[0]
        scores.append(own.remainder / own.remainder_error)
    assert 0.5 < sum(score**2 for score in scores) / len(scores) < 1.5
    assert sum(abs(score) <= 2 for score in scores) >= 0.9 * len(scores)


def test_what_lies_within_the_error_is_no_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = parse_position(start("pig", 2, target=20))
    exact = evaluator_for(begun.game, begun.options, 2)
    noisy = Noisy(exact)
    monkeypatch.setattr(judging, "evaluator_for", lambda *about: noisy)
    decisions = mistakes = 0
    for seed in range(10):
        table = played(start("pig", 2, target=20), seed)
        for one in review(table).events:
            if one.quality:
                decisions += 1
                made = next(line for line in one.alternatives if line.text == one.text)
                assert (one.quality == BEST) == (made.behind <= made.behind_error)
                if one.quality != BEST:
                    mistakes += 1
                    assert exact.evaluate(table.before(one.event)).line(table.event(one.event).move).behind > 0  # type: ignore[union-attr]
    assert 0 < mistakes < decisions


def test_equal_moves_are_all_best() -> None:
    """Whatever is equal to the best move is called best and loses nothing, and every best move is found equal."""
    equal = 0
    filled = ",".join("-" if box is Box.FLUSH else "0" for box in Box)
    only_flush = str(load_game("kismet").start(1)).replace(
        ",".join("-" * len(Box)), filled
    )  # of two colours either will do
    games = [(only_flush, seed) for seed in range(40)]
    games += [(start("kismet", 1), 1), (start("bj", 2, target=1000), 1), (start("kor", 2, target=500), 1)]
    for position, seed in games:
        table = played(position, seed)
        values = evaluator_for(table.game, table.state.options, len(table.names))
        for one in review(table).events:
            if one.quality:
                lines = values.evaluate(table.before(one.event)).lines
                best = [line for line in lines if lines[0].value - line.value <= values.tie]
                made = table.event(one.event).move  # type: ignore[union-attr]
                assert (one.quality == BEST) == (made in [line.action for line in best])
                assert (one.loss == 0) == (one.quality == BEST)
                equal += len(best) > 1 and one.quality == BEST
    assert equal
