"""Games that are half played already: seeded dice and greedy players make a record, which a server goes on with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import Final

from hotdice.dice import SeededDice
from hotdice.game import CHANCE, OVER, State, load_game
from hotdice.record import record_of
from hotdice.table import Seat, Table
from tests.web.browsing import Visitor

NAMES: Final = ("Ann", "Ben", "Charlotte", "Dev", "Eve", "Farid", "Grandma Rose", "Hugo")
DAY: Final = date(2026, 11, 15)


def record(game: str, players: int, events: int, until: Callable[[State], bool] | None = None, seed: int = 1) -> str:
    """The record of a game after so many rolls and moves, or from then on as soon as something is so."""
    rules = load_game(game)
    table = Table(rules.start(players), [Seat(name) for name in NAMES[:players]], SeededDice(seed))
    while table.state.seat != OVER and (table.played < events or (until is not None and not until(table.state))):
        if table.state.seat == CHANCE:
            table.roll()
        else:
            table.play(rules.greedy(table.state))
    assert until is None or table.state.seat != OVER, f"{game} never comes to what was asked for; try another seed"
    return record_of(table, DAY).text


def sit_down(visitor: Visitor, game: str, text: str, mine: Sequence[int]) -> str:
    """Have the server go on with a record, and open it in these seats, counted from 1."""
    made = visitor.server.post("/records", {"record": text, "mine": list(mine)})
    assert made.status_code == 201, made.text
    found = made.json()
    name, tokens = found["table"]["name"], [token["token"] for token in found["tokens"]]
    if found["table"]["status"] == "waiting":
        begun = visitor.server.post(f"/tables/{name}/start", {}, tokens[0])
        assert begun.status_code == 200, begun.text
    visitor.take(name, game, tokens)
    return str(name)


def join_halfway(
    visitor: Visitor,
    game: str,
    players: int,
    events: int,
    until: Callable[[State], bool] | None = None,
    seed: int = 1,
) -> str:
    """Sit down at a game that is half played, in all its seats."""
    return sit_down(visitor, game, record(game, players, events, until, seed), range(1, players + 1))
