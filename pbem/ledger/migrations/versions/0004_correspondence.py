"""Correspondence: how often a message was tried, mails without a key, days away, what came back, changes of address."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

Instant = sa.DateTime(timezone=True).with_variant(sa.String(20), "sqlite")


def upgrade() -> None:
    op.add_column("inbox", sa.Column("tries", sa.Integer, nullable=False, server_default="0"))
    op.add_column("inbox", sa.Column("reason", sa.Text, nullable=False, server_default=""))
    op.add_column("queue", sa.Column("keyless", sa.Integer, nullable=False, server_default="0"))
    op.add_column("queue", sa.Column("away", sa.Text))
    op.create_table(
        "contact",
        sa.Column("player", sa.Text, primary_key=True),
        sa.Column("day", sa.Text, nullable=False),
        sa.Column("answers", sa.Integer, nullable=False),
        sa.Column("bounces", sa.Integer, nullable=False),
    )
    op.create_table(
        "new_address",
        sa.Column("player", sa.Text, primary_key=True),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("code", sa.Text, nullable=False),
        sa.Column("asked_at", Instant, nullable=False),
    )
