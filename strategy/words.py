"""Numbers and tables as the pages print them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from strategy.figures import Estimate, Match, Seats


def percent(share: float, digits: int = 1) -> str:
    return f"{100 * share:.{digits}f}%"


def percent_of(found: Estimate, digits: int = 1) -> str:
    """With its 95% interval, unless it is exact."""
    return percent(found.value, digits) + (f" ± {100 * found.within:.{digits}f}" if found.error else "")


def points_of(found: Estimate, digits: int = 1) -> str:
    return f"{found.value:.{digits}f}" + (f" ± {found.within:.{digits}f}" if found.error else "")


def table(head: Sequence[str], rows: Iterable[Sequence[str]], right: bool = True) -> str:
    """A Markdown table; columns but the first are set to the right."""
    lines = [
        f"| {' | '.join(head)} |",
        "| " + " | ".join(["---"] + ["---:" if right else "---"] * (len(head) - 1)) + " |",
    ]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def counted(number: int) -> str:
    """A number of games, to be read: exact below a thousand, else by two digits."""
    if number < 1000:
        return str(number)
    scale: int = 10 ** (len(str(number)) - 2)
    return f"{-(-number // scale) * scale:,}"


def seats_table(found: Sequence[Seats], digits: int = 2) -> str:
    """What each seat wins, a row for each number of players."""
    most = max(one.players for one in found)
    ordinals = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
    return table(
        ("players", *(f"{ordinals[seat]} seat" for seat in range(most)), "within"),
        (
            (
                str(one.players),
                *(percent(wins.value, digits) for wins in one.wins),
                *[""] * (most - one.players),
                f"± {100 * max(wins.within for wins in one.wins):.{digits}f}" if one.games else "exact",
            )
            for one in found
        ),
    )


def luck_table(found: Sequence[Match]) -> str:
    """What the best play wins against others, and what that means at a table."""
    return table(
        ("against", "wins", "more than half", "games until the better one is ahead, 19 times in 20"),
        (
            (
                f"`{one.rival}`",
                percent_of(one.wins, 2),
                f"{100 * (one.wins.value - 0.5):.2f}".replace("-0.00", "0.00"),
                counted(one.games_to_tell) if one.wins.value - one.wins.within > 0.5 else "cannot be told",
            )
            for one in found
        ),
    )
