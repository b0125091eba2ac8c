"""A table's match, from its log: the fold, the commands that add to it, and the sentences that tell it.

Nothing here knows a clock, a connection, a store or a source of randomness. Whoever gives a command passes in the time
and the secrets, so any log can be folded again anywhere, and comes out the same.
"""
