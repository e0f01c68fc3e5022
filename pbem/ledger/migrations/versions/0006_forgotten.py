"""Forgetting: the bytes of a letter or mail may be emptied once the journal says so. What stands here is frozen."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

KEPT = {"letter": ("id", "sha256"), "mail": ("id", "message_id", "sha256")}


def upgrade() -> None:
    op.create_table(
        "forgotten",
        sa.Column("sha256", sa.Text, primary_key=True),
        sa.Column("seq", sa.Integer, nullable=False),
    )
    if op.get_context().dialect.name == "sqlite":
        for table, kept in KEPT.items():
            op.execute(f"DROP TRIGGER {table}_no_update")
            same = " AND ".join(f"NEW.{name} IS OLD.{name}" for name in kept)
            emptied = "NEW.raw IS x'72' AND EXISTS (SELECT 1 FROM forgotten WHERE sha256 = OLD.sha256)"
            guard(table, "no_update", f"BEFORE UPDATE ON {table} WHEN NOT ({same} AND {emptied})")


def guard(table: str, name: str, when: str) -> None:
    why = "rows are never changed"
    op.execute(f"CREATE TRIGGER {table}_{name} {when} BEGIN SELECT RAISE(ABORT, 'ledger: {table}: {why}'); END")
