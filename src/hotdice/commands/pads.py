"""`hotdice pad`: score pads to print."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hotdice.errors import HotdiceError
from hotdice.games import load_game
from hotdice.notation import listed
from hotdice.pads import draw_pad
from hotdice.paper import PAPERS


def write_pad(name: str, options: Sequence[str], paper: str, pdf: str, svg: str) -> None:
    """Write a game's score pad to files, as PDF in this folder if none is named."""
    game = load_game(name.lower())
    chosen = game.options.parse(",".join(options))
    if paper.lower() not in PAPERS:
        raise HotdiceError(f"--paper takes {listed(PAPERS, 'or')}, not “{paper}”.")
    size = PAPERS[paper.lower()]
    if pdf and svg and Path(pdf).absolute() == Path(svg).absolute():
        raise HotdiceError(f"--pdf and --svg each write a file of their own, not both to {pdf}.")
    drawing = draw_pad(game, chosen, size)
    if not (pdf or svg):
        pdf = f"{game.name}-{size.name}.pdf"
    files = {Path(file): made for file, made in ((pdf, drawing.pdf()), (svg, drawing.svg().encode())) if file}
    for path in files:
        if not path.parent.is_dir():
            raise HotdiceError(f"{path} cannot be written: there is no folder {path.parent}.")
    for path, made in files.items():
        try:
            path.write_bytes(made)
        except OSError as error:
            raise HotdiceError(f"{path} cannot be written: {error.strerror or error}.") from None
        print(f"{path}: a score pad for {game.title}, to print on {size.title} paper at its actual size.")
