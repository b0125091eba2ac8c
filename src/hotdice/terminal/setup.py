"""Setting up a table: which game, who plays, by which house rules, with which dice.

Whatever the command line has not said is asked, and Enter always takes something sensible. The answers are read
the same way from the command line, from a keyboard and from a pipe.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from hotdice.dice import DiceSource, ManualDice, SeededDice
from hotdice.errors import HotdiceError, OptionError, SeatError
from hotdice.fair import SeededSameDice
from hotdice.game import Game
from hotdice.games import all_games, load_game
from hotdice.notation import listed, pick
from hotdice.options import Options, value_text
from hotdice.players import LEVELS, bot_names, free_name, make_player, named_bot
from hotdice.record import Record
from hotdice.solve import has_values
from hotdice.table import PERSON, Seat, Table
from hotdice.terminal import speak
from hotdice.terminal.prompts import Prompts
from hotdice.terminal.saves import FileError, Keeper, load, naming, unfinished
from hotdice.terminal.screen import Screen

DEFAULT_PERSON: Final = speak.YOU
DEFAULT_BOT: Final = "greedy"
_OFFERED: Final = 5
"""How many games that were left are offered, the latest ones."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the command line asks for."""

    game: str | None = None
    players: Sequence[str] = ()
    options: Sequence[str] = ()
    dice: str | None = None
    seed: int | None = None
    same_dice: bool = False


# Reading answers


def seats_of(specs: Sequence[str], seed: int) -> tuple[Seat, ...]:
    """Seats from `Ann` (a person), `greedy` or `my_bots:Careful` (a bot) and `Robo=greedy` (a bot with a name)."""
    split = [_name_and_kind(spec.strip()) for spec in specs]
    taken = [name for name, _ in split if name]
    seats = []
    for number, (given, kind) in enumerate(split):
        name = given if given or kind == PERSON else free_name(taken)
        taken.append(name)
        seats.append(Seat(name, None if kind == PERSON else make_player(kind, _seed(seed, number, 0))))
    return tuple(seats)


def _name_and_kind(spec: str) -> tuple[str, str]:
    """The name and the kind of player that one answer asks for; no name where a bot is to get a free one."""
    before, equals, after = spec.partition("=")
    if equals:
        name, kind = before.strip(), after.strip()
        if not name:
            raise _nameless(spec, kind)
        if not named_bot(kind) and ":" not in kind:
            bots = listed((*bot_names(), "module:Class"), "or")
            raise SeatError(f"There is no bot “{kind}”; after the = comes {bots}, so a person's name has no = in it.")
        return name, kind
    if named_bot(spec):
        return "", spec
    before, colon, after = spec.rpartition(":")
    name, kind = before.strip(), after.strip()
    if not colon:
        return spec, PERSON
    if not name:
        raise _nameless(spec, kind)
    return (name, kind) if named_bot(kind) else ("", spec)  # a : was for what is = now, and still is for bots by name


def _nameless(spec: str, kind: str) -> SeatError:
    return SeatError(f"“{spec}” has no name; write Robo={kind or DEFAULT_BOT}, or the bot alone.")


def _seed(seed: int, seat: int, events: int) -> int:
    """A bot's own seed: from the table's, its seat, and how far the game had been played when it sat down."""
    return int.from_bytes(sha256(f"{seed} {seat} {events}".encode()).digest()[:8])


def check_players(chosen: Game, specs: Sequence[str]) -> tuple[Seat, ...]:
    """The seats that answers describe, if the game can be played by them."""
    seats = seats_of(specs, 0)
    Table(chosen.start(len(seats)), seats, ManualDice())
    return seats


def options_of(chosen: Game, answers: Sequence[str]) -> Options:
    """House rules from `name=value` answers."""
    return chosen.options.parse(",".join(answers))


# Asking


