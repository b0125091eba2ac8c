"""The shape of the house: every module has a layer, imports point down, and no game is named outside its folder.

Imports inside functions count as well; those that only type checkers read do not. Nothing here lists or counts games.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import hotdice
from hotdice import Game, all_games

SOURCE = Path(hotdice.__file__).parent
WEB = SOURCE.parent.parent / "web" / "src"

LAYERS = (
    "errors",
    "pictures",
    "paper",
    "frozen",
    "notation",
    "view",
    "dice",
    "fair",
    "options",
    "pads",
    "game",
    "values",
    "observation",
    "rolloff",
    "plugins",
    "games",
    "games.*.rules",
    "games.*.notation",
    "games.*.data",
    "games.*.words",
    "games.*.state",
    "games.*.observation",
    "games.*.greedy",
    "games.*.pad",
    "games.*",
    "__init__",
    "reference",
    "rulebook",
    "solve",
    "games.*.solving",
    "games.*.simulation",
    "games.*.stepping",
    "players",
    "turns",
    "table",
    "record",
    "review",
    "lesson",
    "practice",
    "testing",
    "simulation",
    "envs",
    "book",
    "terminal",
    "server",
    "commands",
    "cli",
    "__main__",
)
"""From the ground up: a module imports what is on a layer before its own, or on the same one. `games.*` is a game's
card; what a folder holds is on its layer, unless it is listed itself."""
NOT_CORE = (
    "pictures", "solve.*", "review.plot", "practice.decks", "games.*.solving*", "games.*.simulation",
    "games.*.stepping", "simulation*", "envs*", "book*", "terminal*", "server*", "commands*", "cli",
)  # fmt: skip
"""What may need more than the standard library."""
CORE_OF_SOLVE = ("solve.background", "solve.words")


def module_of(path: Path) -> str:
    """The name of a module without the package's: `games.bj.state`; the package itself is `__init__`."""
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


MODULES = {module_of(path): path for path in sorted(SOURCE.rglob("*.py"))}
GAMES = sorted(path.parent.name for path in SOURCE.glob("games/*/__init__.py"))


class AtRunTime(ast.NodeTransformer):
    """Leaves out what only type checkers read."""

    def visit_If(self, node: ast.If) -> ast.AST | None:
        return None if ast.unparse(node.test) == "TYPE_CHECKING" else self.generic_visit(node)


@cache
def tree_of(path: Path) -> ast.Module:
    tree = AtRunTime().visit(ast.parse(path.read_text("utf-8")))
    assert isinstance(tree, ast.Module)
    return tree


@cache
def imports(path: Path) -> frozenset[str]:
    """The full names of all modules that a file imports, wherever in it, by name or as a constant text."""
    found: set[str] = set()
    for node in ast.walk(tree_of(path)):
        match node:
            case ast.Import():
                found |= {alias.name for alias in node.names}
            case ast.ImportFrom():
                assert node.module, f"{path} imports relatively; name the module in full"
                assert node.level == 0, f"{path} imports relatively; name the module in full"
                inner = {f"{node.module}.{alias.name}" for alias in node.names}
                known = {name for name in inner if name.removeprefix("hotdice.") in MODULES}
                found |= known if known == inner else {node.module, *known}
            case ast.Call(func=ast.Name("import_module"), args=[ast.Constant(str(name)), *_]):
                found.add(name)
            case _:
                pass
    return frozenset(found)


def inner_imports(module: str) -> set[str]:
    """The modules of this package that one imports.

    A card's own solver, simulator and stepper are left out, and so is what `hotdice.simulate` calls: functions name
    them, which are called long after the module was made.
    """
    names = {name for name in imports(MODULES[module]) if name.partition(".")[0] == "hotdice"}
    inner = {name.partition(".")[2] or "__init__" for name in names}
    if module == "__init__":
        return inner - {"simulation"}
    is_card = fnmatchcase(module, "games.*") and module.count(".") == 1
    called = {f"{module}.{part}" for part in ("solving", "simulation", "stepping")}
    return inner - called if is_card else inner


def layer_of(module: str) -> int:
    """The layer of a module, or of the nearest folder around it."""
    parts = module.split(".")
    for length in range(len(parts), 0, -1):
        for number, pattern in enumerate(LAYERS):
            names = pattern.split(".")
            if len(names) == length and all(map(fnmatchcase, parts, names)):
                if pattern == "games.*" and len(parts) > length:
                    raise AssertionError(f"{module} has no layer: a game's modules are {', '.join(_of_a_game())}")
                return number
    raise AssertionError(f"{module} has no layer: add it to LAYERS, above all that it imports")


def _of_a_game() -> list[str]:
    return [pattern.rpartition(".")[2] for pattern in LAYERS if pattern.startswith("games.*.")]


