"""What the command line does besides playing in a terminal: a function for each command, without its flags.

They print what they find, and an error is a `HotdiceError`; `hotdice.cli` gives them names and flags. They may show
things as the terminal does, which knows nothing of them.
"""