class Setup(Prompts):
    """Asks for what is still open and sets the table."""

    def __init__(self, screen: Screen, wishes: Wishes) -> None:
        super().__init__(screen)
        self._wishes = wishes
        self._game: Game | None = load_game(wishes.game.lower()) if wishes.game else None
        self._players: list[str] = list(wishes.players)
        self._options: list[str] = list(wishes.options)
        self._at = 0
        self._left = unfinished(_OFFERED) if wishes == Wishes() else []
        self._going_on: Path | None = None
        if self._game:
            options_of(self._game, self._options)
            if self._players:
                check_players(self._game, self._players)

    def table(self) -> tuple[Table, Keeper]:
        """The table, once every question has its answer, and what keeps it."""
        asks = self.screen.person or not self._wishes.game
        questions: list[Callable[[], bool]] = []
        if not self._wishes.game:
            questions.append(self._ask_game)
        if asks and not self._wishes.players:
            questions.append(self._ask_players)
        if asks and not self._wishes.options:
            questions.append(self._ask_options)
        while self._at < len(questions) and self._going_on is None:
            if questions[self._at]():
                self._at += 1
        return resumed(self._going_on) if self._going_on else (self._set(), Keeper())

    def _set(self) -> Table:
        chosen = self._chosen
        seed = secrets.randbits(63) if self._wishes.seed is None else self._wishes.seed
        seeded = SeededSameDice if self._wishes.same_dice else SeededDice
        dice: DiceSource = ManualDice() if self._wishes.dice == "manual" else seeded(seed)
        seats = seats_of(self._players or default_players(chosen), seed)
        return Table(chosen.start(len(seats), options_of(chosen, self._options)), seats, dice)

    @property
    def _chosen(self) -> Game:
        if self._game is None:
            raise HotdiceError("Choose a game first.")
        return self._game

    def _answer(self, lines: Iterator[str], prompt: str, words: Sequence[str] = ()) -> str | None:
        """Ask a question, after the lines that explain it or what is to be said about the last answer.

        Tab completes `words`.
        """
        for line in (self.note,) if self.note else lines:
            self.screen.explain(line)
        self.note = ""
        if not self.screen.person:
            self.screen.say(prompt.rstrip("> "))
        return self.ask(prompt, lambda typed: words)

    def _ask_game(self) -> bool:
        shelf = all_games()
        prompt = f"Which game? A number or a name; Enter takes {shelf[0].name}> "
        text = self._answer(self._menu(), prompt, [each.name for each in shelf])
        if text is None:
            return False
        names = {each.name: each for each in shelf} | {str(n): each for n, each in enumerate(shelf, 1)}
        left = {str(n): path for n, (path, _, _) in enumerate(self._left, len(shelf) + 1)}
        if text in left:
            self._going_on = left[text]
            return True
        try:
            self._game = pick(text, names, "a game") if text else shelf[0]
            options_of(self._game, self._wishes.options)
            if self._wishes.players:
                check_players(self._game, self._wishes.players)
        except HotdiceError as error:
            self.note = str(error)
            return False
        return True

    def _menu(self) -> Iterator[str]:
        yield ""
        for number, each in enumerate(all_games(), 1):
            yield f"{number}. {each.name}: {speak.card(each)}"
            yield f"   {each.pitch}"
        if self._left:
            yield "Or go on with a game that was left:"
        for number, (_, when, table) in enumerate(self._left, len(all_games()) + 1):
            yield f"{number}. {speak.left_off(table, when)}"

    def _ask_players(self) -> bool:
        chosen = self._chosen
        seats = seats_of(default_players(chosen), 0)
        usual = listed(f"{seat.name} ({seat.kind})" if seat.player else seat.name for seat in seats)
        text = self._answer(
            iter((
                "",
                f"{chosen.title} is for {chosen.player_count}.",
                "   Type their names with commas between.",
                f"   A bot is {listed(bots_for(chosen), 'or')}; Robo={DEFAULT_BOT} gives it a name.",
            )),
            f"Who plays? Enter seats {usual}> ",
            bots_for(chosen),
        )  # fmt: skip
        if text is None:
            return False
        specs = [part.strip() for part in text.split(",")] if text else list(default_players(chosen))
        try:
            check_players(chosen, specs)
        except HotdiceError as error:
            self.note = str(error)
            return False
        self._players = specs
        return True

    def _ask_options(self) -> bool:
        chosen = self._chosen
        if not chosen.options.specs():
            return True
        now = options_of(chosen, self._options)
        words = [f"{spec.name}={value_text(value)}" for spec in now.specs() for value in spec.choices]
        text = self._answer(self._house_rules(now), "Change one by typing name=value; Enter plays> ", words)
        if text is None:
            return False
        if not text:
            return True
        try:
            name = text.partition("=")[0].strip()
            others = [answer for answer in self._options if answer.partition("=")[0].strip() != name]
            changed = options_of(chosen, [*others, *text.split(",")])
            self._options = [*others, *text.split(",")]
            self.note = f"House rules now: {changed.text.replace(',', ', ') or 'as printed'}."
        except OptionError as error:
            self.note = str(error)
        return False

    def _house_rules(self, now: Options) -> Iterator[str]:
        yield ""
        yield "House rules, as they stand:"
        for spec in now.specs():
            yield f"   {spec.name}={value_text(getattr(now, spec.name))} ({spec.accepts})"
            yield f"      {spec.meaning}"

    # Commands, at questions

    def do_help(self, rest: str) -> None:
        self.note = (
            "Answer the question, or take what Enter offers. “undo” goes back to the question before, "
            "“rules” shows the rules of the game chosen, “auto” rolls dice without asking, “quit” leaves."
        )

    def do_undo(self, rest: str) -> None:
        if self._at == 0:
            self.note = "This is the first question; there is nothing to take back."
        else:
            self._at -= 1
            self._players, self._options = list(self._wishes.players), list(self._wishes.options)

    def do_hint(self, rest: str) -> None:
        self.note = "There is no move to judge yet."

    do_odds = do_why = do_hint

    def do_save(self, rest: str) -> None:
        self.note = "There is no game to save yet."

    def do_rules(self, rest: str) -> None:
        if self._game is None:
            self.note = "Choose a game first; then rules shows its rules."
            return
        self.page_rules(self._game)

    def do_sheet(self, rest: str) -> None:
        self.note = "There is no score sheet yet."

    def do_log(self, rest: str) -> None:
        self.note = "Nothing has happened yet."


