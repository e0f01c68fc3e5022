"""Signatures: which keys have signed mails."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.create_table(
        "signing_key",
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("seq", sa.Integer, nullable=False),
    )
