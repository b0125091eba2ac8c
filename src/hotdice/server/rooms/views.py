"""What clients are told of a table, and what lists say about it."""

from __future__ import annotations

from msgspec import Raw

from hotdice.server import wire
from hotdice.server.match.fold import Match, Status
from hotdice.server.rooms.clock import now
from hotdice.server.store import Card


class Views:
    """One table as its clients see it."""

    def __init__(self) -> None:
        self._seats: tuple[object, Raw] = (None, Raw())
        """The seats, encoded, and what they were made from: they are the same for many states."""

    def welcome(
        self, match: Match, seats: tuple[int, ...], last: int, present: frozenset[int], deadline: int | None
    ) -> bytes:
        """What a client is told when it comes in, given its seats and the last entry that it has."""
        setup, history = match.setup, match.history
        return wire.packed(
            wire.Welcome(
                table=match.name,
                game=setup.game,
                dice=setup.dice,
                public=setup.public,
                clock=setup.clock.kind,
                seconds=setup.clock.seconds,
                stand_in=match.stand_in,
                coach=setup.coach,
                seats=seats,
                events=history[last:] if last <= len(history) else history,
                state=self.state(match, present, deadline),
                manual=match.manual,
                facts=match.game.start(len(match.seats), match.options).facts(),
            )
        )

    def state(self, match: Match, present: frozenset[int], deadline: int | None) -> wire.Shown:
        """The table as it stands."""
        table = match.table
        state = table.state if table else None
        rolls = match.rolls
        return wire.Shown(
            number=match.state_number,
            status=match.status.value,
            round=match.round,
            seats=self._seats_of(match, present),
            actor=match.actor,
            rolls=rolls,
            undo=match.undoable(),
            asked=match.asked,
            waiting=match.waiting(),
            deadline=deadline,
            now=now(),
            promise=match.promise,
            strings=tuple(match.strings.values()),
            view=state.view() if state else None,
            due=match.game.counted(state.outcomes().rolls[0]) if state and rolls else (),
            fresh=state is not None and state.fresh,
        )

    def _seats_of(self, match: Match, present: frozenset[int]) -> Raw:
        key = (match, match.revision, present)
        if self._seats[0] != key:
            shown = [
                wire.SeatView(seat.kind, seat.name, seat.bot, number in present, seat.away, seat.gone)
                for number, seat in enumerate(match.seats)
            ]
            self._seats = key, Raw(wire.encoded(shown))
        return self._seats[1]


def card_of(match: Match) -> Card:
    """What lists say about a table."""
    return Card(
        name=match.name,
        created=match.created,
        touched=match.touched,
        game=match.game.name,
        status=match.status.value,
        public=match.setup.public,
        seats=len(match.seats),
        open=len(match.open_seats()) if match.status is Status.WAITING else 0,
        origin=match.setup.origin,
    )
