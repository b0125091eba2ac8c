"""Score pads: their numbers and names are the rule sheets', their pages have a true size, and nothing leaves margins.

The numbers here are copied from the printed sheets, not from the code.
"""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

import pytest

from hotdice import all_games, load_game
from hotdice.cli import main
from hotdice.game import Game
from hotdice.pads import MARGIN, draw_pad
from hotdice.paper import PAPERS, Drawing, Text, width_of, wrapped

GAMES = all_games()
DRAWN = [
    pytest.param(game, options, paper, id=f"{game.text(options)} {paper.name}")
    for game in GAMES
    for options, paper in product(game.options.combinations(), PAPERS.values())
]


def words(game: str, **options: bool | int | str) -> list[str]:
    """All that is written on a pad, in the order in which it was drawn."""
    card = load_game(game)
    return [shape.words for shape in draw_pad(card, card.make_options(options)).shapes if isinstance(shape, Text)]


def after(written: list[str], *names: str) -> list[str]:
    """What follows each of these words directly."""
    return [written[written.index(name) + 1] for name in names]


# The sheets' amounts and names


def test_kismet_has_the_boxes_of_the_sheet_in_their_order() -> None:
    sheet = [
        "Aces", "Deuces", "Treys", "Fours", "Fives", "Sixes", "Bonus", "Two Pair Same Color", "Three of a Kind",
        "Straight", "Flush", "Full House", "Full House Same Color", "Four of a Kind", "Yarborough", "Kismet",
        "Grand Total",
    ]  # fmt: skip
    drawn = words("kismet")
    drawn.remove("Kismet")  # the heading
    assert [word for word in drawn if word in sheet] == sheet


def test_kismet_says_what_each_box_scores() -> None:
    written = words("kismet")
    written.remove("Kismet")
    assert {name: written[written.index(name) + 2] for name in written if name in WORTH} == WORTH
    assert after(written, "Bonus") == ["63–70: 35    71–77: 55    78 or more: 75"]
    assert after(written, "Aces", "Sixes") == ["sum of the 1s", "sum of the 6s"]


WORTH = {
    "Two Pair Same Color": "sum of all dice", "Three of a Kind": "sum of all dice", "Straight": "30", "Flush": "35",
    "Full House": "sum of all dice + 15", "Full House Same Color": "sum of all dice + 20",
    "Four of a Kind": "sum of all dice + 25", "Yarborough": "sum of all dice", "Kismet": "sum of all dice + 50",
}  # fmt: skip


def test_kismet_names_the_colours_and_the_second_kismet() -> None:
    assert {"black", "red", "green"} <= set(words("kismet"))
    assert any("write 0 in their topmost vacant box" in line for line in words("kismet"))
    assert not any("second Kismet on" in line for line in words("kismet", second_kismet=False))


def test_kor_races_to_six_thousand() -> None:
    written = words("kor")
    assert [word for word in written if re.fullmatch(r"\d,\d{3}|0", word)] == [
        "0", "1,000", "2,000", "3,000", "4,000", "5,000", "6,000",
    ]  # fmt: skip
    assert "The race: 6,000 points at the end of your own turn win" in written
    assert {"3 × STOP", "3 × DEAD END", "3 × U-TURN", "Bank Roll", "Final round"} <= set(written)
    assert [f"Player {seat}" in written for seat in (1, 8, 9)] == [True, True, False]


def test_rollers_boards_say_what_opens_and_closes_them() -> None:
    written = words("rollers")
    assert after(written, "OPEN") == ["one 1"]
    for needs in ("one 1", "two 2s", "three 3s", "four 4s", "five 5s", *(f"one more {n}" for n in range(1, 6))):
        assert written.count(needs) == 5, needs  # a board for each of five players
    assert written.count("55") == 5 * 5
    (rounds,) = [line for line in written if line.startswith("A round:")]
    assert rounds.startswith("A round: all five closed 2 points (1 without chips), most chips 1. 5 points win.")


def test_bj_says_what_dice_score_and_what_the_winner_is_owed() -> None:
    written = words("bj")
    each, three = written.index("each"), written.index("three")
    assert written[each + 1 : each + 7] == ["100", "–", "–", "–", "50", "–"]
    assert written[three + 1 : three + 7] == ["300", "200", "300", "400", "500", "600"]
    assert "All dice frozen: 500 more" in written
    assert "Beyond 5,000: the last round" in written
    assert "The winner owes each of the others $50,000 a month, tax free, for ten years." in written
    assert "$6,000,000" in written


