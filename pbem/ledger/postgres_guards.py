"""The guards of history in PostgreSQL: the same promises as the triggers of SQLite, in the server's own language.

A row is not changed, not removed, not added out of turn, and rows are numbered without a gap. They are put up anew with
every version of the ledger, so this page may change; a ledger whose guards are not those of this page is not opened.
The index of the outbox's lanes, which only a server has, goes up with them.
"""

from __future__ import annotations

import sqlalchemy as sa

from pbem.ledger.lanes import IN_SQL
from pbem.ledger.tables import APPEND_ONLY, TABLES
from pbem.ledger.triggers import FORGETTING

NUMBERED = tuple(t.name for t in TABLES.sorted_tables if "id" in t.c and t not in APPEND_ONLY)
REFUSE = "BEGIN RAISE EXCEPTION 'ledger: %: %', TG_TABLE_NAME, TG_ARGV[0]; END"
# What was taken out of a table's numbers would be a gap, so numbers are given here and not by a sequence, which leaves
# gaps of its own. There is one writer at a time, or two would be given the same.
NUMBER = """\
DECLARE next bigint;
BEGIN
  EXECUTE format('SELECT 1 + coalesce(max(id), 0) FROM %I', TG_TABLE_NAME) INTO next;
  IF NEW.id IS NOT NULL AND NEW.id <> next THEN
    RAISE EXCEPTION 'ledger: %: rows are numbered without a gap', TG_TABLE_NAME;
  END IF;
  NEW.id := next;
  RETURN NEW;
END"""
# What follows from history is numbered in the same way, so that it is the same when it is made again.
NEXT = """\
BEGIN
  IF NEW.id IS NULL THEN
    EXECUTE format('SELECT 1 + coalesce(max(id), 0) FROM %I', TG_TABLE_NAME) INTO NEW.id;
  END IF;
  RETURN NEW;
END"""
LANES = f"CREATE INDEX IF NOT EXISTS outbox_lanes ON outbox ({IN_SQL}, id) WHERE next_try_at IS NOT NULL"
IN_TURN = """\
DECLARE last journal%ROWTYPE;
BEGIN
  SELECT * INTO last FROM journal WHERE chain = NEW.chain ORDER BY seq DESC LIMIT 1;
  IF NEW.seq <> 1 + coalesce(last.seq, 0) OR NEW.prev <> coalesce(last.hash, decode(repeat('00', 32), 'hex')) THEN
    RAISE EXCEPTION 'ledger: a row of the journal must stand on the last one of its chain';
  END IF;
  RETURN NEW;
END"""
# The one change there is: see FORGETTING in triggers.py.
FORGET = """\
DECLARE emptied %1$s%%ROWTYPE;
BEGIN
  emptied := OLD;
  emptied.raw := decode('72', 'hex');
  IF NEW IS NOT DISTINCT FROM emptied AND EXISTS (SELECT 1 FROM forgotten WHERE sha256 = OLD.sha256) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'ledger: %1$s: rows are never changed';
END"""


def functions() -> dict[str, str]:
    """Name -> body."""
    forget = {f"ledger_forget_{table}": FORGET.replace("%1$s", table).replace("%%", "%") for table in FORGETTING}
    return {"ledger_refuse": REFUSE, "ledger_number": NUMBER, "ledger_next": NEXT, "ledger_in_turn": IN_TURN, **forget}


def triggers() -> dict[str, str]:
    """Name -> what stands after it in CREATE TRIGGER."""
    found = {"journal_in_turn": "BEFORE INSERT ON journal FOR EACH ROW EXECUTE FUNCTION ledger_in_turn()"}
    for table in (table.name for table in APPEND_ONLY):
        change = f"ledger_forget_{table}()" if table in FORGETTING else "ledger_refuse('rows are never changed')"
        found[f"{table}_no_update"] = f"BEFORE UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION {change}"
        for word, name in (("DELETE", "no_delete"), ("TRUNCATE", "no_truncate")):
            each = "ROW" if word == "DELETE" else "STATEMENT"
            removed = "EXECUTE FUNCTION ledger_refuse('rows are never removed')"
            found[f"{table}_{name}"] = f"BEFORE {word} ON {table} FOR EACH {each} {removed}"
        found[f"{table}_number"] = f"BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION ledger_number()"
    for table in NUMBERED:
        found[f"{table}_next"] = f"BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION ledger_next()"
    return found


def put_up(connection: sa.Connection) -> None:
    """All of them, in place of those that stand."""
    for name, body in functions().items():
        made = f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $pbem$\n{body}\n$pbem$"
        connection.exec_driver_sql(made.replace("%", "%%"))
    for name in (*(table.name for table in APPEND_ONLY), *NUMBERED):
        connection.exec_driver_sql(f"ALTER TABLE {name} ALTER COLUMN id DROP DEFAULT")
    for name, words in triggers().items():
        connection.exec_driver_sql(f"CREATE OR REPLACE TRIGGER {name} {words}")
    connection.exec_driver_sql(LANES)


def stand(connection: sa.Connection) -> bool:
    """Whether just these stand, as they are written here, and none of them is switched off."""
    made = connection.exec_driver_sql(
        "SELECT proname, prosrc FROM pg_proc WHERE pronamespace = current_schema()::regnamespace"
    )
    if {row.proname: row.prosrc.strip("\n") for row in made} != functions():
        return False
    up = connection.exec_driver_sql(
        "SELECT t.tgname, t.tgenabled, pg_get_triggerdef(t.oid) AS said "
        "FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid "
        "WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace"
    )
    stands = {row.tgname: row for row in up}
    if stands.keys() != triggers().keys() or any(row.tgenabled not in ("O", b"O") for row in stands.values()):
        return False
    return all(_plain(row.said) == f"CREATE TRIGGER {name} {triggers()[name]}" for name, row in stands.items())


def _plain(said: str) -> str:
    """A trigger as the server tells it, without the names of the schema."""
    schema = said.partition(" ON ")[2].partition(".")[0]
    return said.replace(f" {schema}.", " ")
