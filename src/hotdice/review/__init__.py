"""What was played, what was best, and what was luck: the account of a game, from its values.

`report` has its types, which need the standard library alone.
"""
