"""Score pads as pages get them: drawn away from the event loop, one at a time, kept if asked for lately."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final, Literal

from hotdice.game import Game
from hotdice.options import Options
from hotdice.pads import draw_pad
from hotdice.paper import PAPERS
from hotdice.server.rooms.replays import Elsewhere

KEPT: Final = 64
"""Pads that are kept: each takes less than 100 kB."""


@dataclass(frozen=True, slots=True)
class PadWanted:
    """A pad: its game and house rules, and what it is written as."""

    game: Game
    options: Options
    kind: Literal["pdf", "svg"]
    paper: Literal["a4", "letter"]


class ScorePads:
    """Draws pads, and keeps the last ones."""

    def __init__(self, elsewhere: Elsewhere) -> None:
        self._elsewhere = elsewhere
        self._kept: OrderedDict[PadWanted, bytes] = OrderedDict()

    async def file(self, wanted: PadWanted) -> bytes:
        """A pad as a file."""
        if wanted not in self._kept:
            made = await self._elsewhere(_file, wanted)
            self._kept[wanted] = made
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            return made
        self._kept.move_to_end(wanted)
        return self._kept[wanted]


def _file(wanted: PadWanted) -> bytes:
    drawing = draw_pad(wanted.game, wanted.options, PAPERS[wanted.paper])
    return drawing.pdf() if wanted.kind == "pdf" else drawing.svg().encode()
