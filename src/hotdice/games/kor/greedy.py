"""A sensible KOR player: hurts whoever is ahead, and takes the better of two signs."""

from __future__ import annotations

from hotdice.game import Move
from hotdice.games.kor.rules import Target
from hotdice.games.kor.state import KorState


def race_for_the_lead(state: KorState) -> Move:
    """Penalise whoever is ahead; of two signs, take the one that leaves oneself best off against the others."""

    def lead(after: KorState) -> int:
        own = after.scores[state.seat]
        others = max(score for seat, score in enumerate(after.scores) if seat != state.seat)
        return own - others

    def worth(move: Move) -> tuple[int, ...]:
        match move:
            case Target(seat):
                return (state.scores[seat],)
        after = state.apply(move)
        hits_back = after.seat == state.seat
        return (lead(after), hits_back)

    return max(state.legal_moves(), key=worth)
