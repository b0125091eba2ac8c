"""The shape of the house: what the core may import, and that the rooms do not lean on those above them."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import hotdice
from hotdice import Game, all_games

SOURCE = Path(hotdice.__file__).parent
CORE = [
    "errors",
    "notation",
    "view",
    "dice",
    "fair",
    "options",
    "game",
    "values",
    "rolloff",
    "plugins",
    "games",
    "players",
    "table",
    "record",
    "testing",
]
"""From the ground up: a module imports only what stands before it."""


class Rooms(ast.NodeTransformer):
    """Leaves out what only type checkers read."""

    def visit_If(self, node: ast.If) -> ast.AST | None:
        return None if ast.unparse(node.test) == "TYPE_CHECKING" else self.generic_visit(node)


def imports(path: Path) -> set[str]:
    """The names of all modules that a file imports, wherever in it."""
    found: set[str] = set()
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(Rooms().visit(tree)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            found.add(node.module or "")
    return found


SOLVING = ("solving", "levels")
"""Modules that belong upstairs, though they live with the games or players: they are loaded by name when needed."""


def core_files() -> list[tuple[str, Path]]:
    files = [(path.stem, path) for path in SOURCE.glob("*.py") if path.stem in CORE]
    files += [(folder, path) for folder in ("games", "players") for path in (SOURCE / folder).rglob("*.py")]
    return [(room, path) for room, path in files if not {*path.parts, path.stem} & set(SOLVING)]


def test_the_core_needs_the_standard_library_alone() -> None:
    for _, path in core_files():
        for name in imports(path):
            root = name.partition(".")[0]
            assert root == "hotdice" or root in sys.stdlib_module_names, f"{path} imports {name}"


def test_dependencies_point_one_way() -> None:
    for room, path in core_files():
        for name in imports(path):
            parts = name.split(".")
            if parts[0] != "hotdice" or len(parts) == 1:
                continue
            assert CORE.index(parts[1]) <= CORE.index(room), f"{path} imports {name}"
            assert "solving" not in parts or path.name == "__init__.py", f"{path} imports {name}"
            if room == parts[1] == "games" and len(parts) > 2:
                assert path.parent.name == parts[2], f"{path} leans on another game, {name}"


def test_importing_hotdice_loads_nothing_heavy() -> None:
    check = "import sys, hotdice; print([name for name in sys.modules if name.partition('.')[0] in sys.argv[1:]])"
    heavy = ["rich", "typer", "click", "platformdirs", "numba", "numpy", "fastapi", "pydantic"]
    run = subprocess.run([sys.executable, "-c", check, *heavy], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_every_game_works_without_any_installed_package() -> None:
    """`-S` leaves site-packages out, so only the standard library and the sources are there."""
    check = (
        f"import sys; sys.path.insert(0, {str(SOURCE.parent)!r})\n"
        "from hotdice.testing import check_play\n"
        "from hotdice import all_games\n"
        "for game in all_games():\n"
        "    check_play(game, game.options.combinations()[-1], game.min_players, 1)\n"
        "    print(game.name)"
    )
    run = subprocess.run([sys.executable, "-S", "-I", "-c", check], capture_output=True, text=True, check=True)
    folders = {path.parent.name for path in (SOURCE / "games").glob("*/__init__.py")}
    assert set(run.stdout.split()) == folders


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_the_rules_page_covers_the_game(game: Game) -> None:
    assert game.rules.startswith(f"# {game.title}\n")
    assert len(game.rules) > 300
    assert game.pitch.endswith(".")
