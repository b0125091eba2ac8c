"""KOR's score pad: the signs, a race with a lane for each player, and a column for the scorekeeper's sums."""

from __future__ import annotations

from itertools import pairwise
from math import cos, pi, sin
from typing import Final

from hotdice.games.kor.rules import KorOptions
from hotdice.pads import BLACK, GREY, TINT, WHITE, Pad, middle

LANES: Final = 8
_STEPS: Final = (25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 25_000)
_MOST_STEPS: Final = 8


def draw_pad(pad: Pad, options: KorOptions) -> None:
    """From the top: house rules, signs, the race, and the sums."""
    y = pad.top + 1
    pad.ticks(
        y,
        [
            ("Bank Roll", options.bank_roll),
            ("Final round", options.final_round),
            ("Every number of a toss scores", options.scoring == "all"),
        ],
    )
    _signs(pad, y + 4)
    race = y + 19.5
    lane = 7.0
    pad.band(race, 5.5, f"The race: {options.target:,} points at the end of your own turn win")
    _race(pad, race + 10.5, lane, options.target)
    pad.scores(race + 10.5 + LANES * lane + 4, pad.bottom, pitch=6.8)


def _signs(pad: Pad, y: float) -> None:
    says = (
        (_stop, "STOP", "the points of the turn count"),
        (_dead_end, "DEAD END", "the points of the turn are lost"),
        (_u_turn, "U-TURN", "they count, and you send somebody back"),
    )
    width = pad.width / len(says)
    for at, (draw, title, meaning) in enumerate(says):
        x = pad.left + at * width
        draw(pad, x + 5, y + 5, 4.4)
        pad.text(x + 11.5, y + 4.2, f"3 × {title}", 8.5, bold=True)
        pad.text(x + 11.5, y + 7.8, meaning, 7, ink=GREY)
    note = "No number in a toss ends the turn, and its points count. In a penalty the points are taken off instead."
    pad.text(pad.left, y + 12.8, note, 7.5)


def _corners(x: float, y: float, radius: float, count: int, turn: float = 0) -> list[tuple[float, float]]:
    angles = [2 * pi * (at + turn) / count for at in range(count)]
    return [(x + radius * cos(angle), y + radius * sin(angle)) for angle in angles]


def _stop(pad: Pad, x: float, y: float, size: float) -> None:
    pad.polygon(_corners(x, y, size, 8, 0.5), fill=BLACK, ink=None)
    pad.polygon(_corners(x, y, size * 0.88, 8, 0.5), ink=WHITE, width=0.3)
    pad.text(x, y + 0.9, "STOP", 6.5, bold=True, anchor="middle", ink=WHITE)


def _dead_end(pad: Pad, x: float, y: float, size: float) -> None:
    pad.polygon(_corners(x, y, size * 1.12, 4), fill=WHITE, width=0.6)
    pad.text(x, y - 0.1, "DEAD", 5, bold=True, anchor="middle")
    pad.text(x, y + 1.8, "END", 5, bold=True, anchor="middle")


def _u_turn(pad: Pad, x: float, y: float, size: float) -> None:
    pad.circle(x, y, size, fill=WHITE, line=0.6)
    right, left, top = x + 0.35 * size, x - 0.35 * size, y - 0.2 * size
    shaft = [(left, y + 0.1 * size), *_corners(x, top, 0.35 * size, 24)[12:], (right, top), (right, y + 0.55 * size)]
    for one, other in pairwise(shaft):
        pad.line(*one, *other, 0.95)
    pad.polygon(
        [(left, y + 0.62 * size), (left - 0.36 * size, y + 0.05 * size), (left + 0.36 * size, y + 0.05 * size)],
        fill=BLACK, ink=None,
    )  # fmt: skip


def marks(target: int) -> tuple[list[int], list[int]]:
    """Where the race has numbers, and where only lines: round scores before the target."""
    step = next((step for step in _STEPS if target <= step * _MOST_STEPS), _STEPS[-1])
    small = max(25, step // 10 if step % 10 == 0 and (step // 10) % 25 == 0 else step // 5 if step % 125 == 0 else 25)
    return list(range(0, target, step)), [score for score in range(0, target, small) if score % step]


def _race(pad: Pad, y: float, lane: float, target: int) -> None:
    """Lanes from below zero to the target, in which a coin moves or a line grows."""
    names, below, finish = 34.0, 9.0, 3.0
    zero = pad.left + names + below
    length = pad.right - finish - zero
    low = y + LANES * lane
    large, small = marks(target)

    def place(score: int) -> float:
        return zero + length * score / target

    pad.box(pad.left + names, y, below, low - y, fill=TINT, ink=None)
    pad.text(zero - 2, y - 1.2, "below 0", 6, anchor="end", ink=GREY)
    for score in small:
        half = score * 2 in {one + other for one, other in pairwise([*large, target])}
        pad.line(place(score), y, place(score), low, 0.2 if half else 0.1, BLACK if half else GREY)
    for score in large:
        pad.line(place(score), y, place(score), low, 0.4)
        if place(target) - place(score) > 8:
            pad.text(place(score), y - 1.2, f"{score:,}", 7, anchor="middle")
    pad.text(pad.right, y - 1.2, f"{target:,}", 8, bold=True, anchor="end")
    square = lane / 4
    for row in range(LANES * 4):
        for column in range(2):
            if (row + column) % 2 == 0:
                x = pad.right - finish + column * finish / 2
                pad.box(x, y + row * square, finish / 2, square, fill=BLACK, ink=None)
    for number in range(LANES):
        at = y + number * lane
        if number:
            pad.line(pad.left, at, pad.right - finish, at, 0.3)
        pad.text(pad.left + 1.5, middle(at, lane, 8), str(number + 1), 8, ink=GREY)
    pad.line(pad.left + names, y, pad.left + names, low, 0.4)
    pad.box(pad.left, y, pad.width, low - y, line=0.5)
