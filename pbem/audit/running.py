"""What runs when an export is run: the checker, or with a turn and a seat, that turn as the seat saw it.

Written so that a Python of any age can read it, and say which one it takes.
"""

# ruff: noqa: T201, UP032, UP036
# mypy: allow-untyped-defs, allow-untyped-calls
import runpy
import signal
import sys
import zipfile


def say(text):
    """Print a text; what could steer a terminal is written out."""
    for line in text.split("\n"):
        print("".join(one if one.isprintable() else ascii(one)[1:-1] for one in line))


if __name__ == "__main__":
    if sys.version_info < (3, 7):
        sys.exit("This file is checked by Python 3.7 or later; this one is {}.".format(sys.version.split()[0]))
    if hasattr(signal, "SIGPIPE"):  # whoever reads no further, as `head` and `less` do, has found nothing wrong
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    if sys.argv[1:2] in (["help"], ["-h"], ["--help"]):
        with zipfile.ZipFile(sys.argv[0]) as export:
            say(export.read("README.txt").decode())
    elif sys.argv[1:2] == ["mail"]:
        sys.argv[1:] = sys.argv[2:] + sys.argv[:1]  # the mail, any key, and this file
        runpy.run_module("signature", run_name="__main__")
    elif len(sys.argv) > 1:
        runpy.run_module("seen", run_name="__main__")
    else:
        runpy.run_module("checker", run_name="__main__")
        runpy.run_module("settled", run_name="__main__")
        say("`python3 {} help` says what else this file can do.".format(sys.argv[0]))
