"""The command line: one thin layer of names and flags over the rest of Hotdice.

Everything is imported where it is used, so that `hotdice --help` stays quick. Every error is one line on
stderr with exit code 2.
"""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import typer
from typer.exceptions import TyperException

from hotdice import __version__
from hotdice.errors import HotdiceError
from hotdice.terminal.streams import complain, prepare_streams, silence_stdout

app: Final = typer.Typer(
    name="hotdice",
    help="Dice games for people and bots. Alone it opens them in the browser, for everybody in the house.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


EVERYBODY: Final = "0.0.0.0"  # noqa: S104 (the other players come over the network)
PORT: Final = 8017


class Dice(StrEnum):
    """Where the rolls come from."""

    SEEDED = "seeded"
    MANUAL = "manual"


def _version(wanted: bool) -> None:
    if wanted:
        print(f"hotdice {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def hotdice(
    context: typer.Context,
    host: Annotated[
        str, typer.Option(metavar="HOST", help="Which address to listen at; 127.0.0.1 lets nobody else in.")
    ] = EVERYBODY,
    port: Annotated[int, typer.Option(metavar="PORT", min=0, max=65535, help="0 takes any that is free.")] = PORT,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only say where it is.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    if (command := context.invoked_subcommand) is not None:
        if (host, port, no_browser) != (EVERYBODY, PORT, False):
            raise HotdiceError(f"--host, --port and --no-browser do nothing before “{command}”; leave them out.")
        return
    from hotdice.commands import serving

    serving.welcome(host, port, browser=not no_browser)


@app.command()
def play(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="Which game; a menu asks if none is named.", show_default=False)
    ] = None,
    player: Annotated[
        list[str] | None,
        typer.Option(
            "--player", "-p", metavar="NAME|BOT|NAME=BOT",
            help="Who plays, once for each seat: Ann for a person, greedy or optimal for a bot, Robo=greedy for a bot "
            "with a name, my_bots:Careful for a class of your own. A person's name has no = in it.",
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", metavar="NAME=VALUE", help="A house rule; “hotdice rules GAME” lists them."),
    ] = None,
    dice: Annotated[
        Dice | None,
        typer.Option(help="The program rolls (seeded, the default), or you type in real dice.", show_default=False),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(
            metavar="N", min=0, max=10**19 - 1, help="A whole number that makes dice and bots repeatable.",
        )
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Whole sentences and no drawing.")] = False,
    resume: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Go on with a game that was saved.", show_default=False)
    ] = None,
) -> int:  # fmt: skip
    """Play in the terminal, against people at this keyboard or bots."""
    from hotdice.terminal.play import start
    from hotdice.terminal.setup import Wishes

    return start(Wishes(game, player or (), option or (), dice, seed), plain=plain, resume=resume)


@app.command()
def games(as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False) -> None:
    """List the games."""
    from hotdice.commands.games import list_games

    list_games(as_json=as_json)


@app.command()
def rules(game: Annotated[str, typer.Argument(metavar="GAME", help="Which game.")]) -> None:
    """Show a game's rules and its house rules."""
    from hotdice.commands.games import show_rules

    show_rules(game)


@app.command()
def odds(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Which game.")],
    position: Annotated[str, typer.Argument(metavar="POSITION", help="One line, as docs/notation.md has it.")],
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", metavar="NAME=VALUE", help="A house rule, if the position does not name it."),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="All of them, however many.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For programs; seats count from 1.")] = False,
) -> None:
    """List every legal move of a position, or every roll, with what it is worth."""
    from hotdice.commands import values

    values.odds(game, position, option or (), as_json=as_json, everything=everything)


@app.command()
def solve(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Which game.")],
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", metavar="NAME=VALUE", help="A house rule; “hotdice rules GAME” lists them."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Solve a game exactly, or load it solved, and print what it is worth to begin."""
    from hotdice.commands import values

    values.solve(game, option or (), as_json=as_json)


@app.command()
def replay(
    record: Annotated[Path, typer.Argument(metavar="RECORD", help="A file that a game was saved in.")],
    as_json: Annotated[bool, typer.Option("--json", help="For programs; seats count from 1.")] = False,
) -> None:
    """Tell a recorded game from its beginning."""
    from hotdice.commands import records

    records.replay(record, as_json=as_json)


@app.command()
def verify(record: Annotated[Path, typer.Argument(metavar="RECORD", help="A file that a game was saved in.")]) -> None:
    """Check the moves, the result and the dice of a record."""
    from hotdice.commands import records

    records.verify(record)


@app.command()
def serve(
    host: Annotated[
        str, typer.Option(metavar="HOST", help="Which address to listen at; 0.0.0.0 lets others in.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="PORT", min=0, max=65535, help="0 takes any that is free.")] = PORT,
    database: Annotated[
        str, typer.Option(metavar="URL", help="postgresql://…, or a file for SQLite.", show_default="a file of yours")
    ] = "",
    redis: Annotated[
        str, typer.Option(metavar="URL", help="redis://…, where several servers share a database.", show_default=False)
    ] = "",
    origin: Annotated[
        list[str] | None,
        typer.Option(metavar="URL", help="An address under which pages reach it, such as https://dice.example."),
    ] = None,
    proxy: Annotated[
        str, typer.Option(metavar="ADDRESS", help="A proxy that tells clients' addresses.", show_default=False)
    ] = "",
    unlimited: Annotated[
        bool, typer.Option("--unlimited", help="No limits on what one address may do; a proxy sets them.")
    ] = False,
) -> None:  # fmt: skip
    """Run tables for people and bots anywhere, until Ctrl-C."""
    from hotdice.commands import serving

    origins = tuple(origin or ())
    serving.serve(host, port, database=database, redis=redis, origins=origins, proxy=proxy, unlimited=unlimited)


def main(args: list[str] | None = None) -> int:
    """Run a command; the answer is the exit code."""
    prepare_streams()
    try:
        code = typer.main.get_command(app).main(args, prog_name="hotdice", standalone_mode=False)
        sys.stdout.flush()
        return code or 0
    except HotdiceError as error:
        complain(str(error))
    except TyperException as error:
        complain(error.format_message())
    except BrokenPipeError:
        silence_stdout()
        return 0
    except OSError as error:
        silence_stdout()
        complain(f"{error.strerror or error}.")
    except SystemExit as error:
        if isinstance(error.__context__, BrokenPipeError):  # Typer ends the program by itself when a pipe is closed
            silence_stdout()
            return 0
    return 2
