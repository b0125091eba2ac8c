"""Golden transcripts: whole short games, written out so that a person can follow them move by move.

`python -m tests.transcripts` writes them anew. For each option it looks for the first seed with which it makes a
difference, so that every transcript shows its rule at work. Read the difference before you commit it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

from hotdice import Game, Options, SeededDice, all_games
from hotdice.players import make_player
from hotdice.record import result_text
from hotdice.table import Seat, Table

FOLDER = Path(__file__).parent / "golden"
LONGEST = 220
MOVES_SHOWN = 8


def cases() -> Iterator[tuple[str, Game, Options, Options]]:
    """Name, game, options, and the options to differ from: the printed rules, then each choice of each option."""
    for game in all_games():
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
    """Two bots, one careful and one careless, and their dice."""
    seats = [Seat("Greedy", make_player("greedy", seed)), Seat("Random", make_player("random", seed))]
    return Table(game.start(2, options), seats, SeededDice(seed))


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
    lines += ["", table.state.position, f"  {result_text(result)}", f"  {result.reason.format(*table.names)}", ""]
    return lines


def telling_seed(game: Game, options: Options, other: Options) -> int:
    """The first seed whose game is short enough and, if the options differ, goes otherwise under the other ones."""
    for seed in count(1):
        lines = transcript(game, options, seed)
        if not lines:
            continue
        plain = [line.replace(game.text(options), game.text(other)) for line in lines]
        if options == other or plain != transcript(game, other, seed):
            return seed
    raise AssertionError


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for name, game, options, other in cases():
        seed = telling_seed(game, options, other)
        (FOLDER / f"{name}.txt").write_text("\n".join(transcript(game, options, seed)), "utf-8")
        print(f"{name}: seed {seed}")


if __name__ == "__main__":
    main()
