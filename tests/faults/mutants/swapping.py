"""A mutant in a program that is loaded already: the functions it changes get their new code.

That is sound for what stands in functions and has not run yet. What runs when a file is imported (constants, classes,
defaults, and functions called then) is baked in; such a mutant needs a process that imports the changed file.
"""

from __future__ import annotations

import gc
import inspect
from collections.abc import Iterable, Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from tests.faults.mutants.changes import Mutant

Place = tuple[str, str, int]  # file, qualified name, first line
Functions = dict[Place, list[FunctionType]]


def functions(files: Iterable[Path]) -> Functions:
    """All functions of these files that there are now."""
    wanted, found = {str(file) for file in files}, Functions()
    for one in gc.get_objects():
        if isinstance(one, FunctionType) and one.__code__.co_filename in wanted:
            found.setdefault(_place(one.__code__), []).append(one)
    return found


def changed(mutant: Mutant) -> list[tuple[CodeType, CodeType]] | None:
    """The functions it changes, as they were and as they are; None when it changes what is run at import."""
    before = compile(mutant.file.read_bytes(), str(mutant.file), "exec", dont_inherit=True)
    after = compile(mutant.tree(), str(mutant.file), "exec", dont_inherit=True)
    try:
        return list(_changed(before, after))
    except _AtImport:
        return None


class _AtImport(Exception):
    """The change stands outside of functions."""


def _changed(before: CodeType, after: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    if before == after:
        return
    if before.co_flags & inspect.CO_OPTIMIZED:
        yield before, after
        return
    inner, outer = _inside(before), _inside(after)
    same = before.co_code == after.co_code and before.co_names == after.co_names and len(inner) == len(outer)
    if not same or _plain(before) != _plain(after):
        raise _AtImport
    for old, new in zip(inner, outer, strict=True):
        yield from _changed(old, new)


def _inside(code: CodeType) -> list[CodeType]:
    return [one for one in code.co_consts if isinstance(one, CodeType)]


def _plain(code: CodeType) -> list[str]:
    return [repr(one) for one in code.co_consts if not isinstance(one, CodeType)]


def lines(code: CodeType) -> set[int]:
    """The lines of a function's body, without that of its head."""
    own = {line for _, _, line in code.co_lines() if line is not None and line > code.co_firstlineno}
    return own.union(*(lines(one) for one in _inside(code)))


def can_swap(codes: Iterable[tuple[CodeType, CodeType]], known: Functions) -> bool:
    """Whether the functions are there, and close over as many names as before."""
    return all(_place(old) in known and len(old.co_freevars) == len(new.co_freevars) for old, new in codes)


def swap(codes: Iterable[tuple[CodeType, CodeType]], known: Functions) -> None:
    """Give the functions their new code."""
    for old, new in codes:
        for function in known[_place(old)]:
            function.__code__ = new


def put_before_import(mutant: Mutant) -> list[str]:
    """The changed file in place of the real one when it is imported; the list is filled then."""
    imported: list[str] = []
    real, code = SourceFileLoader.get_code, compile(mutant.tree(), str(mutant.file), "exec", dont_inherit=True)

    def get_code(loader: SourceFileLoader, name: str) -> Any:
        if loader.path != str(mutant.file):
            return real(loader, name)
        imported.append(name)
        return code

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]
    return imported


def _place(code: CodeType) -> Place:
    return code.co_filename, code.co_qualname, code.co_firstlineno
