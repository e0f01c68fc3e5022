"""What runs when an export is run: the checker, or with a turn and a seat, that turn as the seat saw it."""

import runpy
import sys

if __name__ == "__main__":
    runpy.run_module("seen" if len(sys.argv) > 1 else "checker", run_name="__main__")
