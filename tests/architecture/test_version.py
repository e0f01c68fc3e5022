"""The version stands in one place and the program prints it."""

import re
import subprocess
import sys

import pbem

RUN = "from importlib.metadata import entry_points; e, = entry_points(group='console_scripts', name='pbem'); e.load()()"


def test_the_program_prints_its_version():
    done = subprocess.run([sys.executable, "-c", RUN, "--version"], capture_output=True, text=True, check=True)
    assert pbem.__version__ in done.stdout.split() or done.stdout.strip().endswith(pbem.__version__)
    assert re.fullmatch(r"\d+\.\d+\.\d+\S*", pbem.__version__)
