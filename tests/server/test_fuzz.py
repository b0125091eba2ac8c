"""A short run of the fuzzer; `python -m tests.server.fuzz` is the long one."""

from __future__ import annotations

from pathlib import Path

from hotdice.server import wire
from tests.server.fuzz import KINDS, fuzz

INPUTS = 1000
FLOODS = 3380


def test_nothing_that_is_sent_breaks_the_server_or_changes_a_table_without_its_token(tmp_path: Path) -> None:
    summary = fuzz(tmp_path, INPUTS, seed=1)
    print(summary.text())
    floods = {kind: number for kind, number in summary.tried.items() if kind.startswith("flood")}
    assert summary.inputs == INPUTS + sum(floods.values())
    assert sum(floods.values()) == FLOODS
    assert len(summary.tried) == len(KINDS) + len(floods)  # every kind had its turn
    # While the database is away, by an order, and while a challenge is played, of which there is none here.
    for refusal in set(wire.REFUSALS) - {"unavailable", "banned", "held"}:
        assert any(refusal in answer for answer in summary.answers), refusal
