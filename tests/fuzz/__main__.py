"""Coverage-guided fuzzing: `python -m tests.fuzz mail` runs until it is stopped; further words go to libFuzzer.

    python -m tests.fuzz mail -max_total_time=600     # ten minutes
    python -m tests.fuzz mail -runs=20000 -seed=1     # so many inputs, the same each time
    python -m tests.fuzz mail FILE                    # one input again, as a crash left it

New inputs that reach new code are kept in `.fuzz/TARGET`; the small ones worth keeping for everybody are copied into
`corpus/TARGET` by hand. An input that breaks something is written to `.fuzz` and named on the last lines.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus"
KEPT = Path(".fuzz")
INSTRUMENTED = [
    "pbem.intake",
    "pbem.audit",
    "pbem.engine_protocol",
    "pbem.ledger",
    "dkim",
    "authres",
    "games",
    "engine",
]
SLOW = {"ledger", "export", "engine"}  # targets that need more than a moment for one input


def main(words: list[str]) -> None:
    atheris = import_module("atheris")
    with atheris.instrument_imports(include=INSTRUMENTED, enable_loader_override=False):
        from engine import games, load
        from tests.fuzz.targets import TARGETS

        for game in games():  # their modules are found by entry points, and loaded when they are asked for
            load(game)
    if not words or words[0] not in TARGETS:
        sys.exit(f"Name one of: {', '.join(TARGETS)}.")
    name, more = words[0], words[1:]
    again = [word for word in more if not word.startswith("-")]
    places = again or [str(KEPT / name), str(CORPUS / name)]
    if not again:
        (KEPT / name).mkdir(parents=True, exist_ok=True)
    usual = [f"-artifact_prefix={KEPT}/", "-timeout=30", f"-max_len={16384 if name in SLOW else 8192}"]
    flags = [word for word in more if word.startswith("-")]
    atheris.Setup([sys.argv[0], *usual, *flags, *places], TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])
