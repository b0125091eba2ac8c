"""Exact play: what the solvers of all games share.

Every legal move of every position gets a value. Each game's `solver` module computes and reads its tables with what is
here: compiled kernels (`jit`), the table cache (`store`), and the one `Evaluator` through which bots, hints, odds and
reviews see values (`evaluator`). Needs the extra `[solve]`.
"""
