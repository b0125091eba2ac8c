"""Drawings for paper: lines, shapes and words in millimetres on a page of a true size, written as SVG or PDF.

It needs the standard library alone, so that score pads print wherever Hotdice runs. A PDF names two of the fonts that
every program that shows one has by itself, and is the same, byte for byte, whenever it is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final, Literal

POINT: Final = 25.4 / 72
"""A point, the unit of type and of PDF, in millimetres."""
BLACK: Final = 0.0
GREY: Final = 0.35
PALE: Final = 0.75
TINT: Final = 0.92
WHITE: Final = 1.0
_CURVE: Final = 0.5522847498
"""How far the handles of a quarter of a circle reach, for a radius of one."""

Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class Paper:
    """A size of paper, in millimetres."""

    name: str
    title: str
    width: float
    height: float


PAPERS: Final = {paper.name: paper for paper in (Paper("a4", "A4", 210, 297), Paper("letter", "Letter", 215.9, 279.4))}


@dataclass(frozen=True, slots=True)
class Path:
    """A line or a shape: moves, lines and curves with their points, filled and stroked in greys from 0 to 1."""

    steps: tuple[tuple[str, tuple[float, ...]], ...]
    fill: float | None
    stroke: float | None
    width: float
    dash: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Text:
    """Words on a line, which start, end or have their middle at a place on their baseline."""

    x: float
    y: float
    words: str
    size: float
    bold: bool
    anchor: Anchor
    ink: float


class Drawing:
    """What is drawn on one page, from its upper left corner."""

    def __init__(self, paper: Paper, title: str) -> None:
        self.paper = paper
        self.title = title
        self.shapes: list[Path | Text] = []

    def line(self, x1: float, y1: float, x2: float, y2: float, width: float = 0.2, ink: float = BLACK,
             dash: Sequence[float] = ()) -> None:  # fmt: skip
        """A straight line."""
        self.shapes.append(Path((("M", (x1, y1)), ("L", (x2, y2))), None, ink, width, tuple(dash)))

    def polygon(self, points: Iterable[tuple[float, float]], *, fill: float | None = None, ink: float | None = BLACK,
                width: float = 0.2) -> None:  # fmt: skip
        """A shape with straight edges."""
        first, *others = points
        steps = (("M", first), *(("L", point) for point in others), ("Z", ()))
        self.shapes.append(Path(steps, fill, ink, width))

    def box(self, x: float, y: float, width: float, height: float, *, fill: float | None = None,
            ink: float | None = BLACK, line: float = 0.2, round: float = 0) -> None:  # noqa: A002 # fmt: skip
        """A rectangle, with round corners if they have a radius."""
        right, bottom = x + width, y + height
        if not round:
            self.polygon([(x, y), (right, y), (right, bottom), (x, bottom)], fill=fill, ink=ink, width=line)
            return
        r, c = round, round * (1 - _CURVE)
        steps: tuple[tuple[str, tuple[float, ...]], ...] = (
            ("M", (x + r, y)), ("L", (right - r, y)), ("C", (right - c, y, right, y + c, right, y + r)),
            ("L", (right, bottom - r)), ("C", (right, bottom - c, right - c, bottom, right - r, bottom)),
            ("L", (x + r, bottom)), ("C", (x + c, bottom, x, bottom - c, x, bottom - r)),
            ("L", (x, y + r)), ("C", (x, y + c, x + c, y, x + r, y)), ("Z", ()),
        )  # fmt: skip
        self.shapes.append(Path(steps, fill, ink, line))

    def circle(self, x: float, y: float, radius: float, *, fill: float | None = None, ink: float | None = BLACK,
               line: float = 0.2) -> None:  # fmt: skip
        """A circle about a point."""
        self.box(x - radius, y - radius, 2 * radius, 2 * radius, fill=fill, ink=ink, line=line, round=radius)

    def text(self, x: float, y: float, words: str, size: float = 9, *, bold: bool = False, anchor: Anchor = "start",
             ink: float = BLACK) -> None:  # fmt: skip
        """Words on a baseline, in type of so many points."""
        self.shapes.append(Text(x, y, words, size, bold, anchor, ink))

    def svg(self) -> str:
        """The page as an SVG of its size."""
        width, height = _number(self.paper.width), _number(self.paper.height)
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
            f'viewBox="0 0 {width} {height}" font-family="Helvetica, Arial, \'Liberation Sans\', sans-serif">'
        )
        ground = f'<rect width="{width}" height="{height}" fill="#fff"/>'
        return "\n".join([head, f"<title>{escape(self.title)}</title>", ground, *map(_svg, self.shapes), "</svg>", ""])

    def pdf(self) -> bytes:
        """The page as a PDF of its size."""
        width, height = (_number(side / POINT) for side in (self.paper.width, self.paper.height))
        content = "\n".join(_pdf(shape, self.paper.height) for shape in self.shapes).encode("cp1252", "replace")
        fonts = "".join(f"/{font} {number} 0 R" for number, font in ((4, "F0"), (5, "F1")))
        font = "<</Type/Font/Subtype/Type1/BaseFont/{}/Encoding/WinAnsiEncoding>>"
        resources = f"<</Font<<{fonts}>>>>"
        objects = [
            b"<</Type/Catalog/Pages 2 0 R/ViewerPreferences<</DisplayDocTitle true/PrintScaling/None>>>>",
            b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {width} {height}]/Resources{resources}/Contents 6 0 R>>".encode(),
            font.format("Helvetica").encode(),
            font.format("Helvetica-Bold").encode(),
            b"<</Length %d>>\nstream\n%s\nendstream" % (len(content), content),
            b"<</Title<%s>/Creator(Hotdice)>>" % ("\ufeff" + self.title).encode("utf-16-be").hex().encode(),
        ]  # fmt: skip
        file = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
        places = []
        for number, body in enumerate(objects, 1):
            places.append(len(file))
            file += b"%d 0 obj\n%s\nendobj\n" % (number, body)
        start = len(file)
        file += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
        file += b"".join(b"%010d 00000 n \n" % place for place in places)
        file += b"trailer\n<</Size %d/Root 1 0 R/Info 7 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
        return bytes(file)


def _number(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")


def _svg(shape: Path | Text) -> str:
    if isinstance(shape, Text):
        more = ' font-weight="700"' if shape.bold else ""
        more += f' text-anchor="{shape.anchor}"' if shape.anchor != "start" else ""
        more += f' fill="{_hex(shape.ink)}"' if shape.ink else ""
        place = f'x="{_number(shape.x)}" y="{_number(shape.y)}" font-size="{_number(shape.size * POINT)}"'
        return f"<text {place}{more}>{escape(shape.words, quote=False)}</text>"
    line = "".join(step + " ".join(map(_number, numbers)) for step, numbers in shape.steps)
    stroke = ""
    if shape.stroke is not None:
        stroke = f' stroke="{_hex(shape.stroke)}" stroke-width="{_number(shape.width)}"'
    if shape.dash:
        stroke += f' stroke-dasharray="{" ".join(map(_number, shape.dash))}"'
    return f'<path d="{line}" fill="{"none" if shape.fill is None else _hex(shape.fill)}"{stroke}/>'


def _hex(grey: float) -> str:
    return f"#{round(255 * grey):02x}" + f"{round(255 * grey):02x}" * 2


def _pdf(shape: Path | Text, height: float) -> str:
    if isinstance(shape, Text):
        shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[shape.anchor] * width_of(shape.words, shape.size, shape.bold)
        x, y = _number((shape.x - shift) / POINT), _number((height - shape.y) / POINT)
        words = shape.words.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
        return f"BT {_number(shape.ink)} g /F{shape.bold:d} {_number(shape.size)} Tf {x} {y} Td ({words}) Tj ET"
    line = []
    for step, numbers in shape.steps:
        points = (
            f"{_number(x / POINT)} {_number((height - y) / POINT)}"
            for x, y in zip(numbers[::2], numbers[1::2], strict=True)
        )
        line.append(" ".join([*points, "h" if step == "Z" else step.lower()]))
    paint = {(True, True): "B", (True, False): "f", (False, True): "S", (False, False): "n"}
    ink = "" if shape.fill is None else f"{_number(shape.fill)} g "
    if shape.stroke is not None:
        ink += f"{_number(shape.stroke)} G {_number(shape.width / POINT)} w "
    dash = " ".join(_number(length / POINT) for length in shape.dash)
    done = paint[shape.fill is not None, shape.stroke is not None]
    return f"{ink}{f'[{dash}] 0 d ' if dash else ''}{' '.join(line)} {done}{' [] 0 d' if dash else ''}"


def width_of(words: str, size: float, bold: bool = False) -> float:
    """How wide words are in type of so many points, in millimetres."""
    widths, others = (_BOLD, _OTHERS_BOLD) if bold else (_REGULAR, _OTHERS)
    units = sum(widths[ord(letter) - 32] if " " <= letter <= "~" else others.get(letter, 556) for letter in words)
    return units / 1000 * size * POINT


def wrapped(words: str, width: float, size: float, bold: bool = False) -> list[str]:
    """Words in lines of at most that width."""
    lines: list[str] = []
    for word in words.split():
        if lines and width_of(f"{lines[-1]} {word}", size, bold) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


# From the metrics that Adobe published with its standard fonts: thousandths of the size, for what is from " " to "~".
# fmt: off
_REGULAR: Final = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
)
_BOLD: Final = (
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611,
    556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389,
    280, 389, 584,
)
# fmt: on
_OTHERS: Final = {"–": 556, "—": 1000, "×": 584, "’": 222, "“": 333, "”": 333, "·": 278, "…": 1000}
_OTHERS_BOLD: Final = {"–": 556, "—": 1000, "×": 584, "’": 278, "“": 500, "”": 500, "·": 278, "…": 1000}
