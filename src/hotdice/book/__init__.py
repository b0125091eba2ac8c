"""The book of the house: what was played on this machine or server, by name, and the figures that follow from it.

`played` is a game as the book has it, `facts` makes one from a record, and everything else is a pure function of a list
of them: `ratings`, `rolls` (whether the dice are fair), `best` (records of the house), `figures` (all of it, ready to
be shown), `export`. Where the games come from is for the server and the terminal to say. docs/book.md defines every
figure.
"""
