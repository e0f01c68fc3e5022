"""Triggers: a row of history is not changed, not removed, not replaced, and not added out of turn.

They are a seat belt against mistakes, of ours or of somebody at the SQLite prompt; whoever owns the file can drop
them. The lock is the hash chain. A change here needs a new migration, which must also put the triggers back on any
table it makes anew: a test compares what stands in a ledger with this page.
"""

from __future__ import annotations

UNIQUE = {  # what REPLACE and UPSERT would collide on, other than the row number
    "journal": "chain = NEW.chain AND seq = NEW.seq",
    "letter": "sha256 = NEW.sha256",
    "mail": "message_id = NEW.message_id",
    "picture": "sha256 = NEW.sha256",
    "bare_mail": "message_id = NEW.message_id",
}

# One change there is: the bytes of a letter or mail become none (r, and nothing after it) once a row of the host's
# chain says that they were forgotten. All else of the row stays as it is.
FORGETTING = {
    table: " WHEN NOT ("
    + " AND ".join(f"NEW.{name} IS OLD.{name}" for name in kept)
    + " AND NEW.raw IS x'72' AND EXISTS (SELECT 1 FROM forgotten WHERE sha256 = OLD.sha256))"
    for table, kept in {"letter": ("id", "sha256"), "mail": ("id", "message_id", "sha256")}.items()
}

# The next row of its chain, standing on the hash of the last one. Both look-ups go through the index on (chain, seq).
IN_TURN = """\
CREATE TRIGGER journal_in_turn BEFORE INSERT ON journal
WHEN NEW.seq IS NOT 1 + coalesce((SELECT max(seq) FROM journal WHERE chain = NEW.chain), 0)
  OR NEW.prev IS NOT coalesce((SELECT hash FROM journal WHERE chain = NEW.chain AND seq = NEW.seq - 1), zeroblob(32))
BEGIN SELECT RAISE(ABORT, 'ledger: a row of the journal must stand on the last one of its chain'); END"""


def sqlite_triggers() -> dict[str, str]:
    """Name -> statement, for SQLite."""
    found = {"journal_in_turn": IN_TURN}
    for table, same in UNIQUE.items():
        update = f"BEFORE UPDATE ON {table}{FORGETTING.get(table, '')}"
        found[f"{table}_no_update"] = _refusing(table, "no_update", update, "rows are never changed")
        found[f"{table}_no_delete"] = _refusing(table, "no_delete", "BEFORE DELETE", "rows are never removed")
        # REPLACE removes the row in its way without asking the trigger above unless recursive_triggers is on.
        exists = f"BEFORE INSERT ON {table} WHEN EXISTS (SELECT 1 FROM {table} WHERE id = NEW.id OR ({same}))"
        found[f"{table}_no_replace"] = _refusing(table, "no_replace", exists, "rows are never replaced")
        # The number is known only after the insert; a gap would be where a row was taken out.
        gap = (
            f"AFTER INSERT ON {table} WHEN NEW.id IS NOT "
            f"1 + coalesce((SELECT max(id) FROM {table} WHERE id < NEW.id), 0)"
        )
        found[f"{table}_no_gap"] = _refusing(table, "no_gap", gap, "rows are numbered without a gap")
    return found


def _refusing(table: str, name: str, when: str, why: str) -> str:
    place = when if " ON " in when else f"{when} ON {table}"
    return f"CREATE TRIGGER {table}_{name} {place} BEGIN SELECT RAISE(ABORT, 'ledger: {table}: {why}'); END"
