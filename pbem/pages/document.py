"""A page as one HTML file that asks for nothing from outside and lets nothing run but the one script it names.

Its policy names script and style by their hashes, so that a text which breaks out of its place would still do nothing.
What the script shows stands in a block of JSON, where no tag can begin or end that matters to a script.
"""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64encode
from functools import cache
from typing import Any

from markupsafe import Markup

from pbem.paths import data
from pbem.reports import environment, plain

FOLDER = "page"


def document(
    name: str,
    lang: str,
    *,
    script: str = "",
    style: str = "page.css",
    folder: str = FOLDER,
    pictures: bool = False,
    **context: Any,
) -> str:
    """The template of that name, filled in; with `script` the file of that name runs in it, with `pictures` it may show
    such as stand in it as data."""
    looks, code = _file(folder, style), _file(folder, script) if script else ""
    template = environment.environment(lang, html=True).get_template(f"{folder}/{name}")
    policy = _policy(code, looks) + ("; img-src data:" if pictures else "")
    filled = template.render(block=block, lang=lang, policy=policy, style=Markup(looks), runs=_running(code), **context)
    return plain.clean(filled) + "\n"


def inside(value: Any) -> Markup:
    """JSON for a script block: nothing in it can end the block, or begin another or a comment."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return Markup(_opening.sub(r"\\u003c", text.replace("</", "<\\/")))


def block(name: str, value: Any) -> Markup:
    """A block of JSON by that name. No template holds an element that runs: the few there are come from here."""
    return Markup('<script type="application/json" id="{}">{}</script>').format(name, inside(value))


def _running(code: str) -> Markup:
    """The one script of the page; its bytes are those that the policy names."""
    return Markup("<script>") + Markup(code) + Markup("</script>")


_opening = re.compile("<(?=!|script)", re.IGNORECASE)


def _policy(script: str, style: str) -> str:
    parts = ["default-src 'none'", f"style-src {_named(style)}", "base-uri 'none'", "form-action 'none'"]
    return "; ".join([*parts, f"script-src {_named(script)}" if script else "script-src 'none'"])


def _named(text: str) -> str:
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cache
def _file(folder: str, name: str) -> str:
    """A file of the program's own. It stands between tags to the byte, so its hash is the hash of what is there."""
    return (data("templates") / folder / name).read_text("utf-8")
