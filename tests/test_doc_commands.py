"""Every command line in the documentation is one: it is run where that is cheap, else read by the real command line.

What is read but not run is listed here with the reason. A new page needs nothing; a new kind of command that waits or
takes long needs a line.
"""

from __future__ import annotations

import re
import shlex
import shutil
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
import typer
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from typer.exceptions import TyperException

from hotdice.cli import _with_bare_resume, app, main
from tests.pages import PAGES, ROOT, commands, name_of, text_of

HASHED = {"hotdice seed 2", "hotdice dice 1", "hotdice seal 2", "hotdice turns 2", "hotdice record 1"}
"""How texts begin that are hashed or kept: no commands."""
NOT_RUN = {
    r"hotdice( --(host|https|port|install-completion)\b.*)?": "opens the games until Ctrl-C, or changes the shell",
    r"hotdice play\b.*": "asks somebody; tests/terminal/test_play.py",
    r"hotdice learn\b.*": "asks somebody; tests/terminal/test_learn.py",
    r"hotdice practice\b.*": "asks somebody; tests/terminal/test_practice.py",
    r"hotdice serve\b.*": "serves until Ctrl-C; tests/server",
    r"hotdice admin\b.*": "talks to a server that runs; tests/server/test_admin.py",
    r"hotdice (backup|restore) .*": "wants a server's tables; tests/server/test_backup.py",
    r"hotdice book --(delete|review).*": "wants a server's tables; tests/server/test_book.py",
    r"hotdice solve \w+( .*)?": "takes minutes the first time; tests/solve",
    r"hotdice odds (?!pig).*": "wants solved tables; tests/terminal/test_values.py",
    r"hotdice (simulate|tournament) (?!pig).*\b(optimal|expert|casual)\b.*": "wants solved tables; tests/simulation",
    r"hotdice tournament GAME": "wants entrants, too",
    r"hotdice \w+ twentyone\b.*": "has a game that a page builds; tests/test_own_code.py",
    r"hotdice (simulate|tournament) pig .*\bmy_?bots:.*": "has a bot of somebody's own; tests/test_own_code.py",
    r"hotdice (play|replay|review|verify|simulate|tournament|practice|backup|restore|odds|solve|rules|learn|pad)"
    r"( --\w+)?": "names a command or its option, without what it wants",
    r"hotdice verify .*": "wants a record with fair dice; tests/test_fair.py",
}
"""Commands of Hotdice that are only read, and why."""
SLOW = ("review", "simulate", "tournament")
"""Commands that are run, but compile something first."""
FEW = "20"
"""How many games are simulated here, whatever the page says."""
RECORD = ROOT / "tests/compat/2026-11-16/records/save-pig-whole.hotdice"
PLACEHOLDERS = {
    "GAME": "pig",
    "RECORD": "game.hotdice",
    "FILE": "game.hotdice",
    "NAME": "Ann",
    "*.hotdice": "game.hotdice",
}
FOUND = [(page, line, command) for page in PAGES for line, command in commands(page) if command not in HASHED]
HOTDICE = sorted({command for _, _, command in FOUND if command.split()[0] == "hotdice"})
FIRST = {command: page for page, _, command in reversed(FOUND)}
OTHERS = sorted({command for _, _, command in FOUND if command.split()[0] != "hotdice"})


def where(command: str) -> str:
    return ", ".join(f"{name_of(page)}:{line}" for page, line, found in FOUND if found == command)


def words(command: str) -> list[str]:
    """The words of a command, as a shell would hand them on; brackets say that something may be left out."""
    plain = re.sub(r"\$\([^)]*\)", "2026-11-19", command)
    return [word.strip("[]…") if word.startswith("[") else word.strip("…") for word in shlex.split(plain)]


def read(args: list[str]) -> str:
    """What the real command line takes a command for, by its names; whatever it does not take is an error."""
    if args == ["--install-completion"]:  # which is done as soon as it is read
        return ""
    command, name, given = typer.main.get_command(app), "hotdice", _with_bare_resume(args)
    names: list[str] = []
    context = None
    while True:
        context = command.make_context(name, list(given), parent=context)
        given = [*getattr(context, "_protected_args", ()), *context.args]
        if not hasattr(command, "resolve_command") or not given:
            return " ".join(names)
        found, command, given = command.resolve_command(context, given)
        name = str(found)
        names.append(name)


