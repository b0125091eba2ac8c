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
from hotdice.game import CHANCE, OVER, ROLLED, STAYING, Game, State
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

_BORDERS: Final = {**dict.fromkeys(STAYING, tuple("┏━┓┃┗┛")), "cancelled": tuple("┌╌┐╎└┘")}
_BORDER: Final = tuple("╭─╮│╰╯")
_DIE_WIDTH: Final = 9
SMALLEST: Final = (60, 20)
"""Columns and lines below which nothing is drawn."""
_BRIGHT: Final = 0.2
"""The luminance that an accent has at least: a contrast of 5 to 1 with black, and still 4 to 1 with white."""
_TALLEST: Final = 40
"""Lines to fill at most; in a taller window the rest stays free, so that everything is seen at a glance."""
_MORE: Final = " …; ? lists them."
"""What stands for moves that have no room."""
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
    count = sum(len(group.dice) for group in shown.groups)
    gap = 1 if count * (_DIE_WIDTH + 1) + 2 * len(shown.groups) - 3 <= width else 0
    lines = [Text() for _ in range(6)]
    for group in shown.groups:
        if lines[0]:
            for line in lines[:5]:
                line.append(" " * (gap + 2))
            lines[5].truncate(lines[0].cell_len, pad=True)
        for number, die in enumerate(group.dice):
            for line, (text, style) in zip(lines, _die(faces[die.code], group.place), strict=False):
                line.append(" " * gap if number else "")
                line.append(text, style)
        last = group is shown.groups[-1]
        room = (width if last else lines[0].cell_len + gap + 1) - lines[5].cell_len - 1
        label = _label(group, table.names[shown.seat] if last else "", room)
        lines[5].append(f" {label}", "dim" if group.place == "cancelled" else "bold" if group.place in STAYING else "")
    return lines


def _label(group: speak.DiceGroup, who: str, room: int) -> str:
    """What is said of some dice, and whose they are if there is room."""
    texts = [group.label, *((f"{group.place} now", "now") if group.joined else (group.place,))]
    if who:
        texts.insert(0, f"rolled by {who}" if group.place == ROLLED else f"{who}: {group.label}")
    return next((text for text in texts if cell_len(text) <= room), cut(group.place, room))


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
    if not shown.groups:
        return []
    return [Text(line) for line in wrap(f"{table.names[shown.seat]}'s dice. {speak.dice_line(shown)}", width, 2)]


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


KEYS: Final = ("? help", "hint", "odds", "sheet", "undo", "log", "rules", "save", "auto", "quit")
"""The commands that the title names; where there is no room for all, the later ones go first, but for the last."""
STEP_KEYS: Final = ("Enter next turn", "b back", "+ - one event", "12 to turn 12", "log", "q quit")
"""The same for a game that is looked at."""
MARK_KEY: Final = "m next mark"
"""What is among them where events have marks."""
_FEW_KEYS: Final = 5
"""Down to this many and the last, commands make room for the house rules."""


def frame(
    table: Table, note: str, width: int, height: int, *, looking: bool = False, keys: Sequence[str] = KEYS
) -> list[Text] | None:
    """Everything to be seen at a prompt, which takes the last line; nothing if the window is too small for it.

    Dice and sheets keep their places from the top, the prompt from the bottom; history has what is between. Who is only
    `looking` at a game is not told what could be played. The title names the `keys`.
    """
    if width < SMALLEST[0] or height < SMALLEST[1]:
        return None
    title = _title(table, width, keys)
    for form in _forms(table):
        now = _now(table, width, form.moves, looking=looking)
        if now is None:
            continue
        dice = form.dice(table, width)
        bottom = [*now, *(Text(line, "bold") for line in wrap(note, width, form.note))]
        middle = min(height, _TALLEST) - 2 - len(dice)
        room = middle - len(bottom)
        grids = sheets(table.state, table.names, width, room - max(form.tales, 0), middle - _USUAL - 3)
        if grids is None:
            continue
        gaps = max(0, min(2, middle - len(grids) - _USUAL))
        if room - len(grids) - gaps < form.tales:
            continue
        gaps = min(gaps, room - len(grids))
        left = room - len(grids) - gaps
        history = _history(table, width, left - (left > 3) - (left > 4))
        lines = [title, *_blank(gaps > 0), *dice, *_blank(gaps > 1), *grids, *_blank(left > 3), *history]
        return [*lines, *_blank(1 + len(dice) + room - len(lines)), *bottom]
    return None


def _blank(count: int) -> list[Text]:
    return [Text()] * count


