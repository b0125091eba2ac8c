"""The matches of the benchmark against the rules: who moves how, and who wins, on the same dice."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import match_rollers
from benchmarks.match_rollers import BEST, GREEDY
from hotdice.game import CHANCE, OVER
from hotdice.games.rollers.rules import CHIPS, RollersOptions
from hotdice.games.rollers.solving import playing
from hotdice.games.rollers.solving.boards import number_of
from hotdice.games.rollers.solving.playing import LOG_SEAT, LOGGED
from hotdice.games.rollers.state import RollersState
from hotdice.solve import store
from tests.solve.test_rollers_playing import evaluator_of, made_up, replayed

LATE = (2, 2, 1, 2, 1)
"""Rounds begin with these boards: only four boards can follow, and the greedy rule is soon tabulated."""
BOARDS = [(2, 2, three, 2, five) for three in (1, 2) for five in (1, 2) if (three, five) != (2, 2)]


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test uses or leaves tables in the user's cache."""
    monkeypatch.setattr(store, "folder", lambda: tmp_path_factory.getbasetemp() / "tables")


def test_matches_are_played_by_the_rules() -> None:
    """One match in each seating: the greedy player's every move is the rule's, the other's is worth the most."""
    keeps = match_rollers.greedy_keeps(map(number_of, BOARDS))
    rules = match_rollers.rules(made_up().arrays["values"], keeps)
    memory = playing.work_memory(rules.full)
    evaluator = evaluator_of(RollersOptions(), 2, True)
    for kinds in ((BEST, GREEDY), (GREEDY, BEST)):
        for seed in range(4):
            won, log = np.zeros(1), np.full((500, LOGGED), -9)
            matches = match_rollers.Matches(np.array(kinds), np.array([1, 2]), number_of(LATE), seed, 0, won, log)
            match_rollers.play_matches(rules, matches, memory)
            state = RollersState(
                RollersOptions(), (LATE, LATE), (CHIPS, CHIPS), (1, 2), 0, CHANCE, 0, 0, (), (), ()
            )  # fmt: skip
            for note in log[log[:, LOG_SEAT] >= 0].tolist():
                for before, move in replayed(state, note):
                    if kinds[before.seat] == GREEDY:
                        assert move == before.game.greedy(before)
                    else:
                        values = dict(zip(before.legal_moves(), evaluator.looked_ahead(before), strict=True))
                        assert values[move] == pytest.approx(max(values.values()), abs=1e-9)
                    after = before.apply(move)
                assert isinstance(after, RollersState)
                state = after
                if state.scores != before.scores and state.seat != OVER:
                    state = RollersState(
                        state.options, (LATE, LATE), state.chips, state.scores, state.starter, CHANCE, state.roller,
                        0, (), (), (),
                    )  # fmt: skip
            assert state.seat == OVER
            assert state.result is not None
            assert won[0] == (0 in state.result.winners) / len(state.result.winners)
