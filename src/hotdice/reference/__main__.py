"""Write the reference anew: the pages in `docs/`, and the overloads of `load_game`."""

from __future__ import annotations

from hotdice.reference import areas, shelf


def main() -> None:
    names = shelf.on_the_shelf()
    for path, text in areas.pages(names).items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    shelf.SHELF.write_text(shelf.overloaded(shelf.SHELF.read_text("utf-8"), names), "utf-8")


if __name__ == "__main__":
    main()
