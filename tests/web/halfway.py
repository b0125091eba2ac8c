"""Games that are half played already: seeded dice and greedy players make a record, which a server goes on with.

What is looked at is the same in every run: after the record come the rolls and moves that a test writes out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Final

from hotdice.dice import DiceSource, ManualDice, SeededDice
from hotdice.game import CHANCE, OVER, State
from hotdice.games import load_game
from hotdice.options import Value
from hotdice.record import record_of
from hotdice.table import Seat, Table
from tests.server.running import Running
from tests.web.browsing import Visitor
from tests.web.loaded import load, play_on

NAMES: Final = ("Ann", "Ben", "Charlotte", "Dev", "Eve", "Farid", "Grandma Rose", "Hugo")
DAY: Final = date(2026, 11, 15)


def half_played(
    game: str,
    players: int,
    events: int,
    until: Callable[[State], bool] | None = None,
    options: Mapping[str, Value] | None = None,
    dice: DiceSource | None = None,
) -> Table:
    """A game after so many rolls and moves, or from then on as soon as something is so."""
    rules = load_game(game)
    seats = [Seat(name) for name in NAMES[:players]]
    table = Table(rules.start(players, options), seats, SeededDice(1) if dice is None else dice)
    while table.state.seat != OVER and (table.played < events or (until is not None and not until(table.state))):
        if table.state.seat == CHANCE:
            table.roll()
        else:
            table.play(rules.greedy(table.state))
    assert until is None or table.state.seat != OVER, f"{game} never comes to what was asked for"
    return table


def go_on(server: Running, table: Table, mine: Sequence[int]) -> tuple[str, list[str]]:
    """Have the server go on with a game, in these seats, counted from 1: the name of its table, and their tokens."""
    made = server.post("/records", {"record": record_of(table, DAY).text, "mine": list(mine)})
    assert made.status_code == 201, made.text
    found = made.json()
    name, tokens = found["table"]["name"], [token["token"] for token in found["tokens"]]
    if found["table"]["status"] == "waiting":
        begun = server.post(f"/tables/{name}/start", {}, tokens[0])
        assert begun.status_code == 200, begun.text
    return name, tokens


def join_halfway(
    visitor: Visitor,
    game: str,
    players: int,
    events: int = 0,
    until: Callable[[State], bool] | None = None,
    *,
    then: Sequence[str] = (),
    options: Mapping[str, Value] | None = None,
) -> str:
    """Sit down in all seats of a game that is half played, after the rolls and moves that follow."""
    table = half_played(game, players, events, until, options)
    table.dice = ManualDice()
    name, tokens = go_on(visitor.server, table, range(1, players + 1))
    play_on(visitor.server, name, tokens, then)
    load(visitor)
    visitor.take(name, game, tokens)
    return name


def open_the_end(visitor: Visitor, table: Table) -> None:
    """Look at a game that is over."""
    name, tokens = go_on(visitor.server, table, [1])
    visitor.take(name, table.game.name, tokens)
