"""A game that is over, moment by moment: the messages that an onlooker would have had of it, made from its record.

Also what might have been: the game played on by bots after another move. All of it is worked out in other processes,
from texts and into plain data.
"""

from __future__ import annotations

import gzip
from typing import Final

from msgspec import Struct, structs

from hotdice.dice import SeededDice
from hotdice.game import CHANCE, OVER
from hotdice.players import GreedyPlayer, make_player
from hotdice.players.levels import OPTIMAL
from hotdice.record import Record, parse_record
from hotdice.server import wire
from hotdice.server.match.fold import Match
from hotdice.server.match.past import log_of, state_at
from hotdice.server.refusals import Illegal
from hotdice.server.reviewing import PACKING
from hotdice.server.rooms.presence import Presence
from hotdice.server.rooms.views import Views, seen_then
from hotdice.solve import evaluator_for
from hotdice.table import Seat, Table
from hotdice.values import NotSolved
from hotdice.view import Result

SETTING: Final = 2
"""The entries of a table's log before the first roll or move of its game."""
MOST: Final = 3000
"""The most rolls and moves of a game that is played on."""


class Replay(Struct, frozen=True):
    """A whole game: the table before its first roll, and an update for each roll and move. The last one has the end."""

    welcome: wire.Welcome
    updates: list[wire.Update]


class WhatIf(Struct, frozen=True):
    """How a game might have gone on after another move. If it is not `ready`, ask again in a moment."""

    ready: bool
    share: float | None = None
    """How far the game is solved, if it is being solved."""
    bot: str = ""
    """The bot that plays on for everybody."""
    told: tuple[str, ...] = ()
    """What happens, from the move on, as sentences."""
    scores: tuple[int, ...] = ()
    """In the end, by seat."""
    result: Result | None = None
    """Nothing if the game is so long that it was left before its end."""


def replay_of(name: str, record: Record) -> Replay:
    """A recorded game, moment by moment."""
    match, views, updates = Match(name), Views(), list[wire.Update]()
    log = list(log_of(record, len(record.events)))
    first, entries, end = (
        log[:SETTING],
        log[SETTING : SETTING + len(record.events)],
        log[SETTING + len(record.events) :],
    )
    for entry in first:
        match.apply(entry, 0)
    welcome = structs.replace(seen_then(match), events=match.history[:])
    present = Presence.of_all(match.seats)
    for number, entry in enumerate(entries, 1):
        before = len(match.history)
        match.apply(entry, 0)
        for ended in end if number == len(entries) else ():
            match.apply(ended, 0)
        updates.append(wire.Update(match.history[before:], views.state(match, present, None)))
    return Replay(welcome, updates)


def packed_replay(name: str, record: str) -> bytes:
    """The same from the record's text, as gzipped JSON."""
    return gzip.compress(wire.encoded(replay_of(name, parse_record(record))), PACKING, mtime=0)


def play_out(record: str, played: str, move: str, seed: str) -> WhatIf:
    """The game from after another move than the one that was made, played by the best bots that are quick here."""
    read = parse_record(record)
    state = state_at(read, int(played))
    if state.seat in (CHANCE, OVER):
        raise Illegal("Nobody had a choice there.")
    table = Table(state, [Seat(seat.name) for seat in read.seats], SeededDice(int(seed)))
    table.play(state.parse_move(move))
    bot = make_player(_best_bot(table), int(seed))
    while table.state.seat != OVER and table.played < MOST:
        if table.state.seat == CHANCE:
            table.roll()
        else:
            table.play(bot.choose(table.state))
    told = tuple(table.tell(at) for at in range(table.played))
    return WhatIf(True, None, bot.kind, told, table.state.scores, table.state.result)


def _best_bot(table: Table) -> str:
    """The best one, unless it thinks long about its moves, as where values are estimates."""
    state = table.state
    try:
        exact = evaluator_for(state.game, state.options, state.players).exact
    except NotSolved:
        return GreedyPlayer.kind
    return OPTIMAL if exact else GreedyPlayer.kind
