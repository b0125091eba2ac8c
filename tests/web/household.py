"""A household that has played for some months: games of four people and a bot in a database, for the pages of the book.

`python -m tests.web.household FILE [GAMES]` writes one to look at.
"""

from __future__ import annotations

import asyncio
import random
import sys
import time
from collections.abc import Iterator
from typing import Final

from hotdice.fair import OldFairDice
from hotdice.game import CHANCE, OVER
from hotdice.games import load_game
from hotdice.players import make_player
from hotdice.record import result_text
from hotdice.server import entries
from hotdice.server.entries import BOT, PERSON, AnyEntry, Created, SeatPlan
from hotdice.server.store import Store
from tests.server.test_book import put

DAY: Final = 86_400_000
PEOPLE: Final = {"Ann": 0.95, "Ben": 0.8, "Cleo": 0.6, "Dev": 0.4}
"""How often each plays by the simple rule, and not at random."""
BOT_SEAT: Final = ("Robo", "greedy")
GAMES: Final = (("kismet", 1), ("kismet", 2), ("bj", 2), ("kor", 2), ("bj", 3), ("pig", 2), ("rollers", 2))
"""Which games they play by turns, with how many players."""


def log_of_game(table: str, number: int, dice: random.Random) -> Iterator[AnyEntry]:
    """The log of a table at which some of them played a game."""
    name, players = GAMES[number % len(GAMES)]
    game = load_game(name)
    names = dice.sample([*PEOPLE, BOT_SEAT[0]] if players > 1 else ["Ann", "Ben"], players)
    plans = tuple(SeatPlan(BOT, each, BOT_SEAT[1]) if each == BOT_SEAT[0] else SeatPlan(PERSON, each) for each in names)
    secret = f"{number:064x}"
    yield Created(name, plans, True, "fair", secret=secret)
    yield entries.Started()
    state, source = game.start(players), OldFairDice(table, bytes.fromhex(secret))
    simple = make_player("greedy", number)
    while state.seat != OVER:
        if state.seat == CHANCE:
            roll = source.draw(state.outcomes())
            yield entries.Rolled(state.roller, game.roll_text(roll))
            state = state.roll(roll)
        else:
            skill = PEOPLE.get(names[state.seat], 0.9)
            move = simple.choose(state) if dice.random() < skill else dice.choice(state.legal_moves())
            yield entries.Moved(state.seat, move.text)
            state = state.apply(move)
    yield entries.Ended(result_text(state.result), secret=secret)


async def played(database: str, count: int) -> None:
    """Have the household play so many games, about one a day until now."""
    store, chance = Store(database), random.Random(7)
    await store.open()
    try:
        for number in range(count):
            at = int(time.time() * 1000) - (count - number) * DAY + chance.randrange(DAY // 2)
            table = "".join(chance.choice("abcdefghjkmnp23456789") for _ in range(8))
            await put(store, table, list(log_of_game(table, number, chance)), at)
    finally:
        await store.close()


if __name__ == "__main__":
    asyncio.run(played(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 60))