def bots_for(chosen: Game) -> tuple[str, ...]:
    """The bots to offer: those that know values only where there are any."""
    return tuple(kind for kind in bot_names() if kind not in LEVELS or has_values(chosen))


def default_players(chosen: Game) -> tuple[str, ...]:
    """One person against a bot, or against as many as it takes; alone if nobody else can play."""
    bots = min(max(1, chosen.min_players - 1), chosen.max_players - 1)
    return (DEFAULT_PERSON, *[DEFAULT_BOT] * bots)


# Going on


def resumed(path: Path) -> tuple[Table, Keeper]:
    """The table of a record, its bots and dice where they were, and what keeps it."""
    with naming(path):
        record = load(path)
        try:
            seats = [_seat_again(record, number) for number in range(len(record.seats))]
        except SeatError as error:
            raise FileError(f"“{path}” cannot go on: {error}") from error
        return record.table(seats), Keeper(path.resolve(), record)


def _seat_again(record: Record, number: int) -> Seat:
    seat = record.seats[number]
    _, _, seed = record.dice.partition(" ")
    return _same_seat(seat.name, seat.kind, _seed(int(seed) if seed.isdecimal() else 0, number, len(record.events)))


def _same_seat(name: str, kind: str, seed: int) -> Seat:
    return Seat(name, None if kind == PERSON else make_player(kind, seed))


def another(table: Table) -> Table:
    """The same players at another game by the same rules, with new dice unless they roll real ones."""
    seed = secrets.randbits(63)
    seats = [_same_seat(seat.name, seat.kind, _seed(seed, number, 0)) for number, seat in enumerate(table.seats)]
    seeded = SeededSameDice if isinstance(table.dice, SeededSameDice) else SeededDice
    dice: DiceSource = ManualDice() if isinstance(table.dice, ManualDice) else seeded(seed)
    return Table(table.game.start(len(seats), table.state.options), seats, dice)