def test_house_rules_change_the_pad() -> None:
    assert "The race: 3,000 points at the end of your own turn win" in words("kor", target=3000)
    assert "Beyond 2,000: the last round" in words("bj", target=2000)
    assert any("7 points win" in line for line in words("rollers", target_points=7))
    assert "House rules: target 50" in words("pig", target=50)


def test_the_browser_says_how_many_find_room_on_kismets_sheet() -> None:
    """Six columns, which the browser app says to seven and eight players beside its links."""
    written = words("kismet")
    first = written.index("Player or game")
    assert written[first - 6 : first] == ["1", "2", "3", "4", "5", "6"]
    folder = Path(__file__).parents[1] / "web" / "src" / "games" / "kismet"
    assert "padSeats: 6," in (folder / "index.ts").read_text("utf-8")


# The pages


@pytest.mark.parametrize(
    ("paper", "mm", "points"), [("a4", (210.0, 297.0), (595.276, 841.89)), ("letter", (215.9, 279.4), (612.0, 792.0))]
)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_pages_have_the_size_of_the_paper(
    game: Game, paper: str, mm: tuple[float, float], points: tuple[float, float]
) -> None:
    drawing = draw_pad(game, paper=PAPERS[paper])
    root = ElementTree.fromstring(drawing.svg())  # noqa: S314 (our own)
    assert (root.get("width"), root.get("height")) == (f"{mm[0]:g}mm", f"{mm[1]:g}mm")
    assert root.get("viewBox") == f"0 0 {mm[0]:g} {mm[1]:g}"
    found = re.search(rb"/MediaBox\[0 0 (\S+) (\S+)\]", drawing.pdf())
    assert found
    assert tuple(map(float, found.groups())) == points


@pytest.mark.parametrize(("game", "options", "paper"), DRAWN)
def test_nothing_leaves_the_margin(game: Game, options: object, paper: object) -> None:
    drawing = draw_pad(game, options, paper)  # type: ignore[arg-type]
    assert MARGIN >= 10
    for shape in drawing.shapes:
        if isinstance(shape, Text):
            left, right, top, bottom = box_of(shape)
        else:
            across = [x for _, numbers in shape.steps for x in numbers[::2]]
            down = [y for _, numbers in shape.steps for y in numbers[1::2]]
            half = shape.width / 2
            left, right, top, bottom = min(across) - half, max(across) + half, min(down) - half, max(down) + half
        assert left >= 11.5, shape
        assert top >= 11.5, shape
        assert right <= drawing.paper.width - 11.5, shape
        assert bottom <= drawing.paper.height - 11.5, shape


@pytest.mark.parametrize(("game", "options", "paper"), DRAWN)
def test_no_words_overlap(game: Game, options: object, paper: object) -> None:
    drawing = draw_pad(game, options, paper)  # type: ignore[arg-type]
    places = [(box_of(shape), shape.words) for shape in drawing.shapes if isinstance(shape, Text)]
    for number, ((left, right, top, bottom), one) in enumerate(places):
        for (left2, right2, top2, bottom2), other in places[:number]:
            assert right <= left2 or right2 <= left or bottom <= top2 or bottom2 <= top, (one, other)


def box_of(text: Text) -> tuple[float, float, float, float]:
    """Where words are: between which x and y, by the height of their capitals."""
    width = width_of(text.words, text.size, text.bold)
    left = text.x - width * {"start": 0, "middle": 0.5, "end": 1}[text.anchor]
    return left, left + width, text.y - 0.72 * text.size * 25.4 / 72, text.y


def test_a_pdf_is_a_pdf() -> None:
    pdf = draw_pad(load_game("bj")).pdf()
    start = int(re.findall(rb"startxref\n(\d+)", pdf)[0])
    count, *entries = pdf[start:].split(b"\ntrailer")[0].split(b"\n")[1:]
    assert count == b"0 8"
    for number, entry in enumerate(entries[1:], 1):
        assert pdf[int(entry[:10]) :].startswith(b"%d 0 obj\n" % number)
    length, content = re.findall(rb"/Length (\d+)>>\nstream\n(.*?)\nendstream", pdf, re.DOTALL)[0]
    assert len(content) == int(length)
    assert b"(BJ's dice) Tj" in content
    assert b"\x96) Tj" in content  # a dash, as the fonts have it


