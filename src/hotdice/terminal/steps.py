"""A recorded game looked at turn by turn, with the board as it was."""

from __future__ import annotations

from hotdice.dice import ManualDice
from hotdice.record import Comment, Record
from hotdice.table import Table
from hotdice.terminal import speak
from hotdice.terminal.screen import Screen
from hotdice.terminal.signals import INTERRUPTED, Signals
from hotdice.terminal.streams import if_heard


def step_through(record: Record, table: Table, screen: Screen) -> int:
    """Show the game after each turn, forwards and backwards, until its end is passed; the answer is the exit code."""
    with Signals(screen.check_size) as signals:
        try:
            _Steps(record, table, screen).run()
        except EOFError:
            with if_heard():
                screen.say()
        except KeyboardInterrupt:
            signals.busy = True
            with if_heard():
                screen.say()
            return INTERRUPTED
    return 0


class _Steps:
    """Where somebody is in a game."""

    def __init__(self, record: Record, table: Table, screen: Screen) -> None:
        self._table = table
        self._screen = screen
        self._ends = [turn.stop for turn in table.turns()]
        self._turn = 0
        self._remarks = _remarks(record)

    def run(self) -> None:
        last = len(self._ends) - 1
        while True:
            text = self._screen.ask(self._show(), redraw=self._show).lower()
            if text in ("q", "quit") or (not text and self._turn == last):
                return
            if text == "log":
                self._screen.page(speak.story(self._at(self._ends[self._turn])))
            elif text.isdecimal():
                self._turn = min(max(int(text) - 1, 0), last)
            elif text in ("b", "back"):
                self._turn = max(self._turn - 1, 0)
            elif text in ("", "n", "next"):
                self._turn += 1 if self._turn < last else 0

    def _at(self, events: int) -> Table:
        """The table after some events."""
        then = Table(self._table.before(0), self._table.seats, ManualDice())
        for event in self._table.events[:events]:
            then.repeat(event)
        return then

    def _show(self) -> str:
        from hotdice.terminal.draw import STEP_KEYS, frame

        begin = self._ends[self._turn - 1] if self._turn else 0
        end = self._ends[self._turn]
        then = self._at(end)
        remarks = [text for at, text in self._remarks if begin < at <= end or at == begin == 0]
        columns, lines = self._screen.size
        width = columns - 2 * len(self._screen.margin)
        drawn = frame(then, " ".join(remarks), width, lines, looking=True, keys=STEP_KEYS)
        if drawn is not None:
            self._screen.draw(drawn)
        else:
            for line in (*speak.story(then, begin), *remarks, *speak.standings_lines(then.state, then.names)):
                self._screen.say(line)
        after = "q or Enter ends" if self._turn + 1 == len(self._ends) else "Enter goes on"
        return f"{self._screen.margin}Turn {self._turn + 1} of {len(self._ends)}, {after}> "


def _remarks(record: Record) -> list[tuple[int, str]]:
    """The comments of a record, each with the number of events before it."""
    found = []
    events = 0
    for entry in record.entries:
        if isinstance(entry, Comment):
            found.append((events, entry.text))
        else:
            events += 1
    return found
