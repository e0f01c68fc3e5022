"""The section [site] of pbem.toml: in which language the site speaks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from pbem.settings import one_of

LANGUAGES = ("en", "fr", "it")
KNOWN: Mapping[str, type] = {"lang": str}
TEMPLATE = """\

[site]                              # what `pbem site` writes
lang = "en"                         # en, fr or it; the rules of each game are there in all of them
"""


class Site(NamedTuple):
    """What the section says."""

    lang: str = "en"


def read_section(said: Mapping[str, Any]) -> Site:
    """The section's values, whose types are checked already."""
    return Site(one_of("lang", said.get("lang", "en"), LANGUAGES))