@pytest.mark.parametrize("module", MODULES)
def test_imports_point_down(module: str) -> None:
    for name in sorted(inner_imports(module)):
        assert layer_of(name) <= layer_of(module), f"hotdice.{module} imports hotdice.{name}, which is on a layer above"
        parts, others = module.split("."), name.split(".")
        if parts[0] == "games" and len(parts) > 1 and others[0] == "games" and len(others) > 1:
            assert parts[1] == others[1], f"hotdice.{module} imports hotdice.{name}, which belongs to another game"


def test_no_imports_go_in_circles() -> None:
    try:
        TopologicalSorter({module: inner_imports(module) - {module} for module in MODULES}).prepare()
    except CycleError as error:
        circle = " imports ".join(f"hotdice.{module}" for module in reversed(error.args[1]))
        raise AssertionError(f"these modules import each other: {circle}") from None


def test_a_card_loads_its_solver_in_a_function() -> None:
    for name in GAMES:
        path = MODULES[f"games.{name}"]
        top = {node.module for node in tree_of(path).body if isinstance(node, ast.ImportFrom)}
        assert f"hotdice.games.{name}.solving" not in top, f"{path} imports its solver at the top; do it in a function"


@pytest.mark.parametrize("module", MODULES)
def test_the_core_needs_the_standard_library_alone(module: str) -> None:
    if any(fnmatchcase(module, pattern) for pattern in NOT_CORE) and module not in CORE_OF_SOLVE:
        return
    for name in imports(MODULES[module]):
        root = name.partition(".")[0]
        assert root == "hotdice" or root in sys.stdlib_module_names, f"hotdice.{module} imports {name}"


# No game outside its folder


def name_in(text: str, *, camel: bool = False) -> str:
    """The first game that a text names, as a word or, in identifiers, as a part of one; nothing if there is none."""
    if camel:
        text = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text).replace("_", " ")
    return next((name for name in GAMES if re.search(rf"(?i)\b{name}\b", text)), "")


def docstrings(tree: ast.AST) -> Iterator[ast.AST]:
    """Texts that stand alone, and pages with a session of Python in them: they explain, and may give examples."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n>>> " in node.value:
            yield node


def named_games(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Where code names a game: in a text or an identifier."""
    explained = set(docstrings(tree))
    for node in ast.walk(tree):
        match node:
            case ast.Constant(str(text)) if node not in explained and name_in(text):
                yield node.lineno, text
            case ast.Name(text) | ast.Attribute(attr=text) | ast.arg(text) | ast.keyword(str(text)) if name_in(
                text, camel=True
            ):
                yield node.lineno, text
            case ast.FunctionDef(text) | ast.AsyncFunctionDef(text) | ast.ClassDef(text) if name_in(text, camel=True):
                yield node.lineno, text
            case _:
                pass


@pytest.mark.parametrize("module", [name for name in MODULES if not fnmatchcase(name, "games.*")])
def test_nothing_outside_a_games_folder_names_it(module: str) -> None:
    path = MODULES[module]
    for line, text in named_games(tree_of(path)):
        raise AssertionError(f"{path}:{line} names a game: {text!r}; take what you need from its card or its state")
    for name in imports(path):
        parts = name.split(".")
        assert parts[:2] != ["hotdice", "games"] or len(parts) == 2, f"{path} imports {name}; a game is found by name"


def test_a_named_game_is_found() -> None:
    code = f"'''{GAMES[0]}'''\ndef f({GAMES[0]}_dice): return x.{GAMES[0].upper()}, 'the {GAMES[0]} dice', Word"
    assert [line for line, _ in named_games(ast.parse(code))] == [2, 2, 2]


COMMENTS = re.compile(r"/\*.*?\*/|<!--.*?-->|(?<!\S)//[^\n]*", re.DOTALL)


def shared_pages() -> list[Path]:
    """The browser's code outside of `games/`, where it has that folder; a checkout has it, an installed package not."""
    if not (WEB / "games").is_dir():
        return []
    files = [path for path in WEB.rglob("*") if path.suffix in {".ts", ".svelte", ".css", ".html"}]
    return [path for path in files if WEB / "games" not in path.parents and ".test." not in path.name]


def test_nothing_in_the_browser_outside_a_games_folder_names_it() -> None:
    for path in shared_pages():
        code = COMMENTS.sub("", path.read_text("utf-8"))
        for line in code.splitlines():
            assert not name_in(line, camel=True), f"{path} names a game: {line.strip()}"


# What it takes to load and play


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
        "for game in all_games(): check_play(game, game.options.combinations()[-1], game.min_players, 1)\n"
        "print(*(game.name for game in all_games()))"
    )
    run = subprocess.run([sys.executable, "-S", "-I", "-c", check], capture_output=True, text=True, check=True)
    assert run.stdout.split() == GAMES


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_the_rules_page_covers_the_game(game: Game) -> None:
    assert game.rules.startswith(f"# {game.title}\n")
    assert len(game.rules) > 300
    assert game.pitch.endswith(".")