def test_pdf_and_svg_have_the_same_words() -> None:
    drawing = draw_pad(load_game("kismet"))
    root = ElementTree.fromstring(drawing.svg())  # noqa: S314 (our own)
    drawn = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    told = re.findall(rb"\(((?:[^()\\]|\\.)*)\) Tj", drawing.pdf())
    assert [re.sub(r"\\(.)", r"\1", words.decode("cp1252")) for words in told] == drawn


def test_letters_are_as_wide_as_in_the_fonts_own_metrics() -> None:
    folder = Path(pytest.importorskip("matplotlib").get_data_path()) / "fonts" / "pdfcorefonts"
    for bold, name in ((False, "Helvetica"), (True, "Helvetica-Bold")):
        metrics = (folder / f"{name}.afm").read_text("latin-1")
        widths = {glyph: int(width) for width, glyph in re.findall(r"WX (\d+) ; N (\w+)", metrics)}
        for letter, glyph in GLYPHS.items():
            assert width_of(letter, 72, bold) == pytest.approx(widths[glyph] / 1000 * 25.4), glyph
        for code in (*range(ord("A"), ord("Z") + 1), *range(ord("a"), ord("z") + 1)):
            assert width_of(chr(code), 72, bold) == pytest.approx(widths[chr(code)] / 1000 * 25.4), chr(code)


GLYPHS = {
    "'": "quotesingle", "`": "grave", "~": "asciitilde", " ": "space", "0": "zero", "$": "dollar", "–": "endash",
    "—": "emdash", "×": "multiply", "’": "quoteright", "“": "quotedblleft", "”": "quotedblright", "…": "ellipsis",
    "·": "periodcentered", "@": "at", "[": "bracketleft", "{": "braceleft",
}  # fmt: skip


def test_long_words_are_wrapped() -> None:
    lines = wrapped("three of one number and two of another", 30, 8)
    assert " ".join(lines) == "three of one number and two of another"
    assert len(lines) > 1
    assert all(width_of(line, 8) <= 30 for line in lines)


def test_words_are_written_safely() -> None:
    drawing = Drawing(PAPERS["a4"], "<Title> & more")
    drawing.text(20, 20, "a (b) \\ <c> & 漢")
    assert "<text" in drawing.svg()
    assert "a (b) \\ &lt;c&gt; &amp; 漢" in drawing.svg()
    assert rb"(a \(b\) \\ <c> & ?) Tj" in drawing.pdf()


# The command


def test_the_command_writes_both_from_one_drawing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pdf, svg = tmp_path / "pad.pdf", tmp_path / "pad.svg"
    assert main(["pad", "Kismet", "--paper", "Letter", "--pdf", str(pdf), "--svg", str(svg)]) == 0
    drawing = draw_pad(load_game("kismet"), paper=PAPERS["letter"])
    assert (pdf.read_bytes(), svg.read_text("utf-8")) == (drawing.pdf(), drawing.svg())
    assert "Kismet" in capsys.readouterr().out


def test_the_command_needs_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["pad", "kor", "-o", "target=3000"]) == 0
    assert (tmp_path / "kor-a4.pdf").read_bytes().startswith(b"%PDF-1.4")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["nope"], "There is no game “nope”; there are bj, kismet, kor, pig and rollers."),
        ([], "Name a game: bj, kismet, kor, pig or rollers."),
        (["kismet", "--paper", "a5"], "--paper takes a4 or letter, not “a5”."),
        (["kismet", "--pdf", "x", "--svg", "x"], "--pdf and --svg each write a file of their own, not both to x."),
        (["kismet", "--pdf", "no/x.pdf"], "no/x.pdf cannot be written: there is no folder no."),
        (["kismet", "--svg", "."], ". cannot be written: Is a directory."),
        (["kor", "-o", "target=7"], "The option target takes a whole number from 25 to 100000 in steps of 25, not 7."),
    ],
)
def test_refusals_are_one_sentence(
    given: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["pad", *given]) == 2
    assert capsys.readouterr().err == f"{said}\n"
    assert list(tmp_path.iterdir()) == []
