"""What whoever runs a server does about tables and people: close, delete, remove, ban.

All of it goes through the rooms and the store, as anything else does, so it holds for every node. Bans are in the
database; where there are several nodes, each reads them anew every few seconds.
"""

from __future__ import annotations

import asyncio
import ipaddress
from typing import Final

from hotdice.server.entries import AnyEntry
from hotdice.server.limits import Gate, address_of
from hotdice.server.match import commands
from hotdice.server.match.fold import Match, Status
from hotdice.server.refusals import Banned, Illegal, Invalid, Unavailable
from hotdice.server.rooms.clock import now
from hotdice.server.rooms.registry import Rooms
from hotdice.server.socket import Sockets
from hotdice.server.store import Ban, Card

BAN_SECONDS: Final = 5.0
"""Seconds between two looks at the bans that other nodes made."""
LONGEST_BAN: Final = 366 * 24 * 3600
CLOSED: Final = "whoever runs this server closed the table."


class Moderation:
    """What can be done about the tables and the clients of a server."""

    def __init__(self, rooms: Rooms, gate: Gate, sockets: Sockets) -> None:
        self._rooms, self._gate, self._sockets = rooms, gate, sockets

    async def open(self) -> None:
        """Keep out who is banned."""
        await self._read_bans()
        if not self._rooms.broker.alone:
            self._rooms.spawn(self._watch())

    async def tables(self, status: str = "", address: str = "", limit: int = 100) -> list[Card]:
        """The latest tables, public or not: those that are not over, or those of a status."""
        statuses = (status,) if status else (Status.WAITING.value, Status.PLAYING.value)
        return await self._rooms.store.cards(statuses, _address(address) if address else "", limit)

    async def close(self, name: str) -> None:
        """Give the game of a table up, or close it before one begins."""

        def close(match: Match) -> list[AnyEntry]:
            if match.status not in (Status.WAITING, Status.PLAYING):
                raise Illegal("No game is to be given up at this table; delete it if it has to go.")
            return commands.close(match, CLOSED)

        await (await self._rooms.get(name)).do(close)

    async def delete(self, name: str) -> None:
        """Remove a table and its log."""
        await self._rooms.delete(name)

    async def unseat(self, name: str, seat: int) -> None:
        """Take a seat, counted from 1, from whoever has it."""

        def unseat(match: Match) -> list[AnyEntry]:
            if not 1 <= seat <= len(match.everyone) or not match.everyone[seat - 1].is_held:
                raise Illegal(f"Nobody has seat {seat} of this table.")
            return commands.leave(match, seat - 1, removed=True)

        await (await self._rooms.get(name)).do(unseat)

    async def ban(self, address: str, seconds: int, why: str = "") -> Ban:
        """Keep an address out for so many seconds."""
        if not 1 <= seconds <= LONGEST_BAN:
            raise Invalid("A ban takes between a second and a year.")
        ban = Ban(_address(address), now() + 1000 * seconds, why[:200])
        await self._rooms.store.ban(ban)
        await self._read_bans()
        return ban

    async def unban(self, address: str) -> None:
        """Let an address in again."""
        address = _address(address)
        if address not in self._gate.bans:
            raise Invalid(f"{address} is not banned.")
        await self._rooms.store.unban(address)
        await self._read_bans()

    async def bans(self) -> list[Ban]:
        """Who is kept out now."""
        present = now()
        return [ban for ban in await self._rooms.store.bans() if ban.until > present]

    async def _read_bans(self) -> None:
        before = self._gate.bans
        self._gate.bans = {ban.address: ban.until for ban in await self.bans()}
        for address in self._gate.bans.keys() - before.keys():
            try:
                self._gate.admit(address)
            except Banned as error:
                self._sockets.expel(address, str(error))

    async def _watch(self) -> None:
        """See what other nodes have done."""
        while True:
            await asyncio.sleep(BAN_SECONDS)
            try:
                await self._read_bans()
            except Unavailable:
                continue


def _address(text: str) -> str:
    """An address as limits count by it. Nobody bans the machine itself, or a proxy there."""
    try:
        found = ipaddress.ip_address(text.strip().removesuffix("/64"))
    except ValueError:
        raise Invalid(f"“{text[:64]}” is not an address, such as 192.0.2.7 or 2001:db8::7.") from None
    if found.is_loopback:
        raise Invalid("That is this machine itself; behind a proxy, --proxy tells the addresses of clients.")
    return address_of((str(found), 0))
