"""With what a night does its work: processes here, or the workers of a cluster; and whom it tells how far it is."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple, Protocol

from pbem.bounded import Pool
from pbem.config import Config
from pbem.delivering import Helpers
from pbem.ledger import Ledger
from pbem.summary import Summary

Tell = Callable[[str, int, int], None]  # what is being done, how many of how many


class Resolver(Protocol):
    """How a night resolves its due games: by worker processes here (`resolve_due`), or by those of a cluster."""

    def __call__(
        self, config: Config, ledger: Ledger, summary: Summary, means: Means, among: Collection[str] | None = None
    ) -> None: ...


class Crew(NamedTuple):
    """The workers of a cluster, to whoever leads a night."""

    resolve: Resolver
    carry: Helpers


class Means(NamedTuple):
    """With what a night does its work, and whom it tells how far it is."""

    jobs: int = 0
    tell: Tell | None = None
    crew: Crew | None = None
    pool: Pool | None = None  # processes that are kept for the next games, too


ALONE = Means(jobs=1)
