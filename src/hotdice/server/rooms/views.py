"""What clients are told of a table, and what lists say about it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Raw
from msgspec.structs import replace

from hotdice.fair import Share
from hotdice.server import wire
from hotdice.server.entries import BOT
from hotdice.server.match import company
from hotdice.server.match.fold import Match, Status
from hotdice.server.match.played import PlayedGame, series
from hotdice.server.match.seats import MatchSeat
from hotdice.server.rooms import presence
from hotdice.server.rooms.clock import now
from hotdice.server.rooms.presence import Presence
from hotdice.server.store import Card

PAGE_BYTES: Final = 200_000
"""Bytes of entries that are sent at a time: more would be too much for a slow reader."""


class Views:
    """One table as its clients see it."""

    def __init__(self) -> None:
        self._key: object = None
        self._between: wire.Shown | None = None
        """The table as it was last shown, and what that was made from: between two moves, little of it changes."""
        self._missed: tuple[int, ...] = ()
        """The seats of those who are away or have left."""

    def welcome(
        self,
        match: Match,
        opens: tuple[int, ...],
        last: int,
        present: Presence,
        deadline: int | None,
        *,
        words: bool = True,
    ) -> wire.Welcome:
        """What a client is told when it comes in or has other seats: for each of its tokens the seat that it opens, and
        what happened since the last entry that it has."""
        missed = entries_after(match, last if last <= match.number else 0, words=words)
        events = newest(missed)
        state = self.state(match, present, deadline, words=words)
        return _welcome(match, opens, events, state, len(match.seats), len(missed) - len(events))

    def presence(self, match: Match, present: Presence, deadline: int | None) -> wire.Presence:
        """Who is there now."""
        since = present.since(match.seats)
        here = tuple(sorted(present.everywhere()))
        droppable = _droppable(match, _missed(match, since))
        return wire.Presence(here, since, droppable, deadline, _proposal(match, present))

    def state(self, match: Match, present: Presence, deadline: int | None, *, words: bool = True) -> wire.Shown:
        """The table as it stands."""
        key = match, match.revision, present.changes, present.everywhere()
        if self._between is None or key != self._key:
            self._key, self._between = key, self._whole(match, present)
            self._missed = _missed(match, self._between.since)
        play = match.play
        state = play.table.state if play else match.position
        rolls = match.rolls
        return replace(
            self._between,
            number=match.state_number,
            droppable=_droppable(match, self._missed),
            proposal=_proposal(match, present),
            actor=match.actor,
            rolls=rolls,
            undo=match.undoable(),
            asked=match.asked,
            waiting=match.waiting(),
            deadline=deadline,
            now=now(),
            view=state.view(words=words) if state else None,
            due=match.game.counted(state.outcomes().rolls[0]) if state and rolls else (),
            fresh=state is not None and state.fresh,
        )

    @staticmethod
    def _whole(match: Match, present: Presence) -> wire.Shown:
        """What stays as it is from one roll or move to the next."""
        here = present.everywhere()
        return wire.Shown(
            number=0,
            status=match.status.value,
            round=match.round,
            seats=Raw(wire.encoded([_seat(seat, number in here) for number, seat in enumerate(match.seats)])),
            since=present.since(match.seats),
            resuming=match.position is not None,
            actor=None,
            rolls=False,
            undo=None,
            asked=None,
            waiting=(),
            deadline=None,
            now=0,
            promise=match.promise,
            shares=_shares(match.deal.shares() if match.deal else match.shares),
            dealing=("revealing" if match.deal.fixed else "sealing") if match.deal else "",
            dice_name=match.dice_name,
            view=None,
            series=match.series,
            invitation=_invitation(match, here),
        )


def seen_then(match: Match) -> wire.Welcome:
    """What an onlooker is told of a table as it once stood, at which everybody was."""
    state = Views().state(match, Presence.of_all(match.seats), None)
    return _welcome(match, (), match.history, state, len(match.seats))


def looked_at(match: Match, game: PlayedGame) -> bytes:
    """A game played here that is over, as a client would have seen it at its end."""
    shown = wire.Shown(
        number=game.entries.stop,
        status=(Status.CLOSED if game.why else Status.OVER).value,
        round=game.number,
        seats=Raw(wire.encoded([_seat(seat, False) for seat in game.seats])),
        actor=None,
        rolls=False,
        undo=None,
        asked=None,
        waiting=(),
        deadline=None,
        now=now(),
        promise=game.promise,
        shares=_shares(game.shares),
        view=game.state().view(),
        series=series(match.games[: game.number]),
        dice_name=match.dice_name if match.challenge else "",
    )
    return wire.encoded(_welcome(match, (), match.history[game.entries], shown, len(game.seats)))


def entries_after(match: Match, last: int, *, words: bool) -> list[Raw]:
    """What happened after the entry of that number, for those who want words or do without."""
    return match.history[last:] if words else match.plain(last)


def newest(events: list[Raw]) -> list[Raw]:
    """The newest entries, as many as go into one message."""
    size = 0
    for at in reversed(range(len(events))):
        size += len(memoryview(events[at]))
        if size > PAGE_BYTES:
            return events[min(at + 1, len(events) - 1) :]
    return events


def _welcome(
    match: Match, opens: tuple[int, ...], events: list[Raw], state: wire.Shown, players: int, missing: int = 0
) -> wire.Welcome:
    """How the table was set up, with what happened and how it stands."""
    setup = match.setup
    return wire.Welcome(
        table=match.name,
        game=setup.game,
        dice=setup.dice,
        public=setup.public,
        clock=setup.clock.kind,
        seconds=setup.clock.seconds,
        stand_in=match.stand_in,
        coach=setup.coach,
        patience=int(presence.PATIENCE_SECONDS),
        seats=tuple(sorted({seat for seat in opens if seat >= 0})),
        opens=opens,
        events=events,
        state=state,
        manual=match.manual,
        missing=missing,
        facts=match.game.start(players, match.options).facts(),
        challenge=match.challenge,
    )


def _shares(shares: Iterable[Share]) -> tuple[wire.ShownShare, ...]:
    return tuple(wire.ShownShare(share.seat, share.sealed, share.string) for share in shares)


def _seat(seat: MatchSeat, present: bool) -> wire.SeatView:
    return wire.SeatView(seat.kind, seat.name, seat.bot, present, seat.away, seat.gone)


def _invitation(match: Match, present: frozenset[int]) -> wire.Invitation | None:
    invitation = match.invitation
    if invitation is None:
        return None
    return wire.Invitation(
        by=invitation.by,
        accepted=tuple(invitation.strings),
        declined=tuple(sorted(invitation.declined)),
        newcomers=tuple(
            _seat(seat, number in present) for number, seat in enumerate(invitation.newcomers, len(match.seats))
        ),
        room=match.room(),
        fewest=match.game.min_players,
    )


def _missed(match: Match, since: tuple[int, ...]) -> tuple[int, ...]:
    """The seats of those who are away or have left."""
    return tuple(number for number, seat in enumerate(match.seats) if since[number] or seat.gone)


def _droppable(match: Match, missed: tuple[int, ...]) -> tuple[int, ...]:
    """Those of them without whom the game could go on."""
    if not missed or match.status is not Status.PLAYING:
        return ()
    return tuple(number for number in missed if not company.why_not_without(match, number))


def _proposal(match: Match, present: Presence) -> wire.Proposal | None:
    proposal = match.proposal
    if proposal is None:
        return None
    waiting = company.undecided(match, present.attendance(match))
    return wire.Proposal(proposal.number, proposal.what, proposal.asker, proposal.about, waiting)


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
        alone=sum(seat.kind != BOT for seat in match.seats) <= 1 and not match.open_seats(),
    )
