"""Positions to practise on: what is asked, how hard it is, what an answer is worth, and when it is asked again.

A `Card` is a turn of a game up to a choice, with the exact value of every move (`cards`). The cards of a game are its
deck (`decks`), shipped beside the game's code or made on first use (`making`). What somebody has missed comes back
after some days (`progress`). Nothing here talks to people or to the network.
"""
