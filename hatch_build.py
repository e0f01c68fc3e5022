"""The step of the build that compiles catalogues: every complete one goes into the wheel as gettext reads it."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TEMPLATES = "templates"


class Catalogues(BuildHookInterface):  # type: ignore[type-arg]
    """Compiled catalogues are made anew in a folder of their own: a checkout never holds any that could grow old."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        self.made = Path(tempfile.mkdtemp(prefix="pbem-catalogues-"))
        for source in sorted((Path(self.root) / TEMPLATES).glob("*/locale/*.po")):
            with source.open("rb") as words:
                catalog = read_po(words, locale=source.stem)
            if _is_complete(catalog):
                where = source.relative_to(Path(self.root)).with_suffix(".mo")
                made = self.made / where
                made.parent.mkdir(parents=True, exist_ok=True)
                with made.open("wb") as out:
                    write_mo(out, catalog)
                build_data["force_include"][str(made)] = f"pbem/_data/{where.as_posix()}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        shutil.rmtree(self.made, ignore_errors=True)


def _is_complete(catalog: Catalog) -> bool:
    """As `pbem.reports.translating` judges it, which cannot be asked here: the build has only the build's packages."""
    for message in catalog:
        said = message.string if isinstance(message.string, list | tuple) else (message.string,)
        forms = catalog.num_plurals if message.pluralizable else 1
        if message.id and (message.fuzzy or len(said) != forms or not all(said)):
            return False
    return True
