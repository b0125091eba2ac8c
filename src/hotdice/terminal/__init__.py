"""Play in a terminal: setting up a table, drawing it or speaking it, taking moves, and keeping games.

Everything here reads what a game says of itself (faces, grids, sentences, options), so a new game appears by
being registered. The command line calls in; nothing else does.
"""
