"""How many mails a second are read, from their bytes to the values that the host judges, in the bounded child.

Run by hand: `.venv/bin/python -m tests.bench.bench_mail_reading [SECONDS]`. Without the child it is CPU time of a core,
with it wall time of both sides, the way there and back and the JSON between them included; the third figure is the CPU
time that the parent needs of that.
"""

from __future__ import annotations

import sys
import time
from functools import partial

from pbem.intake.fields import read_form
from pbem.intake.mail.walk import read_mail
from pbem.intake.reading import BoundedReader
from tests.bench.bench_intake import rate
from tests.pbem.intake.mail.corpus import BY_NAME, NEW, OURS, Draft, our_report, plain

MAILS = {
    "plain text": plain(NEW),
    "plain text above our quoted report": BY_NAME["mutt"].mail("en", Draft(top=NEW), our_report()),
    "the same, flowed": BY_NAME["thunderbird"].mail("fr", Draft(top=NEW), our_report()),
    "text and HTML, base64, our report below": BY_NAME["outlook-web"].mail("it", Draft(top=NEW), our_report()),
    "HTML alone, our report below": BY_NAME["gmail"].mail("en", Draft(top=NEW), our_report(), html_only=True),
}


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    for name, raw in MAILS.items():
        print(f"{name}, {len(raw)} bytes: mails a second")
        with BoundedReader() as reader:
            there_and_back = rate(partial(reader.read_mail, raw, ours=OURS), seconds, time.perf_counter)
            ours = rate(partial(reader.read_mail, raw, ours=OURS), seconds)
        print(f"  {rate(partial(read_mail, raw, ours=OURS), seconds):8.0f}  read")
        print(f"  {there_and_back:8.0f}  read in the child")
        print(f"  {ours:8.0f}  asked and understood by the parent")
    print(f"{rate(partial(read_form, NEW.encode()), seconds):8.0f} forms a second without a mail around them")


if __name__ == "__main__":
    main()
