"""What bots are called."""

from __future__ import annotations

from hotdice.players import free_name


def test_bots_at_a_table_have_first_letters_of_their_own() -> None:
    names = ["Ann", "Olga"]
    for _ in range(6):
        names.append(free_name(names))
    assert len({name[0] for name in names[2:]} | {"A", "O"}) == 8
    assert "Otto" not in names


def test_there_is_always_a_name() -> None:
    names: list[str] = []
    for _ in range(40):
        names.append(free_name(names))
    assert len(set(names)) == 40
    assert len({name[0] for name in names[:26]}) == 26
