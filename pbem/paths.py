"""Where the program's own data lie: in the checkout when there is one, else in the wheel's copy."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def data(name: str) -> Path:
    """The folder `templates` or `cron`."""
    package = Path(__file__).resolve().parent
    checkout = package.parent
    if (checkout / "pyproject.toml").is_file() and (checkout / name).is_dir():
        return checkout / name
    return package / "_data" / name
