"""Compiled games against the rules' own states: the same dice, the same choices, the same games to the last count.

Every set of house rules is played 10,000 times by both, by players that are cheap to ask; strategies that look values
up, or take long, play fewer games. Numbers such as targets are those of short games there.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import hotdice
from hotdice import all_games
from hotdice.games.kismet.rules import KismetOptions
from hotdice.games.kismet.solving.tables import points_table
from hotdice.games.rollers.rules import RollersOptions
from hotdice.games.rollers.simulation import outlooks_of
from hotdice.games.rollers.solving import match_tables, tables
from hotdice.games.rollers.solving.boards import FULL, TOTAL
from hotdice.games.rollers.solving.guide import MATCH, RACE, TABLE
from hotdice.options import Options
from hotdice.simulation.engine import Engine
from hotdice.simulation.plan import Plan, prepare, simulator_of
from hotdice.simulation.runs import Chunk, begin, go_on, local, play
from hotdice.simulation.tally import Tally
from hotdice.solve import packing, store
from hotdice.solve.batches import LEVELS, Columns

pytestmark = pytest.mark.slow  # kernels are compiled, and thousands of games played by states

GAMES = 10_000
SIMULATED = [game for game in all_games() if game.simulator]
USUAL = ((5000, ("random", "greedy")), (5000, ("greedy", "random", "greedy")))
PLAYED = {
    "pig": ((4000, ("random", "greedy")), (6000, ("greedy", "random", "hold:25"))),
    "bj": ((4000, ("random", "greedy")), (6000, ("greedy", "random", "pass:300/350/400"))),
    "kismet": ((9600, ("random", "random")), (250, ("greedy", "random")), (150, ("random", "greedy", "greedy"))),
    "rollers": ((9700, ("greedy", "greedy")), (250, ("greedy", "random")), (50, ("race", "greedy", "random"))),
}
"""By game: how many games of each set of house rules are played by whom."""


def settings() -> Iterator[tuple[str, Options]]:
    """Every set of house rules of all games that are compiled; numbers are those of short games."""
    for game in SIMULATED:
        for options in game.options.combinations():
            targets = [spec for spec in options.specs() if spec.name.startswith("target")]
            if all(getattr(options, spec.name) == spec.choices[-1] for spec in targets):
                yield game.name, options


def both(plan: Plan, games: int) -> tuple[Columns, Columns]:
    card, options = hotdice.parse_game(plan.game)
    ready, simulator = prepare(plan), simulator_of(card)
    assert ready.compiled
    by_states = Columns.empty(games, ready.players, ready.statistics)
    Engine(card.start(ready.players, options), plan.players, simulator).play_many(plan.seed, 5, by_states)
    return ready.columns(plan.seed, 5, games), by_states


def assert_same(plan: Plan, games: int) -> None:
    compiled, by_states = both(plan, games)
    for name in ("winners", "scores", "turns", "rolls", "counts"):
        assert np.array_equal(getattr(compiled, name), getattr(by_states, name)), name


@pytest.mark.parametrize(("name", "options"), [*settings()], ids=lambda one: getattr(one, "text", one) or "printed")
def test_compiled_games_are_the_games_that_the_rules_play(name: str, options: Options) -> None:
    played = PLAYED.get(name, USUAL)
    assert sum(games for games, _ in played) >= GAMES
    for games, players in played:
        assert_same(Plan.of(hotdice.load_game(name), options, players, 2026), games)


@pytest.mark.parametrize("name", ["bj", "kor", "pig", "rollers"])
def test_whole_games_are_the_same(name: str) -> None:
    """As they are printed, with targets of their usual length."""
    game = hotdice.load_game(name)
    assert_same(Plan.of(game, game.options(), ["greedy", "greedy"], 1), 200)


def test_solved_strategies_play_the_same_compiled() -> None:
    pig, bj, kor = (hotdice.load_game(name) for name in ("pig", "bj", "kor"))
    short = bj.make_options({"target": 1000})
    for seed, level in enumerate(LEVELS):
        assert_same(Plan.of(pig, pig.make_options({"target": 40}), ["optimal", level], seed), 100)
        assert_same(Plan.of(bj, short, ["optimal", level], seed), 100)
        assert_same(Plan.of(kor, kor.make_options({"target": 500}), ["optimal", level], seed), 200)
    assert_same(Plan.of(bj, short, ["duel", "greedy", "duel"], 1), 100)
    assert_same(Plan.of(kor, kor.make_options({"target": 500}), ["duel", "greedy", "duel"], 1), 200)


@pytest.mark.parametrize("full_house", [False, True])
def test_kismet_for_points_is_the_same_compiled(full_house: bool) -> None:
    kismet = hotdice.load_game("kismet")
    options = kismet.make_options({"kismet_is_full_house": full_house})
    for seed, level in enumerate(LEVELS):
        assert_same(Plan.of(kismet, options, [level], seed), 100)
    assert_same(Plan.of(kismet, options, ["points", "points", "random"], 1), 50)


def test_kismet_comes_to_what_its_tables_say() -> None:
    """The mean of many totals is the solved value, within four standard errors."""
    kismet = hotdice.load_game("kismet")
    plan = Plan.of(kismet, kismet.options(), ["optimal"], 3)
    found = Tally.of(play(Chunk(plan, 0, 20_000))).scores[0].interval()
    assert abs(found.mean - points_table(KismetOptions()).arrays["value"][0, 0]) < 4 * found.error


ROLLERS = hotdice.load_game("rollers")


@pytest.fixture
def no_tables(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table cache of the test's own, so that it does not matter what was solved before."""
    folder = tmp_path_factory.mktemp("tables")
    monkeypatch.setattr(store, "folder", lambda: folder)


