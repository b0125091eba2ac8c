"""A recorded game looked at step by step, with the board as it was and whatever there is to say about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hotdice.dice import ManualDice
from hotdice.record import Comment, Record
from hotdice.table import Table
from hotdice.terminal import speak
from hotdice.terminal.screen import Screen
from hotdice.terminal.signals import INTERRUPTED, Signals
from hotdice.terminal.streams import if_heard

Notes = Callable[[int, int], Sequence[str]]
"""What there is to say of the events from one number up to another, without the latter."""


def step_through(
    record: Record,
    table: Table,
    screen: Screen,
    notes: Notes = lambda begin, end: (),
    marked: Sequence[int] = (),
) -> int:
    """Show the game step by step, forwards and backwards, until its end is passed; the answer is the exit code.

    `marked` are the numbers of the events that are worth a look, in the order of play.
    """
    with Signals(screen.check_size) as signals:
        try:
            _Steps(record, table, screen, notes, marked).run()
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
    """Where somebody is in a game: after some number of events."""

    def __init__(self, record: Record, table: Table, screen: Screen, notes: Notes, marked: Sequence[int]) -> None:
        self._table = table
        self._screen = screen
        self._ends = [turn.stop for turn in table.turns()]
        self._begin, self._end = 0, self._ends[0]
        self._notes, self._marked = notes, marked
        self._remarks = _remarks(record)
        self._notice = ""

    def run(self) -> None:
        while True:
            text = self._screen.ask(self._show(), redraw=self._show).lower()
            if text in ("q", "quit") or (not text and self._end == self._table.played):
                return
            if text == "log":
                self._screen.page(speak.story(self._at(self._end)))
            elif text.isdecimal():
                self._to_turn(int(text) - 1)
            elif text in ("b", "back"):
                self._to_turn(self._turn - 1)
            elif text in ("", "n", "next"):
                self._to_turn(self._turn + (self._end == self._ends[self._turn]))
            elif text == "+":
                self._to_event(self._end)
            elif text == "-":
                self._to_event(self._end - 2)
            elif text in ("m", "mark"):
                later = [event for event in self._marked if event >= self._end]
                self._to_event(later[0] if later else self._table.played - 1)
            else:
                marks = " m," if self._marked else ""
                self._notice = f"“{text}” leads nowhere; expected Enter, b, +, -,{marks} a turn's number, log or q."

    @property
    def _turn(self) -> int:
        """The number of the turn that the last event shown belongs to."""
        return next(turn for turn, end in enumerate(self._ends) if self._end <= end)

    def _to_turn(self, turn: int) -> None:
        """Show the game after a turn."""
        turn = min(max(turn, 0), len(self._ends) - 1)
        self._begin, self._end = (self._ends[turn - 1] if turn else 0), self._ends[turn]

    def _to_event(self, event: int) -> None:
        """Show the game after an event."""
        event = min(max(event, 0), self._table.played - 1)
        self._begin, self._end = event, event + 1

    def _at(self, events: int) -> Table:
        """The table after some events."""
        then = Table(self._table.before(0), self._table.seats, ManualDice())
        for event in self._table.events[:events]:
            then.repeat(event)
        return then

    def _show(self) -> str:
        from hotdice.terminal.draw import MARK_KEY, STEP_KEYS, frame

        begin, end = self._begin, self._end
        then = self._at(end)
        remarks = [text for at, text in self._remarks if begin < at <= end or at == begin == 0]
        remarks += self._notes(begin, end)
        if self._notice:
            remarks, self._notice = [self._notice], ""
        columns, lines = self._screen.size
        width = columns - 2 * len(self._screen.margin)
        keys = (*STEP_KEYS[:1], MARK_KEY, *STEP_KEYS[1:]) if self._marked else STEP_KEYS
        drawn = frame(then, " ".join(remarks), width, lines, looking=True, keys=keys)
        if drawn is not None:
            self._screen.draw(drawn)
        else:
            for line in (*speak.story(then, begin), *remarks, *speak.standings_lines(then.state, then.names)):
                self._screen.say(line)
        after = "q or Enter ends" if end == self._table.played else "Enter goes on"
        return f"{self._screen.margin}{self._place()}, {after}> "

    def _place(self) -> str:
        turn = self._turn
        first = self._ends[turn - 1] if turn else 0
        event = "" if self._end == self._ends[turn] else f", event {self._end - first} of {self._ends[turn] - first}"
        return f"Turn {turn + 1} of {len(self._ends)}{event}"


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
