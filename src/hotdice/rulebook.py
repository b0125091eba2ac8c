"""The rules of every game as pages: `python -m hotdice.rulebook` writes them, as `make types` does.

A page is the game's own `rules.md`, with its figures as pictures, its house rules, and what is the same for all games:
how to keep the score of real dice, the pad to print, and what to do when people disagree. The pictures are drawn by the
browser app (`npm run figures` in `web/`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from hotdice.errors import HotdiceError
from hotdice.game import Game
from hotdice.games import all_games
from hotdice.notation import listed
from hotdice.options import value_text
from hotdice.pads import draw_pad
from hotdice.paper import PAPERS

FOLDER: Final = Path(__file__).parents[2] / "docs" / "rules"
_FIGURE: Final = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_LINE: Final = re.compile(r"(?:([^:=\[\]]+): )?([^=]*?)(?: = (.*))?")
_REAL_DICE: Final = "## With real dice"
_OWN_RULE: Final = "## If somebody leaves"

_SCORE: Final = """\
Hotdice can keep the score instead of the pad, and then nobody has to know all the rules: it says whose turn it is,
takes only what is legal, and does the sums. In the browser, set up a table and choose “We roll real dice”; everybody at
the table may tap in what was rolled. In the terminal, type what the dice show:

    hotdice play {name} -p Ann -p Ben --dice manual

A slip of the fingers is taken back by `undo`. `hotdice pad {name}` writes the pad for the house rules that you name.
"""
_DISAGREE: Final = """\
## When people disagree

- **Before the first roll** agree on the house rules. What nobody mentions is played as it says above.
- **A die that leans, or has left the table,** is best rolled again by itself, before anybody decides anything. The rule
  sheets say nothing about it, so agree on that, too.
- **Somebody is not sure whether they may.** Look above, under the questions that come up. What is not there, ask the
  program, which plays by this page: `hotdice odds` lists every legal move of a position, and
  [notation](../notation.md) says how to write one. A table that Hotdice keeps the score of takes only legal moves, and
  says why another is none.
- **Nobody can settle it.** Let the one who rolled decide for this time, and agree on a rule before the next turn.
- **Somebody doubts the dice** that the program rolled. Every game is a record that can be checked: `hotdice verify`
  goes through each roll and move, and [fair dice](../fair-dice.md) says what it can prove.

Where a rule sheet is silent or can be read in two ways, what is written here is a ruling of ours, and the other reading
is a house rule wherever a table might want it.
"""
_INDEX: Final = """\
# Rules

A page a game, in our own words, with the questions that come up and a score pad to print. `hotdice rules GAME` shows
the same rules in the terminal, and the browser shows them beside every board. `make types` writes these pages from the
games.

| Game | Players | Minutes | What it is about |
| --- | --- | --- | --- |
"""


def house_rules(game: Game[Any]) -> list[str]:
    """The house rules of a game as a table in Markdown; nothing if it has none."""
    rows = [
        f"| {spec.name} | {spec.accepts} | {value_text(spec.default)} | {spec.meaning} |"
        for spec in game.options.specs()
    ]
    head = ["", "## House rules", "", "| Option | Takes | Default | Meaning |", "| --- | --- | --- | --- |"]
    return [*head, *rows] if rows else []


def files() -> dict[str, bytes]:
    """All that is in the folder of the rules, but for the pictures: pages and pads, by their names."""
    made = {"index.md": _index().encode()}
    for game in all_games():
        made[f"{game.name}.md"] = page(game).encode()
        for paper in PAPERS.values():
            drawing = draw_pad(game, paper=paper)
            made[f"pads/{game.name}-{paper.name}.pdf"] = drawing.pdf()
            made[f"pads/{game.name}-{paper.name}.svg"] = drawing.svg().encode()
    return made


def pictures(game: Game[Any]) -> list[str]:
    """The names of the pictures that a game's page shows."""
    lines = [line for _, body in _FIGURE.findall(game.rules) for line in body.splitlines()]
    return [f"{game.name}-{number:02}.svg" for number in range(1, len(lines) + 1)]


def page(game: Game[Any]) -> str:
    """A game's page."""
    numbered = iter(pictures(game))
    rules = _FIGURE.sub(lambda figure: "\n".join(_table(game, figure[2].splitlines(), numbered)), game.rules)
    head, _, body = rules.partition("\n")
    pads = ", ".join(
        f"[{paper.title} as {kind.upper()}](pads/{game.name}-{paper.name}.{kind})"
        for paper in PAPERS.values()
        for kind in ("pdf", "svg")
    )
    facts = f"For {game.player_count}, about {game.minutes} minutes."
    lesson = f" `hotdice learn {game.name}` teaches it at the board." if game.lesson.is_dir() else ""
    score = f"{_SCORE.format(name=game.name)}\nThe pad to print: {pads}.\n"
    if _REAL_DICE not in body:
        body = _before(body, _OWN_RULE, f"{_REAL_DICE}\n\n")
    at = body.index(_REAL_DICE) + len(_REAL_DICE)
    following = body.find("\n## ", at)
    end = len(body) if following < 0 else following + 1
    body = f"{body[:end].rstrip()}\n\n{score}\n{body[end:]}".rstrip()
    parts = [head, "", facts + lesson + f" Score pad: {pads}.", body, *house_rules(game), "", _DISAGREE]
    return "\n".join(parts)


def _before(text: str, heading: str, added: str) -> str:
    at = text.find(heading)
    return f"{text.rstrip()}\n\n{added}" if at < 0 else f"{text[:at]}{added}{text[at:]}"


def _table(game: Game[Any], lines: list[str], numbered: Iterator[str]) -> Iterator[str]:
    """A figure as a table: a picture for each line, and its words."""
    cells = [_LINE.fullmatch(line).groups("") for line in lines]  # type: ignore[union-attr]
    labelled = any(label for label, _, _ in cells)
    yield "| | Example | What it means |" if labelled else "| Example | What it means |"
    yield "| --- | --- | --- |" if labelled else "| --- | --- |"
    for label, dice, caption in cells:
        picture = f"![{_spoken(game, dice)}](images/{next(numbered)})"
        yield f"| {f'**{label}** | ' if labelled else ''}{picture} | {caption} |"


def _spoken(game: Game[Any], dice: str) -> str:
    """What a picture shows, for those who hear it."""
    words = dice.split()
    try:
        faces = [game.roll_words(game.parse_roll(word.strip("[]"))) for word in words]
    except HotdiceError:
        return dice
    counts = [face for face, word in zip(faces, words, strict=True) if word.startswith("[")]
    all_of_them = len(counts) == len(faces)
    return ", ".join(faces) + ("; all count" if all_of_them else f"; {listed(counts)} count" if counts else "")


def _index() -> str:
    rows = (
        f"| [{game.title}]({game.name}.md) | {game.player_count} | {game.minutes} | {game.pitch} |\n"
        for game in all_games()
    )
    return _INDEX + "".join(rows)


def write() -> None:
    """Write all pages and pads, and remove pads and pages of games that are gone."""
    made = files()
    (FOLDER / "pads").mkdir(parents=True, exist_ok=True)
    for path in [*FOLDER.glob("*.md"), *(FOLDER / "pads").iterdir()]:
        if path.relative_to(FOLDER).as_posix() not in made:
            path.unlink()
    for name, content in made.items():
        (FOLDER / name).write_bytes(content)


if __name__ == "__main__":
    write()
