"""A table as a picture for a terminal window: dice, score sheets, and the frame that holds them all.

It reads a game's faces, grids, sentences and accent, and knows no game by name. A frame fits its window, or there is
none and the game is told in words. Colour never says anything by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from typing import Final

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from hotdice.dice import Face
from hotdice.game import CHANCE, OVER, Game, State
from hotdice.table import Table
from hotdice.terminal import speak
from hotdice.view import Bar, Cell, Grid, named

_IVORY: Final = "#f4efe1"
_INKS: Final = {
    "": f"#1c1c1c on {_IVORY}",
    "black": f"#1c1c1c on {_IVORY}",
    "red": f"#c1121f on {_IVORY}",
    "green": f"#15752f on {_IVORY}",
    "blue": f"#1d4ed8 on {_IVORY}",
    "yellow": "#1c1c1c on #ffd23f",
    "magenta": "#ffffff on #6a3fb5",
    "white": "#ffffff on #262626",
}
"""How a face of each colour is printed, so that it shows on light and dark windows alike."""

_BORDERS: Final = {"kept": tuple("┏━┓┃┗┛"), "cancelled": tuple("┌╌┐╎└┘")}
_BORDER: Final = tuple("╭─╮│╰╯")
_DIE_WIDTH: Final = 9
SMALLEST: Final = (60, 20)
"""Columns and lines below which nothing is drawn."""
_BRIGHT: Final = 0.2
"""The luminance that an accent has at least: a contrast of 5 to 1 with black, and still 4 to 1 with white."""
_TALLEST: Final = 40
"""Lines to fill at most; in a taller window the rest stays free, so that everything is seen at a glance."""
_USUAL: Final = 5
"""Lines for a prompt, the legal moves, a note and two tales, kept free before there are gaps anywhere."""


@cache
def accent(game: Game) -> str:
    """The colour of a game, mixed with white if it is too dark for a dark window: terminals do not say theirs."""
    colour = [part / 255 for part in bytes.fromhex(game.accent.dark.removeprefix("#"))]
    while _luminance(colour) < _BRIGHT:
        colour = [part + (1 - part) / 20 for part in colour]
    return f"#{''.join(f'{round(255 * part):02x}' for part in colour)}"


def _luminance(colour: Sequence[float]) -> float:
    """How bright red, green and blue are together, nearly as WCAG has it: from 0 for black to 1 for white."""
    red, green, blue = (float(part**2.2) for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def cut(text: str, width: int) -> str:
    """A text in at most `width` columns."""
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, width - 1).rstrip() + "…" if width > 4 else set_cell_size(text, width).rstrip()


def wrap(text: str, width: int, most: int) -> list[str]:
    """A text in at most `most` lines of `width` columns; the last one is cut."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".lstrip()
        if cell_len(longer) <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    if len(lines) > most:
        lines[most - 1 :] = [" ".join(lines[most - 1 :])]
    return [cut(line, width) for line in lines if line]


# Dice


def dice_lines(table: Table, width: int) -> list[Text]:
    """The dice side by side, with a label under each place where some lie."""
    shown = speak.dice_shown(table)
    faces = {face.code: face for die in table.game.dice for face in die.faces}
    groups = shown.groups()
    gap = 1 if len(shown.dice) * (_DIE_WIDTH + 1) + 2 * len(groups) - 3 <= width else 0
    lines = [Text() for _ in range(6)]
    for place, dice in groups.items():
        if lines[0]:
            for line in lines:
                line.append(" " * (gap + 2))
        for number, die in enumerate(dice):
            for line, (text, style) in zip(lines, _die(faces[die.code], place), strict=False):
                line.append(" " * gap if number else "")
                line.append(text, style)
        label = f"rolled by {table.names[shown.seat]}" if place == "rolled" else place
        lines[5].append(f" {label}", "dim" if place == "cancelled" else "bold" if place == "kept" else "")
        if place != list(groups)[-1]:
            lines[5].truncate(lines[0].cell_len, pad=True)
    lines[5].truncate(width, overflow="ellipsis")
    return lines


def _die(face: Face, place: str) -> Iterator[tuple[str, str]]:
    left_top, across, right_top, side, left_bottom, right_bottom = _BORDERS.get(place, _BORDER)
    style = _INKS.get(face.colour, _INKS[""]) + (" dim" if place == "cancelled" else "")
    yield left_top + across * 7 + right_top, style
    for row in face.art:
        yield side + row + side, style
    yield left_bottom + across * 7 + right_bottom, style


