"""Slips in pbem.toml, each told with the line it stands on."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from pbem.errors import Trouble

_header = re.compile(r"\s*\[+\s*([^\]\s]+)\s*\]")
_key = re.compile(r"""\s*["']?([\w-]+)["']?\s*=""")


class Written(NamedTuple):
    """The file as somebody wrote it."""

    path: Path
    text: str

    def slip(self, words: str, section: str, key: str = "") -> Trouble:
        """What is wrong with that key, or with the section itself; without a line where it is left out."""
        line = self.line(section, key)
        return Trouble(f"{self.path}, line {line}: {words}" if line else f"{self.path}: {words}")

    def line(self, section: str, key: str = "") -> int | None:
        """Where the key of the section stands, counted from 1; a key above the first section is in one of no name."""
        here = ""
        for number, line in enumerate(self.text.splitlines(), start=1):
            if header := _header.match(line):
                here = header[1]
                if here == section and not key:
                    return number
            elif key and here == section and (found := _key.match(line)) and found[1] == key:
                return number
        return None
