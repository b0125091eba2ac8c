"""What somebody made of the dice of a challenge: their result, and their game turn by turn, with what it was worth.

The best play is a game like the others: the bot that plays perfectly plays it on the same dice. It does not know what
will fall, so somebody may be luckier than that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise
from typing import Final

from msgspec import Struct

from hotdice.fair import promised_dice
from hotdice.game import CHANCE, OVER, State
from hotdice.players import make_player
from hotdice.record import Record, parse_record, record_of
from hotdice.review import Report, review
from hotdice.server import wire
from hotdice.server.match.fold import Status, fold
from hotdice.server.match.played import standings_of
from hotdice.server.store import decoded
from hotdice.table import Rolled, Seat, Table
from hotdice.turns import TurnCounter
from hotdice.values import NotSolved, Progress

BEST: Final = "optimal"
"""The bot whose game is the best play."""
BEST_NAME: Final = "Best play"
EPOCH: Final = date(2000, 1, 1)
"""The date in the record of a game that nobody played."""


class Result(Struct, frozen=True):
    """What somebody has come to."""

    entries: int
    """How many the log of their table had."""
    ended: int
    """When it was over, in milliseconds; 0 while it goes on."""
    why: str
    """Why it was given up, if it was."""
    score: int
    scores: tuple[int, ...]
    place: int
    """Counted from 1 among all seats of the game; 0 if it was not played to its end."""
    record: str
    token: str = ""
    """The hash of what opens their seat now."""

    @property
    def finished(self) -> bool:
        """Whether the game was played to its end."""
        return self.ended > 0 and not self.why

    @property
    def lead(self) -> int:
        """The points more than the best of the others has; alone, all of them."""
        others = list(self.scores)
        others.remove(self.score)
        return self.score - max(others, default=0)


def result_of(table: str, log: Sequence[tuple[bytes, int]], seat: int) -> Result:
    """The result from a table's log. One that is not there yet has begun, and nothing more."""
    if not log:
        return Result(0, 0, "", 0, (0,), 0, "")
    match = fold(table, decoded(table, log))
    state = match.play.table.state if match.play else match.game.start(len(match.seats), match.options)
    over = match.status in (Status.OVER, Status.CLOSED)
    places = {standing.seat: standing.place for standing in standings_of(state)}
    return Result(
        entries=len(log),
        ended=match.touched if over else 0,
        why=match.why,
        score=state.scores[seat],
        scores=state.scores,
        place=places[seat] if state.result else 0,
        record=match.record().text if match.play else "",
        token=match.tokens[seat],
    )


class ColumnStep(Struct, frozen=True):
    """A roll or a move of somebody's turn."""

    rolled: bool
    text: str
    """In notation."""
    told: str
    yours: str
    """The same as it is told to whoever it is about."""


class ColumnTurn(Struct, frozen=True):
    """A turn of whoever plays the challenge, with the penalties after it, if there are any."""

    number: int
    """Counted from 1: turns of the same number have the same dice."""
    steps: tuple[ColumnStep, ...]
    gained: int
    """What the score changed by, until the next turn began."""
    score: int
    loss: float
    """What its moves lost against the best ones, in the unit of the account; 0 without an account."""


class ColumnAccount(Struct, frozen=True):
    """What the result is made of: `result = start + luck - losses + gifts`, up to rounding or an estimate's error."""

    unit: str
    exact: bool
    start: float
    luck: float
    losses: float
    gifts: float
    result: float
    error: float
    """How far luck may be off."""
    decisions: int
    accuracy: float | None
    rating: str
    """The bot that decides about as well, or nothing if that cannot be said."""


class Column(Struct, frozen=True):
    """What one player made of the dice."""

    name: str
    finished: bool
    score: int
    scores: tuple[int, ...]
    place: int
    turns: tuple[ColumnTurn, ...]
    account: ColumnAccount | None
    """Missing where the game has no values here."""


