"""Writes the generated part of docs/commands.md: every command, with all that it takes, from the command line itself.

python -m tests.manual
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import typer

from hotdice.cli import app

PAGE: Final = Path(__file__).parents[1] / "docs" / "commands.md"
START: Final = "<!-- From here on, `make types` writes what the command line says of itself. -->\n"


def page() -> str:
    """The page as it should be."""
    written, start, _ = PAGE.read_text("utf-8").partition(START)
    assert start, f"{PAGE.name} has lost the line from which it is generated."
    return "\n".join([f"{written}{start}", *_lines()])


def _lines() -> Iterator[str]:
    whole: Any = typer.main.get_command(app)
    yield from _command("hotdice", whole)
    for name, command in whole.commands.items():
        yield from _command(f"hotdice {name}", command)
        for inner, each in getattr(command, "commands", {}).items():
            yield from _command(f"hotdice {name} {inner}", each)


def _command(name: str, command: Any) -> Iterator[str]:
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    options = [each for each in command.params if each.param_type_name == "option" and not each.hidden]
    yield f"## {' '.join([name, *(str(each.metavar or each.name.upper()) for each in arguments)])}"
    yield ""
    yield _cell(command.help or "")
    if arguments or options:
        yield from ("", "| | |", "| --- | --- |")
    for each in arguments:
        if each.help:
            yield f"| `{each.metavar or each.name.upper()}` | {_cell(each.help)} |"
    for each in options:
        value = "" if each.is_flag else f" {each.metavar or each.name.upper()}"
        yield f"| `{_cell(', '.join(reversed(each.opts)) + value)}` | {_cell(each.help or '')}{_default(each)} |"
    yield ""


def _default(option: Any) -> str:
    shown = option.show_default if isinstance(option.show_default, str) else option.default
    return f" Default: {shown}." if shown and not option.is_flag and option.show_default else ""


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
