"""What the build makes besides copying: catalogues as gettext reads them and, where asked for, compiled modules.

Every complete catalogue goes into the wheel compiled. With PBEM_COMPILE=1 in the environment so do the modules that
pyproject.toml lists: mypyc makes C of them, and they stand beside their sources, which are used where they do not fit.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TEMPLATES = "templates"
MYPYC = "mypy[mypyc]==2.4.1"

# A copy is compiled, in which a word is one of the machine. Modules that are not compiled are not judged by that.
WORDS = "engine/words.py"
MACHINE_WORDS = '"""Words as mypyc knows them."""\n\nfrom mypy_extensions import i64 as Word\n\n__all__ = ["Word"]\n'
SETUP = """
import sys
from mypyc.build import mypycify
from setuptools import setup

setup(
    name="pbem",
    ext_modules=mypycify(["--strict", "--follow-imports=silent", *sys.argv[1:]], group_name="pbem", opt_level="3"),
    script_args=["--quiet", "build_ext", "--inplace"],
)
"""


class Made(BuildHookInterface):  # type: ignore[type-arg]
    """All is made anew in a folder of its own: a checkout never holds any that could grow old."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        return [MYPYC] if _is_wanted() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        self.made = Path(tempfile.mkdtemp(prefix="pbem-made-"))
        self._catalogues(build_data["force_include"])
        if _is_wanted():
            self._compiled(build_data["force_include"])
            build_data["pure_python"] = False
            build_data["infer_tag"] = True  # the wheel fits this Python on machines like this one, and no other

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        shutil.rmtree(self.made, ignore_errors=True)

    def _catalogues(self, included: dict[str, str]) -> None:
        for source in sorted((Path(self.root) / TEMPLATES).glob("*/locale/*.po")):
            with source.open("rb") as words:
                catalog = read_po(words, locale=source.stem)
            if _is_complete(catalog):
                where = source.relative_to(Path(self.root)).with_suffix(".mo")
                made = self.made / where
                made.parent.mkdir(parents=True, exist_ok=True)
                with made.open("wb") as out:
                    write_mo(out, catalog)
                included[str(made)] = f"pbem/_data/{where.as_posix()}"

    def _compiled(self, included: dict[str, str]) -> None:
        room = self.made / "compiled"
        left_out = shutil.ignore_patterns("__pycache__", "*.so")
        for folder in ("engine", "games"):
            shutil.copytree(Path(self.root) / folder, room / folder, ignore=left_out)
        (room / WORDS).write_text(MACHINE_WORDS, encoding="utf-8")
        subprocess.run([sys.executable, "-c", SETUP, *self.config["compiled"]], cwd=room, check=True, stdout=sys.stderr)
        for made in [*room.glob("*.so"), *room.glob("games/**/*.so")]:
            included[str(made)] = made.relative_to(room).as_posix()


def _is_wanted() -> bool:
    return os.environ.get("PBEM_COMPILE", "") not in ("", "0")


def _is_complete(catalog: Catalog) -> bool:
    """As `pbem.reports.translating` judges it, which cannot be asked here: the build has only the build's packages."""
    for message in catalog:
        said = message.string if isinstance(message.string, list | tuple) else (message.string,)
        forms = catalog.num_plurals if message.pluralizable else 1
        if message.id and (message.fuzzy or len(said) != forms or not all(said)):
            return False
    return True
