"""Each game's own types for its folder in the browser app: its board, the effects of its moves and its facts.

A game names them as what `State.board`, `State.effect` and `State.facts` return. They are described as JSON Schema, and
from that written as TypeScript to `web/src/games/<name>/schema.ts`, for each game that has a folder there. Nothing
outside of that folder changes when a game comes or goes.
"""

from __future__ import annotations

from pathlib import Path
from types import NoneType, SimpleNamespace, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from msgspec import Struct
from msgspec.json import schema_components

from hotdice.game import Game
from hotdice.games import all_games

FOLDER: Final = Path(__file__).parents[3] / "web" / "src" / "games"
HOOKS: Final = ("board", "effect", "facts")
"""The methods of a state that give a page the game's own data."""
HEAD: Final = "// Written by `make types` from the game's Python types; do not edit.\n"
_PLACE: Final = "#/$defs/"

Schema = dict[str, Any]


class GameTypes(Struct, frozen=True):
    """A game's own types: what each hook returns, as a schema, and the parts that these refer to."""

    hooks: dict[str, Schema]
    parts: dict[str, Schema]

    def schema(self, hook: str) -> Schema:
        """The schema of what one hook returns, complete in itself."""
        return {**self.hooks[hook], "$defs": self.parts}


def types_of(game: Game) -> GameTypes:
    """What a game says that its hooks return; a hook that is not annotated with a type of its own is left out."""
    found: dict[str, Any] = {}
    for hook in HOOKS:
        method = getattr(game.state, hook)
        said = SimpleNamespace(__annotations__={"return": method.__annotations__.get("return", Any)})
        try:
            returned = get_type_hints(said, method.__globals__)["return"]
        except NameError as error:
            where = f"{method.__module__}.{method.__qualname__}"
            raise ValueError(
                f"{where} returns a type that cannot be found when it runs ({error}); "
                "import it at the top of the module, not under TYPE_CHECKING."
            ) from None
        if returned not in (Any, NoneType):
            found[hook] = returned
    members = {hook: _members(returned) for hook, returned in found.items()}
    classes = list(dict.fromkeys(kind for kinds in members.values() for kind in kinds if kind is not NoneType))
    schemas, parts = schema_components(classes, ref_template=_PLACE + "{name}")
    refs = dict(zip(classes, schemas, strict=True)) | {NoneType: {"type": "null"}}
    for part in parts.values():
        _say_everything(part)
    return GameTypes({hook: _any_of([refs[kind] for kind in kinds]) for hook, kinds in members.items()}, parts)


def typescript(types: GameTypes) -> str:
    """The types as a TypeScript module: an interface for each part, and `Board`, `Effect` and `Facts`."""
    blocks = [_declaration(name, part) for name, part in sorted(types.parts.items())]
    aliases = [f"export type {hook.capitalize()} = {_type(schema)}" for hook, schema in types.hooks.items()]
    if clashes := types.parts.keys() & {hook.capitalize() for hook in types.hooks}:
        raise ValueError(f"A game's types cannot be called {' or '.join(sorted(clashes))}: give them another name.")
    return "\n".join([HEAD, *blocks, *aliases]) + "\n"


def files() -> dict[Path, str]:
    """What each file of types should hold, for the games that have a folder in the browser app."""
    return {FOLDER / game.name / "schema.ts": typescript(types_of(game)) for game in all_games() if _has_folder(game)}


def _has_folder(game: Game) -> bool:
    return (FOLDER / game.name).is_dir()


def _members(kind: Any) -> tuple[Any, ...]:
    """The types that an annotation allows."""
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)


def _say_everything(schema: Schema) -> None:
    """A field with a default is always sent, too, and nothing else is."""
    if "properties" in schema:
        schema["required"] = list(schema["properties"])
        schema["additionalProperties"] = False
        for field in schema["properties"].values():
            field.pop("default", None)


def _any_of(schemas: list[Schema]) -> Schema:
    return schemas[0] if len(schemas) == 1 else {"anyOf": schemas}


# TypeScript


def _declaration(name: str, part: Schema) -> str:
    said = part.get("description", "")
    comment = f"/** {said} */\n" if said else ""
    if "properties" not in part:
        return f"{comment}export type {name} = {_type(part)}\n"
    fields = "".join(f"  {field}: {_type(schema)}\n" for field, schema in part["properties"].items())
    return f"{comment}export interface {name} {{\n{fields}}}\n"


def _type(schema: Schema) -> str:
    match schema:
        case {"$ref": str(place)}:
            return place.removeprefix(_PLACE)
        case {"anyOf": list(options)}:
            return " | ".join(map(_type, options))
        case {"enum": list(values)}:
            return " | ".join(f"'{value}'" if isinstance(value, str) else str(value) for value in values)
        case {"type": "array", "prefixItems": list(items)}:
            return f"[{', '.join(map(_type, items))}]"
        case {"type": "array", "items": dict(items)}:
            return f"({_type(items)})[]" if " | " in _type(items) else f"{_type(items)}[]"
        case {"type": "object", "additionalProperties": dict(values)}:
            return f"Record<string, {_type(values)}>"
        case {"type": "integer" | "number"}:
            return "number"
        case {"type": "string" | "boolean" | "null" as kind}:
            return str(kind)
    raise ValueError(f"There is no TypeScript for {schema}: say it in hotdice/server/game_types.py.")
