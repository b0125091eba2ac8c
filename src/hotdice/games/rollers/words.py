"""What is said and shown of a match of Rollers: sentences, and the boards as a sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hotdice.dice import Roll
from hotdice.game import CHANCE, OVER, Move, State
from hotdice.games.rollers.data import RollersEffect, RoundEnd, effect_of
from hotdice.games.rollers.rules import (
    BLACK_CODE,
    CLOSED,
    DICE,
    EMPTY,
    FULL_BOARD,
    NUMBERS,
    OPEN,
    ROLLS,
    ZAP,
    Apply,
    Call,
    Keep,
    applications,
    applied,
    place_of,
    pool_of,
)
from hotdice.notation import counted, listed
from hotdice.rolloff import WAITING
from hotdice.view import DieView, Grid, Result, Standing, named, verb, who, wins

if TYPE_CHECKING:
    from hotdice.games.rollers.state import RollersState

_SECTIONS: Final = {EMPTY: "·", OPEN: "open", CLOSED: "closed"}


def why_illegal(state: RollersState, move: Move) -> str:
    """Why a move is not legal now."""
    match move:
        case Apply() if state.rolls < ROLLS:
            return "The dice are applied after the last roll; stop first."
        case Apply(uses):
            return _why_not_applied(state, uses)
        case Keep() if state.rolls == ROLLS:
            return "There is no roll left; the dice have to be applied."
        case Keep(dice) if len(dice) == DICE:
            return "To keep all six dice, stop."
        case Keep(dice) if state.options.saved_dice == "locked" and any(
            dice.count(die) < state.kept.count(die) for die in state.kept
        ):
            return f"Saved dice are locked: {state.game.roll_text(state.kept)} must stay."
        case Keep() if state.zapped:
            return "The ZAP cancelled this roll; only dice kept before it can be kept."
        case Keep():
            return f"The dice are {state.game.roll_text(state.usable)}, so “{move.text}” is not possible."
        case Call.STOP:
            return "There is no roll left to stop before; the dice have to be applied."
    return State.why_illegal(state, move)


def _why_not_applied(state: RollersState, uses: tuple[int, ...]) -> str:
    pool = pool_of(state.usable)
    missing = sum(max(0, used - count) for used, count in zip(uses, pool.counts, strict=True))
    if missing > pool.stars:
        return f"The dice to apply are {state.game.roll_text(state.usable) or 'none'}; they cannot be used like that."
    sections = tuple(zip(NUMBERS, state.boards[state.seat], uses, strict=True))
    for number, section, used in sections:
        if section == EMPTY and 0 < used < number:
            return f"Opening the {number}s takes {number} dice, not {used}."
    if not state.chips[state.seat]:
        return "Without chips of your own you cannot collect any."
    collects = state.collects()
    number = next(part[0] for part in sections if applied(*part)[1] and not collects[part[0] - 1])
    return f"Everybody else has closed the {number}s, so there is nobody to collect from."


def tell_move(state: RollersState, move: Move) -> str:
    """What the player does by a move."""
    match move:
        case Keep(()):
            return f"{verb(state.seat, 'rolls', 'roll')} all six again."
        case Keep(dice):
            rest = DICE - len(dice)
            keeps, rolls = verb(state.seat, "keeps", "keep"), verb(state.seat, "rolls", "roll")
            return f"{keeps} {state.game.roll_words(dice)} and {rolls} {rest} {'die' if rest == 1 else 'dice'}."
        case Apply():
            return _tell_applied(state, move)
    return f"{verb(state.seat, 'stops', 'stop')} with {state.game.roll_words(state.usable) or 'no dice'}."


def doing(state: RollersState, move: Move) -> str:
    """A move as something one does."""
    match move:
        case Keep(()):
            return "rolling all six again"
        case Keep(dice):
            return f"keeping {state.game.roll_words(dice)}"
        case Apply():
            return f"using {move.text.removeprefix('apply ')}"
    return "stopping"


def shortlist(state: RollersState) -> tuple[tuple[Move, str], ...]:
    """The applications that use the most: a full board first, then sections closed, chips, sections opened."""
    effects = [(effect_of(state, move), move) for move in state.legal_moves() if isinstance(move, Apply)]
    effects.sort(
        key=lambda each: (each[0].round_end is not None, len(each[0].closes), sum(each[0].paid), len(each[0].opens)),
        reverse=True,
    )
    return tuple((move, named(listed(deeds), ())) for effect, move in effects if (deeds := _deeds(state.seat, effect)))


def reason(state: RollersState, move: Move) -> str:
    """What speaks for a move: what it finishes, which dice are of use, or what the ZAP may do."""
    match move:
        case Apply(uses):
            if state.outcome_of(uses)[0] == FULL_BOARD:
                return "that completes the board"
            most = max(sum(other.uses) for other in state.legal_moves() if isinstance(other, Apply))
            return "no use of the dice takes more of them" if sum(uses) == most > 0 else ""
        case Keep(dice):
            return _why_kept(state, dice)
    if state.zapped:
        return ""
    board, pool = state.boards[state.seat], pool_of(state.usable)
    ways = applications(board, pool.counts, pool.stars, state.collects()).keys
    if max(map(sum, ways)) == len(state.usable):
        return "every die is of use already"
    return "another roll of the black die is a ZAP 1 time in 6"


def _why_kept(state: RollersState, dice: Roll) -> str:
    """What the dice that are kept still need to open a section, or that no ZAP can come."""
    pool = pool_of(dice)
    board = state.boards[state.seat]
    chased = [number for number in NUMBERS if pool.counts[number - 1] and board[number - 1] == EMPTY]
    if chased:
        number = max(chased, key=lambda one: (pool.counts[one - 1], one))
        missing = number - pool.counts[number - 1] - pool.stars
        if missing > 0:
            return f"{counted(missing, 'more', 'more')} would open the {number}s"
    return (
        "" if state.zapped or not any(die > BLACK_CODE for die in dice) else "no ZAP can come while the black die stays"
    )


def _tell_applied(state: RollersState, move: Apply) -> str:
    effect = effect_of(state, move)
    deeds = _deeds(state.seat, effect)
    told = f"{listed(deeds)}." if deeds else f"{verb(state.seat, 'applies', 'apply')} nothing."
    return f"{told} {_tell_end(effect.round_end)}" if effect.round_end else told


def _deeds(seat: int, effect: RollersEffect) -> list[str]:
    deeds: list[str] = []
    opens, closes = effect.opens, effect.closes
    for number in sorted({*opens, *closes}):
        does = verb(seat, "closes", "close")
        if number in opens:
            does = verb(seat, "opens and closes", "open and close") if number in closes else verb(seat, "opens", "open")
        deeds.append(f"{does} the {number}s")
    if effect.paid:
        deeds.append(f"{verb(seat, 'collects', 'collect')} {sum(effect.paid)}")
    return deeds


def _tell_end(end: RoundEnd) -> str:
    gains = listed(f"{{{seat}}} {points}" for seat, points in enumerate(end.points) if points)
    verdict = f"{who(end.starter)} {verb(end.starter, 'starts', 'start')} the next round."
    if end.winners:
        verdict = wins(end.winners)
    return f"The board is full, and the round is over. Points: {gains}. {verdict}"


def tell_roll(state: RollersState, roll: Roll) -> str:
    """What a roll shows, and in the roll-off who begins."""
    told = f"{verb(state.roller, 'rolls', 'roll')} {state.game.roll_words(roll)}"
    if not state.roll_off:
        return f"{told}. The ZAP cancels this roll." if ZAP in roll else f"{told}."
    after = state.roll(roll)
    if after.roll_off and WAITING in state.roll_off[state.roller + 1 :]:
        return f"{told} to see who begins."
    begins = f"{who(after.roller)} {verb(after.roller, 'begins', 'begin')}."
    return f"{told} to see who begins. {'A tie at the top: roll again.' if after.roll_off else begins}"


def prompt(state: RollersState) -> str:
    """What is to happen now."""
    roller, rolls = who(state.roller), verb(state.roller, "rolls", "roll")
    if state.roll_off:
        return f"{roller} {rolls} one purple die to see who begins."
    if state.seat == OVER:
        return "The match is over."
    if state.seat == CHANCE:
        dice = DICE - len(state.kept)
        return f"{roller} {rolls} {'one die' if dice == 1 else f'{dice} dice'}, roll {state.rolls + 1} of {ROLLS}."
    if state.rolls == ROLLS:
        return f"{roller} {verb(state.roller, 'applies', 'apply')} {state.game.roll_words(state.usable) or 'no dice'}."
    zapped = " The ZAP cancelled this roll." if state.zapped else ""
    does = verb(state.roller, "keeps dice and rolls the others, or stops", "keep dice and roll the others, or stop")
    return f"{roller} {does}. Roll {state.rolls} of {ROLLS}.{zapped}"


def result(state: RollersState) -> Result:
    """Who has won, and where everybody stands."""
    target = state.options.target_points
    order = sorted(range(state.players), key=state.strength, reverse=True)
    places: list[int] = []
    for position, seat in enumerate(order):
        tied = position and state.strength(seat) == state.strength(order[position - 1])
        places.append(places[-1] if tied else position + 1)
    chips = ["1 chip" if count == 1 else f"{count} chips" for count in state.chips]
    standings = tuple(
        Standing(seat, place, state.scores[seat], chips[seat]) for seat, place in zip(order, places, strict=True)
    )
    winners = tuple(sorted(standing.seat for standing in standings if standing.place == 1))
    at_target = sum(score >= target for score in state.scores)
    reason = f"First to {target} points." if target > 1 else "First to a point."
    if len(winners) > 1:
        reason = f"Level at {state.scores[winners[0]]} points and in chips."
    elif at_target > 1:
        reason = f"Several reached {target} at once; the most chips decide, then the most points."
    return Result(winners, reason, standings)


def dice_view(state: RollersState) -> tuple[DieView, ...]:
    """The dice on the table."""
    place = place_of(state.rolled)
    return (
        *(state.game.die_view(code, "kept") for code in state.kept),
        *(state.game.die_view(code, place) for code in state.rolled),
    )


def grids(state: RollersState) -> tuple[Grid, ...]:
    """Everybody's board, chips and points."""
    head = ("Player", *(f"{number}s" for number in NUMBERS), "Chips", "Points")
    rows = tuple(
        (f"{{{seat}}}", *(_SECTIONS[section] for section in board), str(chips), str(points))
        for seat, (board, chips, points) in enumerate(zip(state.boards, state.chips, state.scores, strict=True))
    )
    return (Grid(head, rows),)
