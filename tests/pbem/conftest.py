"""A ledger of one's own, on a real disk."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.ledger.store import Ledger
from tests.pbem import hosted


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    ledger = Ledger.create(tmp_path / "ledger.db", secret=hosted.key("host"))
    yield ledger
    ledger.close()
