"""Write the strategy book: `python -m strategy`, or some games by name; `--render` only shows kept figures anew."""

from __future__ import annotations

import sys
import time

from strategy.book import CHAPTERS, chapter, keep, write


def main() -> None:
    words = sys.argv[1:]
    names = [word for word in words if word != "--render"] or list(CHAPTERS)
    for name in names:
        if name not in CHAPTERS:
            sys.exit(f"There is no chapter on {name}; there are {', '.join(CHAPTERS)}.")
    began = time.monotonic()
    for name in names:

        def told(what: str, name: str = name) -> None:
            print(f"{time.monotonic() - began:5.0f} s  {name}: {what}", file=sys.stderr, flush=True)

        if "--render" not in words:
            keep(name, chapter(name).work(told))
        write(name)
        told("written")


if __name__ == "__main__":
    main()
