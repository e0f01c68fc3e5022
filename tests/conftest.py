"""What all tests share: the sample games are installed, here and in every process a test starts."""

import os
import sys
from pathlib import Path

SAMPLE_GAMES = str(Path(__file__).parent / "sample_games")

sys.path.insert(0, SAMPLE_GAMES)
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (SAMPLE_GAMES, os.environ.get("PYTHONPATH"))))
