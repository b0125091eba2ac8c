"""Charts as pictures, by matplotlib, which the extra `[plot]` brings: one style for all, and one way to write them.

Whoever draws tells things apart by more than colour, so that charts can be read in print.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hotdice.errors import HotdiceError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS: Final = (".png", ".svg", ".pdf")
"""What pictures can be written as."""
INK: Final = "#23262b"
PALE: Final = "#5b616b"
LINE: Final = "#d5d8dd"
PAPER: Final = "#fffdf8"
STYLE: Final[dict[Any, Any]] = {
    "font.family": "DejaVu Sans", "font.size": 10, "axes.edgecolor": LINE, "axes.labelcolor": PALE, "text.color": INK,
    "xtick.color": PALE, "ytick.color": INK, "axes.titlelocation": "left", "axes.titlesize": 11,
    "axes.titleweight": "bold", "axes.spines.top": False, "axes.spines.right": False, "figure.facecolor": PAPER,
    "axes.facecolor": PAPER, "savefig.facecolor": PAPER, "hatch.linewidth": 0.7, "svg.hashsalt": "hotdice",
    "svg.fonttype": "none",
}  # fmt: skip


def check(path: Path) -> None:
    """Refuse a picture that could not be written, before anything is worked out for it."""
    if path.suffix.lower() not in KINDS:
        raise HotdiceError(f"--plot takes a file whose name ends in .png, .svg or .pdf, not “{path}”.")
    if not path.parent.is_dir():
        raise HotdiceError(f"{path} cannot be written: there is no folder {path.parent}.")
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError as error:
        raise HotdiceError(f"--plot needs {error.name}: pip install 'hotdice[plot]'.") from None


@contextmanager
def drawn(path: Path, width: float, height: float) -> Iterator[Figure]:
    """An empty figure of so many inches, which is written once something is drawn in it."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        yield figure
        undated: dict[str, Any] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(path.suffix.lower(), {})
        try:
            figure.savefig(path, dpi=150, metadata=undated)
        except OSError as error:
            raise HotdiceError(f"{path} cannot be written: {error.strerror or error}.") from None


def title(figure: Figure, text: str) -> None:
    """The heading of a figure."""
    figure.suptitle(text, x=0.01, ha="left", fontsize=13, fontweight="bold")
