"""The command line: one thin layer of names and flags over the rest of Hotdice.

Everything is imported where it is used, so that `hotdice --help` stays quick. Every error is one line on
stderr with exit code 2.
"""

from __future__ import annotations

import os
import re
import sys
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from typer.exceptions import TyperException

from hotdice import __version__
from hotdice.errors import HotdiceError
from hotdice.notation import listed
from hotdice.terminal.signals import INTERRUPTED
from hotdice.terminal.streams import complain, prepare_streams, silence_stdout

if TYPE_CHECKING:
    from hotdice.commands.admin import Office
    from hotdice.simulation.clusters import Where

app: Final = typer.Typer(
    name="hotdice",
    help="Dice games for people and bots. Alone it opens them in the browser, for everybody in the house.",
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


EVERYBODY: Final = "0.0.0.0"  # noqa: S104 (the other players come over the network)
PORT: Final = "8017"
_LAST_PORT: Final = 65535
_LAST_DAY: Final = 36500
_LAST_TARGET: Final = 99_999
_LAST_SEED: Final = 2**53
_MOST_JOBS: Final = 256
_MOST_GAMES: Final = 10**12
HTTPS: Final = "Encrypt, by a certificate that is made on first use: phones then stay awake and can share links."


DICE: Final = ("seeded", "manual")
"""Where the rolls come from."""
DIFFICULTIES: Final = ("easy", "medium", "hard", "very-hard")
ACCESS_LOGS: Final = ("off", "json")
STATUSES: Final = ("waiting", "playing", "over", "closed")
SEEDS: Final = 10**19
LATEST: Final = ""
"""The `--resume` that names no file."""

Port = Annotated[str, typer.Option(metavar="PORT", help="0 takes any that is free.")]


def _offer_games(incomplete: str) -> list[tuple[str, str]]:
    from hotdice.commands import completion

    return completion.games(incomplete)


def _begun_with(context: typer.Context) -> str:
    """The game in a command that is not whole yet."""
    return context.params.get("game") or next(iter(context.args), "")


def _offer_options(context: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    from hotdice.commands import completion

    return completion.options(_begun_with(context), incomplete)


def _offer_papers(incomplete: str) -> list[tuple[str, str]]:
    from hotdice.commands import completion

    return completion.papers(incomplete)


def _offer_bots(incomplete: str) -> list[tuple[str, str]]:
    from hotdice.commands import completion

    return completion.bots(incomplete)


def _offer_players(context: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    from hotdice.commands import completion

    return completion.players(_begun_with(context), incomplete)


def _offer_records(incomplete: str) -> list[tuple[str, str]]:
    from hotdice.commands import completion

    return completion.records(incomplete)


GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="Which game.", show_default=False, autocompletion=_offer_games)
]
HouseRules = Annotated[
    list[str] | None,
    typer.Option(
        "--option", "-o", metavar="NAME=VALUE", help="A house rule; “hotdice rules GAME” lists them.",
        autocompletion=_offer_options,
    ),
]  # fmt: skip
Database = Annotated[
    str, typer.Option(metavar="URL", help="postgresql://…, or a file for SQLite.", show_default="a file of yours")
]
BackupFile = Annotated[str, typer.Argument(metavar="FILE", help="The backup.", show_default=False)]
Jobs = Annotated[
    str | None, typer.Option("--jobs", "-j", metavar="N", help="How many games at a time.", show_default="all cores")
]
Workers = Annotated[
    str | None, typer.Option(metavar="N", help="Start so many workers of Dask on this machine, and play there.")
]
Scheduler = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Play on the workers of this scheduler of Dask: tcp://host:8786.")
]
Results = Annotated[
    str | None, typer.Option(metavar="FILE", help="Keep what the games come to there; a second run goes on with it.")
]
RecordFile = Annotated[
    str,
    typer.Argument(
        metavar="RECORD", help="The file of a saved game.", show_default=False, autocompletion=_offer_records
    ),
]


