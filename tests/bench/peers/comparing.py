"""What is compared with what, which ratio is wanted, and the tables that a run comes to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.bench.peers.measuring import Rates, Work, ratio
from tests.bench.peers.rooms import OURS

CHESS, BAGHCHAL = Work("chess", "chess"), Work("baghchal", "baghchal")
BESIDE_CHESS = {"bagh-chal": 3.0, "hasami-shogi": 3.0, "jarmo": 2.0, "yut": 2.2}
BESIDE_BAGHCHAL = {"bagh-chal": 10.0}
LIKE_SIZE = 3.0  # times as many legal moves, or letters of a position, at most
IN_PYTHON = ("python_", "mean_")
SEVEN = ("bagh-chal", "hasami-shogi", "jarmo", "yut", "khan", "conquest", "yuan")

# Moves a second that were measured once, on a machine of this kind, beside python-chess: what Ludii is by way of it.
LUDII = {"bagh-chal": 503_000, "hasami-shogi": 221_000, "yut": 203_000}
LUDII_CHESS = 32_700
OF_LUDII = {"bagh-chal": 1 / 3}


@dataclass
class Table:
    """A table of ratios; `note` stands below it."""

    title: str
    head: tuple[str, ...]
    rows: list[tuple[str, ...]] = field(default_factory=list)
    note: str = ""
    missed: list[str] = field(default_factory=list)

    def judged(self, what: str, found: float | None, wanted: float, *, at_most: bool = False) -> str:
        """In a word how a ratio stands to its goal; what is missed is remembered."""
        if found is None:
            return ""
        if found <= wanted if at_most else found >= wanted:
            return "met"
        self.missed.append(f"{what}: {told(found)}, wanted {told(wanted)}")
        return "missed"


class Row(NamedTuple):
    """A work of ours, one of theirs, how often ours is wanted for each of theirs, and what is said of it."""

    ours: str
    theirs: Work
    wanted: float | None
    said: str


def told(found: float | None) -> str:
    return "-" if found is None else f"{found:.2f}" if found < 10 else f"{found:.1f}"


Sizes = Mapping[Work, Mapping[str, float]]


# --- random play ------------------------------------------------------------------------------------------------------


def random_play(rates: Rates) -> Table:
    """Every setting of the small games beside the two packages of the same kind."""
    table = Table(
        "Random play, moves a second, beside `baghchal` and python-chess",
        ("ours", "x `baghchal`", "goal", "", "x python-chess", "goal", ""),
        note="`baghchal` plays the classic game only, so that is what is held to its goal.",
    )
    for work in (work for work in rates if work.room == OURS):
        game, _, setting = work.name.partition(" ")
        if game in SEVEN:
            table.rows.append(
                (work.name, *_beside_baghchal(table, rates, work, game, setting), *_chess(table, rates, work, game))
            )
    return table


def _beside_baghchal(table: Table, rates: Rates, work: Work, game: str, setting: str) -> tuple[str, str, str]:
    if game not in BESIDE_BAGHCHAL:
        return "", "", ""
    found, wanted = ratio(rates, work, BAGHCHAL), BESIDE_BAGHCHAL[game]
    if setting:
        return told(found), "", ""
    return told(found), told(wanted), table.judged(f"{work.name} beside baghchal", found, wanted)


def _chess(table: Table, rates: Rates, work: Work, game: str) -> tuple[str, str, str]:
    found, wanted = ratio(rates, work, CHESS), BESIDE_CHESS.get(game)
    if wanted is None:
        return told(found), "", ""
    return told(found), told(wanted), table.judged(f"{work.name} beside python-chess", found, wanted)


def like(one: Mapping[str, float], other: Mapping[str, float]) -> bool:
    """Whether two games are of like size: neither has more than so many times the legal moves or the letters."""
    return all(1 / LIKE_SIZE <= one[what] / other[what] <= LIKE_SIZE for what in ("legal", "text"))


def beside_open_spiel(rates: Rates, sizes: Sizes, *, python: bool) -> Table:
    """Our seven games, as they come, beside those of OpenSpiel, in Python or in C++."""
    table = Table(
        f"Random play beside OpenSpiel's games in {'Python' if python else 'C++'}: ours, moves for each of theirs",
        ("theirs", "legal moves", "letters", *SEVEN),
    )
    table.rows.append(("(ours)", "", "", *(_size(sizes.get(Work(OURS, game))) for game in SEVEN)))
    for work in _of_open_spiel(rates, python):
        size = sizes[work]
        cells = [_cell(table, rates, sizes, Work(OURS, game), work, python) for game in SEVEN]
        table.rows.append((work.name, f"{size['legal']:.1f}", f"{size['text']:.0f}", *cells))
    if python:
        table.note = (
            "In **bold** where the two are of like size: neither has more than "
            f"{LIKE_SIZE:.0f} times the other's legal moves at a decision, or letters in the text of a position. "
            "There ours is wanted to be faster per move."
        )
    return table


def _of_open_spiel(rates: Rates, python: bool) -> Iterator[Work]:
    return (work for work in rates if work.room == "open_spiel" and work.name.startswith(IN_PYTHON) == python)


def _size(size: Mapping[str, float] | None) -> str:
    return "-" if size is None else f"{size['legal']:.1f} / {size['text']:.0f}"


def _cell(table: Table, rates: Rates, sizes: Sizes, ours: Work, theirs: Work, python: bool) -> str:
    found = ratio(rates, ours, theirs)
    if found is None or not python or not like(sizes[ours], sizes[theirs]):
        return told(found)
    table.judged(f"{ours.name} beside {theirs.name}", found, 1.0)
    return f"**{told(found)}**"


def beside_ludii(rates: Rates) -> Table:
    """Reference only: Ludii was measured once; python-chess is the measure that both have in common."""
    table = Table(
        "Ludii, as a reference: **not measured in this run**",
        ("ours", "x python-chess, in this run", "Ludii x python-chess, once", "ours of Ludii", "goal", ""),
        note="Ludii (Java, compiled while running) made 503,000 moves a second in Bagh Chal, 221,000 in Hasami Shogi "
        "and 203,000 in Nyout where python-chess made 32,700.",
    )
    for game, once in LUDII.items():
        found, theirs = ratio(rates, Work(OURS, game), CHESS), once / LUDII_CHESS
        part, wanted = (None if found is None else found / theirs), OF_LUDII.get(game)
        goal = ("", "") if wanted is None else (told(wanted), table.judged(f"{game} of Ludii", part, wanted))
        table.rows.append((game, told(found), told(theirs), told(part), *goal))
    return table


# --- turns ------------------------------------------------------------------------------------------------------------

TURNS = (
    Row("turn", Work("diplomacy", "phase"), 5.0, "resolved, the orders at hand: `resolve` beside `process`"),
    Row(
        "orders and turn",
        Work("diplomacy", "orders and phase"),
        None,
        "read and resolved: `read`, `resolve` beside `set_orders`, `process`",
    ),
    Row("turn and commit", Work("diplomacy", "orders, phase and save"), 3.0, "read, resolved and kept (1)"),
    Row("turn and commit", Work("diplomacy", "phase and save"), None, "the same, but their reading does not count"),
    Row(
        "turn out of the ledger and back",
        Work("diplomacy", "orders, phase and save"),
        None,
        "taken out of the ledger, read, resolved and kept (2)",
    ),
)


def turns(rates: Rates) -> Table:
    table = Table(
        "Yuan with four seats beside `diplomacy` with seven powers: turns for each movement phase",
        ("what counts", "ratio", "goal", ""),
        note="What (1) and (2) hold is said above.",
    )
    for row in TURNS:
        found = ratio(rates, Work(OURS, row.ours), row.theirs)
        goal = ("", "") if row.wanted is None else (told(row.wanted), table.judged(row.said, found, row.wanted))
        table.rows.append((row.said, told(found), *goal))
    return table


FLAT = (
    (
        "a turn of a game that has 900 behind it (901 to 1,000), for one that has ten (11 to 110)",
        Work(OURS, "endless after 890 turns"),
        Work(OURS, "endless at its beginning"),
        1.05,
    ),
    (
        "`diplomacy`: the save after 60 phases, for the save after one",
        Work("diplomacy", "save after phase 60"),
        Work("diplomacy", "save after phase 1"),
        None,
    ),
)


def flat(rates: Rates) -> Table:
    table = Table(
        "What a long history costs: time late for time early",
        ("what", "ratio", "at most", ""),
        note="Ours is taken out of the ledger, resolved and committed, one game a transaction.",
    )
    for said, late, early, wanted in FLAT:
        found = ratio(rates, early, late)  # so many a second early for each late: the time goes the other way
        goal = ("", "") if wanted is None else (told(wanted), table.judged(said, found, wanted, at_most=True))
        table.rows.append((said, told(found), *goal))
    return table
