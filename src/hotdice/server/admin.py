"""The door for whoever runs a server: a socket in its data folder, which only the same user can open.

Somebody who connects says one line of JSON, an order, and hears one line, the answer. `hotdice admin` does that.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import DecodeError, Struct, ValidationError
from msgspec.json import Decoder, Encoder

from hotdice.errors import HotdiceError
from hotdice.server.moderation import Moderation
from hotdice.server.store import Ban, Card

LONGEST: Final = 10_000
"""Bytes of an order."""
ORDER_SECONDS: Final = 10.0
"""Seconds for an order to arrive."""
ANSWER_SECONDS: Final = 60.0
"""Seconds for its answer."""
logger: Final = logging.getLogger("hotdice")


class Order(Struct, frozen=True, tag_field="do", tag=str.lower):
    """Something to be done."""


class Tables(Order, frozen=True):
    """List tables that are not over, or those of a status, all or of one address."""

    status: str = ""
    address: str = ""
    limit: int = 100


class Close(Order, frozen=True):
    """Close a table."""

    table: str


class Delete(Order, frozen=True):
    """Remove a table and its log."""

    table: str


class Unseat(Order, frozen=True):
    """Take a seat, counted from 1, from whoever has it."""

    table: str
    seat: int


class BanOrder(Order, frozen=True, tag="ban"):
    """Ban an address."""

    address: str
    seconds: int
    why: str = ""


class Unban(Order, frozen=True):
    """Let an address in again."""

    address: str


class Bans(Order, frozen=True):
    """List who is banned."""


AnyOrder = Tables | Close | Delete | Unseat | BanOrder | Unban | Bans


class Answer(Struct, frozen=True):
    """What became of an order: an `error` in one sentence, or what was asked for."""

    error: str = ""
    tables: tuple[Card, ...] = ()
    bans: tuple[Ban, ...] = ()


_orders: Final[Decoder[AnyOrder]] = Decoder(AnyOrder)
_answers: Final = Decoder(Answer)
_encode: Final = Encoder().encode


class AdminSocket:
    """The socket of a server that runs."""

    def __init__(self, moderation: Moderation, path: Path) -> None:
        self._moderation, self._path = moderation, path
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        """Listen. A server goes on where that is not possible, and says so."""
        if not hasattr(socket, "AF_UNIX") or not hasattr(asyncio, "start_unix_server"):
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.unlink(missing_ok=True)  # the port in its name is ours, so what left it there is gone
            listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            listening.bind(str(self._path))
            self._path.chmod(0o600)  # before it listens
            self._server = await asyncio.start_unix_server(self._serve, sock=listening, limit=LONGEST)
        except OSError as error:
            logger.warning("“hotdice admin” cannot reach this server: %s (%s)", error.strerror or error, self._path)

    async def close(self) -> None:
        if self._server:
            self._server.close()
            with suppress(OSError):
                self._path.unlink()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.CancelledError):
            writer.write(_encode(await self._answer(reader)) + b"\n")
            await writer.drain()
        writer.close()

    async def _answer(self, reader: asyncio.StreamReader) -> Answer:
        try:
            async with asyncio.timeout(ORDER_SECONDS):
                order = _orders.decode(await reader.readline())
            return await self._do(order)
        except (DecodeError, ValidationError, TimeoutError, ValueError) as error:
            if isinstance(error, HotdiceError):
                return Answer(str(error))
            return Answer("The server does not understand that; is it of the same version?")
        except Exception:
            logger.exception("An order of “hotdice admin” failed.")
            return Answer("Something went wrong on the server; its log says what.")

    async def _do(self, order: AnyOrder) -> Answer:
        moderation = self._moderation
        match order:
            case Tables(status, address, limit):
                return Answer(tables=tuple(await moderation.tables(status, address, limit)))
            case Close(table):
                await moderation.close(table)
            case Delete(table):
                await moderation.delete(table)
            case Unseat(table, seat):
                await moderation.unseat(table, seat)
            case BanOrder(address, seconds, why):
                return Answer(bans=(await moderation.ban(address, seconds, why),))
            case Unban(address):
                await moderation.unban(address)
            case Bans():
                return Answer(bans=tuple(await moderation.bans()))
        return Answer()


def socket_path(folder: Path, port: int) -> Path:
    """Where the socket of the server at a port is."""
    return folder / f"admin-{port}.sock"


# For whoever gives orders


def running(folder: Path) -> list[int]:
    """The ports of the servers that listen in a folder."""
    found: list[int] = []
    for path in sorted(folder.glob("admin-*.sock")):
        port = path.stem.removeprefix("admin-")
        if port.isdecimal():
            with suppress(OSError), _connected(path):
                found.append(int(port))
    return found


def order(path: Path, wanted: AnyOrder) -> Answer:
    """Have something done; a `HotdiceError` if it was not."""
    try:
        with _connected(path) as connection:
            connection.sendall(_encode(wanted) + b"\n")
            with connection.makefile("rb") as lines:
                answer = _answers.decode(lines.readline())
    except (OSError, DecodeError) as error:
        raise HotdiceError(f"The server at {path} does not answer ({type(error).__name__}).") from None
    if answer.error:
        raise HotdiceError(answer.error)
    return answer


def _connected(path: Path) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(ANSWER_SECONDS)
    try:
        connection.connect(str(path))
    except OSError:
        connection.close()
        raise
    return connection


def choose(folder: Path, port: int | None, ports: Sequence[int]) -> Path:
    """The socket of the one server that is meant."""
    if port is not None and port not in ports:
        raise HotdiceError(f"No server runs at port {port} with its data in {folder}.")
    if not ports:
        raise HotdiceError(
            f"No server runs with its data in {folder}; give --database as the server was started with it."
        )
    if port is None and len(ports) > 1:
        raise HotdiceError(f"Servers run here at ports {', '.join(map(str, ports))}; choose one with --port.")
    return socket_path(folder, ports[0] if port is None else port)