@pytest.mark.parametrize("command", HOTDICE)
def test_the_command_line_takes_it(command: str) -> None:
    try:
        read(words(command)[1:])
    except TyperException as error:
        named = re.match("Missing argument|Option '.*' requires an argument", error.format_message())
        if not named or f"`{command}`" not in text_of(FIRST[command]):  # words may name a command without all it wants
            raise AssertionError(f"{where(command)}: `{command}`: {error.format_message()}") from None
    except typer.Exit:  # --help and --version say it at once
        pass


def run_here() -> Iterator[object]:
    for command in HOTDICE:
        if not any(re.fullmatch(each, command) for each in NOT_RUN):
            marks = [pytest.mark.slow] if words(command)[1] in SLOW else []
            yield pytest.param(command, marks=marks)


@pytest.mark.parametrize("command", list(run_here()))
def test_it_runs(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    for file in ("game.hotdice", "hotdice/saves/game.hotdice"):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(RECORD, tmp_path / file)
    given = [PLACEHOLDERS.get(word, word) for word in words(command)[1:]]
    if given[0] in ("simulate", "tournament"):
        for flag in {"--games", "--until"} & set(given):
            del given[given.index(flag) : given.index(flag) + 2]
        given += ["--games", FEW]
    code = main(given)
    said = capsys.readouterr()
    assert code == 0, f"{where(command)}: `{command}` ends with {code}: {said.err}"
    assert said.out


def test_what_is_not_run_is_still_in_the_documentation() -> None:
    assert [each for each in NOT_RUN if not any(re.fullmatch(each, command) for command in HOTDICE)] == []


def test_a_renamed_option_is_noticed() -> None:
    with pytest.raises(TyperException, match="No such option: --dices"):
        read(["play", "--dices", "manual"])
    with pytest.raises(TyperException, match="No such command 'tests'"):
        read(["admin", "tests"])
    assert read(["admin", "ban", "192.0.2.7", "--for", "7d"]) == "admin ban"


@pytest.mark.parametrize("command", OTHERS)
def test_other_programs_find_what_they_are_given(command: str) -> None:
    try:
        check(words(command))
    except AssertionError as error:
        raise AssertionError(f"{where(command)}: `{command}`: {error}") from None


def check(given: list[str]) -> None:
    """Whether the targets, modules, files and extras that a command names are there."""
    match given:
        case ["make", *rest]:
            check_make(rest)
        case ["pip" | "pipx", *rest]:
            check_install(rest)
        case ["python" | "python3", "-m", module, *rest]:
            spec = find_spec(module)
            assert spec, f"there is no module {module}"
            files = [Path(str(spec.origin)), *(ROOT / module / f"{name}.py" for name in rest)]
            check_flags([file for file in files if file.is_file()], rest)
        case ["python" | "python3", file, *rest] if file.endswith(".py") and "/" in file:
            assert (ROOT / file).is_file(), f"there is no {file}"
            check_flags([ROOT / file], rest)
        case ["python" | "python3", *_]:
            pass


def check_make(rest: list[str]) -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for word in rest:
        name, _, value = word.partition("=")
        if name == "ARGS":
            if rest[0] == "play":
                read(shlex.split(value))
            elif rest[0] == "soak":
                check_flags([ROOT / "tests/soak.py"], shlex.split(value))
        elif name != "PYTHON":
            assert word in targets, f"there is no target {word}"


def check_flags(files: list[Path], words: list[str]) -> None:
    text = "".join(file.read_text("utf-8") for file in files)
    for flag in (word for word in words if word.startswith("--")):
        assert f'"{flag}"' in text, f"{files[-1].name} has no option {flag}"


def check_install(rest: list[str]) -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    for word in rest[1:]:
        if word.startswith((".", "examples/")):
            assert (ROOT / word / "pyproject.toml").is_file(), f"there is no package {word}"
        elif not word.startswith("-"):
            wanted = Requirement(word)
            assert canonicalize_name(wanted.name) != "hotdice" or wanted.extras <= set(extras), f"{word}: no such extra"


def test_every_command_is_in_the_documentation() -> None:
    named = {words(command)[1] for command in HOTDICE if " " in command}
    assert set(getattr(typer.main.get_command(app), "commands")) <= named  # noqa: B009 (it is a group)
