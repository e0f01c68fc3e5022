"""People: games taken back, seats that change hands, volunteers, games that wait for their players."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

Instant = sa.DateTime(timezone=True).with_variant(sa.String(20), "sqlite")


def upgrade() -> None:
    back = sa.text("kind = 'taken_back'")
    op.create_index("journal_backs", "journal", ["chain", "turn"], sqlite_where=back, postgresql_where=back)
    op.add_column("outbox", sa.Column("former", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("player", sa.Column("volunteers", sa.Text))
    op.create_table(
        "opening",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("wanted", sa.Text, nullable=False),
        sa.Column("seats", sa.Text, nullable=False),
        sa.Column("at", Instant, nullable=False),
        sa.Column("until", Instant),
    )
    op.create_table(
        "joining",
        sa.Column("code", sa.Text, primary_key=True),
        sa.Column("opening", sa.Text, nullable=False),
        sa.Column("seat", sa.Text),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("lang", sa.Text, nullable=False),
        sa.Column("asked_at", Instant, nullable=False),
    )
