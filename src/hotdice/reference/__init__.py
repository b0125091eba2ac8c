"""The reference for people who use Hotdice from Python: `python -m hotdice.reference` writes it, as `make types` does.

`areas` says what is public, and makes a page of each area; `shelf` has the page with the data of every game, and the
overloads by which type checkers know their states. All of it is taken from the sources, by `sources`, and nothing that
is described has to be imported or installed.
"""
