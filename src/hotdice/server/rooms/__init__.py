"""Rooms: tables that somebody plays at or looks at, in memory.

A room has a match and does one thing at a time with it (`room`). Beside it stand who is connected (`presence`), what
they are told (`views`), what their messages ask for (`requests`), who acts when no person does (`driver`), and what the
coach has worked out (`coaching`). `registry` has all rooms of a node. A room holds nothing that the log does not have,
so it can be dropped at any moment and made again.
"""
