"""The small changes: one place of a program's tree is made different, in every way that is worth trying.

Left alone are texts (what is said is looked at by tests of its own), annotations, decorators and what only type
checkers see: a change there is either no change or fails to import.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
RECKONED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
    ast.Pow: ast.Mult,
}  # fmt: skip
Change = Callable[[ast.AST], ast.AST]


@dataclass(frozen=True)
class Mutant:
    """One changed program: the `place`-th node of the file, made different in one way."""

    file: Path
    line: int
    last: int
    place: int
    way: int
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}"

    def tree(self) -> ast.Module:
        """The whole file with this change."""
        return self._changed[0]

    @cached_property
    def name(self) -> tuple[str, str, str]:
        """What it is called when lines have moved: where it is, how the sentence of the program read, and how it
        reads now."""
        _, now, spot = self._changed
        return spot.where, spot.piece, now

    @cached_property
    def _changed(self) -> tuple[ast.Module, str, Spot]:
        tree = ast.parse(self.file.read_bytes())
        for place, spot in enumerate(_spots(tree)):
            if place == self.place:
                spot = spot.with_its_words()
                spot.put(_ways(spot.node)[self.way][1](copy.deepcopy(spot.node)))
                ast.fix_missing_locations(tree)
                return tree, spot.read(), spot
        raise LookupError(f"{self.file} has changed")


def mutants(file: Path) -> Iterator[Mutant]:
    """All of them, from the first line to the last."""
    for place, spot in enumerate(_spots(ast.parse(file.read_bytes()))):
        for way, (what, _) in enumerate(_ways(spot.node)):
            line: int = spot.node.lineno  # type: ignore[attr-defined]
            yield Mutant(file, line, getattr(spot.node, "end_lineno", None) or line, place, way, what)


# --- where ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Spot:
    """A node that may be changed, and how it hangs in the tree."""

    node: ast.AST
    above: tuple[ast.AST, ...]
    field: str
    index: int | None
    piece: str = ""

    @property
    def where(self) -> str:
        """The class and function it stands in."""
        named = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        return ".".join(one.name for one in self.above if isinstance(one, named)) or "the module"

    def put(self, changed: ast.AST) -> None:
        if self.index is None:
            setattr(self.above[-1], self.field, changed)
        else:
            getattr(self.above[-1], self.field)[self.index] = changed

    def read(self) -> str:
        """The sentence of the program that the node belongs to; of a block, its head."""
        whole = [isinstance(one, ast.stmt | ast.match_case) for one in self.above]
        if isinstance(self.node, ast.stmt):
            held = getattr(self.above[-1], self.field)
            sentence = held if self.index is None else held[self.index]
        else:
            sentence = self.above[len(whole) - 1 - whole[::-1].index(True)]
        lines = ast.unparse(sentence).strip().split("\n")
        return next(line for line in lines if not line.startswith("@"))

    def with_its_words(self) -> Spot:
        return Spot(self.node, self.above, self.field, self.index, self.read())


SKIPPED = {"annotation", "returns", "decorator_list", "type_params", "bases", "keywords_of_class"}


def _spots(tree: ast.AST, above: tuple[ast.AST, ...] = ()) -> Iterator[Spot]:
    """Every node that may be changed, with where it hangs."""
    above = (*above, tree)
    for field, value in ast.iter_fields(tree):
        if field in SKIPPED:
            continue
        children = enumerate(value) if isinstance(value, list) else [(None, value)]
        for index, child in children:
            if not isinstance(child, ast.AST) or _is_left_alone(child):
                continue
            yield Spot(child, above, field, index)
            yield from _spots(child, above)


def _is_left_alone(node: ast.AST) -> bool:
    match node:
        case ast.If(test=ast.Name(id="TYPE_CHECKING")) | ast.JoinedStr() | ast.Assert():
            return True
        case ast.keyword(arg="repr"):  # what a value looks like to us
            return True
        case ast.keyword(arg="strict", value=ast.Constant(value=True)):  # a guard against faults of ours
            return True
        case ast.Expr(value=ast.Constant()):  # a docstring, or the dots of a protocol
            return True
        case ast.Assign(targets=[ast.Name(id="__all__" | "__slots__" | "__tablename__")]):
            return True
    return False


# --- what -------------------------------------------------------------------------------------------------------------


def _ways(node: ast.AST) -> list[tuple[str, Change]]:
    """The ways in which a node can be made different, each with its words."""
    match node:
        case ast.Compare(ops=[op, *_]) if type(op) in COMPARED:
            return [(f"compares by {_called(COMPARED[type(op)])} where it was {_called(type(op))}", _compared)]
        case ast.BinOp(op=op) if type(op) in RECKONED and not _is_text(node):
            return [(f"reckons by {_called(RECKONED[type(op)])} where it was {_called(type(op))}", _reckoned)]
        case ast.AugAssign(op=op) if type(op) in RECKONED:
            reckoned = f"reckons by {_called(RECKONED[type(op)])} where it was {_called(type(op))}"
            return [(reckoned, _reckoned), ("does not do it", _nothing)]
        case ast.Constant(value=bool() as value):
            return [(f"{not value} where it was {value}", lambda one: ast.Constant(not one.value))]  # type: ignore[attr-defined]
        case ast.Constant(value=int() as value):
            return [(f"{value + 1} where it was {value}", lambda one: ast.Constant(one.value + 1))]  # type: ignore[attr-defined]
        case ast.BoolOp(op=ast.And()):
            return [("or where it was and", lambda one: ast.BoolOp(ast.Or(), one.values))]  # type: ignore[attr-defined]
        case ast.BoolOp(op=ast.Or()):
            return [("and where it was or", lambda one: ast.BoolOp(ast.And(), one.values))]  # type: ignore[attr-defined]
        case ast.UnaryOp(op=ast.Not()):
            return [("without its not", lambda one: one.operand)]
        case ast.If() | ast.IfExp() | ast.While():
            return [("the other way round", _turned)] if not isinstance(node.test, ast.Compare | ast.BoolOp) else []
        case ast.Return(value=ast.Constant(value=None | True | False)):
            return []  # nothing, or what is tried as a value
        case ast.Return(value=ast.expr()):
            return [("gives None", lambda one: ast.Return(ast.Constant(None)))]
        case ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom() | ast.Await()):
            return [("does not do it", _nothing)]
        case ast.Raise() | ast.Continue() | ast.Break() | ast.Delete():
            return [("does not do it", _nothing)]
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            return [("does not do it", _nothing)]
    return []


def _is_text(node: ast.BinOp) -> bool:
    return any(
        isinstance(side, ast.JoinedStr | ast.Constant) and not _is_number(side) for side in (node.left, node.right)
    )


def _is_number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


def _called(kind: type[ast.AST]) -> str:
    return kind.__name__


def _compared(node: ast.AST) -> ast.AST:
    assert isinstance(node, ast.Compare)
    node.ops[0] = COMPARED[type(node.ops[0])]()
    return node


def _reckoned(node: ast.AST) -> ast.AST:
    assert isinstance(node, ast.BinOp | ast.AugAssign)
    node.op = RECKONED[type(node.op)]()
    return node


def _turned(node: ast.AST) -> ast.AST:
    assert isinstance(node, ast.If | ast.IfExp | ast.While)
    node.test = ast.UnaryOp(ast.Not(), node.test)
    return node


def _nothing(node: ast.AST) -> ast.AST:
    return ast.Pass()