def _whole_number(flag: str, text: str, high: int) -> int:
    if text.isascii() and text.isdigit() and len(text) <= len(str(high)) and int(text) <= high:
        return int(text)
    raise HotdiceError(f"{flag} takes a whole number from 0 to {high}, not “{text}”.")


def _from_one(flag: str, text: str, high: int) -> int:
    if number := _whole_number(flag, text, high):
        return number
    raise HotdiceError(f"{flag} takes a whole number from 1 to {high}, not “{text}”.")


def _where(jobs: str | None, workers: str | None, scheduler: str | None) -> Where:
    """Where games are played."""
    if sum(one is not None for one in (jobs, workers, scheduler)) > 1:
        raise HotdiceError("--jobs, --workers and --scheduler each say where games are played; take one of them.")
    from hotdice.simulation.clusters import Where

    return Where(
        None if jobs is None else _from_one("--jobs", jobs, _MOST_JOBS),
        None if workers is None else _from_one("--workers", workers, _MOST_JOBS),
        scheduler,
    )


def _names(text: str) -> list[str]:
    """Names with commas between them."""
    return [name.strip() for name in text.split(",")] if text else []


def _many(flag: str, text: str) -> int:
    """A number of games, which may be written as 1e7."""
    try:
        number = float(text)
        if number == int(number) and 1 <= number <= _MOST_GAMES:
            return int(number)
    except (ValueError, OverflowError):
        pass
    raise HotdiceError(f"{flag} takes a whole number of games from 1 to 1e12, such as 100000 or 1e7, not “{text}”.")


def _small(flag: str, text: str) -> float:
    """A standard error to come to."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if 1e-6 <= number < inf:
        return number
    raise HotdiceError(f"{flag} takes a standard error of at least 0.000001, such as 0.001, not “{text}”.")


def _game(name: str) -> str:
    """The name of a game, which has to be given."""
    if name:
        return name
    from hotdice.games import all_games

    raise HotdiceError(f"Name a game: {listed((game.name for game in all_games()), 'or')}.")


def _record(path: str) -> Path:
    """The file of a record, which has to be given."""
    if not path:
        from hotdice.terminal.saves import folder

        raise HotdiceError(f"Name the file of a saved game; they are kept in {folder()}.")
    return Path(path)


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
    port: Port = PORT,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only say where it is.")] = False,
    https: Annotated[bool, typer.Option("--https", help=HTTPS)] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    if (command := context.invoked_subcommand) is not None:
        if (host, port, no_browser, https) != (EVERYBODY, PORT, False, False):
            flags = "--host, --port, --no-browser and --https"
            raise HotdiceError(f"{flags} do nothing before “{command}”; leave them out, or write them after it.")
        return
    from hotdice.commands import serving

    number = _whole_number("--port", port, _LAST_PORT)
    serving.welcome(host, number, browser=not no_browser, https=https)


@app.command()
def play(
    game: Annotated[
        str | None, typer.Argument(
            metavar="GAME", help="Which game; a menu asks if none is named.", show_default=False,
            autocompletion=_offer_games,
        )
    ] = None,
    player: Annotated[
        list[str] | None,
        typer.Option(
            "--player", "-p", metavar="NAME|BOT|NAME=BOT",
            help="Who plays, once for each seat: Ann for a person, greedy or optimal for a bot, Robo=greedy for a bot "
            "with a name, my_bots:Careful for a class of your own. A person's name has no = in it.",
            autocompletion=_offer_bots,
        ),
    ] = None,
    option: HouseRules = None,
    dice: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(DICE), show_default=False,
            help="The program rolls (seeded, the default), or you type in real dice (manual).",
        ),
    ] = None,
    seed: Annotated[
        str | None, typer.Option(metavar="N", help="A whole number that makes dice and bots repeatable.")
    ] = None,
    same_dice: Annotated[
        bool,
        typer.Option(
            "--same-dice",
            help="Everybody's first turn meets the same dice, and so on; who comes later may have seen them.",
        ),
    ] = False,
    plain: Annotated[bool, typer.Option("--plain", help="Whole sentences and no drawing.")] = False,
    resume: Annotated[
        str | None,
        typer.Option(
            metavar="[FILE]", show_default=False,
            help="Go on with a game that was saved, or without a file with the latest unfinished one.",
        ),
    ] = None,
) -> int:  # fmt: skip
    """Play in the terminal, against people at this keyboard or bots."""
    if dice not in (None, *DICE):
        raise HotdiceError(f"--dice takes {listed(DICE, 'or')}, not “{dice}”.")
    if same_dice and (dice == "manual" or resume is not None):
        raise HotdiceError("--same-dice is for a new game with dice that the program rolls.")
    number = None if seed is None else _whole_number("--seed", seed, SEEDS - 1)
    from hotdice.terminal.play import start
    from hotdice.terminal.saves import latest
    from hotdice.terminal.setup import Wishes

    wishes = Wishes(game, player or (), option or (), dice, number, same_dice)
    path = latest() if resume == LATEST else Path(resume) if resume else None
    return start(wishes, plain=plain, resume=path)


@app.command()
def games(as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False) -> None:
    """List the games."""
    from hotdice.commands.games import list_games

    list_games(as_json=as_json)


@app.command()
def rules(game: GameName = "") -> None:
    """Show a game's rules and its house rules."""
    from hotdice.commands.games import show_rules

    show_rules(_game(game))


