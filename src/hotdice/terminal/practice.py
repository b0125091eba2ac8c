"""`hotdice practice`: positions to choose a move in, what every move is worth, and what comes back when.

What somebody has practised is kept in a file beside the saves, `practice.json`, by name where several share it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

from hotdice.errors import HotdiceError
from hotdice.games import all_games, load_game
from hotdice.practice import decks
from hotdice.practice.cards import GRADES, Answer, Card, grade_named
from hotdice.practice.making import deck_of
from hotdice.practice.mistakes import mistakes
from hotdice.practice.progress import SET, Progress, marks, result_line, score
from hotdice.practice.words import difficulty, verdict
from hotdice.table import PERSON, check_name
from hotdice.terminal import saves, speak, values
from hotdice.terminal.progress import Work
from hotdice.terminal.prompts import Prompts, Quit, aligned
from hotdice.terminal.screen import Complete, Screen
from hotdice.terminal.signals import INTERRUPTED, Signals
from hotdice.terminal.streams import if_heard
from hotdice.values import Progress as Reported

_KEYS: Final = ("? help", "sheet", "log", "rules", "quit")
"""The commands that make sense here."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What somebody wants to practise."""

    game: str = ""
    daily: bool = False
    level: str = ""
    mistakes: bool = False
    """Those of the saved games."""
    records: tuple[Path, ...] = ()
    """Those of games in files."""
    name: str = ""


def start(wishes: Wishes, *, plain: bool = False) -> int:
    """Ask five cards, or as many as there are; the answer is the exit code."""
    today = date.today()
    if wishes.name:
        check_name(wishes.name)
    shelf = Shelf(wishes.name)
    taken_in = take_in(wishes, shelf, today)
    cards = _daily(shelf.progress, today) if wishes.daily else chosen(wishes, shelf.progress, today)
    screen = Screen(plain_lines=plain)
    if taken_in:
        screen.say(taken_in)
    if not cards:
        screen.say(
            _over(shelf.progress, today, plain=not screen.pictures)
            if wishes.daily
            else "There is nothing to practise here."
        )
        return 0
    with Signals(screen.check_size) as signals:
        trainer = Trainer(cards, screen, shelf, today, daily=wishes.daily)
        try:
            trainer.run()
        except (Quit, EOFError):
            pass
        except KeyboardInterrupt:
            signals.busy = True
            with if_heard():
                screen.say()
            return INTERRUPTED
    with if_heard():
        for line in trainer.summary():
            screen.say(line)
    return 0


def chosen(wishes: Wishes, progress: Progress, today: date) -> list[Card]:
    """A set: what is due first, then new cards, of all games by turns unless one is named."""
    if wishes.game:
        game = load_game(wishes.game.lower())
        work = Work(lambda told: deck_of(game, told), f"Looking for positions of {game.title}")
        piles = [work.wait().cards]
    else:
        piles = [deck.cards for game in all_games() if (deck := decks.shipped(game))]
    grade = grade_named(wishes.level) if wishes.level else None
    wanted = [[card for card in pile if grade in (None, card.grade)] for pile in piles]
    due = [card for card in progress.due(today, wishes.game.lower()) if grade in (None, card.grade)][:SET]
    new = [progress.new(pile, SET) for pile in wanted]
    dealt = [card for row in zip_longest(*new) for card in row if card]
    return [*due, *dealt][:SET]


def take_in(wishes: Wishes, shelf: Shelf, today: date) -> str:
    """Have the mistakes of records asked from today on; what came of it, as a sentence."""
    files = [*wishes.records, *(saves.finished() if wishes.mistakes else ())]
    if not files:
        return "There are no finished games in the folder of saves yet." if wishes.mistakes else ""
    work = Work(lambda told: list(_mistakes(files, wishes, shelf.progress, told)), "Looking for your mistakes")
    new = sum(shelf.progress.add(card, today) for card in work.wait())
    shelf.keep()
    games = "1 game" if len(files) == 1 else f"{len(files)} games"
    return f"{new or 'No'} new {'mistake' if new == 1 else 'mistakes'} in {games}."