@pytest.mark.parametrize("saved_dice", ["free", "locked"])
@pytest.mark.usefixtures("no_tables")
def test_rollers_by_the_race_is_the_same_compiled(saved_dice: str) -> None:
    options = RollersOptions(target_points=2, saved_dice=saved_dice)
    assert outlooks_of(options, racing=True, by_value=True).kinds[1, 1] == RACE
    assert_same(Plan.of(ROLLERS, options, ["optimal", "race"], 1), 30)
    assert_same(Plan.of(ROLLERS, options, ["casual", "optimal"], 2), 20)


@pytest.mark.usefixtures("no_tables")
def test_rollers_by_tables_is_the_same_compiled() -> None:
    """Rough guesses with some noise will do for that: nothing has to be solved."""
    random, turns = np.random.default_rng(1), tables.race(False)[:FULL]
    ahead = turns[np.newaxis, :, np.newaxis] - turns[:, np.newaxis, np.newaxis]
    rough = 1.5 * ahead / np.abs(ahead).max() + np.linspace(-1, 1, TOTAL + 1)  # who waits never gains
    values = rough + random.uniform(-0.002, 0.002, rough.shape)
    arrays = {**packing.pack("values", values, tables.STEP), "error": np.array([1e-9])}
    store.keep(tables.round_key(False), tables.VERSION, arrays)
    options = RollersOptions(target_points=2)
    assert outlooks_of(options, racing=True, by_value=True).kinds[2, 2] == TABLE
    assert_same(Plan.of(ROLLERS, options, ["optimal", "expert"], 3), 20)
    for needs, error, parts in (((2, 2), 1e-8, 1), ((1, 2), 1e-3, 2)):
        chances = 0.5 + 0.19 * rough + random.uniform(-0.0002, 0.0002, (parts, *rough.shape))
        arrays = {**packing.pack("chances", chances, match_tables.STEP), "error": np.array([error])}
        store.keep(match_tables.match_key(options, needs), match_tables.VERSION, arrays)
    found = outlooks_of(options, racing=True, by_value=True)
    assert (found.kinds[2, 2], found.kinds[1, 2], found.kinds[2, 1]) == (MATCH, MATCH, TABLE)
    assert (found.exact[2, 2], found.exact[1, 2]) == (True, False)
    assert_same(Plan.of(ROLLERS, options, ["optimal", "beginner"], 4), 20)


@pytest.mark.parametrize(
    ("name", "players"),
    [
        ("bj", ("random", "greedy")), ("kismet", ("greedy", "random")), ("kor", ("random", "greedy", "greedy")),
        ("pig", ("random", "hold:20")), ("rollers", ("greedy", "race")),
    ],
)  # fmt: skip
def test_it_does_not_matter_who_plays_which_games(name: str, players: tuple[str, ...]) -> None:
    """One after the other, on two threads, or from the middle on as another machine would: the same games."""
    game = hotdice.load_game(name)
    plan = Plan.of(game, game.options(), players, 11)
    whole = play(Chunk(plan, 0, 700))
    parts = [play(Chunk(plan, first, games)) for first, games in ((600, 100), (0, 1), (1, 599))]
    for column in ("winners", "scores", "turns", "rolls", "counts"):
        joined = np.concatenate([getattr(parts[at], column) for at in (1, 2, 0)])
        assert np.array_equal(getattr(whole, column), joined), column
    run = begin(plan)
    with local(2, prepare(plan), plan) as mapped:
        go_on(run, 700, mapped=mapped)
    assert run.tally == Tally.of(whole)
