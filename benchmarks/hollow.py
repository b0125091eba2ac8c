"""A server whose tables play no game: whatever is asked for, two entries are kept and the same state is sent to all.

What it takes is for sockets, JSON and the database alone, so it says how far a faster game could bring the server.
`python -m benchmarks.hollow serve …` is `hotdice serve …` with such tables.
"""

from __future__ import annotations

from typing import Final

from msgspec import Raw
from msgspec.structs import replace

from hotdice.cli import main
from hotdice.server import entries, wire
from hotdice.server.entries import ShownEntry
from hotdice.server.rooms import registry
from hotdice.server.rooms.presence import Guest
from hotdice.server.rooms.room import Done, Room
from hotdice.server.store import Append

BODY: Final = entries.encode(entries.Rolled(0, "4", client="17"))


class HollowRoom(Room):
    """A table that takes any roll or move for two rolls."""

    _state: wire.Shown | None = None

    def act(self, guest: Guest, message: wire.Wish, done: Done) -> None:
        if not isinstance(message, wire.Roll | wire.Move):
            super().act(guest, message, done)
            return
        match, presence = self.match, self.presence
        state = self._state = self._state or self._views.state(match, presence, None, words=False)
        first, last = match.number + 1, match.number + 2
        match.number = last

        def saved(error: Exception | None) -> None:
            events = [Raw(entries.encode(ShownEntry(number, 0, "", Raw(BODY)))) for number in (first, last)]
            update = wire.packed(wire.Update(events, replace(state, number=last, actor=last % 2, rolls=True)))
            for other in tuple(presence.guests):
                if other is guest:
                    other.hold(update)
                else:
                    other.send(update)
            done(first, error)

        self._store.append(Append(match.name, first, 0, (BODY, BODY), None, saved))


if __name__ == "__main__":
    registry.Room = HollowRoom  # type: ignore[attr-defined]
    main()