@app.command()
def pad(
    game: GameName = "",
    option: HouseRules = None,
    paper: Annotated[
        str,
        typer.Option(metavar="a4|letter", help="The size of the paper.", autocompletion=_offer_papers),
    ] = "a4",
    pdf: Annotated[
        str, typer.Option("--pdf", metavar="FILE", help="Write a PDF.", show_default="GAME-PAPER.pdf")
    ] = "",
    svg: Annotated[str, typer.Option("--svg", metavar="FILE", help="Write an SVG.", show_default=False)] = "",
) -> None:  # fmt: skip
    """Write a score pad to print, for a game with real dice."""
    from hotdice.commands.pads import write_pad

    write_pad(_game(game), option or (), paper, pdf, svg)


@app.command()
def learn(
    game: GameName = "",
    plain: Annotated[bool, typer.Option("--plain", help="Whole sentences and no drawing.")] = False,
) -> int:
    """Learn a game by playing it, in about three minutes."""
    from hotdice.terminal.learn import start

    return start(_game(game), plain=plain)


@app.command()
def practice(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help="Which game; all of them by turns if none is named.",
            show_default=False,
            autocompletion=_offer_games,
        ),
    ] = "",
    daily: Annotated[bool, typer.Option("--daily", help="Today's five, the same for everybody.")] = False,
    level: Annotated[
        str, typer.Option(metavar="|".join(DIFFICULTIES), help="How hard.", show_default="of all kinds")
    ] = "",
    mistakes: Annotated[
        bool, typer.Option("--mistakes", help="Take in your mistakes of the games that are saved, and begin with them.")
    ] = False,
    record: Annotated[
        list[str] | None,
        typer.Option("--from", metavar="RECORD", help="Take in your mistakes of that game, and begin with them."),
    ] = None,
    name: Annotated[
        str,
        typer.Option(metavar="NAME", help="Whose practice it is, where several share it, and who you are in records."),
    ] = "",
    plain: Annotated[bool, typer.Option("--plain", help="Whole sentences and no drawing.")] = False,
) -> int:
    """Choose moves in positions, and see what each is worth; what you miss comes back."""
    if daily and (game or level or mistakes or record):
        raise HotdiceError("--daily is the same for everybody; leave out the game and the other wishes.")
    from hotdice.terminal.practice import Wishes, start

    return start(Wishes(game, daily, level, mistakes, tuple(map(Path, record or ())), name), plain=plain)


