"""What is public, and a page of the reference for each area of it.

A name is public if its module is in `AREAS` and has it in `__all__`. A module without that has all public that it
defines without a leading underscore, but of its constants only those that something is said of. Whatever else there is
may change from one version to the next without a word.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Final

from hotdice.reference import introductions, shelf
from hotdice.reference.sources import (
    Definition,
    Member,
    bases,
    constant,
    constructor,
    definition,
    fields_of,
    full_name,
    is_enum,
    lists,
    members_of,
    opening,
    paragraphs,
    public,
    rows,
    signature,
    values,
)

DOCS: Final = Path(__file__).parents[3] / "docs"
INDEX: Final = DOCS / "reference.md"
API: Final = DOCS / "api"
SHORT: Final = 120
"""A dataclass that takes more than so many characters to make is hardly made by hand."""


@dataclass(frozen=True, slots=True)
class Area:
    """A page of the reference."""

    name: str
    """That of its file."""
    title: str
    pitch: str
    """What it is for, as a line of the index."""
    modules: tuple[str, ...]
    introduction: str
    """What comes first, in Markdown."""


AREAS: Final = (
    Area(
        "game", "The rules", "games, their states, moves and dice, house rules, and what can go wrong",
        ("hotdice", "hotdice.games", "hotdice.game", "hotdice.dice", "hotdice.options", "hotdice.errors"),
        introductions.GAME,
    ),
    Area(
        "table", "Tables and records", "playing a game, and keeping it as text",
        ("hotdice.table", "hotdice.record", "hotdice.fair"),
        introductions.TABLE,
    ),
    Area(
        "players", "Bots", "the bots there are, and what a bot of your own has to have",
        ("hotdice.players",),
        introductions.PLAYERS,
    ),
    Area(
        "values", "Values", "what a position, a move and a roll are worth",
        ("hotdice.values", "hotdice.solve"),
        introductions.VALUES,
    ),
    Area(
        "review", "Reviews", "the account of a game: losses, luck and moments",
        ("hotdice.review",),
        introductions.REVIEW,
    ),
    Area(
        "simulation", "Simulations", "many games, as sums and as columns, and tournaments",
        ("hotdice.simulation",),
        introductions.SIMULATION,
    ),
    Area(
        "envs", "Learning environments", "Gymnasium, PettingZoo, OpenSpiel, and thousands of games at once",
        ("hotdice.envs", "hotdice.envs.zoo", "hotdice.envs.vector", "hotdice.envs.spiel"),
        introductions.ENVS,
    ),
    Area(
        "authors", "For authors of games", "what a game of your own is written with, and the kit that tests it",
        ("hotdice.view", "hotdice.notation", "hotdice.observation", "hotdice.testing"),
        introductions.AUTHORS,
    ),
    Area(
        "solvers", "For authors of solvers", "compiled kernels, and tables that are kept",
        ("hotdice.solve.jit", "hotdice.solve.store", "hotdice.solve.sources"),
        introductions.SOLVERS,
    ),
)  # fmt: skip


def pages(games: Iterable[str]) -> dict[Path, str]:
    """Every page by its path, the data of these games among them."""
    made = {API / f"{area.name}.md": page(area) for area in AREAS}
    return {INDEX: index(), **made, API / "games.md": shelf.page(games)}


# What is public


@cache
def names(module: str) -> tuple[str, ...]:
    """The public names of a module."""
    if lists(module):
        return public(module)
    found = (definition(module, name) for name in public(module))
    return tuple(one.name for one in found if one.is_class or one.is_function or meaning(one))


@cache
def homes() -> Mapping[tuple[str, str], tuple[Area, str]]:
    """Every public name by where it was made: the area and the module under which it is described.

    A name that several public modules have is described where it was made, or else in the first of them.
    """
    found: dict[tuple[str, str], tuple[Area, str]] = {}
    for area in AREAS:
        for module in area.modules:
            for name in names(module):
                made = definition(module, name)
                at = made.module, made.name
                if at not in found or made.module == module:
                    found[at] = area, module
    return found


def described(area: Area, module: str) -> tuple[Definition, ...]:
    """What a page says of a module, in the order of its source; what it has from other modules comes last."""
    own = [definition(*at) for at, home in homes().items() if home == (area, module)]
    return tuple(sorted(own, key=lambda one: (one.module != module, one.module, one.node.lineno)))


def undocumented(area: Area) -> Iterator[str]:
    """Public names, fields and methods of an area that nothing is said of."""
    for module in area.modules:
        for one in described(area, module):
            if not meaning(one):
                yield f"{module}.{one.name}"
            if one.is_class:
                for member in (*members(one), *values(one)) if is_enum(one) else members(one):
                    if not member.meaning:
                        yield f"{module}.{one.name}.{member.name}"


def meaning(one: Definition) -> str:
    """What is said of a public name."""
    return one.meaning or introductions.MEANINGS.get(one.name, "")


# The pages


def index() -> str:
    """The page that leads to all others, with every public name."""
    areas = [(f"[{area.title}](api/{area.name}.md)", _modules(area.modules), area.pitch) for area in AREAS]
    areas.insert(1, ("[Each game](api/games.md)", "", "what the fields of its states and boards mean"))
    lines = [
        (f"[`{made.heading}`]({_address(made, 'api/')})", f"`{module}`", _first_sentence(made))
        for (_, module), made in sorted(
            ((home, definition(*at)) for at, home in homes().items()), key=lambda pair: pair[1].name.casefold()
        )
    ]
    return "\n".join(
        [
            introductions.INDEX,
            rows(("Page", "Modules", "What is in it"), areas),
            f"\n## Every name\n\n{rows(('Name', 'Module', 'Meaning'), lines)}\n",
        ]
    )


def _modules(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _first_sentence(made: Definition) -> str:
    text = " ".join(meaning(made).partition("\n\n")[0].split())
    return re.split(r"(?<=[.:;]) (?=[A-Z`“])", text)[0].rstrip(":;")


def page(area: Area) -> str:
    """The page of one area."""
    parts = [f"# {area.title}\n\n{area.introduction.strip()}"]
    for module in area.modules:
        text = paragraphs(opening(module))
        parts.append("\n\n".join(filter(None, (f"## `{module}`", _linked(text, area), *_section(area, module)))))
    return "\n\n".join(parts) + "\n"


def _section(area: Area, module: str) -> Iterator[str]:
    own = described(area, module)
    shown = {one.name for one in own}
    elsewhere = [definition(module, name) for name in names(module) if name not in shown]
    if elsewhere:
        links = ", ".join(f"[`{one.heading}`]({_beside(one, area)})" for one in elsewhere)
        yield f"Found here as well: {links}."
    constants = [one for one in own if not (one.is_class or one.is_function)]
    if constants:
        lines = [(f"`{one.name}`", _code(constant(one.node)), _cell(meaning(one), area)) for one in constants]
        yield rows(("Constant or type", "Is", "Meaning"), lines)
    for one in own:
        if isinstance(one.node, ast.FunctionDef):
            yield "\n\n".join(
                (f"### {one.heading}", _code(signature(one.node)), _linked(paragraphs(one.meaning), area))
            )
        elif one.is_class:
            yield "\n\n".join(_class(one, area))


def _class(one: Definition, area: Area) -> Iterator[str]:
    yield f"### {one.heading}"
    above = [base for base in map(partial(origin, one), one.bases) if base]
    made = constructor(one)
    if made:
        yield _code(signature(made, bound=True, name=one.name))
    elif (call := fields_of(one)) and len(call) <= SHORT:
        yield _code(call)
    if above:
        yield _linked(f"A kind of {', '.join(f'`{base}`' for base in above)}.", area)
    yield _linked(paragraphs(one.meaning), area)
    if made and (said := ast.get_docstring(made)):
        yield _linked(paragraphs(said), area)
    if is_enum(one) and any(values(one)):
        lines = [(f"`{one.name}.{value.name}`", _code(value.type), _cell(value.meaning, area)) for value in values(one)]
        yield rows(("Value", "Is", "Meaning"), lines)
    found = members(one)
    if fields := [member for member in found if not member.call]:
        lines = [(f"`{member.name}`", _type(member), _cell(member.meaning, area)) for member in fields]
        yield rows(("Name", "Type", "Meaning"), lines)
    if methods := [member for member in found if member.call]:
        told = [_method(method, area) for method in methods]
        yield ("\n\n" if any("\n" in one for one in told) else "\n").join(told)  # one kind of list, or it is none


def _method(method: Member, area: Area) -> str:
    first, *others = _linked(paragraphs(method.meaning), area).split("\n")
    return "\n".join([f"- `{method.call}`: {first}", *(f"    {line}" if line else "" for line in others)])


def members(one: Definition) -> tuple[Member, ...]:
    """What a class offers: its own members, and those of bases that are not described themselves.

    One without a docstring means what it means in the class above, or in the protocol that it is an example of.
    """
    found = dict(members_of(one))
    for base in bases(one):
        for name, member in members_of(base).items():
            if name in found:
                if not found[name].meaning:
                    found[name] = replace(found[name], meaning=member.meaning)
            elif (base.module, base.name) not in homes():
                found[name] = member
    held = found.keys() | {name for base in bases(one) for name in members_of(base)}
    for protocol in _protocols():
        promised = members_of(protocol)
        if promised.keys() <= held:
            for name, member in promised.items():
                if name in found and not found[name].meaning:
                    found[name] = replace(found[name], meaning=member.meaning)
    by_hand = {name: text for name in found if (text := introductions.MEANINGS.get(f"{one.name}.{name}"))}
    return tuple(replace(each, meaning=by_hand.get(name, each.meaning)) for name, each in found.items())


@cache
def _protocols() -> tuple[Definition, ...]:
    """The public protocols, which other classes are examples of without saying so."""
    return tuple(one for at in homes() if "Protocol" in (one := definition(*at)).bases)


def origin(one: Definition, base: str) -> str:
    """What a class that is made from another one is called a kind of; nothing where that would not help anybody."""
    if base in ("ABC", "Enum", "Generic", "Protocol"):
        return ""
    try:
        made = definition(one.module, base)
    except TypeError:
        return full_name(one.module, base)
    return base if (made.module, made.name) in homes() else ""


# Links


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def _type(member: Member) -> str:
    """The type of a field, and what it is unless it is given, where that is short."""
    usual = f" = {member.usual}" if member.type and 0 < len(member.usual) <= 20 else ""
    return _code(member.type + usual)


def _cell(text: str, area: Area) -> str:
    return _linked(" ".join(text.split()), area)


def _address(one: Definition, folder: str = "") -> str:
    """Where a public name is described, seen from the page beside it or from above the folder."""
    area, _ = homes()[one.module, one.name]
    heading = one.is_class or one.is_function
    return f"{folder}{area.name}.md" + (f"#{one.name.lower()}" if heading and _alone(area, one.name) else "")


@cache
def _alone(area: Area, name: str) -> bool:
    """Whether a heading is the only one of its name on its page, capitals aside."""
    named = [
        one.name.lower()
        for module in area.modules
        for one in described(area, module)
        if (one.is_class or one.is_function)
    ]
    return named.count(name.lower()) == 1


@cache
def _classes() -> Mapping[str, Definition]:
    """The public classes by name; no two have the same."""
    return {one.name: one for at in homes() if (one := definition(*at)).is_class}


def _linked(text: str, area: Area) -> str:
    """Markdown in which every public class that is named leads to its description."""

    def link(found: re.Match[str]) -> str:
        one = _meant(found[2] or "")
        return f"[`{found[2]}`]({_beside(one, area)})" if one else found[0]

    return re.sub(r"(```.*?```)|`([\w.]+)`", link, text, flags=re.DOTALL)


def _beside(one: Definition, area: Area) -> str:
    """Where a public name is described, seen from the page of an area."""
    address = _address(one)
    return address.removeprefix(f"{area.name}.md") or address


def _meant(text: str) -> Definition | None:
    """The public class that a text names, alone or before one of its members; or any public name by its full one."""
    module, _, name = text.rpartition(".")
    if module in {one for area in AREAS for one in area.modules} and name in names(module):
        return definition(module, name)
    return _classes().get(text.partition(".")[0])
