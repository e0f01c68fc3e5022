"""All that is said: every message of the templates and of the program, found in the sources.

Templates are read as Jinja reads them. In Python, what is given to `says` and its like is a message, and so is every
sentence in a module that answers players: those are too many kinds of calls to name them all, and a sentence that is
found in vain costs a translator a minute, while one that is missed stays English in a French letter.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment

from pbem.reports.translating import FACT, NAME
from tests.pbem.languages import names

ROOT = Path(__file__).parents[3]
TEMPLATES = ROOT / "templates"
FRAME = "frame"
CALLS = {"says", "_", "gettext"}
ANSWERS = re.compile(r"\b(Refusal|Notice|Problem|problem|Fault)\(")
INNER = ("pbem/agreed/drawing.py", "pbem/attending/absences.py", "pbem/correspondence", "pbem/deadlines/reminding.py",
         "pbem/game/retelling.py", "pbem/intake", "pbem/messages.py", "pbem/people/gathering.py",
         "pbem/people/handing_over.py", "pbem/people/substituting.py", "pbem/post/digest.py", "pbem/post/telling.py",
         "pbem/reports", "pbem/seeding/answering.py", "pbem/seeding/asking.py", "pbem/submitting",
         "engine")  # fmt: skip
QUIET = (
    "engine/players", "engine/boards", "engine/options.py", "engine/registry.py", "pbem/intake/mail/child.py",
    "pbem/intake/plain.py",
)  # fmt: skip  # these speak to hosts and programmers, not to players
SENTENCE = re.compile(r"[A-Za-z{`\"(%].*\s.*[.:?!)]|\{why\}", re.DOTALL)
PAIRS = {"addresses.py", "joining.py", "unproven.py"}
SHORT = re.compile(r"[A-Za-z].*\s.*")


class Found(NamedTuple):
    """A message: where it stands first, its words, its plural, and its context."""

    where: str
    line: int
    single: str
    plural: str = ""
    context: str = ""


def folders() -> list[str]:
    """The folders that have words of their own: the frame's and those of our games."""
    return [FRAME, *sorted(path.parent.name for path in TEMPLATES.glob("*/events.j2"))]


def messages(folder: str) -> list[Found]:
    """The messages of a folder of templates, each once, in the order of the sources."""
    found: dict[tuple[str, str], Found] = {}
    for one in (*_templates(folder), *_programs(folder), *_names(folder)):
        key = (one.context, one.single)
        if key not in found or (one.plural and not found[key].plural):
            found[key] = one
    return list(found.values())


def _names(folder: str) -> Iterator[Found]:
    where = str(Path(names.__file__).relative_to(ROOT))
    yield from (Found(where, 0, word, "", NAME) for word in names.NAMES.get(folder, ()))
    yield from (Found(where, 0, word, "", FACT) for word in names.FACTS.get(folder, ()))


def _templates(folder: str) -> Iterator[Found]:
    jinja = Environment(extensions=["jinja2.ext.i18n"], trim_blocks=True, lstrip_blocks=True)
    for path in _pages(folder):
        where = str(path.relative_to(ROOT))
        for line, call, said in jinja.extract_translations(path.read_text("utf-8")):  # type: ignore[attr-defined]
            if call == "pgettext":
                continue  # a word that is computed; `names` has it
            if isinstance(said, tuple):
                yield Found(where, line, said[0], said[1])
            else:
                yield Found(where, line, said)


def _pages(folder: str) -> list[Path]:
    """The templates of a folder. The frame's words are those of every folder that no game owns."""
    if folder != FRAME:
        return sorted((TEMPLATES / folder).glob("*.j2"))
    return [path for path in sorted(TEMPLATES.glob("*/*.j2")) if not (path.parent / "events.j2").is_file()]


def _programs(folder: str) -> Iterator[Found]:
    for path in _modules(folder):
        text = path.read_text("utf-8")
        where, tree = str(path.relative_to(ROOT)), ast.parse(text)
        yield from _called(where, tree)
        if ANSWERS.search(text) or (folder != FRAME and "Refusal" in text):
            yield from _sentences(where, tree)
        yield from _framed(where, tree)
        if path.name in PAIRS:
            yield from _paired(where, tree)


def _in_order(tree: ast.Module) -> list[ast.AST]:
    return sorted(ast.walk(tree), key=lambda node: (getattr(node, "lineno", 0), getattr(node, "col_offset", 0)))


