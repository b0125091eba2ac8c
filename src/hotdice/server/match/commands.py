"""The commands: each turns what somebody wants into entries, which it adds to the match, or refuses it.

A refusal changes nothing. What has to be drawn at random, secrets and tokens, is given by the caller.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from msgspec.structs import replace

from hotdice.errors import HotdiceError
from hotdice.game import CHANCE, State
from hotdice.notation import listed
from hotdice.players import free_name
from hotdice.server import entries
from hotdice.server.entries import BOT, OPEN, AnyEntry, Created
from hotdice.server.match import dealing
from hotdice.server.match.dealing import Dealer
from hotdice.server.match.ending import end, end_if_over
from hotdice.server.match.fold import Match, Status
from hotdice.server.match.setup import check_bot, check_setup
from hotdice.server.refusals import Illegal, Invalid, NotYourTurn, Refusal
from hotdice.server.tokens import token_hash
from hotdice.table import Event, Moved, Rolled, check_name

NOBODY: Final = -1
"""In the seats of the next game: one that nobody has yet."""
FULL: Final = 20_000
"""Entries of a log after which nobody sits down at its table any more, and no other game is begun there."""
ENDLESS: Final = 100_000
"""Entries of a log at which a game is given up."""

# Before the game


def create(match: Match, setup: Created, key: str) -> list[AnyEntry]:
    """Set the table up, with a key for its tokens."""
    check_setup(setup)
    return _add(match, replace(setup, key=key))


def join(match: Match, name: str, token: str, seat: int | None = None) -> list[AnyEntry]:
    """Take an open seat, any or a certain one; whoever has a token's seat already keeps it."""
    if any(taken.token == token_hash(token) for taken in match.seats):
        return []
    check_log(match)
    if match.invitation:
        return _come_in(match, name, token)
    if match.status is not Status.WAITING or match.deal:
        raise Illegal("This game has begun; you can watch it, or sit down at another table.")
    free = match.open_seats()
    if seat is None:
        if not free:
            raise Illegal("Every seat at this table is taken; you can watch.")
        seat = free[0]
    return claim(match, seat, name, token, free)


def claim(match: Match, seat: int, name: str, token: str, free: Sequence[int]) -> list[AnyEntry]:
    """Take one of the free seats, or of those that whoever sets the table up keeps."""
    if not 0 <= seat < len(match.seats):
        raise Invalid(f"There is no seat {seat + 1}; this table has seats 1 to {len(match.seats)}.")
    if seat not in free:
        others = f"; free: {listed(str(other + 1) for other in free)}" if free else ""
        raise Illegal(f"Seat {seat + 1} is taken{others}.")
    _check_newcomer(match, name, seat)
    return _add(match, entries.Joined(seat, name, token=token_hash(token)))


def check_log(match: Match) -> None:
    """Refuse what would let a table's log grow for ever."""
    if match.number >= FULL:
        raise Illegal("The log of this table is full; set up a new table.")


def _check_newcomer(match: Match, name: str, seat: int) -> None:
    check_name(name)
    if any(other.name == name for number, other in enumerate(match.everyone) if number != seat and other.kind != OPEN):
        raise Invalid(f"Somebody at this table is already called {name}; take another name.")


def leave(match: Match, seat: int, *, removed: bool = False) -> list[AnyEntry]:
    """Give a seat up: it is open again, or, once the game goes on, those who stay decide who plays it. Whoever runs the
    server may have somebody removed in this way."""
    if match.status is Status.CLOSED:
        raise Illegal("This table is closed; there is nothing left to leave.")
    if seat >= len(match.seats):
        return decline(match, seat)
    left = _add(match, entries.Left(seat, removed))
    if not any(other.token for other in match.seats) and match.status is not Status.OVER:
        return left + end(match, "everybody left.")
    return left


