"""The commands by which the dice of a game come about, as `docs/fair-dice.md` has it: first the server's promise, then
a seal of every player who is here, then, once no more seals are taken, the strings.

Whoever is not here has no share. Whoever sealed a string and does not reveal it in time is left out, which the record
tells; the game then begins without it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from hotdice.fair import check_seal, check_string, commitment, seal, statement
from hotdice.server import entries
from hotdice.server.entries import AnyEntry
from hotdice.server.match.ending import end_if_over
from hotdice.server.match.fold import Match
from hotdice.server.refusals import Illegal, Invalid

Sign = Callable[[bytes], str]


@dataclass(frozen=True, slots=True)
class Dealer:
    """What the server brings to the dice of a game: a secret, and a key that signs its promise, if it has one."""

    secret: bytes
    key: str = ""
    sign: Sign | None = None


def promise(
    match: Match, dealer: Dealer, here: Collection[int], bots: tuple[entries.Joined, ...], level: str
) -> list[AnyEntry]:
    """Draw the secret. Where nobody is here to have a share, or the dice follow a record, the game begins at once."""
    promised = commitment(dealer.secret)
    signature = dealer.sign(statement(match.dice_name, promised, match.now)) if dealer.sign else ""
    key = dealer.key if signature else ""
    done = match.add(entries.Promised(promised, dealer.secret.hex(), bots, level, key, signature))
    if match.imported and match.round == 1:
        return done + match.add(entries.Started()) + end_if_over(match)
    return done + go_on(match, here)


def put_seal(match: Match, seat: int, sealed: str, here: Collection[int], client: str = "") -> list[AnyEntry]:
    """Seal a string, once."""
    deal = match.dealing()
    if deal.seals.get(seat) == sealed:
        return []
    if deal.fixed:
        raise Illegal("No more seals are taken; the game begins in a moment.")
    if seat in deal.seals:
        raise Illegal("A string is sealed once, and this seat has done so.")
    check_seal(sealed)
    return match.add(entries.Sealed(seat, sealed, client)) + go_on(match, here)


def reveal(match: Match, seat: int, string: str, here: Collection[int], client: str = "") -> list[AnyEntry]:
    """Reveal a string that was sealed."""
    deal = match.dealing()
    if deal.strings.get(seat) == string:
        return []
    if not deal.fixed:
        raise Illegal("Strings are revealed once everybody has sealed theirs.")
    if seat not in deal.seals:
        raise Illegal("This seat has sealed no string.")
    check_string(string)
    if seal(match.dice_name, deal.promise, seat, string) != deal.seals[seat]:
        raise Invalid("This string does not fit the seal of the seat.")
    return match.add(entries.Revealed(seat, string, client)) + go_on(match, here)


def missing(match: Match, here: Collection[int]) -> list[int]:
    """The seats that are waited for: of those who are here, for their seals, and then for the strings."""
    deal = match.dealing()
    if deal.fixed:
        return [seat for seat in deal.seals if seat not in deal.strings]
    return [seat for seat in here if seat not in deal.seals and match.seats[seat].is_held]


def go_on(match: Match, here: Collection[int], *, late: bool = False) -> list[AnyEntry]:
    """Take the next step if nobody is waited for, or if it is too late to wait."""
    done: list[AnyEntry] = []
    while (deal := match.deal) and (late or not missing(match, here)):
        if deal.fixed or not deal.seals:
            done += match.add(entries.Started()) + end_if_over(match)
        else:
            done += match.add(entries.Fixed())
        late = False
    return done
