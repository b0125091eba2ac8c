"""Who is connected to a table: the clients at this node, the seats at other nodes, and since when a seat is away."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Final, Protocol

from hotdice.server.match.seats import MatchSeat

BEAT_SECONDS: Final = 10.0
"""Seconds between two notes of who is present at a node; three missed ones make it absent."""


class Guest(Protocol):
    """A connected client, as a room sees it. `keys` are the hashes of the tokens that opened its seats."""

    seats: tuple[int, ...]
    keys: tuple[str, ...]

    def send(self, packed: bytes) -> None:
        """Send a message, in a moment."""

    def hold(self, packed: bytes) -> None:
        """Send a message together with the next one."""


class Presence:
    """The clients of one table."""

    def __init__(self) -> None:
        self.guests: set[Guest] = set()
        self.here: frozenset[int] = frozenset()
        """The seats that are present at this node."""
        self._elsewhere: dict[str, tuple[frozenset[int], float]] = {}
        """The seats that are present at other nodes, and until when that is believed."""
        self._away_since: dict[int, int] = {}

    def everywhere(self) -> frozenset[int]:
        """The seats that are present at any node."""
        if not self._elsewhere:
            return self.here
        moment = time.monotonic()
        return self.here.union(*(seats for seats, until in self._elsewhere.values() if until > moment))

    def away_since(self, seat: int) -> int:
        """When a seat's last client went, in milliseconds; 0 if that is not known."""
        return self._away_since.get(seat, 0)

    def enter(self, guest: Guest) -> None:
        """A client is connected."""
        self.guests.add(guest)
        self.here = self.here.union(guest.seats)
        for seat in guest.seats:
            self._away_since.pop(seat, None)

    def leave(self, guest: Guest, now: int) -> None:
        """A client is gone."""
        self.guests.discard(guest)
        self._count()
        self._note_away((seat for seat in guest.seats if seat not in self.here), now)

    def revoke(self, seats: Sequence[MatchSeat]) -> None:
        """Take seats from clients whose tokens open them no longer."""
        for guest in self.guests:
            held = [pair for pair in zip(guest.seats, guest.keys, strict=True) if seats[pair[0]].token == pair[1]]
            if len(held) < len(guest.seats):
                guest.seats, guest.keys = tuple(seat for seat, _ in held), tuple(key for _, key in held)
        self._count()

    # Other nodes

    def knows(self, node: str) -> bool:
        """Whether another node has said who is present there."""
        return node in self._elsewhere

    def hear(self, node: str, seats: Iterable[int], now: int) -> bool:
        """Another node says who is present there; whether that changes anything."""
        before = self.everywhere()
        self._elsewhere[node] = (frozenset(seats), time.monotonic() + 3 * BEAT_SECONDS)
        after = self.everywhere()
        self._note_away(before - after, now)
        return before != after

    def lapse(self, now: int) -> tuple[bool, bool]:
        """Forget the nodes that have fallen silent: whether there are any, and whether seats are away by that."""
        moment = time.monotonic()
        silent = [node for node, (_, until) in self._elsewhere.items() if until <= moment]
        gone = {seat for node in silent for seat in self._elsewhere.pop(node)[0]} - self.everywhere()
        self._note_away(gone, now)
        return bool(silent), bool(gone)

    def _count(self) -> None:
        self.here = frozenset(seat for guest in self.guests for seat in guest.seats)

    def _note_away(self, seats: Iterable[int], now: int) -> None:
        for seat in seats:
            self._away_since[seat] = now