def start(match: Match, dealer: Dealer, here: Collection[int], level: str = "") -> list[AnyEntry]:
    """Begin, with bots in the open seats if a level is named. Dice that are not real ones are drawn first; those who
    are here have a share in them."""
    if match.deal:
        return []
    if match.status is not Status.WAITING:
        raise Illegal("This game has already begun." if match.status is Status.PLAYING else "This game is over.")
    free = match.open_seats()
    if free and not level:
        seats = "A seat is" if len(free) == 1 else f"{len(free)} seats are"
        raise Illegal(f"{seats} still open; wait until they are taken, or name a bot's level to fill them.")
    if level:
        check_bot(level)
    names = [seat.name for seat in match.seats if seat.kind != OPEN]
    bots: list[entries.Joined] = []
    for seat in free:
        bots.append(entries.Joined(seat, free_name(names)))
        names.append(bots[-1].name)
    level = level if bots else ""
    if match.manual:
        return _add(match, entries.Started(tuple(bots), level)) + end_if_over(match)
    return dealing.promise(match, dealer, here, tuple(bots), level)


# Another game


def accept(match: Match, seat: int) -> list[AnyEntry]:
    """Be in another game at this table. Whoever wants one first invites the others."""
    if match.status is not Status.OVER:
        raise Illegal("A rematch can begin once this game is over.")
    if match.imported:
        raise Illegal("A game that came in as a record has no rematch; set up a new table.")
    if match.challenge:
        raise Illegal("A challenge is played once; set up a new table.")
    check_log(match)
    if match.invitation is None:
        return _add(match, entries.Invited(seat)) + _add(match, entries.Accepted(seat))
    if seat in match.invitation.strings:
        return []
    if seat in match.invitation.declined and not match.room():
        raise Illegal("Others have taken every seat of the next game; you can watch it.")
    return _add(match, entries.Accepted(seat))


def decline(match: Match, seat: int) -> list[AnyEntry]:
    """Not be in the next game, or no longer."""
    if match.invitation is None:
        raise Illegal("Nobody has asked for another game.")
    return [] if seat in match.invitation.declined else _add(match, entries.Declined(seat))


def _come_in(match: Match, name: str, token: str) -> list[AnyEntry]:
    """Somebody who watched sits down to the next game."""
    if match.room() < 1:
        raise Illegal("Every seat of the next game is taken; you can watch it.")
    number = len(match.everyone)
    _check_newcomer(match, name, number)
    return _add(match, entries.Accepted(number, name=name, token=token_hash(token)))


def begin_again(
    match: Match,
    seat: int,
    present: Collection[int],
    dealer: Dealer,
    level: str = "",
    *,
    without_absent: bool = False,
) -> list[AnyEntry]:
    """Begin the next game, with those who are in it and present. Bots stay; others fill up to the fewest players if a
    level is named."""
    invitation = match.invitation
    if invitation is None:
        raise Illegal("This game is over; ask for another one first.")
    if seat not in invitation.strings:
        raise NotYourTurn("Those who are in the next game start it.")
    here = {*present, *match.household(seat)}
    away = [number for number in invitation.strings if number not in here]
    if away and not without_absent:
        who = listed(match.names[number] for number in away)
        raise Illegal(f"{who} {'is' if len(away) == 1 else 'are'} in, but away; wait, or start without them.")
    seats = [number for number, each in enumerate(match.seats) if each.kind == BOT]
    seats = sorted({*seats, *(number for number in invitation.strings if number in here)})
    missing = max(0, match.game.min_players - len(seats))
    if missing and not level:
        more = f"{missing} more {'player' if missing == 1 else 'players'}"
        raise Illegal(f"The next game needs {more}; wait, or name a bot's level.")
    again = _add(match, entries.Again(seat, seats=(*seats, *[NOBODY] * missing)))
    playing = [new for new, old in enumerate(seats) if old in here]
    return again + start(match, dealer, playing, level if missing else "")


# In the game


def move(
    match: Match, seat: int, text: str, *, then_roll: bool = False, by: str = "", client: str = ""
) -> list[AnyEntry]:
    """Make a move, and roll at once if the dice are then the same seat's."""
    state = match.playing().table.state
    if state.seat != seat:
        raise _not_now(match, state, seat)
    try:
        move = state.parse_move(text)
        done = _add(match, entries.Moved(seat, move.text, by, client), Moved(seat, move))
    except HotdiceError as error:
        raise Illegal(str(error), _texts(state)) from error
    state = match.playing().table.state
    if then_roll and state.seat == CHANCE and state.roller == seat and not match.manual:
        done += _roll(match, by)
    return done + end_if_over(match)


