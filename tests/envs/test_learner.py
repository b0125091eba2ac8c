"""The example in `examples/learner`, in a reduced form: it learns, and draws what it has learnt."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow  # compiled steps, and a solved game to play against


def test_it_learns_and_draws_its_curve(tmp_path: Path) -> None:
    """After 300,000 decisions it wins more than a third of its games; at random it would win hardly any."""
    picture = tmp_path / "curve.png"
    program = ROOT / "examples" / "learner" / "learn.py"
    arguments = ["--steps", "600", "--games", "512", "--looks", "3", "--trials", "2000", "--final", "4000", "--plot"]
    run = subprocess.run(
        [sys.executable, str(program), *arguments, str(picture)], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    *curve, last = run.stdout.splitlines()
    assert len(curve) == 3
    share = float(last.partition("wins ")[2].partition("%")[0])
    assert 20 < share < 52
    assert picture.read_bytes().startswith(b"\x89PNG")
