"""Whole numbers that fit into a machine word.

Here they are whole numbers like all others. A compiled build takes them for machine words (`hatch_build.py`), which
wrap around: so nothing is of this kind that might need more than 62 bits, such as what a player writes.
"""

from __future__ import annotations

Word = int
