"""Budgets: what was spent of each, the size of messages, files refused unread, and messages without an answer."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "budget",
        sa.Column("owner", sa.Text, primary_key=True),
        sa.Column("kind", sa.Text, primary_key=True),
        sa.Column("period", sa.Text, nullable=False),
        sa.Column("spent", sa.BigInteger, nullable=False),
    )
    op.create_table("turned_away", sa.Column("name", sa.Text, primary_key=True))
    op.add_column("queue", sa.Column("unanswered", sa.Text))
    op.add_column("inbox", sa.Column("size", sa.Integer, nullable=False, server_default="0"))
    op.drop_column("contact", "day")
    op.drop_column("contact", "answers")
