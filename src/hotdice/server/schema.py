"""Everything that the server says and takes, as one OpenAPI document; `python -m hotdice.server.schema` writes it.

It is the lobby's own description, and beside it the messages of the WebSocket and the entries of a table's log. The
browser app's types are made from it (`make types`), so it is exact about what is always there. What is a game's own
(boards, effects, facts) is just an object here; `game_types` describes it in the game's folder.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, get_args

from msgspec import inspect
from msgspec.json import schema_components

from hotdice.book.figures import House, PlayerBook
from hotdice.server import entries, game_types, wire
from hotdice.server.app import Server, Settings
from hotdice.server.book import BookShown, NameDeleted, PlayerShown
from hotdice.server.challenges.columns import ColumnShown
from hotdice.server.lessons import LessonShown
from hotdice.server.match import company
from hotdice.server.practising import PracticeCards
from hotdice.server.replaying import Replay, WhatIf
from hotdice.server.reviewing import Reviewed

FILE: Final = Path(__file__).parents[3] / "web" / "schema.json"
_PLACE: Final = "#/components/schemas/"
_SEAT: Final = "WireSeat"
"""The wire's `SeatView`; the lobby has one, too."""

Schema = dict[str, Any]

_OF_THE_GAME: Final[Schema] = {"anyOf": [{"type": "object", "additionalProperties": True}, {"type": "null"}]}
"""Data that only the game itself can read."""


def document() -> Schema:
    """What the server says now."""
    found: Schema = Server(Settings(":memory:")).api.openapi()
    lobby: Schema = found["components"]["schemas"]
    for name in _reachable(_responses(found["paths"]), lobby):
        _require_all(lobby[name])
    parts = _wire() | _log()
    if doubles := lobby.keys() & parts.keys():
        raise ValueError(f"The lobby and the wire both have {', '.join(sorted(doubles))}: rename one of them.")
    lobby |= parts
    for name, schema in lobby.items():
        _tidy(name, schema)
    return found


def text() -> str:
    """The document as it is kept in the repository."""
    return json.dumps(document(), indent=2, sort_keys=True, ensure_ascii=False) + "\n"


# The WebSocket


def _wire() -> dict[str, Schema]:
    asked: tuple[type, ...] = get_args(wire.AnyMessage)
    said: tuple[type, ...] = (*wire.Answer.__subclasses__(), wire.Refused)
    shown = (
        wire.SeatView,
        LessonShown,
        PracticeCards,
        Reviewed,
        Replay,
        WhatIf,
        BookShown,
        PlayerShown,
        NameDeleted,
        House,
        PlayerBook,
        ColumnShown,
    )
    parts = _components((*asked, *said, *shown), {"SeatView": _SEAT})
    parts["BookShown"]["properties"]["house"] = _ref("House")
    parts["PlayerShown"]["properties"]["player"] = _ref("PlayerBook")
    parts["Shown"]["properties"] |= {
        "seats": _list(_ref(_SEAT)),
        "status": _ref("Status"),  # the lobby's
    }
    parts["MoveView"]["properties"]["effect"] = _OF_THE_GAME
    parts["View"]["properties"]["board"] = _OF_THE_GAME
    parts["Welcome"]["properties"]["facts"] = _OF_THE_GAME
    for message in ("Welcome", "Update"):
        parts[message]["properties"]["events"] = _list(_ref("ShownEntry"))
    parts["Refused"]["properties"]["type"] = {"enum": list(wire.REFUSALS)}
    parts[_SEAT]["properties"]["kind"] = {"enum": [entries.PERSON, entries.LOCAL, entries.BOT, entries.OPEN]}
    parts["Proposal"]["properties"]["what"] = {"enum": [company.END, company.OUT, company.SEAT]}
    parts["ClientMessage"] = _any(_ref(kind.__name__) for kind in asked)
    parts["ServerMessage"] = _any(_ref(kind.__name__) for kind in said)
    return parts


def _log() -> dict[str, Schema]:
    kinds = get_args(entries.AnyEntry)
    names = {kind.__name__: f"{kind.__name__}Entry" for kind in kinds}  # a client can be ready and refuse, too
    parts = _components((*kinds, entries.ShownEntry), names)
    parts["Entry"] = _any(map(_ref, names.values()))
    parts["ShownEntry"]["properties"] |= {"entry": _ref("Entry"), "effect": _OF_THE_GAME}
    return parts


def _components(types: Iterable[Any], names: dict[str, str]) -> dict[str, Schema]:
    """The schemas of some types and all that they are made of, some of them under other names."""
    types = list(types)
    _, parts = schema_components(types, ref_template=_PLACE + "{name}")
    for kind in _classes(inspect.multi_type_info(types)):
        config = getattr(kind, "__struct_config__", None)
        if not issubclass(kind, wire.Message) and not (config and config.omit_defaults):
            _require_all(parts[kind.__name__])
    moved = {_PLACE + old: _PLACE + new for old, new in names.items()}

    def renamed(node: Any) -> Any:
        match node:
            case dict():
                return {key: renamed(value) for key, value in node.items()}
            case list():
                return [renamed(value) for value in node]
            case str():
                return moved.get(node, node)
        return node

    return {names.get(name, name): renamed(schema) for name, schema in parts.items()}


def _classes(nodes: Iterable[inspect.Type]) -> Iterator[type]:
    """The structs and dataclasses in some types."""
    for node in nodes:
        match node:
            case inspect.StructType() | inspect.DataclassType():
                yield node.cls
                yield from _classes(field.type for field in node.fields)
            case inspect.UnionType():
                yield from _classes(node.types)
            case inspect.TupleType():
                yield from _classes(node.item_types)
            case inspect.ListType() | inspect.VarTupleType():
                yield from _classes([node.item_type])
            case inspect.DictType():
                yield from _classes([node.key_type, node.value_type])
            case inspect.Metadata():
                yield from _classes([node.type])


# The lobby


def _responses(paths: Schema) -> list[Schema]:
    return [operation["responses"] for path in paths.values() for operation in path.values()]


def _reachable(nodes: Any, parts: dict[str, Schema]) -> set[str]:
    """The names of all schemas that something refers to."""
    found: set[str] = set()
    left = [nodes]
    while left:
        match left.pop():
            case {"$ref": str(place)} if (name := place.removeprefix(_PLACE)) not in found:
                found.add(name)
                left.append(parts[name])
            case dict() as node:
                left.extend(node.values())
            case list() as node:
                left.extend(node)
    return found


# Schemas


def _require_all(schema: Schema) -> None:
    """What has a default is still always said."""
    if schema.get("properties"):
        schema["required"] = list(schema["properties"])


def _tidy(name: str, schema: Schema) -> None:
    """Defaults go: openapi-typescript takes whatever has one for always there."""
    for field, kind in schema.get("properties", {}).items():
        kind.pop("default", None)
        if not kind:
            raise ValueError(f"Nothing says what {name}.{field} is: say it in hotdice/server/schema.py.")


def _ref(name: str) -> Schema:
    return {"$ref": _PLACE + name}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _any(schemas: Iterable[Schema]) -> Schema:
    return {"anyOf": list(schemas)}


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
    for file, said in game_types.files().items():
        file.write_text(said, "utf-8")
