"""The games' own tests. What a shared vector expects is shown in full where it fails."""

import pytest

pytest.register_assert_rewrite("tests.games.vectors")
