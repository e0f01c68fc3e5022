"""Rulings are tried at a host with its post: what the referee says, what is written to each seat."""

from tests.pbem.correspondence.conftest import make_post, post
from tests.pbem.host.conftest import make_host

__all__ = ["make_host", "make_post", "post"]