def _called(where: str, tree: ast.Module) -> Iterator[Found]:
    """What is given to a call that translates."""
    for node in _in_order(tree):
        if isinstance(node, ast.Call) and node.args:
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            said = node.args[0]
            if name in CALLS and isinstance(said, ast.Constant) and isinstance(said.value, str):
                yield Found(where, said.lineno, said.value)


def _sentences(where: str, tree: ast.Module) -> Iterator[Found]:
    unsaid = _unsaid(tree)
    for node in _in_order(tree):
        if isinstance(node, ast.Constant) and id(node) not in unsaid and _is_sentence(node.value):
            yield Found(where, node.lineno, node.value)


def _paired(where: str, tree: ast.Module) -> Iterator[Found]:
    """The subjects and texts of mails that stand as pairs in a module, to be translated where they are written."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple):
            for item in node.value.elts:
                if isinstance(item, ast.Constant) and isinstance(item.value, str) and SHORT.fullmatch(item.value):
                    yield Found(where, item.lineno, item.value)


def _framed(where: str, tree: ast.Module) -> Iterator[Found]:
    """Sentences that a function of the module puts the same words around: `f"{{action}}: {why}."`, `f"No: {why}."`."""
    for frame, call, given in _framings(tree):
        for one in [given] if isinstance(given, ast.Constant) else _assigned(tree, call):
            parts = (str(part.value) if isinstance(part, ast.Constant) else str(one.value) for part in frame.values)
            yield Found(where, one.lineno, "".join(parts))


def _framings(tree: ast.Module) -> Iterator[tuple[ast.JoinedStr, ast.Call, ast.expr]]:
    """Every call of such a function: the words around, the call, and what it is given to put between them."""
    for maker in ast.walk(tree):
        if not isinstance(maker, ast.FunctionDef):
            continue
        names = [argument.arg for argument in maker.args.args]
        for frame in ast.walk(maker):
            if isinstance(frame, ast.JoinedStr) and _is_frame(frame) and (hole := _hole(frame)) in names:
                for call in ast.walk(tree):
                    if isinstance(call, ast.Call) and getattr(call.func, "id", "") == maker.name:
                        yield frame, call, call.args[names.index(hole)]


def _hole(frame: ast.JoinedStr) -> str:
    """The first name that is filled in."""
    holes = [part.value for part in frame.values if isinstance(part, ast.FormattedValue)]
    return next((hole.id for hole in holes if isinstance(hole, ast.Name)), "")


def _is_frame(frame: ast.JoinedStr) -> bool:
    """Whether it begins with a name that is filled in later, or is `words: {why}.`, which takes one thing only."""
    ends = [str(getattr(frame.values[at], "value", "")) for at in (0, -1)]
    return "{" in ends[0] or (len(frame.values) == 3 and ends[0].endswith(": ") and ends[1] == ".")


def _assigned(tree: ast.Module, call: ast.Call) -> list[ast.Constant]:
    """The text that was given a name last before the call."""
    lines = [node.value for node in ast.walk(tree) if isinstance(node, ast.Assign) and node.lineno < call.lineno
             and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)]  # fmt: skip
    return sorted(lines, key=lambda node: node.lineno)[-1:]


def _modules(folder: str) -> list[Path]:
    if folder != FRAME:
        return sorted((ROOT / "games" / folder.replace("-", "_")).rglob("*.py"))
    places = [ROOT / place for place in INNER]
    found = [path for place in places for path in (sorted(place.rglob("*.py")) if place.is_dir() else [place])]
    return [path for path in found if not str(path.relative_to(ROOT)).startswith(QUIET)]


def _is_sentence(value: object) -> bool:
    return isinstance(value, str) and bool(SENTENCE.fullmatch(value))


def _unsaid(tree: ast.Module) -> set[int]:
    """Texts that no player reads: docstrings, parts of f-strings or of frames, and what is raised or asserted."""
    found = {id(given) for _, _, given in _framings(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            found.add(id(node.value))
        elif isinstance(node, ast.JoinedStr | ast.Assert) or (isinstance(node, ast.Raise) and not _answers(node)):
            found |= {id(inner) for inner in ast.walk(node)}
    return found


def _answers(node: ast.Raise) -> bool:
    """Whether what is raised is an answer to a player: it carries a code or a paragraph besides its words."""
    return isinstance(node.exc, ast.Call) and len(node.exc.args) + len(node.exc.keywords) > 1
