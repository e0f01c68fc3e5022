"""Pictures of mails, and mails that left without one. What stands here is frozen: a later change comes after it."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

UNIQUE = {"picture": "sha256 = NEW.sha256", "bare_mail": "message_id = NEW.message_id"}

Id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "picture",
        sa.Column("id", Id, primary_key=True, autoincrement=True),
        sa.Column("sha256", sa.Text, nullable=False, unique=True),
        sa.Column("png", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "bare_mail",
        sa.Column("id", Id, primary_key=True, autoincrement=True),
        sa.Column("message_id", sa.Text, nullable=False, unique=True),
    )
    if op.get_context().dialect.name == "sqlite":
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
