"""The templates of a game by themselves, as text and as HTML: what they say needs no host."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from pbem.reports.quick import tenths

TEMPLATES = Path(__file__).parents[2] / "templates"


def environment(html):
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=html,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
    )
    made.install_null_translations(newstyle=True)
    made.globals["tenths"] = tenths
    return made


ENVIRONMENTS = {html: environment(html) for html in (False, True)}


def template(name, html=False):
    return ENVIRONMENTS[html].get_template(name)