def small_dice(table: Table, width: int) -> list[Text]:
    """The dice in one line, for a window without room for pictures."""
    shown = speak.dice_shown(table)
    return [Text(cut(f"{table.names[shown.seat]}'s dice. {speak.dice_line(shown)}", width))] if shown.dice else []


# Score sheets


@dataclass(slots=True)
class _Column:
    """A column of a grid while its width is being found; those of a lower rank give way first."""

    width: int
    least: int
    rank: int


def sheets(state: State, names: Sequence[str], width: int, height: int, usual: int) -> list[Text] | None:
    """All score sheets in `width` columns and `height` lines, or None if they do not fit.

    They stand side by side if they fit well, else one below the other, else squeezed. They are stacked only if they
    fit the usual height as well, so as not to jump about with every long prompt.
    """
    for between, ranks in (("   ", 1), ("", 3), (" │ ", 2), ("│", 3)):
        lines = _arranged(state, names, width, between, ranks)
        if lines is not None and len(lines) <= (height if between else min(height, usual)):
            return lines
    return None


def _arranged(state: State, names: Sequence[str], width: int, between: str, ranks: int) -> list[Text] | None:
    """The sheets side by side with something between them, or without it one below the other."""
    grids = state.grids()
    columns = [_columns(grid, names) for grid in grids]
    pools = [[column for each in columns for column in each]] if between else columns
    if not all(_fit(pool, width - len(between) * (len(grids) - 1), ranks) for pool in pools):
        return None
    acting = state.seat if state.seat >= 0 else state.roller if state.seat == CHANCE else None
    colour = accent(state.game)
    heads = _head_names(grids, columns, names)
    blocks = [_grid(grid, each, names, heads, acting, colour) for grid, each in zip(grids, columns, strict=True)]
    if not between:
        return [line for block in blocks for line in (*block, Text())][:-1]
    lines = []
    for row in zip_longest(*blocks):
        line = Text()
        for block, part in zip(blocks, row, strict=True):
            line.append(between if line else "", "dim")
            line.append_text(part or Text(" " * block[0].cell_len))
        lines.append(line)
    return lines


def _columns(grid: Grid, names: Sequence[str]) -> list[_Column]:
    """How wide each column wants to be, the space before it included, and how narrow it may become."""
    columns = []
    by_rows = any(speak.seat_of(row[0]) is not None for row in grid.rows)
    for number, head in enumerate(grid.head):
        cells = [row[number] for row in grid.rows]
        content = max((cell_len(_cell_text(cell, names)) for cell in cells), default=0)
        wide = max(content, cell_len(_cell_text(head, names)))
        if any(isinstance(cell, Bar) for cell in cells):
            columns.append(_Column(42, 10, 0))
        elif number == 0:
            columns.append(_Column(content + 4 if by_rows else wide, 8, 2))
        else:
            columns.append(_Column(wide + 2, max(content, 2) + 1, 1))
    alike = [
        column
        for column, head in zip(columns, grid.head, strict=True)
        if column.rank == 1 and (by_rows or speak.seat_of(head) is not None)
    ]
    for column in alike:  # columns of the same kind look better in step
        column.width = max(other.width for other in alike)
    return columns


def _fit(columns: Sequence[_Column], width: int, ranks: int) -> bool:
    """Narrow columns of the lower ranks until all fit, the widest of the lowest first; whether they can."""
    if sum(min(column.width, column.least) if column.rank < ranks else column.width for column in columns) > width:
        return False
    excess = sum(column.width for column in columns) - width
    while excess > 0:
        can_give = [column for column in columns if column.width > column.least]
        lowest = min(column.rank for column in can_give)
        max((column for column in can_give if column.rank == lowest), key=lambda column: column.width).width -= 1
        excess -= 1
    return True


def _cell_text(cell: Cell, names: Sequence[str]) -> str:
    return named(cell, names) if isinstance(cell, str) else ""