@app.command(context_settings={"ignore_unknown_options": True})  # a position may start with a -
def odds(
    game: GameName = "",
    position: Annotated[
        str, typer.Argument(metavar="POSITION", help="One line, as docs/notation.md has it.", show_default=False)
    ] = "",
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            "-o",
            metavar="NAME=VALUE",
            help="A house rule, if the position does not name it.",
            autocompletion=_offer_options,
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            "--target", metavar="POINTS", help="Value by the chance to end with so many, where that is known."
        ),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="All of them, however many.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For programs; seats count from 1.")] = False,
) -> None:
    """List every legal move of a position, or every roll, with what it is worth."""
    from hotdice.commands import values

    points = None if target is None else _whole_number("--target", target, _LAST_TARGET)
    values.odds(_game(game), position, option or (), target=points, as_json=as_json, everything=everything)


@app.command()
def solve(
    game: GameName = "",
    option: HouseRules = None,
    players: Annotated[
        str | None, typer.Option("--players", metavar="N", help="How many play, where there is a choice.")
    ] = None,
    every: Annotated[
        bool, typer.Option("--every", help="By all house rules that have those named, one after the other.")
    ] = False,
    jobs: Annotated[
        str | None,
        typer.Option("--jobs", "-j", metavar="N", help="With --every: how many at a time.", show_default="1"),
    ] = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> int:
    """Solve a game exactly, or load it solved, and print what it is worth to begin."""
    from hotdice.commands import values

    number = None if players is None else _whole_number("--players", players, 99)
    if every:
        where = _where(jobs or (None if workers or scheduler else "1"), workers, scheduler)
        return values.solve_every(_game(game), option or (), number, where, as_json=as_json)
    if jobs or workers or scheduler:
        raise HotdiceError("--jobs, --workers and --scheduler share the work of --every; name that, too.")
    values.solve(_game(game), option or (), number, as_json=as_json)
    return 0


@app.command()
def simulate(
    game: GameName = "",
    players: Annotated[
        str,
        typer.Option(
            "--players", "-p", metavar="A,B,…", show_default=False,
            help="Who plays, seat by seat: greedy, random, a level, a bot, or a strategy of the game's own, such as "
            "pass:350; greedy in all seats if nobody is named.",
            autocompletion=_offer_players,
        ),
    ] = "",
    games: Annotated[
        str | None,
        typer.Option("--games", "-n", metavar="N", help="How many games: 100000, or 1e7.", show_default="100000"),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option("--until", metavar="ERROR", help="Stop when no chance to win has a larger standard error."),
    ] = None,
    seed: Annotated[str, typer.Option(metavar="N", help="The same seed gives the same games.")] = "0",
    option: HouseRules = None,
    compare: Annotated[
        list[str] | None,
        typer.Option("--compare", metavar="NAME=VALUE", help="Another house rule, played on the same dice."),
    ] = None,
    jobs: Jobs = None,
    parquet: Annotated[
        str | None, typer.Option("--parquet", metavar="FILE", help="Write a row for each game.")
    ] = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
    results: Results = None,
    plot: Annotated[
        str | None, typer.Option("--plot", metavar="FILE", help="Draw wins, scores and lengths: a .png, .svg or .pdf.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> int:  # fmt: skip
    """Play many games without watching, and print who wins how often."""
    number = None if games is None else _many("--games", games)
    error = None if until is None else _small("--until", until)
    where = _where(jobs, workers, scheduler)
    if parquet and results:
        raise HotdiceError("--parquet has the games of one run and --results those of several; leave one of them out.")
    from hotdice.commands import simulations

    return simulations.simulate(
        _game(game), _names(players), option or (), compare or (),
        games=number, until=error, seed=_whole_number("--seed", seed, _LAST_SEED), where=where, as_json=as_json,
        parquet=Path(parquet) if parquet else None, plot=Path(plot) if plot else None,
        results=Path(results) if results else None,
    )  # fmt: skip


@app.command()
def tournament(
    game: GameName = "",
    players: Annotated[
        str,
        typer.Option(
            "--players", "-p", metavar="A,B,…", show_default=False,
            help="The entrants: greedy, random, a level, a bot, module:Class, or a strategy of the game's own.",
            autocompletion=_offer_players,
        ),
    ] = "",
    seats: Annotated[
        str | None,
        typer.Option(
            metavar="N", help="How many sit at a table; 1 compares points.", show_default="2, or the game's fewest"
        ),
    ] = None,
    games: Annotated[
        str | None, typer.Option("--games", "-n", metavar="N", help="Games of each seating.", show_default="1000")
    ] = None,
    until: Annotated[
        str | None, typer.Option("--until", metavar="ERROR", help="Stop when no result has a larger standard error.")
    ] = None,
    seed: Annotated[str, typer.Option(metavar="N", help="The same seed gives the same games.")] = "0",
    option: HouseRules = None,
    jobs: Jobs = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
    results: Results = None,
    plot: Annotated[
        str | None, typer.Option("--plot", metavar="FILE", help="Draw it, as .png, .svg or .pdf.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> int:  # fmt: skip
    """Have bots play each other in every seating on the same dice, and rate them."""
    number = None if games is None else _many("--games", games)
    error = None if until is None else _small("--until", until)
    table = None if seats is None else _from_one("--seats", seats, 99)
    where = _where(jobs, workers, scheduler)
    from hotdice.commands import tournaments

    return tournaments.play(
        _game(game), _names(players), option or (), seats=table, games=number, until=error,
        seed=_whole_number("--seed", seed, _LAST_SEED), where=where, as_json=as_json,
        plot=Path(plot) if plot else None, results=Path(results) if results else None,
    )  # fmt: skip


@app.command()
def replay(
    record: RecordFile = "",
    everything: Annotated[
        bool, typer.Option("--all", help="All of it as lines, also where somebody could step through it.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For programs; seats count from 1.")] = False,
) -> int:
    """Step through a recorded game turn by turn, or tell it from its beginning."""
    from hotdice.commands import records

    return records.replay(_record(record), as_json=as_json, everything=everything)


@app.command()
def review(
    records: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="RECORD…", help="The files of saved games.", show_default=False, autocompletion=_offer_records
        ),
    ] = None,
    events: Annotated[
        bool, typer.Option("--events", help="Every event with what it changed, and every choice with what else it was.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For programs; all counting is from 0.")] = False,
    plot: Annotated[
        str, typer.Option("--plot", metavar="FILE", help="Draw the chances and the luck, as .png, .svg or .pdf.")
    ] = "",
    html: Annotated[
        str, typer.Option("--html", metavar="FILE", help="Write a page to step through, which needs no server.")
    ] = "",
    jobs: Jobs = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
    plain: Annotated[bool, typer.Option("--plain", help="Whole sentences and no drawing.")] = False,
) -> int:
    """Say what was played well, what was best, and what was luck; of several games, in a table."""
    where = _where(jobs, workers, scheduler)
    paths = [_record(record) for record in records or [""]]
    from hotdice.commands import reviews

    wishes = reviews.Wishes(as_json, events, plain, Path(plot) if plot else None, Path(html) if html else None)
    return reviews.review(paths, wishes, where)


@app.command()
def verify(
    record: RecordFile = "",
    promise: Annotated[str, typer.Option(metavar="HASH", help="The promise that you saw before the game.")] = "",
    key: Annotated[str, typer.Option(metavar="KEY", help="The public key of the server that signed it.")] = "",
    string: Annotated[
        list[str] | None, typer.Option(metavar="SEAT:STRING", help="What was drawn for the dice at a seat.")
    ] = None,
    seal: Annotated[
        list[str] | None, typer.Option(metavar="SEAT:SEAL", help="All seals that you saw before the strings.")
    ] = None,
    bots: Annotated[bool, typer.Option("--bots", help="Check what bots chose, too, which may take a while.")] = False,
) -> None:
    """Check the moves, the result and the dice of a record."""
    from hotdice.commands import records

    records.verify(_record(record), promise, key, string or (), seal or (), bots=bots)


@app.command()
def serve(
    host: Annotated[
        str, typer.Option(metavar="HOST", help="Which address to listen at; 0.0.0.0 lets others in.")
    ] = "127.0.0.1",
    port: Port = PORT,
    database: Database = "",
    redis: Annotated[
        str, typer.Option(metavar="URL", help="redis://…, where several servers share a database.", show_default=False)
    ] = "",
    database_timeout: Annotated[
        str, typer.Option(metavar="SECONDS", help="How long to wait for a database that does not answer.")
    ] = "20",
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
    believe_clock: Annotated[
        bool, typer.Option("--believe-clock", help="This machine's clock is right, even if it has jumped.")
    ] = False,
    https: Annotated[bool, typer.Option("--https", help=HTTPS)] = False,
    metrics: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", help="An address or network that may read /metrics, besides this machine."),
    ] = None,
    access_log: Annotated[
        str, typer.Option(metavar="|".join(ACCESS_LOGS), help="A line of JSON for each request, to the output.")
    ] = ACCESS_LOGS[0],
    names: Annotated[
        str, typer.Option(metavar="FILE", help="Words that names may not have, one on a line.", show_default=False)
    ] = "",
    keep_addresses: Annotated[
        str, typer.Option(metavar="DAYS", help="For how long it is kept who set up a table that is over.")
    ] = "7",
    book: Annotated[
        bool, typer.Option("--book", help="Keep a book of what everybody played, by name, for all to read.")
    ] = False,
) -> None:  # fmt: skip
    """Run tables for people and bots anywhere, until Ctrl-C."""
    from hotdice.commands import serving

    if access_log not in ACCESS_LOGS:
        raise HotdiceError(f"--access-log takes {listed(ACCESS_LOGS, 'or')}, not “{access_log}”.")
    number = _whole_number("--port", port, _LAST_PORT)
    seconds = max(1, _whole_number("--database-timeout", database_timeout, 3600))
    serving.serve(
        host,
        number,
        database=database,
        database_timeout=seconds,
        redis=redis,
        origins=tuple(origin or ()),
        proxy=proxy,
        unlimited=unlimited,
        believe_clock=believe_clock,
        https=https,
        metrics=tuple(metrics or ()),
        access_log=access_log,
        names=names,
        keep_addresses=_whole_number("--keep-addresses", keep_addresses, _LAST_DAY),
        book=book,
    )


@app.command()
def book(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Somebody's page; the house without.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
    csv: Annotated[str, typer.Option("--csv", metavar="FILE", help="Write a row for each seat.")] = "",
    parquet: Annotated[str, typer.Option("--parquet", metavar="FILE", help="The same, as Parquet.")] = "",
    delete: Annotated[str, typer.Option("--delete", metavar="NAME", help="Take a name out of the book for good.")] = "",
    yes: Annotated[bool, typer.Option("--yes", help="Delete without a question.")] = False,
    review: Annotated[
        bool, typer.Option("--review", help="Review the games that have no review yet: for accuracy and luck.")
    ] = False,
    database: Database = "",
) -> None:
    """Show who played what on this machine, with ratings, records, head to head and whether the dice are fair."""
    from hotdice.commands import book as command

    if sum(map(bool, (as_json, csv, parquet, delete, review))) > 1:
        raise HotdiceError("Choose one of --json, --csv, --parquet, --delete and --review.")
    if review:
        if name:
            raise HotdiceError("All games of the book are reviewed; leave the name out.")
        command.review(database=database)
    elif delete:
        if name:
            raise HotdiceError(f"Name whom to delete once: “{name}” or “{delete}”.")
        command.delete(delete, database=database, yes=yes)
    elif csv or parquet:
        command.export(name, "csv" if csv else "parquet", Path(csv or parquet), database=database)
    else:
        command.show(name, database=database, as_json=as_json)


def _backup(file: str) -> Path:
    """The file of a backup, which has to be given."""
    if not file:
        raise HotdiceError("Name the file of the backup.")
    return Path(file)


@app.command()
def backup(file: BackupFile = "", database: Database = "") -> None:
    """Copy a server's tables to a new file, while it runs or not."""
    from hotdice.commands import backups

    backups.backup(_backup(file), database)


@app.command()
def restore(file: BackupFile = "", database: Database = "") -> None:
    """Bring a server's tables back from a backup; stop the server first."""
    from hotdice.commands import backups

    backups.restore(_backup(file), database)


tables: Final = typer.Typer(help="The solved tables in the cache.", rich_markup_mode=None)
app.add_typer(tables, name="tables")


@tables.callback(invoke_without_command=True)
def list_tables(
    context: typer.Context, as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False
) -> None:
    """List the solved tables in the cache; the commands below check, remove and move them."""
    if context.invoked_subcommand is None:
        from hotdice.commands import tables as cache

        cache.show(as_json=as_json)


@tables.command("check")
def check_tables() -> int:
    """Read all tables, and say which are damaged."""
    from hotdice.commands import tables as cache

    return cache.check()


@tables.command("remove")
def remove_tables(
    key: Annotated[list[str] | None, typer.Argument(metavar="TABLE", help="As it is listed.")] = None,
    old: Annotated[bool, typer.Option("--old", help="Those that an earlier or later version made.")] = False,
    everything: Annotated[bool, typer.Option("--all", help="All of them; they are solved again when needed.")] = False,
) -> None:
    """Remove tables."""
    from hotdice.commands import tables as cache

    cache.remove(key or (), old=old, everything=everything)


@tables.command("move")
def move_tables(folder: Annotated[str, typer.Argument(metavar="FOLDER", show_default=False)]) -> None:
    """Move all tables to another folder."""
    from hotdice.commands import tables as cache

    cache.move(Path(folder))


@app.command()
def doctor(as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False) -> int:
    """Say what is present here, and how to get the rest."""
    from hotdice.commands import doctor as found

    return found.show(as_json=as_json)


admin: Final = typer.Typer(help="Look after the tables of a server that runs on this machine.", rich_markup_mode=None)
app.add_typer(admin, name="admin")

TableName = Annotated[str, typer.Argument(metavar="TABLE", help="A table's name, such as k3x9-w7fm.")]
Address = Annotated[str, typer.Argument(metavar="ADDRESS", help="Such as 192.0.2.7; of IPv6 its /64 network is meant.")]
ServerFile = Annotated[
    str, typer.Option(metavar="URL", help="What the server was started with.", show_default="a file of yours")
]
AtPort = Annotated[
    str, typer.Option("--port", metavar="PORT", help="Which server, if several run.", show_default=False)
]
AsJson = Annotated[bool, typer.Option("--json", help="For programs.")]


def _office(database: str, port: str) -> Office:
    from hotdice.commands.admin import Office

    return Office(database, _whole_number("--port", port, _LAST_PORT) if port else None)


@admin.command("tables")
def admin_tables(
    status: Annotated[
        str, typer.Option(metavar="STATUS", help="waiting, playing, over or closed; else those that are not over.")
    ] = "",
    address: Annotated[str, typer.Option(metavar="ADDRESS", help="Those that were set up from there.")] = "",
    limit: Annotated[str, typer.Option(metavar="N", help="The latest so many.")] = "100",
    as_json: AsJson = False,
    database: ServerFile = "",
    port: AtPort = "",
) -> None:
    """List tables, public or not, the latest first."""
    if status not in ("", *STATUSES):
        raise HotdiceError(f"--status takes {listed(STATUSES, 'or')}, not “{status}”.")
    number = _whole_number("--limit", limit, 10_000)
    _office(database, port).tables(status, address, number, as_json=as_json)


@admin.command("close")
def admin_close(table: TableName, database: ServerFile = "", port: AtPort = "") -> None:
    """Close a table: its game is given up, and its log stays."""
    _office(database, port).close(table)


@admin.command("delete")
def admin_delete(table: TableName, database: ServerFile = "", port: AtPort = "") -> None:
    """Delete a table with its log and its records."""
    _office(database, port).delete(table)


@admin.command("unseat")
def admin_unseat(
    table: TableName,
    seat: Annotated[str, typer.Argument(metavar="SEAT", help="The number of the seat, from 1.")],
    database: ServerFile = "",
    port: AtPort = "",
) -> None:
    """Take a seat from whoever has it, as if they left."""
    _office(database, port).unseat(table, _whole_number("SEAT", seat, 99))


@admin.command("ban")
def admin_ban(
    address: Address,
    length: Annotated[str, typer.Option("--for", metavar="TIME", help="Such as 30m, 24h or 7d.")] = "24h",
    why: Annotated[str, typer.Option(metavar="TEXT", help="A note for yourself.", show_default=False)] = "",
    database: ServerFile = "",
    port: AtPort = "",
) -> None:
    """Keep an address out for a time, and end its connections."""
    _office(database, port).ban(address, length, why)


@admin.command("unban")
def admin_unban(address: Address, database: ServerFile = "", port: AtPort = "") -> None:
    """Let an address in again."""
    _office(database, port).unban(address)


@admin.command("bans")
def admin_bans(as_json: AsJson = False, database: ServerFile = "", port: AtPort = "") -> None:
    """List who is banned, and until when."""
    _office(database, port).bans(as_json=as_json)


def _with_bare_resume(args: list[str]) -> list[str]:
    """The arguments with a value for a `--resume` that has none."""
    if "--resume" in args:
        at = args.index("--resume") + 1
        if at == len(args) or args[at].startswith("-"):
            return [*args[:at], LATEST, *args[at:]]
    return args


def _in_our_words(error: TyperException) -> str:
    """What is wrong with the words and flags of a command, and what would be right."""
    told: str = error.format_message()
    context = getattr(error, "ctx", None)
    if commands := list(getattr(context and context.command, "commands", ())):
        if found := re.fullmatch(r"No such command '(.*)'\.", told):
            return f"There is no command “{found[1]}”; expected {listed(commands, 'or')}."
        if told == "Missing command.":
            return f"Name what to do: {listed(commands, 'or')}."
    if found := re.fullmatch(r"Option '(.*)' requires an argument\.", told):
        return f"{found[1]} needs a value; --help says which."
    if found := re.fullmatch(r"No such option: (\S+)", told):
        return f"There is no option {found[1]}; --help lists them."
    if found := re.fullmatch(r"Got unexpected extra arguments? ?(?:\(s\))? ?\((.*)\)", told):
        return f"Nothing is expected at “{found[1]}”; --help says what is."
    return told


def main(args: list[str] | None = None) -> int:
    """Run a command; the answer is the exit code."""
    prepare_streams()
    try:
        given = _with_bare_resume(sys.argv[1:] if args is None else args)
        run = partial(typer.main.get_command(app).main, given, prog_name="hotdice", standalone_mode=False)
        if os.environ.get("_HOTDICE_COMPLETE") == "complete_bash":
            from hotdice.commands.completion import for_bash

            for_bash(run)
        code = run()
        sys.stdout.flush()
        return code or 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except HotdiceError as error:
        complain(str(error))
    except TyperException as error:
        complain(_in_our_words(error))
    except ModuleNotFoundError as error:
        from hotdice.commands.extras import remedy

        told = remedy(error)
        if told is None:
            raise
        complain(told)
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
        if error.code in (None, 0):  # completion ends it so
            return 0
    return 2
