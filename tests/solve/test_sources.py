"""Fingerprints: they follow from what can change a number, wherever it is installed, and from nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hotdice.solve.sources import fingerprint, sources

PACKAGE = {
    "__init__.py": "",
    "rules.py": "FACES = 6\n",
    "words.py": "HELLO = 'Roll!'\n",
    "late.py": "",
    "kernels.py": "from elsewhere.rules import FACES\nfrom elsewhere.words import HELLO\n",
    "solving.py": "import os\nfrom elsewhere import (\n    kernels,\n)\ndef f():\n    from elsewhere import late\n",
}
"""A game from somewhere else."""
SAY = """
from hotdice.solve.sources import fingerprint, sources
print(*sources("elsewhere.solving"), fingerprint("elsewhere.solving"))
"""


def told(folder: Path, **changed: str) -> list[str]:
    """The sources and the fingerprint of the package's solver in a fresh process, with some files changed."""
    package = folder / "elsewhere"
    package.mkdir(parents=True, exist_ok=True)
    for name, text in (PACKAGE | {f"{name}.py": text for name, text in changed.items()}).items():
        (package / name).write_bytes(text.encode())
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    run = subprocess.run([sys.executable, "-c", SAY], env=environment, capture_output=True, text=True, check=True)
    return run.stdout.split()


def test_a_fingerprint_follows_from_contents_alone(tmp_path: Path) -> None:
    *names, first = told(tmp_path / "one")
    assert names == ["elsewhere", "elsewhere.kernels", "elsewhere.rules", "elsewhere.solving"]
    dos = {name.removesuffix(".py"): text.replace("\n", "\r\n") for name, text in PACKAGE.items()}
    assert told(tmp_path / "another folder", **dos)[-1] == first
    assert told(tmp_path / "one", words="HELLO = 'Roll them!'\n", late="WORTH = 2\n")[-1] == first
    assert told(tmp_path / "one", rules="FACES = 8\n")[-1] != first


@pytest.mark.parametrize(
    ("module", "made_by"),
    [
        ("kismet.solving.tables", {"rules", "solving.box_sets", "solving.sheets", "solving.turns"}),
        ("bj.solving.solver", {"rules", "solving.kernel"}),
        ("kor.solving.solver", {"rules", "solving.kernel", "solving.proof", "solving.turns"}),
        ("rollers.solving.tables", {"rules", "solving.round", "solving.race", "solving.lattice"}),
        ("pig.solving", set()),
    ],
)
def test_tables_depend_on_rules_and_kernels_and_on_no_sentence(module: str, made_by: set[str]) -> None:
    game = module.partition(".")[0]
    found = sources(f"hotdice.games.{module}")
    assert {f"hotdice.games.{game}.{name}" for name in made_by} <= set(found)
    assert {"hotdice.dice", "hotdice.solve.jit"} <= set(found)
    assert not {name.rpartition(".")[2] for name in found} & {"words", "data", "notation", "evaluators", "values"}
    assert len(fingerprint(f"hotdice.games.{module}")) == 16
