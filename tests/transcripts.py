"""Golden transcripts: whole short games, written out so that a person can follow them move by move.

`python -m tests.transcripts GAME` writes those of one game, and without a name those of all. For each option it looks
for the first seed with which the option makes a difference, so that every transcript shows its rule at work. Read the
difference before you commit it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from hotdice import Game, Options, SeededDice, all_games, load_game
from hotdice.players import make_player
from hotdice.record import result_text
from hotdice.table import Seat, Table
from hotdice.view import named

FOLDER = Path(__file__).parent / "golden"
LONGEST = 220
"""How many events a transcript has at most."""
SEEDS = 2000
"""How many seeds are tried to find a game that is short enough."""
MOVES_SHOWN = 8

Case = tuple[str, Game, Options, Options]


def cases() -> Iterator[Case]:
    """The cases of all games."""
    for game in all_games():
        yield from cases_of(game)


def cases_of(game: Game) -> Iterator[Case]:
    """Name, game, options, and the options to differ from: the printed rules, then each choice of each option."""
    specs = game.options.specs()
    shorter = {spec.name: spec.choices[1] for spec in specs if spec.high and spec.name.startswith("target")}
    short = game.options.make(shorter.items())
    yield game.name, game, short, short
    for spec in specs:
        for choice in spec.choices[1:]:
            if spec.name in shorter:
                continue
            changed = replace(short, **{spec.name: choice})
            yield f"{game.name}-{spec.name}={choice}".lower(), game, changed, short


def table_for(game: Game, options: Options, seed: int) -> Table:
    """Two bots, one careful and one careless, and their dice; more careless ones where the game takes more."""
    players = min(max(2, game.min_players), game.max_players)
    seats = [Seat("Greedy", make_player("greedy", seed)), Seat("Random", make_player("random", seed))]
    seats += [Seat(f"Random {number}", make_player("random", seed + number)) for number in range(3, players + 1)]
    return Table(game.start(players, options), seats[:players], SeededDice(seed))


def transcript(game: Game, options: Options, seed: int) -> list[str]:
    """A game from first to last: positions, what is legal, and what was done."""
    table = table_for(game, options, seed)
    lines = [f"{game.text(options)}, seed {seed}"]
    while table.state.result is None:
        state = table.state
        moves = state.legal_moves()
        lines += ["", state.position]
        if moves:
            more = f" and {len(moves) - MOVES_SHOWN} more" if len(moves) > MOVES_SHOWN else ""
            lines.append(f"  legal: {', '.join(map(str, moves[:MOVES_SHOWN]))}{more}")
        table.step()
        lines.append(f"  {table.tell(len(table.events) - 1)}")
        if len(table.events) > LONGEST:
            return []
    result = table.state.result
    lines += ["", table.state.position, f"  {result_text(result)}", f"  {named(result.sentences, table.names)}", ""]
    return lines


def telling_seed(game: Game, options: Options, other: Options) -> int:
    """The first seed whose game is short enough and, if the options differ, goes otherwise under the other ones."""
    for seed in range(1, SEEDS + 1):
        lines = transcript(game, options, seed)
        if not lines:
            continue
        plain = [line.replace(game.text(options), game.text(other)) for line in lines]
        if options == other or plain != transcript(game, other, seed):
            return seed
    raise SystemExit(
        f"None of the first {SEEDS} games of {game.text(options)} is over within {LONGEST} events"
        + ("" if options == other else f" and goes otherwise than {game.text(other)}")
        + ". Give an option whose name begins with “target” and sets the length of a game a `short` value."
    )


def write(game: Game) -> None:
    """Write the transcripts of a game, and delete those of options that it no longer has."""
    texts: dict[str, str] = {}
    for name, _, options, other in cases_of(game):
        seed = telling_seed(game, options, other)
        texts[f"{name}.txt"] = "\n".join(transcript(game, options, seed))
        print(f"{name}: seed {seed}")
    for old in (*FOLDER.glob(f"{game.name}.txt"), *FOLDER.glob(f"{game.name}-*.txt")):
        old.unlink()
    for file, text in texts.items():
        (FOLDER / file).write_text(text, "utf-8")


if __name__ == "__main__":
    for chosen in [load_game(name) for name in sys.argv[1:]] or all_games():
        write(chosen)
