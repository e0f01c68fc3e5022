"""Answering ahead: `if:` on what the other seat just did, nested, so that one night plays many turns."""

from __future__ import annotations

from pbem.ledger import queues
from tests.pbem.host.conftest import Host

# The goats answer two lines of play; in each, what they do next hangs on the answer after that.
GOATS = """
orders:
  - place c3
  - if: a5-b5
    then:
      - place a3
      - if: b5-c5
        then:
          - place e3
          - place c1
        else: place e2
    else:
      - place d3
"""
TIGERS = """
orders:
  - if: place c3
    then:
      - a5-b5
      - if: place a3
        then:
          - b5-c5
          - if: place e2
            then: c5-b5
          - if: place e3
            then: [c5-d5, d5-c5]
    else: a5-a4
"""
PLAYED = ["place c3", "a5-b5", "place a3", "b5-c5", "place e3", "c5-d5", "place c1", "d5-c5"]


def ahead(host: Host, seat: str, orders: str) -> str:
    """The receipt of a file whose orders are written out in YAML."""
    [start, _] = host.file(seat, "").split("orders:")
    assert host.submit(f"{start}{orders.strip()}\nend: orders\n").fate == "accepted"
    return host.mails(seat)[-1].text


def begun(host: Host) -> None:
    host.start("bagh-chal", schedule="all-in 20:00", tigers="2")


def test_eight_turns_in_one_night_from_two_files(host: Host) -> None:
    begun(host)
    ahead(host, "1", GOATS)
    ahead(host, "2", TIGERS)
    assert host.night().turns == 8
    lines = host.mails("2")[-1].text.split("\n")
    done = [line.split(": ")[1].removesuffix(", as ordered.") for line in lines if line.startswith("* Seat")]
    assert done == PLAYED
    assert (host.row().turn, host.row().pending) == (9, ["1"])


def test_the_receipts_preview_what_waits(host: Host) -> None:
    begun(host)
    goats, tigers = ahead(host, "1", GOATS), ahead(host, "2", TIGERS)
    assert "1. place c3\n   - A goat is placed on c3; 19 goats are left in hand. [BAGH-4.1]\n" in goats
    assert (
        "2, then 1. place a3\n   It is legal, if it comes to that.\n"
        "   - A goat is placed on a3; 18 goats are left in hand. [BAGH-4.1]\n" in goats
    ), "in the position that a5-b5 would lead to"
    assert "17 goats are left in hand" in goats, "and so on, one conditional in the other"
    for label in ("2, then 2, then 2. place c1", "2, then 2, else 1. place e2", "2, else 1. place d3"):
        assert f"\n{label}\n   It is read, and judged when its time comes.\n" in goats
    assert "1, then 2, then 3, then 1. c5-d5\n   It is legal, if it comes to that.\n" in tigers
    assert (
        "2. if a5-b5, then place a3; (if b5-c5, then place e3; place c1, else place\n   e2), else place d3\n" in goats
    )
    assert "\n1, then 2, then 3, then 2. d5-c5\n" in tigers
    assert "  - if: a5-b5\n    then:\n      - place a3\n" in goats, "the form reads as it was written"


def test_what_would_not_stand_is_a_warning(host: Host) -> None:
    """The condition may be met in another way, so nothing is refused for it; a misspelling is, as ever."""
    begun(host)
    told = ahead(host, "1", "orders:\n  - place c3\n  - if: a5-b5\n    then: place b5\n")
    assert "Order 2, then 1 would not stand if it came to that" in told
    assert "[BAGH-" in told
    [start, _] = host.file("1", "").split("orders:")
    slip = f"{start}orders:\n  - place c3\n  - if: a5-b5\n    then: place z9\nend: orders\n"
    assert host.submit(slip).fate == "refused"


def test_what_is_hidden_is_not_played_out(host: Host) -> None:
    """In a game with secrets nobody is told where another's move would lead."""
    host.start("vault", "safe")
    [start, _] = host.file("red", "", name="safe").split("orders:")
    settled = host.submit(f"{start}orders:\n  - if: pass\n    then: pass\nend: orders\n")
    assert settled.verdict is not None
    assert not any(read.supposed for read in settled.verdict.read)


def test_the_form_in_the_receipt_says_the_same_again(host: Host) -> None:
    begun(host)
    [_, form] = ahead(host, "1", GOATS).split("\n\ngame: ")
    before = waiting(host)
    assert host.submit(f"game: {form}").fate == "accepted"
    assert waiting(host) == before


def waiting(host: Host) -> object:
    with host.ledger.read() as tx:
        return queues.of_game(tx, "game")["1"].body


def test_another_answer_takes_the_other_way(host: Host) -> None:
    begun(host)
    ahead(host, "1", GOATS)
    host.order("2", "a5-a4")
    assert host.night().turns == 3
    done = [line for line in host.mails("2")[-1].text.split("\n") if line.startswith("* Seat")]
    assert done[-1].endswith(": place d3, as ordered.")


def test_a_receipt_says_an_order_again_only_in_other_words(host: Host) -> None:
    begun(host)
    once = ahead(host, "1", "orders:\n  - place c3\n  - if: a5-b5\n    then: place a3\n  - if: any\n    then: PLACE A2")
    read = once[once.index("WHAT WAS READ") : once.index("WHAT STANDS NOW")]
    assert read.count("place a3") == 1, "its name; the form and what stands come after"
    assert "2, then 1. place a3\n   It is legal, if it comes to that.\n   - A goat is placed on a3" in read
    html = host.mails("1")[-1].html
    assert "It is legal, if it comes to that." in html
    again = ahead(host, "1", "orders:\n  - place c3\n  - if: a5-b5\n    then: Place  A3")
    assert "If it comes to that: place a3\n" in again, "in the rules' own words"