def _grid(
    grid: Grid, columns: Sequence[_Column], names: Sequence[str], heads: Sequence[str], acting: int | None, colour: str
) -> list[Text]:
    lines = [_head(grid, columns, heads, acting, colour)]
    for row in grid.rows:
        line = Text()
        row_seat = speak.seat_of(row[0])
        for number, (column, cell) in enumerate(zip(columns, row, strict=True)):
            head_seat = speak.seat_of(grid.head[number])
            mine = acting is not None and acting in (row_seat, head_seat)
            style = f"bold {colour}" if mine else ""
            if isinstance(cell, Bar):
                line.append_text(_bar(cell, [r[number] for r in grid.rows], column.width, colour if mine else ""))
            elif number == 0 and row_seat is not None:
                name = cut(names[row_seat], column.width - 4)
                line.append(set_cell_size(f"{'▸' if mine else ' '} {row_seat + 1} {name}", column.width), style)
            elif number == 0:
                line.append(set_cell_size(abbreviated(cell, column.width), column.width))
            elif head_seat is None and row_seat is None:
                line.append(_right(cell, column.width), "italic")
            elif cell in ("", "·"):
                line.append(_right("·", column.width), "dim")
            else:
                line.append(_right(cell, column.width), style)
        lines.append(line)
    return lines


def _head(grid: Grid, columns: Sequence[_Column], names: Sequence[str], acting: int | None, colour: str) -> Text:
    line = Text()
    for number, (column, cell) in enumerate(zip(columns, grid.head, strict=True)):
        seat = speak.seat_of(cell)
        if seat is not None:
            mine = seat == acting
            text = f"{'▸' if mine else ''}{names[seat]}"
            line.append(_right(text, column.width), f"bold {colour}" if mine else "bold")
        elif number == 0:
            line.append(set_cell_size(cut(cell, column.width), column.width), f"bold {colour}")
        elif any(isinstance(row[number], Bar) for row in grid.rows):
            line.append(set_cell_size(f" {cell}", column.width), "bold")
        else:
            text = cell if cell_len(cell) < column.width else set_cell_size(cell, column.width - 1)
            line.append(_right(text if cell_len(text) > 2 or text == cell else "▾", column.width), "bold")
    return line


def _head_names(grids: Sequence[Grid], columns: Sequence[Sequence[_Column]], names: Sequence[str]) -> list[str]:
    """Names short enough to head their columns; where two would look alike, their seats tell them apart."""
    widths = [
        column.width - 1
        for grid, each in zip(grids, columns, strict=True)
        for column, head in zip(each, grid.head, strict=True)
        if speak.seat_of(head) is not None
    ]
    width = min(widths, default=0)
    short = [set_cell_size(name, width).rstrip() if cell_len(name) > width else name for name in names]
    return [
        text if short.count(text) == 1 else f"{set_cell_size(text, max(width - 1, 0)).rstrip()}{seat}"
        for seat, text in enumerate(short, 1)
    ]


def _right(text: str, width: int) -> str:
    return " " * (width - cell_len(text)) + text


def abbreviated(label: str, width: int) -> str:
    """A label in `width` columns: small words go first, then the last words become initials."""
    if cell_len(label) <= width:
        return label
    found = [word for word in label.split() if not word.islower()] or label.split()
    for kept in range(len(found), 0, -1):
        initials = "".join(word[0] for word in found[kept:])
        text = " ".join([*found[:kept], *([initials] if initials else [])])
        if cell_len(text) <= width:
            return text
    return cut(label, width)


