"""The section [watch] of pbem.toml: where a night leaves its figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pbem.errors import Trouble

KNOWN: Mapping[str, type] = {"metrics": str, "nights": str}
TEMPLATE = """\

[watch]                             # what a night leaves for those who watch; commented out: nothing
# metrics = "/var/lib/prometheus/node-exporter/pbem.prom"   # figures for Prometheus' textfile collector, anew each run
# nights = "nights.jsonl"           # a line of JSON is added for each run that did something
"""


@dataclass(frozen=True, slots=True)
class Watch:
    """What the section says."""

    metrics: Path | None = None
    nights: Path | None = None


def read_section(folder: Path, said: Mapping[str, Any]) -> Watch:
    """The section's values, whose types are checked already."""
    metrics = folder / said["metrics"] if "metrics" in said else None
    if metrics is not None and metrics.suffix != ".prom":
        raise Trouble(f"metrics: {metrics.name} must end in .prom; the collector reads no other files.")
    return Watch(metrics, folder / said["nights"] if "nights" in said else None)
