"""Challenges: several people play the same dice, each alone, and compare what they made of them.

`log` is what a challenge consists of, folded from a log of its own; `keeper` opens challenges, lets people in and says
who may see what; `columns` is what everybody made of the dice, turn by turn. The games are played at usual tables.
"""
