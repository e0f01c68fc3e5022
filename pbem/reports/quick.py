"""Calls from templates made short: a page is made of hundreds of them, and Jinja asks each for far more than it needs.

What is called from our templates are macros and words to be translated. Neither takes the context, and each
environment escapes everywhere or nowhere, so both can be called directly.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from gettext import NullTranslations
from types import BuiltinMethodType, FunctionType
from typing import Any

from jinja2 import Environment, Template, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.environment import TemplateModule
from jinja2.runtime import Context, Macro
from markupsafe import Markup, escape

Says = Callable[..., str]


_methods = frozenset(dir(dict))


class QuickEnvironment(Environment):
    """An environment that finds the facts of a view at once: they are mappings, and `facts.name` is mostly an item.

    Jinja looks for an attribute first and gets there by way of an exception. What it would find is the same.
    """

    def getattr(self, obj: Any, attribute: str) -> Any:
        if type(obj) is not dict or attribute in _methods:
            try:
                return getattr(obj, attribute)
            except AttributeError:
                pass
        elif attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)


class QuickTemplate(Template):
    """A template that others take macros from. Jinja looks each time for globals that one template has and another has
    not; here all have those of their environment."""

    def _get_default_module(self, ctx: Context | None = None) -> TemplateModule:
        return super()._get_default_module(None)


def _is_met(macro: Macro, given: tuple[Any, ...]) -> bool:
    """Whether a macro is given all it asks for, and no more; then Jinja would hand it on as it is."""
    return len(given) == macro._argument_count and not (macro.caller or macro.catch_kwargs or macro.catch_varargs)


_DIRECT = (Macro, BuiltinMethodType)  # what asks for nothing of a context


class QuickContext(Context):
    """A context that calls macros, plain functions and what is built in at once, and leaves all else to Jinja."""

    def call(__self, __obj: Any, /, *args: Any, **kwargs: Any) -> Any:
        kind = type(__obj)
        if kind in _DIRECT or (kind is FunctionType and not hasattr(__obj, "jinja_pass_arg")):
            if kwargs:
                kwargs.pop("_loop_vars", None)
                kwargs.pop("_block_vars", None)
            if kind is Macro and not kwargs and _is_met(__obj, args):
                said = __obj._func(*args)
                return str.__new__(Markup, said) if __obj._default_autoescape else said
            return __obj(*args, **kwargs)
        return super().call(__obj, *args, **kwargs)


class QuickCode(CodeGenerator):
    """Code that escapes as Jinja's does, but does not wrap again what is markup already; and that takes the facts of a
    view out of their mappings itself. What it does not find there the environment looks for."""

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:
        if node.attr in _methods:
            super().visit_Getattr(node, frame)
            return
        name = repr(node.attr)
        self.write(f"(_of[{name}] if type(_of := ")
        self.visit(node.node, frame)
        self.write(f") is dict and {name} in _of else environment.getattr(_of, {name}))")

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.autoescape and not frame.eval_ctx.volatile and finalize.src is None:
            self.write("environment.escaped(")
        else:
            super()._output_child_pre(node, frame, finalize)


def tenths(value: float) -> str:
    """A number of a drawing: one digit after the point, and none where it is 0."""
    return f"{value:.1f}".removesuffix(".0")


_special = re.compile("[&<>\"']").search


def escaped(value: Any) -> str:
    kind = type(value)
    if kind is Markup or (kind is str and not _special(value)):
        return value  # type: ignore[no-any-return]
    return str(value) if kind is int else escape(value)


def spoken(translations: NullTranslations, html: bool) -> dict[str, Says]:
    """`_`, `gettext` and `ngettext` for templates: the message in the language, its `%(names)s` filled in; and
    `pgettext("fact", word)`, a word that is computed, such as a seat's name, where the game has it in that language.

    In HTML the messages are ours, and what they are filled with is escaped.
    """
    fill = _escaped if html else _filled
    one, many = translations.gettext, translations.ngettext
    known: dict[str, str] = {}

    def gettext(message: str, /, **facts: Any) -> str:
        if facts:
            return fill(one(message), facts)
        if message not in known:
            known[message] = fill(one(message), facts)
        return known[message]

    def ngettext(single: str, plural: str, num: int, /, **facts: Any) -> str:
        return fill(many(single, plural, num), {"num": num, **facts})

    return {"_": gettext, "gettext": gettext, "ngettext": ngettext, "pgettext": translations.pgettext}


def _filled(message: str, facts: dict[str, Any]) -> str:
    return message % facts


def _escaped(message: str, facts: dict[str, Any]) -> str:
    # An escaped text is a Markup, which would escape what it is filled into: plain texts are filled, then marked once.
    return Markup(message % {name: _safe(fact) for name, fact in facts.items()})


def _safe(fact: Any) -> Any:
    return fact if type(fact) is int else str.__str__(escaped(fact))
