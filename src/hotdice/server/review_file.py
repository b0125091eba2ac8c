"""The review of a game as one HTML file: the viewer of the browser app, with the game's boards at every moment inside.

The file asks nobody for anything, so it can be kept, sent and opened without a server. What the viewer shows is packed
as base64, which no name or comment of a game can break out of. How boards look is the server's to say, so this needs
hotdice[server].
"""

from __future__ import annotations

import base64
import gzip
from datetime import date
from pathlib import Path
from typing import Final

from hotdice.errors import HotdiceError
from hotdice.record import Record, record_of
from hotdice.review.report import Report
from hotdice.table import Table
from hotdice.values import NotInstalled

VIEWER: Final = Path(__file__).parents[1] / "review" / "viewer" / "viewer.html"
"""The viewer, as Vite built it from web/viewer.html."""
_EMPTY: Final = '<script id="game" type="application/gzip;base64"></script>'
_START, _END = _EMPTY.split("></")


def html_of(played: Table | Record, report: Report) -> str:
    """A game and its report as one HTML page; `NotInstalled` without hotdice[server]."""
    try:
        from hotdice.server import wire
        from hotdice.server.api.shown import game_shown
        from hotdice.server.replaying import replay_of
    except ImportError as error:
        raise NotInstalled(f"A review as a page needs {error.name}: pip install 'hotdice[server]'.") from None
    record = played if isinstance(played, Record) else record_of(played, date.today())
    shown = {
        "card": game_shown(record.game).model_dump(mode="json"),
        "replay": replay_of("review", record),
        "report": report,
    }
    packed = base64.b64encode(gzip.compress(wire.encoded(shown), mtime=0)).decode("ascii")
    return _viewer().replace(_EMPTY, f"{_START}>{packed}</{_END}", 1)


def _viewer() -> str:
    try:
        text = VIEWER.read_text("utf-8")
    except FileNotFoundError:
        raise HotdiceError("The viewer for reviews is not built here: run `make setup`.") from None
    if text.count(_EMPTY) != 1:
        raise HotdiceError("The viewer for reviews has no place for a game: run `make setup` to build it again.")
    return text
