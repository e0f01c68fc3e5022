"""Time: when players are reminded, what a run holds for, and how long the host was not at work before a night."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

Instant = sa.DateTime(timezone=True).with_variant(sa.String(20), "sqlite")


def upgrade() -> None:
    op.add_column("player", sa.Column("remind", sa.Integer, nullable=False, server_default="0"))
    op.add_column("game", sa.Column("remind_at", Instant))
    is_open = sa.text("status = 'open'")
    op.create_index("game_remind", "game", ["remind_at", "name"], sqlite_where=is_open, postgresql_where=is_open)
    op.add_column("night", sa.Column("off_since", Instant))
    op.create_table(
        "brake",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("game", sa.Text),
        sa.Column("says", sa.Text, nullable=False),
        sa.Column("since", Instant, nullable=False),
        sa.Column("released", sa.Boolean, nullable=False),
    )