@dataclass(frozen=True, slots=True)
class _Form:
    """A way to fill the window."""

    dice: Callable[[Table, int], list[Text]]
    """How the dice are drawn."""
    moves: int
    """How many lines name the legal moves; with 0 each has its own."""
    note: int
    """How many lines a note may have."""
    tales: int
    """How many lines of history there are at least; if less than none, the blank lines may be taken as well."""


def _forms(table: Table) -> list[_Form]:
    """Ways to fill the window, the best first."""
    forms = [
        _Form(dice_lines, 0, 4, 2),
        _Form(dice_lines, 3, 4, 2),
        _Form(dice_lines, 3, 4, 1),
        _Form(dice_lines, 1, 4, 1),
        _Form(dice_lines, 3, 4, -2),
        _Form(dice_lines, 1, 2, -2),
        _Form(small_dice, 3, 4, -2),
        _Form(small_dice, 1, 2, -2),
    ]
    if table.state.seat == OVER:
        forms += [_Form(lambda table, width: [], 1, note, -2) for note in (2, 1)]
    return forms


def _title(table: Table, width: int, keys: Sequence[str]) -> Text:
    game, options = table.game, table.state.options.text
    line = Text(f" {game.title} ", f"bold reverse {accent(game)}")
    rules = f"  {options.replace(',', ', ')}" if options else ""
    count = len(keys) - 1
    room = width - line.cell_len - 3

    def hint() -> str:
        return "  ".join((*keys[:count], keys[-1]))

    while count and cell_len(hint()) + (cell_len(rules) if count > _FEW_KEYS else 0) > room:
        count -= 1
    left = room - cell_len(hint())
    line.append(cut(rules, left) if left > 10 else "", "not bold")
    line.append(_right(f"{hint()} ", max(width - line.cell_len, 0)), "not bold")
    line.truncate(width)
    return line


def _history(table: Table, width: int, most: int) -> list[Text]:
    """What has happened, as far back as `most` lines reach; the last of it is there in any case, and stands out."""
    lines: list[Text] = []
    for index in range(table.played - 1, -1, -1):
        told = wrap(speak.tell(table, index), width, most if not lines else width)
        if len(lines) + len(told) > most:
            break
        lines[:0] = [Text(line, "dim" if lines else "") for line in told]
    return lines


def _standings(state: State, names: Sequence[str], width: int) -> Iterator[Text]:
    standings = state.result.standings if state.result and len(names) > 1 else ()
    name_width = min(24, max(map(cell_len, names)))
    score_width = max(len(f"{score:,}") for score in state.scores)
    for each in standings:
        name = set_cell_size(names[each.seat], name_width)
        line = f"{each.place:3}  {name}  {each.score:{score_width},}  {named(each.note, names)}"
        yield Text(cut(line.rstrip(), width), "bold" if each.place == 1 else "")


def _legal(text: str, width: int, most: int) -> list[str]:
    """The line of moves; where there is no room for all of it, whole moves are left out."""
    while len(wrap(text, width, len(text))) > most and ", " in text:
        text = f"{text.removesuffix(_MORE).rpartition(', ')[0]}{_MORE}"
    return wrap(text, width, most)


def _now(table: Table, width: int, most: int, *, looking: bool) -> list[Text] | None:
    """What is to happen now: the prompt with the legal moves, or how the game ended.

    The moves take at most `most` lines; with 0 each has its own, if they are few.
    """
    state, names = table.state, table.names
    colour = accent(table.game)
    if state.seat == OVER:
        first, *_ = speak.standings_lines(state, names)
        return [*(Text(line, f"bold {colour}") for line in wrap(first, width, 3)), *_standings(state, names, width)]
    lines = [Text(line, "bold") for line in wrap(f"▸ {speak.with_names(state.prompt, names)}", width, 2)]
    lines[0].stylize(colour, 0, 1)
    if looking:
        return lines
    moves = speak.best_first(state)
    if not moves:
        faces = speak.faces_line(state) if table.dice.manual else ""
        return [*lines, *(Text(line) for line in wrap(faces, width, 2))]
    if most:
        return [*lines, *(Text(line) for line in _legal(speak.legal_line(state, names), width, most))]
    if len(moves) > speak.FEW:
        return None
    texts = [speak.move_text(move, names) for move in moves]
    column = max(map(cell_len, texts)) + 4
    if column > width // 2:
        return None
    for text, move in zip(texts, moves, strict=True):
        first, *rest = wrap(named(state.tell_move(move), names), width - column, width)
        line = Text(set_cell_size(f"  {text}", column), "bold").append(first, "not bold")
        lines += [line, *(Text(" " * column + part) for part in rest)]
    return lines
