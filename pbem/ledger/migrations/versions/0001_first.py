"""The first ledger. What stands here is frozen: a later change is a later migration."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

UNIQUE = {
    "journal": "chain = NEW.chain AND seq = NEW.seq",
    "letter": "sha256 = NEW.sha256",
    "mail": "message_id = NEW.message_id",
}
IN_TURN = """\
CREATE TRIGGER journal_in_turn BEFORE INSERT ON journal
WHEN NEW.seq IS NOT 1 + coalesce((SELECT max(seq) FROM journal WHERE chain = NEW.chain), 0)
  OR NEW.prev IS NOT coalesce((SELECT hash FROM journal WHERE chain = NEW.chain AND seq = NEW.seq - 1), zeroblob(32))
BEGIN SELECT RAISE(ABORT, 'ledger: a row of the journal must stand on the last one of its chain'); END"""

Id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
Instant = sa.DateTime(timezone=True).with_variant(sa.String(20), "sqlite")


def upgrade() -> None:
    history()
    persons_and_secrets()
    projections()
    if op.get_context().dialect.name == "sqlite":
        op.execute("PRAGMA application_id = 0x7062656D")
        guards()


def history() -> None:
    op.create_table(
        "journal",
        sa.Column("id", Id, primary_key=True, autoincrement=True),
        sa.Column("chain", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("at", Instant, nullable=False),
        sa.Column("turn", sa.Integer),
        sa.Column("seat", sa.Text),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("salt", sa.LargeBinary, nullable=False),
        sa.Column("prev", sa.LargeBinary, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.UniqueConstraint("chain", "seq", name="journal_place"),
    )
    where = sa.text("kind IN ('turn', 'at_once')")
    op.create_index("journal_turns", "journal", ["chain", "turn"], sqlite_where=where, postgresql_where=where)
    op.create_table(
        "letter",
        sa.Column("id", Id, primary_key=True, autoincrement=True),
        sa.Column("sha256", sa.Text, nullable=False, unique=True),
        sa.Column("raw", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "mail",
        sa.Column("id", Id, primary_key=True, autoincrement=True),
        sa.Column("message_id", sa.Text, nullable=False, unique=True),
        sa.Column("sha256", sa.Text, nullable=False),
        sa.Column("raw", sa.LargeBinary, nullable=False),
    )


def persons_and_secrets() -> None:
    op.create_table(
        "player",
        sa.Column("id", Id, primary_key=True, autoincrement=True),
        sa.Column("commitment", sa.Text, nullable=False, unique=True),
        sa.Column("name", sa.Text, unique=True),
        sa.Column("address", sa.Text),
        sa.Column("lang", sa.Text),
        sa.Column("zone", sa.Text),
        sa.Column("salt", sa.LargeBinary),
    )
    op.create_table(
        "secret",
        sa.Column("chain", sa.Text, primary_key=True),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.Column("seed", sa.LargeBinary),
    )


def projections() -> None:
    op.create_table(
        "head",
        sa.Column("chain", sa.Text, primary_key=True),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("at", Instant),
    )
    op.create_table(
        "game",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("version", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("seats", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("decision", sa.Text, nullable=False),
        sa.Column("pending", sa.Text, nullable=False),
        sa.Column("at_once", sa.Integer, nullable=False),
        sa.Column("due_at", Instant),
        sa.Column("deadline_at", Instant),
        sa.Column("resigned", sa.Text, nullable=False),
        sa.Column("schedule", sa.Text),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("created_at", Instant, nullable=False),
        sa.Column("state", sa.LargeBinary),
        sa.Column("deeds", sa.LargeBinary),
    )
    where = sa.text("status = 'open'")
    op.create_index("game_due", "game", ["due_at", "name"], sqlite_where=where, postgresql_where=where)
    op.create_table(
        "match",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("version", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("best_of", sa.Integer),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("sides", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("results", sa.Text, nullable=False),
        sa.Column("verdict", sa.Text),
        sa.Column("created_at", Instant, nullable=False),
    )
    op.create_table(
        "queue",
        sa.Column("game", sa.Text, primary_key=True),
        sa.Column("seat", sa.Text, primary_key=True),
        sa.Column("counter", sa.Integer, nullable=False),
        sa.Column("body", sa.LargeBinary),
    )
    post()


def post() -> None:
    op.create_table(
        "inbox",
        sa.Column("id", Id, primary_key=True, autoincrement=True),
        sa.Column("message_id", sa.Text, nullable=False),
        sa.Column("sha256", sa.Text, nullable=False),
        sa.Column("route", sa.Text, nullable=False),
        sa.Column("at", Instant, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.UniqueConstraint("message_id", "sha256", name="inbox_message"),
    )
    where = sa.text("state = 'waiting'")
    op.create_index("inbox_waiting", "inbox", ["id"], sqlite_where=where, postgresql_where=where)
    op.create_table(
        "outbox",
        sa.Column("id", Id, primary_key=True, autoincrement=True),
        sa.Column("message_id", sa.Text, nullable=False, unique=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("seat", sa.Text),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("next_try_at", Instant),
    )
    op.create_table(
        "night",
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", Instant, nullable=False),
        sa.Column("done", sa.Boolean, nullable=False),
    )
    where = sa.text("next_try_at IS NOT NULL")
    op.create_index("outbox_open", "outbox", ["next_try_at", "id"], sqlite_where=where, postgresql_where=where)


def guards() -> None:
    """create_table makes no triggers, so they are made here."""
    op.execute(IN_TURN)
    for table, same in UNIQUE.items():
        guard(table, "no_update", f"BEFORE UPDATE ON {table}", "rows are never changed")
        guard(table, "no_delete", f"BEFORE DELETE ON {table}", "rows are never removed")
        exists = f"BEFORE INSERT ON {table} WHEN EXISTS (SELECT 1 FROM {table} WHERE id = NEW.id OR ({same}))"
        guard(table, "no_replace", exists, "rows are never replaced")
        gap = (
            f"AFTER INSERT ON {table} WHEN NEW.id IS NOT "
            f"1 + coalesce((SELECT max(id) FROM {table} WHERE id < NEW.id), 0)"
        )
        guard(table, "no_gap", gap, "rows are numbered without a gap")


def guard(table: str, name: str, when: str, why: str) -> None:
    op.execute(f"CREATE TRIGGER {table}_{name} {when} BEGIN SELECT RAISE(ABORT, 'ledger: {table}: {why}'); END")