class ColumnShown(Struct, frozen=True):
    """A column. If it is not `ready`, ask again in a moment."""

    ready: bool
    share: float | None = None
    """How far it is, if that is known."""
    column: Column | None = None


# In another process


def packed_column(first: State, plans: str, source: str, seat: str, progress: Progress) -> bytes:
    """A `ColumnShown` as JSON: of the game in a record, or, where there are plans of seats, of the best play."""
    try:
        record = best_play(first, plans.split("\n"), source, int(seat)) if plans else parse_record(source)
    except NotSolved:
        return wire.encoded(ColumnShown(True))
    return wire.encoded(ColumnShown(True, None, column_of(record, int(seat), progress)))


def best_play(first: State, plans: Sequence[str], dice: str, seat: int) -> Record:
    """The game as the perfect bot plays it in that seat, with the same dice and the same bots."""
    drawn = promised_dice(dice)
    kinds = [BEST if at == seat else plan.rpartition("/")[2] for at, plan in enumerate(plans)]
    names = [BEST_NAME if at == seat else plan.rpartition("/")[0] for at, plan in enumerate(plans)]
    seats = [Seat(name, make_player(kind, 0)) for name, kind in zip(names, kinds, strict=True)]
    table = Table(first, seats, drawn)
    while table.state.seat != OVER:
        if table.state.seat == CHANCE:
            table.roll()
        else:
            kind = kinds[table.state.seat]
            table.play(make_player(kind, drawn.bot_seed(table.played)).choose(table.state))
    return record_of(table, EPOCH)


def column_of(record: Record, seat: int, progress: Progress) -> Column:
    """A game turn by turn, with its account."""
    table = record.table()
    report = _report(record, progress)
    state = table.state
    places = {standing.seat: standing.place for standing in standings_of(state)}
    return Column(
        name=record.seats[seat].name,
        finished=state.seat == OVER,
        score=state.scores[seat],
        scores=state.scores,
        place=places[seat] if state.result else 0,
        turns=tuple(_turns(table, seat, report)),
        account=None if report is None else _account(report, seat),
    )


def _report(record: Record, progress: Progress) -> Report | None:
    try:
        return review(record, progress)
    except NotSolved:
        return None


def _turns(table: Table, seat: int, report: Report | None) -> Iterator[ColumnTurn]:
    begins = [*_begins(table, seat), table.played]
    before = 0
    for number, (first, after) in enumerate(pairwise(begins), 1):
        own = [at for at in range(first, after) if table.event(at).seat == seat]
        score = (table.state if after == table.played else table.before(after)).scores[seat]
        yield ColumnTurn(
            number=number,
            steps=tuple(_step(table, at) for at in own),
            gained=score - before,
            score=score,
            loss=sum(report.events[at].loss for at in own) if report else 0.0,
        )
        before = score


def _begins(table: Table, seat: int) -> Iterator[int]:
    """The events with which the turns of a seat begin."""
    counter = TurnCounter()
    for at in range(table.played):
        if isinstance(table.event(at), Rolled):
            throw = counter.take(table.before(at))
            if throw.seat == seat and throw.occasion == "turn" and throw.roll == 1:
                yield at


def _step(table: Table, at: int) -> ColumnStep:
    event = table.event(at)
    rolled = isinstance(event, Rolled)
    text = table.game.roll_text(event.roll) if isinstance(event, Rolled) else event.move.text
    return ColumnStep(rolled, text, table.tell(at), table.tell(at, event.seat))


def _account(report: Report, seat: int) -> ColumnAccount:
    found = report.seats[seat]
    return ColumnAccount(
        unit=report.unit,
        exact=report.exact,
        start=found.start,
        luck=found.luck,
        losses=found.losses,
        gifts=found.gifts,
        result=found.result,
        error=found.remainder_error,
        decisions=found.decisions,
        accuracy=found.accuracy,
        rating=found.rating.word if found.rating else "",
    )
