"""`hotdice admin`: orders to a server that runs on this machine, for whoever runs it."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hotdice.errors import HotdiceError

if TYPE_CHECKING:
    from hotdice.server.admin import Answer, AnyOrder

UNITS: Final = {"m": 60, "h": 3600, "d": 86400}


class Office:
    """Gives orders to one server."""

    def __init__(self, database: str, port: int | None) -> None:
        try:
            from hotdice.server import admin
            from hotdice.server.run import data_file
            from hotdice.server.store import url_of
        except ImportError as error:
            raise HotdiceError(f"“hotdice admin” needs {error.name}: pip install 'hotdice[server]'.") from None
        url = url_of(database) if database else None
        is_file = url is not None and url.get_backend_name() == "sqlite"
        folder = Path(url.database or "").parent if url and is_file else data_file().parent
        self._admin = admin
        self._path = admin.choose(folder, port, admin.running(folder))

    def tables(self, status: str, address: str, limit: int, *, as_json: bool) -> None:
        """Print tables."""
        found = self._do(self._admin.Tables(status, address, limit)).tables
        if as_json:
            print(json.dumps([asdict(card) for card in found]))
            return
        if not found:
            print("There are no such tables.")
        for card in found:
            code = f"{card.name[:4]}-{card.name[4:]}"
            open_seats = f", {card.open} open" if card.open else ""
            public = "public" if card.public else "private"
            where = card.origin or "address not kept"
            print(
                f"{code}  {card.game}, {card.status}, {card.seats} seats{open_seats}, {public}, {where}, "
                f"set up {_time(card.created)}"
            )

    def close(self, table: str) -> None:
        self._do(self._admin.Close(table))
        print(f"Table {table} is closed.")

    def delete(self, table: str) -> None:
        self._do(self._admin.Delete(table))
        print(f"Table {table} and its log are deleted.")

    def unseat(self, table: str, seat: int) -> None:
        self._do(self._admin.Unseat(table, seat))
        print(f"Seat {seat} of table {table} was taken from its player.")

    def ban(self, address: str, length: str, why: str) -> None:
        (ban,) = self._do(self._admin.BanOrder(address, _seconds(length), why)).bans
        print(f"{ban.address} is banned until {_time(ban.until)}.")

    def unban(self, address: str) -> None:
        self._do(self._admin.Unban(address))
        print(f"{address} is no longer banned.")

    def bans(self, *, as_json: bool) -> None:
        """Print who is banned."""
        found = self._do(self._admin.Bans()).bans
        if as_json:
            print(json.dumps([asdict(ban) for ban in found]))
            return
        if not found:
            print("Nobody is banned.")
        for ban in found:
            print(f"{ban.address}  until {_time(ban.until)}" + (f", {ban.why}" if ban.why else ""))

    def _do(self, order: AnyOrder) -> Answer:
        return self._admin.order(self._path, order)


def _seconds(text: str) -> int:
    if found := re.fullmatch(r"([1-9][0-9]{0,5})([mhd])", text):
        return int(found[1]) * UNITS[found[2]]
    raise HotdiceError(f"--for takes minutes, hours or days, such as 30m, 24h or 7d, not “{text}”.")


def _time(milliseconds: int) -> str:
    return f"{datetime.fromtimestamp(milliseconds / 1000, UTC):%Y-%m-%d %H:%M} UTC"
