"""Everything that the server says and takes, as one OpenAPI document; `python -m hotdice.server.schema` writes it.

It is the lobby's own description, and beside it the messages of the WebSocket and the entries of a table's log. The
browser app's types are made from it (`make types`), so it is exact about what is always there. What is a game's own
(boards, effects, facts) is just an object here; `game_types` describes it in the game's folder.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from hotdice.server import game_types, messages
from hotdice.server.app import Server, Settings
from hotdice.server.messages import require_all, with_refs

FILE: Final = Path(__file__).parents[3] / "web" / "schema.json"
_PLACE: Final = "#/components/schemas/"

Schema = dict[str, Any]


def document() -> Schema:
    """What the server says now."""
    found: Schema = Server(Settings(":memory:")).api.openapi()
    lobby: Schema = found["components"]["schemas"]
    for name in _reachable(_responses(found["paths"]), lobby):
        require_all(lobby[name])
    parts: dict[str, Schema] = with_refs(messages.parts(), _PLACE)
    if doubles := lobby.keys() & parts.keys():
        raise ValueError(f"The lobby and the wire both have {', '.join(sorted(doubles))}: rename one of them.")
    lobby |= parts
    for name, schema in lobby.items():
        _tidy(name, schema)
    return found


def text() -> str:
    """The document as it is kept in the repository, for the version that is there."""
    found = document()
    found["info"]["version"] = "current"
    return json.dumps(found, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


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


def _tidy(name: str, schema: Schema) -> None:
    """Defaults go: openapi-typescript takes whatever has one for always there."""
    for field, kind in schema.get("properties", {}).items():
        kind.pop("default", None)
        if not kind:
            raise ValueError(f"Nothing says what {name}.{field} is: say it in hotdice/server/messages.py.")


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
    for file, said in game_types.files().items():
        file.write_text(said, "utf-8")