def _mistakes(files: Sequence[Path], wishes: Wishes, progress: Progress, told: Reported) -> Iterator[Card]:
    """The mistakes of people in some records, of those that were not looked at before."""
    for number, path in enumerate(files):
        with saves.naming(path):
            record = saves.load(path)
            digest = sha256(record.text.encode()).hexdigest()[:16]
            if digest in progress.records and path not in wishes.records:
                continue
            table = record.table()
        mine = [
            seat
            for seat, recorded in enumerate(record.seats)
            if recorded.kind == PERSON and wishes.name in ("", recorded.name)
        ]
        yield from mistakes(table, mine, partial(_part, told, number, len(files))).values()
        progress.records.append(digest)


def _part(told: Reported, number: int, count: int, share: float) -> None:
    """Say how far all of it is by how far one is."""
    told((number + share) / count)


def _daily(progress: Progress, today: date) -> list[Card]:
    """What is left of today's five."""
    return list(decks.daily(today))[len(progress.daily.get(today.isoformat(), ())) :]


def _over(progress: Progress, today: date, *, plain: bool) -> str:
    points = progress.daily[today.isoformat()]
    return f"You have had today's five. {result_line(today, points, progress.streak(today), plain=plain)}"


class Trainer(Prompts):
    """Asks a set of cards."""

    def __init__(self, cards: Sequence[Card], screen: Screen, shelf: Shelf, today: date, *, daily: bool) -> None:
        super().__init__(screen)
        self._cards, self._shelf, self._today, self._daily = cards, shelf, today, daily
        self._at = 0
        self._points: list[int] = []
        self._table = cards[0].table(speak.YOU)
        self._told = -1

    def run(self) -> None:
        """Ask them all, or until somebody leaves."""
        while self._at < len(self._cards):
            answer = self._choose()
            if answer:
                days = self._take(answer)
                self._show_values(answer, days)
                self._at += 1
                if self._at < len(self._cards):
                    self._table = self._card.table(speak.YOU)

    @property
    def _card(self) -> Card:
        return self._cards[self._at]

    def _choose(self) -> Answer | None:
        """The answer to the card, if one was given."""
        state, names = self._table.state, self._table.names
        text = self._ask(f"{self._where}, your choice> ", lambda typed: speak.next_words(state, names, typed))
        if text is None:
            return None
        if not text:
            self.note = "Type a move; ? lists them."
            return None
        try:
            move = speak.read_move(state, text, names)
            if move in state.legal_moves():
                return self._card.judge(move)
            self.note = state.why_illegal(move)
        except HotdiceError as error:
            self.note = str(error)
        return None

    @property
    def _where(self) -> str:
        return f"{self._at + 1} of {len(self._cards)}"

    def _take(self, answer: Answer) -> int:
        """Keep an answer; the days after which the card comes back."""
        progress = self._shelf.progress
        days = progress.take(self._card, answer.points, self._today)
        self._points.append(answer.points)
        if self._daily:
            progress.daily.setdefault(self._today.isoformat(), []).append(answer.points)
        self._shelf.keep()
        return days

    # Showing

    def _ask(self, prompt: str, complete: Complete | None = None) -> str | None:
        note = self.note

        def show() -> str:
            self._show(note)
            return self.screen.margin + prompt

        self.note = ""
        return self.ask(show(), complete, show)

    def _show(self, note: str) -> None:
        card = self._card
        intro = f"{GRADES[card.grade].capitalize()}. {'You chose ' + card.played + ' here. ' if card.played else ''}"
        if self._draw(note or f"{intro}What do you do?"):
            return
        if self._told != self._at:
            self._told = self._at
            self.screen.say(f"{self._where}: {card.game.title}. {intro}".rstrip())
            for line in (speak.scores_line(self._table.state, self._table.names), *speak.story(self._table)):
                self.screen.say(line)
            for line in speak.sheet_lines(self._table.state, self._table.names):
                self.screen.say(line)
        if note:
            self.screen.say(note)
        self.screen.say(speak.with_names(self._table.state.prompt, self._table.names))
        if line := speak.dice_line(speak.dice_shown(self._table)):
            self.screen.say(line)
        self.screen.say(speak.legal_line(self._table.state, self._table.names))

    def _draw(self, note: str) -> bool:
        """Draw the window, if that can be."""
        if not self.screen.drawn:
            return False
        from hotdice.terminal.draw import frame

        columns, lines = self.screen.size
        drawn = frame(self._table, note, columns - 2 * len(self.screen.margin), lines, keys=_KEYS)
        if drawn is None:
            return False
        self.screen.draw(drawn)
        return True

    def _show_values(self, answer: Answer, days: int) -> None:
        """What every move is worth, until somebody goes on."""
        self.page(list(self._judged(answer, days)), "goes on")

    def _judged(self, answer: Answer, days: int) -> Iterator[str]:
        card, names = self._card, self._table.names
        back = f" It comes back in {'a day' if days == 1 else f'{days} days'}." if days else ""
        yield f"{speak.with_names(verdict(card, answer), names)} {answer.points} points.{back}"
        yield ""
        yield from values.table(card.state, card.evaluation, names=names, columns=self.screen.room)
        yield ""
        yield difficulty(card)

    def summary(self) -> Iterator[str]:
        """How it went, and how it goes on."""
        progress, points, plain = self._shelf.progress, self._points, not self.screen.pictures
        if not points:
            return
        if self._daily and self._at == len(self._cards):
            yield result_line(
                self._today, progress.daily[self._today.isoformat()], progress.streak(self._today), plain=plain
            )
        else:
            yield f"This set: {score(points)} of 100 ({marks(points, plain=plain)})."
        count = len(progress.latest)
        over = f"the last {count} answers" if count > 1 else "one answer"
        yield f"Your score, over {over}: {progress.score} of 100."
        if waiting := len(progress.boxed):
            yield f"{waiting} {'position comes' if waiting == 1 else 'positions come'} back until you know them."

    # Commands

    def do_help(self, rest: str) -> None:
        moves = list(speak.moves_listed(self._table.state, self._table.names, rest, 24))
        self.page([*aligned(moves), "", "Choose the move that you think is best; then you see what each is worth."])

    def do_rules(self, rest: str) -> None:
        self.page_rules(self._table.game)

    def do_sheet(self, rest: str) -> None:
        self.page(speak.sheet_lines(self._table.state, self._table.names))

    def do_log(self, rest: str) -> None:
        self.page(list(speak.story(self._table)) or ["Nothing has happened yet."])

    def _not_here(self, rest: str) -> None:
        self.note = "That is for games. Here you choose a move, and then see what each is worth."

    do_hint = do_odds = do_why = do_undo = do_save = do_auto = _not_here


class Shelf:
    """Where it is kept what somebody has practised. What cannot be read or written is said, and nothing is lost."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._file: Path = saves.folder().with_name("practice.json")
        found = self._all().get(name)
        self.progress = Progress() if found is None else Progress.from_json(found)

    def _all(self) -> dict[str, Any]:
        try:
            found = json.loads(self._file.read_text("utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise HotdiceError(
                f"“{self._file}” cannot be read: {saves.reason(error)}. Mend it, or move it away."
            ) from None
        if not isinstance(found, dict):
            raise HotdiceError(f"“{self._file}” is not what was practised. Mend it, or move it away.")
        return found

    def keep(self) -> None:
        """Write it down."""
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            text = json.dumps({**self._all(), self._name: self.progress.as_json()})
            saves.write_atomically(self._file, text)
        except OSError as error:
            raise HotdiceError(f"“{self._file}” cannot be written: {saves.reason(error)}.") from None