def roll(match: Match, seat: int, faces: str = "", *, by: str = "", client: str = "") -> list[AnyEntry]:
    """Roll the dice that are due. Real dice are typed in, by anybody who sits at the table."""
    state = match.playing().table.state
    if state.seat != CHANCE or (seat != state.roller and not match.manual):
        raise _not_now(match, state, seat)
    if not match.manual:
        if faces:
            raise Illegal("The server rolls the dice at this table; a roll cannot be typed in.")
        return _roll(match, by, client) + end_if_over(match)
    if not faces:
        raise Illegal("These are real dice: roll them and type what they show.")
    try:
        event = Rolled(state.roller, state.parse_roll(faces))
        text = match.game.roll_text(event.roll)
        done = _add(match, entries.Rolled(event.seat, text, by, client, seat), event)
    except HotdiceError as error:
        raise Illegal(str(error)) from error
    return done + end_if_over(match)


def ask(match: Match, seat: int, client: str = "") -> list[AnyEntry]:
    """Ask to take the last choice back; it is taken back at once where nobody else has a say."""
    match.playing()
    whose = match.undoable()
    if whose is None:
        raise Illegal("There is no choice to take back: it stands once the dice have been rolled.")
    if whose != seat and not match.manual:
        raise NotYourTurn(f"The last choice was {match.names[whose]}'s; only they can take it back.")
    if match.asked is not None and match.waiting():
        raise Illegal("That has been asked already; wait for an answer.")
    return _add(match, entries.Asked(seat, client)) + _undo_if_agreed(match)


def answer(match: Match, seat: int, yes: bool, client: str = "") -> list[AnyEntry]:
    """Agree that a choice be taken back, or refuse."""
    match.playing()
    if match.asked is None:
        raise Illegal("Nobody has asked to take a choice back.")
    if seat == match.asked:
        raise NotYourTurn("You asked; the others answer.")
    if not yes:
        return _add(match, entries.Refused(seat, client))
    return _add(match, entries.Agreed(seat, client)) + _undo_if_agreed(match)


def stand_in(match: Match, seat: int) -> list[AnyEntry]:
    """Have the table's bot play for somebody who is away."""
    return _add(match, entries.Away(seat, match.stand_in))


def come_back(match: Match, seat: int) -> list[AnyEntry]:
    """Let somebody play for themselves again whom a bot played for, or whom others wanted to go on without."""
    if seat >= len(match.seats):
        return []  # who only comes to the next game
    missed = match.seats[seat].away or (match.proposal and match.proposal.about == seat)
    return _add(match, entries.Back(seat)) if missed else []


def close(match: Match, why: str) -> list[AnyEntry]:
    """Give the game up."""
    return end(match, why)


def _add(match: Match, entry: AnyEntry, event: Event | None = None) -> list[AnyEntry]:
    return match.add(entry, event)


def _roll(match: Match, by: str, client: str = "") -> list[AnyEntry]:
    game = match.playing()
    event = Rolled(game.table.state.roller, game.next_roll())
    return _add(match, entries.Rolled(event.seat, match.game.roll_text(event.roll), by, client), event)


def _undo_if_agreed(match: Match) -> list[AnyEntry]:
    index = match.undo_index()
    if match.asked is None or match.waiting() or index is None:
        return []
    return _add(match, entries.Undone(match.asked, events=match.playing().table.played - index))


def _not_now(match: Match, state: State, seat: int) -> Refusal:
    if state.seat == CHANCE:
        if state.roller == seat:
            return Illegal("The dice are to be rolled first.", ("roll",))
        return NotYourTurn(f"It is {match.names[state.roller]}'s turn to roll.")
    if state.seat == seat:
        return Illegal("A move is due, not a roll.", _texts(state))
    return NotYourTurn(f"It is {match.names[state.seat]}'s decision.")


def _texts(state: State) -> tuple[str, ...]:
    """The legal moves in notation."""
    return tuple(move.text for move in state.legal_moves())
