"""Whole hosts, made as the tests of the host make them."""

from tests.pbem.host.conftest import host, make_host

__all__ = ["host", "make_host"]
