"""What the sources say: public names, their signatures, their members and their docstrings.

Docstrings of fields and constants stand below them, where no running program sees them, so all of it is read from the
files. A name that a module has from another one is followed to where it was made.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Final

OWN: Final = __name__.partition(".")[0]
ROOT: Final = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Member:
    """A field, property or method of a class: how it is used, its type, and what it means."""

    use: str
    type: str
    meaning: str
    call: str = ""
    """A method with the types of its arguments and of what it gives; nothing for others."""
    usual: str = ""
    """What a field is unless it is given."""

    @property
    def name(self) -> str:
        return self.use.partition("(")[0]


@dataclass(frozen=True, slots=True)
class Definition:
    """A public name: where it was made, and by what."""

    name: str
    module: str
    node: ast.stmt
    meaning: str

    @property
    def is_class(self) -> bool:
        return isinstance(self.node, ast.ClassDef)

    @property
    def is_function(self) -> bool:
        return isinstance(self.node, ast.FunctionDef)

    @property
    def body(self) -> list[ast.stmt]:
        """The body of a class; nothing for others."""
        return self.node.body if isinstance(self.node, ast.ClassDef) else []

    @property
    def bases(self) -> tuple[str, ...]:
        """The names of the classes that a class is made from."""
        return tuple(ast.unparse(base).partition("[")[0] for base in getattr(self.node, "bases", ()))

    @property
    def heading(self) -> str:
        """The name, as a page names it: functions with brackets."""
        return f"{self.name}()" if self.is_function else self.name


# Modules


@cache
def tree_of(module: str) -> ast.Module:
    """The source of a module, by its full name."""
    path = ROOT.joinpath(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return ast.parse(file.read_text("utf-8"))


def public(module: str) -> tuple[str, ...]:
    """The public names of a module: those in `__all__`, or else all that it defines without an underscore, in order."""
    body = tree_of(module).body
    for node in body:
        match node:
            case ast.Assign([ast.Name("__all__")], ast.List(names)):
                return tuple(ast.literal_eval(name) for name in names)
    return tuple(name for name in _defined(body) if not name.startswith("_"))


def lists(module: str) -> bool:
    """Whether a module says itself what is public of it."""
    assigned = (node.targets for node in tree_of(module).body if isinstance(node, ast.Assign))
    return any(ast.unparse(targets[0]) == "__all__" for targets in assigned)


def opening(module: str) -> str:
    """What a module says of itself."""
    return ast.get_docstring(tree_of(module)) or ""


@cache
def definition(module: str, name: str) -> Definition:
    """Where a name that a module has was made, and how."""
    body = tree_of(module).body
    if name in (found := _defined(body)):
        node, following = found[name]
        meaning = _below(following)
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            meaning = ast.get_docstring(node) or ""
        return Definition(name, module, node, meaning)
    for node in (*body, *_for_type_checkers(body)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] == OWN:
            for alias in node.names:
                if name == (alias.asname or alias.name):
                    return definition(node.module, alias.name)
    raise TypeError(f"{module} has no {name}")


def _for_type_checkers(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """What only type checkers read: what a module has that it imports when it is asked for."""
    for node in body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            yield from node.body


def full_name(module: str, name: str) -> str:
    """What another package calls something that a module imports from it; what is built in has no longer name."""
    for node in tree_of(module).body:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if name == (alias.asname or alias.name):
                    return f"{node.module}.{alias.name}"
    return name


def _defined(body: list[ast.stmt]) -> dict[str, tuple[ast.stmt, ast.stmt | None]]:
    """What is defined here, by name; of overloads the last one, which is the function. With it what stands below."""
    found: dict[str, tuple[ast.stmt, ast.stmt | None]] = {}
    for node, following in zip(body, [*body[1:], None], strict=True):
        match node:
            case ast.ClassDef(name) | ast.FunctionDef(name):
                found[name] = node, following
            case ast.AnnAssign(ast.Name(name)) | ast.Assign([ast.Name(name)]) if not name.startswith("__"):
                if not _is_type_variable(node):
                    found[name] = node, following
    return found


def _is_type_variable(node: ast.AnnAssign | ast.Assign) -> bool:
    return isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "TypeVar"


def _below(node: ast.stmt | None) -> str:
    """The docstring below a field or a constant."""
    match node:
        case ast.Expr(ast.Constant(str(text))):
            return inspect.cleandoc(text)
    return ""


# Classes


def members(cls: type) -> dict[str, Member]:
    """The public members that a class defines itself, by name, in the order of its source."""
    body: list[ast.stmt] = _tree(sys.modules[cls.__module__].__file__ or "").body
    for name in cls.__qualname__.split("."):
        found = next((node for node in body if isinstance(node, ast.ClassDef) and node.name == name), None)
        if found is None:
            raise TypeError(f"{cls.__name__} has no class statement of its own")
        body = found.body
    return dict(_members(body))


@cache
def _tree(file: str) -> ast.Module:
    return ast.parse(Path(file).read_text("utf-8"))


def members_of(found: Definition) -> dict[str, Member]:
    """The public members of a class that is known by its source alone, by name."""
    return dict(_members(found.body))


def bases(found: Definition) -> Iterator[Definition]:
    """The classes of this package that a class is made from, the nearest first."""
    for base in found.bases:
        try:
            made = definition(found.module, base)
        except TypeError:
            continue
        yield made
        yield from bases(made)


def constructor(found: Definition) -> ast.FunctionDef | None:
    """How a class is made, if it says so itself."""
    functions = (node for node in found.body if isinstance(node, ast.FunctionDef))
    return next((node for node in functions if node.name == "__init__"), None)


def fields_of(found: Definition) -> str:
    """How a dataclass is made: its name with its fields, their types and what they are unless they are given."""
    marks = [ast.unparse(mark).partition("(")[0] for mark in getattr(found.node, "decorator_list", ())]
    if not {"dataclass", "frozen"} & set(marks):
        return ""
    own = [node for node in found.body if isinstance(node, ast.AnnAssign) and "ClassVar" not in ast.unparse(node)]
    parts = [f"{ast.unparse(one.target)}: {ast.unparse(one.annotation)}" + _given(one) for one in own]
    return f"{found.name}({', '.join(parts)})"


def _given(node: ast.AnnAssign) -> str:
    return f" = {ast.unparse(node.value)}" if node.value else ""


def is_enum(found: Definition) -> bool:
    """Whether a class is an enumeration, so that its members are values."""
    return "Enum" in found.bases


def values(found: Definition) -> Iterator[Member]:
    """The values of an enumeration."""
    for name, (node, following) in _defined(found.body).items():
        if isinstance(node, ast.Assign):
            yield Member(name, ast.unparse(node.value), _below(following))


def _members(body: list[ast.stmt]) -> Iterator[tuple[str, Member]]:
    for node, following in zip(body, [*body[1:], None], strict=True):
        match node:
            case ast.If(ast.Name("TYPE_CHECKING")):
                yield from _members(node.body)
            case ast.FunctionDef("__init__"):
                yield from _made(node)
            case ast.FunctionDef(name) if not name.startswith("_"):
                meaning, gives = ast.get_docstring(node) or "", ast.unparse(node.returns) if node.returns else ""
                if _is_marked(node, "property"):
                    yield name, Member(name, gives, meaning)
                else:
                    yield (
                        name,
                        Member(f"{name}({', '.join(_names(node))})", gives, meaning, signature(node, bound=True)),
                    )
            case ast.AnnAssign(ast.Name(name), annotation) if not name.startswith("_"):
                usual = ast.unparse(node.value) if node.value else ""
                yield name, Member(name, _plain_type(annotation, node.value), _below(following), usual=usual)


def _made(node: ast.FunctionDef) -> Iterator[tuple[str, Member]]:
    """What `__init__` sets and says something about."""
    for inner, following in zip(node.body, [*node.body[1:], None], strict=True):
        match inner:
            case ast.Assign([ast.Attribute(ast.Name("self"), name)]) if not name.startswith("_") and _below(following):
                yield name, Member(name, "", _below(following))
            case ast.AnnAssign(ast.Attribute(ast.Name("self"), name), annotation) if not name.startswith("_"):
                yield name, Member(name, ast.unparse(annotation), _below(following))


def _plain_type(annotation: ast.expr, value: ast.expr | None) -> str:
    """A type as readers need it: what `Final` and `ClassVar` are about, and that of a constant that has none."""
    text = ast.unparse(annotation)
    if text == "Final":
        return type(value.value).__name__ if isinstance(value, ast.Constant) else ""
    inner = text.partition("[")
    return inner[2].removesuffix("]") if inner[0] in ("ClassVar", "Final") else text


def _is_marked(node: ast.FunctionDef, mark: str) -> bool:
    return any(ast.unparse(one) == mark for one in node.decorator_list)


def _names(node: ast.FunctionDef) -> list[str]:
    return [argument.arg for argument in (*node.args.args[1:], *node.args.kwonlyargs)]


def signature(node: ast.FunctionDef, *, bound: bool = False, name: str = "") -> str:
    """A function with the types of its arguments and of what it gives; of a method, without what it is called on."""
    gives = ast.unparse(node.returns) if node.returns and not name else ""
    skipped = int(bound and not _is_marked(node, "staticmethod"))
    arguments = ", ".join([*_arguments(node.args)][skipped:])
    return f"{name or node.name}({arguments})" + (f" -> {gives}" if gives else "")


def _arguments(found: ast.arguments) -> Iterator[str]:
    positional = [*found.posonlyargs, *found.args]
    usual = [None] * (len(positional) - len(found.defaults)) + found.defaults
    yield from map(_argument, positional, usual)
    if found.vararg:
        yield f"*{_argument(found.vararg, None)}"
    elif found.kwonlyargs:
        yield "*"
    yield from map(_argument, found.kwonlyargs, found.kw_defaults)
    if found.kwarg:
        yield f"**{_argument(found.kwarg, None)}"


def _argument(found: ast.arg, usual: ast.expr | None) -> str:
    text = ast.unparse(found)
    if usual is None:
        return text
    return f"{text} = {ast.unparse(usual)}" if found.annotation else f"{text}={ast.unparse(usual)}"


def constant(node: ast.stmt) -> str:
    """A constant or the name of a type as it is written, where that is short enough to say something."""
    match node:
        case ast.AnnAssign(value=ast.expr() as value) | ast.Assign(value=value):
            text = ast.unparse(value)
            return text if len(text) <= 60 else ""
    return ""


# Docstrings as Markdown


def paragraphs(text: str) -> str:
    """A docstring as Markdown: sessions of Python become blocks of code, the rest stands as it is."""
    made: list[str] = []
    for part in text.split("\n\n"):
        if part.lstrip().startswith(">>>"):
            if made and made[-1].startswith("```"):
                made[-1] = made[-1].removesuffix("\n\n```") + f"\n\n{part}\n\n```"
            else:
                made.append(f"```python\n{part}\n\n```")
        elif part:
            made.append(part if part.startswith("    ") else " ".join(part.split()))
    return "\n\n".join(made)


def rows(head: tuple[str, ...], found: Iterable[tuple[str, ...]]) -> str:
    """A table."""
    lines = (head, ("---",) * len(head), *(map(_cell, line) for line in found))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(text: str) -> str:
    """The cell of a table. Readers of Markdown agree about a bar in code only if both are written as HTML."""

    def as_html(found: re.Match[str]) -> str:
        return f"<code>{escape(found[1])}</code>" if "|" in found[1] else found[0]

    return re.sub(r"`([^`]+)`", as_html, text).replace("|", "&#124;")
