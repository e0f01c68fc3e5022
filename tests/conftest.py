"""What all tests share: the sample games are installed, and generated examples are the same in every run."""

import os
import sys
from pathlib import Path

from hypothesis import settings

SAMPLE_GAMES = str(Path(__file__).parent / "sample_games")

sys.path.insert(0, SAMPLE_GAMES)
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (SAMPLE_GAMES, os.environ.get("PYTHONPATH"))))

# The same examples everywhere and no time limit for one of them; the long run looks further with fresh ones.
settings.register_profile("pbem", deadline=None, derandomize=True)
settings.register_profile("long", deadline=None, max_examples=5000)
settings.load_profile("long" if "PBEM_LONG" in os.environ else "pbem")