def _bar(cell: Bar, column: Sequence[Cell], width: int, colour: str) -> Text:
    """A bar from zero to the right, or to the left for less than nothing; all bars of a column share their zero."""
    bars = [other for other in column if isinstance(other, Bar)]
    low = min(0, *(bar.value for bar in bars))
    high = max(1, *(bar.of for bar in bars))
    room = width - 1
    left = 0 if low == 0 else min(room // 2, max(2, round(room * -low / (high - low))))
    right = room - left - (1 if left else 0)
    text = Text(" ")
    if left:
        filled = min(left, max(1, round(left * cell.value / low))) if cell.value < 0 else 0
        text.append(" " * (left - filled)).append("━" * filled, "bold red").append("│", "dim")
    filled = min(right, max(1, round(right * cell.value / high))) if cell.value > 0 else 0
    text.append("━" * filled, f"bold {colour}").append("─" * (right - filled), "dim")
    return text


# The frame


def frame(table: Table, note: str, width: int, height: int) -> list[Text] | None:
    """Everything to be seen at a prompt, which takes the last line; nothing if the window is too small for it.

    Dice and sheets keep their places from the top, the prompt from the bottom; history has what is between.
    """
    if width < SMALLEST[0] or height < SMALLEST[1]:
        return None
    title = _title(table, width)
    notes = [Text(line, "bold") for line in wrap(note, width, 2)]
    for dice, now, tales in _forms(table, width):
        bottom = [*now, *notes]
        middle = min(height, _TALLEST) - 2 - len(dice)
        room = middle - len(bottom)
        grids = sheets(table.state, table.names, width, room - max(tales, 0), middle - _USUAL - 3)
        if grids is None:
            continue
        gaps = max(0, min(2, middle - len(grids) - _USUAL))
        if room - len(grids) - gaps < tales:
            continue
        gaps = min(gaps, room - len(grids))
        left = room - len(grids) - gaps
        history = _history(table, width, left - (left > 3) - (left > 4))
        lines = [title, *_blank(gaps > 0), *dice, *_blank(gaps > 1), *grids, *_blank(left > 3), *history]
        return [*lines, *_blank(1 + len(dice) + room - len(lines)), *bottom]
    return None


def _blank(count: int) -> list[Text]:
    return [Text()] * count


def _forms(table: Table, width: int) -> Iterator[tuple[list[Text], list[Text], int]]:
    """Ways to fill the window, the best first: dice, what can be done now, and how many lines of history at least.

    The last ways ask for less than nothing: they may take the blank lines as well.
    """
    forms: list[tuple[Callable[[Table, int], list[Text]], bool, int]] = [
        (dice_lines, True, 2), (dice_lines, False, 2), (dice_lines, False, -2), (small_dice, False, -2),
    ]  # fmt: skip
    if table.state.seat == OVER:
        forms.append((lambda table, width: [], False, -2))
    for dice, long, tales in forms:
        now = _now(table, width, long=long)
        if now is not None:
            yield dice(table, width), now, tales


def _title(table: Table, width: int) -> Text:
    game, options = table.game, table.state.options.text
    line = Text(f" {game.title} ", f"bold reverse {accent(game)}")
    hint = "? help  undo  save  rules  log  auto  quit"
    room = width - line.cell_len - len(hint) - 5
    line.append(f"  {cut(options.replace(',', ', '), max(room, 0))}" if room > 8 else "", "not bold")
    line.append(_right(f"{hint} ", max(width - line.cell_len, 0)), "not bold")
    line.truncate(width)
    return line


def _history(table: Table, width: int, most: int) -> list[Text]:
    last = table.played
    lines = [cut(speak.tell(table, index), width) for index in range(max(0, last - most), last)]
    return [Text(line, "" if number == len(lines) else "dim") for number, line in enumerate(lines, 1)]


def _standings(state: State, names: Sequence[str], width: int) -> Iterator[Text]:
    standings = state.result.standings if state.result and len(names) > 1 else ()
    name_width = min(24, max(map(cell_len, names)))
    score_width = max(len(f"{score:,}") for score in state.scores)
    for each in standings:
        name = set_cell_size(names[each.seat], name_width)
        line = f"{each.place:3}  {name}  {each.score:{score_width},}  {named(each.note, names)}"
        yield Text(cut(line.rstrip(), width), "bold" if each.place == 1 else "")


def _now(table: Table, width: int, *, long: bool) -> list[Text] | None:
    """What is to happen now: the prompt with the legal moves, or how the game ended."""
    state, names = table.state, table.names
    colour = accent(table.game)
    if state.seat == OVER:
        first, *_ = speak.standings_lines(state, names)
        return [*(Text(line, f"bold {colour}") for line in wrap(first, width, 3)), *_standings(state, names, width)]
    lines = [Text(line, "bold") for line in wrap(f"▸ {speak.with_names(state.prompt, names)}", width, 2)]
    lines[0].stylize(colour, 0, 1)
    moves = state.legal_moves()
    if not moves:
        return lines
    if not long:
        return [*lines, *(Text(line) for line in wrap(speak.legal_line(state), width, 2))]
    if len(moves) > speak.FEW:
        return None
    column = max(len(move.text) for move in moves) + 4
    for move in moves:
        label = named(state.tell_move(move), names)
        lines.append(Text(f"  {move.text}".ljust(column), "bold").append(cut(label, width - column), "not bold"))
    return lines
