"""All messages as one JSON Schema: what is said over the WebSocket, and answers over HTTP that are made of the same.

It is generated from the types in which the server writes and reads them, and served at `/api/schema.json`, beside
OpenAPI's description of the lobby; `schema` makes the browser app's types from it, too. What is a game's own (boards,
effects, facts) is just an object here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final, get_args

from msgspec import inspect
from msgspec.json import schema_components

from hotdice.book.figures import House, PlayerBook
from hotdice.reference.sources import members
from hotdice.server import entries, wire
from hotdice.server.book import BookShown, NameDeleted, PlayerShown
from hotdice.server.challenges.columns import ColumnShown
from hotdice.server.lessons import LessonShown
from hotdice.server.match import company
from hotdice.server.match.fold import Status
from hotdice.server.practising import PracticeCards
from hotdice.server.replaying import Replay, WhatIf
from hotdice.server.reviewing import Reviewed

_PLACE: Final = "#/$defs/"
_SEAT: Final = "WireSeat"
"""The wire's `SeatView`; the lobby has one, too."""

Schema = dict[str, Any]

_ASKED: Final[tuple[type, ...]] = get_args(wire.AnyMessage)
_SAID: Final[tuple[type, ...]] = (*wire.Answer.__subclasses__(), wire.Refused)
_ANSWERED: Final[tuple[type, ...]] = (
    LessonShown, PracticeCards, Reviewed, Replay, WhatIf, BookShown, PlayerShown, NameDeleted, House, PlayerBook,
    ColumnShown,
)  # fmt: skip
"""What is answered over HTTP in the wire's types."""
_WIRE: Final = (*_ASKED, *_SAID, wire.SeatView, *_ANSWERED)
_LOGGED: Final[tuple[type, ...]] = get_args(entries.AnyEntry)
_NAMES: Final = {"SeatView": _SEAT}
_LOG_NAMES: Final = {kind.__name__: f"{kind.__name__}Entry" for kind in _LOGGED}
"""A client can be ready and refuse, too."""
_MEANINGS: Final = {
    "ClientMessage": "What a client may send.",
    "ServerMessage": "What the server may send.",
    "Entry": "An entry of a table's log, as everybody may see it.",
    "Status": "Of a table: `over` is played to the end, `closed` is given up.",
}
"""Of the parts that are no class."""
_ALIKE: Final = {
    "do": "Which message it is.",
    "type": "Which message it is.",
    "kind": "What happened.",
    "id": "The client's own name for this message, which the answer has; the same one again does nothing twice.",
    "on": "The number of the state that it was made on; it is refused as `stale` if something has happened since.",
    "seat": "The seat, counted from 0.",
    "client": "What the client called the message by which it happened.",
}
"""What fields mean that many messages and entries have, unless they say it themselves."""
_OF_THE_GAME: Final[Schema] = {"anyOf": [{"type": "object", "additionalProperties": True}, {"type": "null"}]}
"""Data that only the game itself can read."""


@cache
def text() -> bytes:
    """The document as it is served."""
    return json.dumps(document(), ensure_ascii=False).encode()


def document() -> Schema:
    """A JSON Schema (2020-12) of any message; its `$defs` have each by its name, with what its fields mean."""
    found = parts()
    for types, names in ((_WIRE, _NAMES), ((*_LOGGED, entries.ShownEntry), _LOG_NAMES)):
        for kind in set(_classes(inspect.multi_type_info(types))):
            _say_what_fields_mean(found[names.get(kind.__name__, kind.__name__)], kind)
    found["Status"] = {"enum": [status.value for status in Status]}
    for name, meaning in _MEANINGS.items():
        found[name]["description"] = meaning
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Hotdice",
        "description": "The messages at /ws/TABLE: clients send a ClientMessage, the server sends a ServerMessage.",
        "anyOf": [_ref("ClientMessage"), _ref("ServerMessage")],
        "$defs": dict(sorted(found.items())),
    }


def parts() -> dict[str, Schema]:
    """The schema of every message and of all that they are made of, by name; `Status` is the lobby's."""
    return _wire() | _log()


def with_refs(node: Any, place: str, names: Mapping[str, str] = MappingProxyType({})) -> Any:
    """A part of a schema that refers to another place, and to some parts by other names."""
    match node:
        case {"$ref": str(ref), **more}:
            name = ref.removeprefix(_PLACE)
            return {"$ref": place + names.get(name, name), **more}
        case dict():
            return {key: with_refs(value, place, names) for key, value in node.items()}
        case list():
            return [with_refs(value, place, names) for value in node]
    return node


def _wire() -> dict[str, Schema]:
    found = _components(_WIRE, _NAMES)
    found["BookShown"]["properties"]["house"] = _ref("House")
    found["PlayerShown"]["properties"]["player"] = _ref("PlayerBook")
    found["Shown"]["properties"] |= {"seats": _list(_ref(_SEAT)), "status": _ref("Status")}
    found["MoveView"]["properties"]["effect"] = _OF_THE_GAME
    found["View"]["properties"]["board"] = _OF_THE_GAME
    found["Welcome"]["properties"]["facts"] = _OF_THE_GAME
    for message in ("Welcome", "Update"):
        found[message]["properties"]["events"] = _list(_ref("ShownEntry"))
    found["Refused"]["properties"]["type"] = {"enum": list(wire.REFUSALS)}
    found[_SEAT]["properties"]["kind"] = {"enum": [entries.PERSON, entries.LOCAL, entries.BOT, entries.OPEN]}
    found["Proposal"]["properties"]["what"] = {"enum": [company.END, company.OUT, company.SEAT]}
    found["ClientMessage"] = _any(_ref(kind.__name__) for kind in _ASKED)
    found["ServerMessage"] = _any(_ref(kind.__name__) for kind in _SAID)
    return found


def _log() -> dict[str, Schema]:
    found = _components((*_LOGGED, entries.ShownEntry), _LOG_NAMES)
    found["Entry"] = _any(map(_ref, _LOG_NAMES.values()))
    found["ShownEntry"]["properties"] |= {"entry": _ref("Entry"), "effect": _OF_THE_GAME}
    return found


def _components(types: Iterable[type], names: dict[str, str]) -> dict[str, Schema]:
    """The schemas of some types and all that they are made of, some of them under other names."""
    types = list(types)
    _, found = schema_components(types, ref_template=_PLACE + "{name}")
    for kind in _classes(inspect.multi_type_info(types)):
        config = getattr(kind, "__struct_config__", None)
        if not issubclass(kind, wire.Message) and not (config and config.omit_defaults):
            require_all(found[kind.__name__])
    return {names.get(name, name): with_refs(schema, _PLACE, names) for name, schema in found.items()}


def require_all(schema: Schema) -> None:
    """What has a default is still always said."""
    if schema.get("properties"):
        schema["required"] = list(schema["properties"])


def _say_what_fields_mean(schema: Schema, kind: type) -> None:
    """Take over what stands below the fields in the source."""
    own = members(kind)
    for name, field in schema.get("properties", {}).items():
        meaning = own[name].meaning if name in own else ""
        if meaning := meaning or _ALIKE.get(name, ""):
            schema["properties"][name] = {**field, "description": " ".join(meaning.split())}


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


def _ref(name: str) -> Schema:
    return {"$ref": _PLACE + name}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _any(schemas: Iterable[Schema]) -> Schema:
    return {"anyOf": list(schemas)}
