"""Secrets are not stored in clear: `since` says which rows a chain's secret salts. Strangers' mail is found by its age.

Sealing needs the key, and follows the migration (`pbem.care.sealing`). What stands here is frozen.
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.add_column("secret", sa.Column("since", sa.Integer, nullable=False, server_default="1"))
    op.add_column("inbox", sa.Column("stray", sa.Boolean, nullable=False, server_default=sa.false()))
    stray = sa.text("stray")
    op.create_index("inbox_stray", "inbox", ["at", "id"], sqlite_where=stray, postgresql_where=stray)
    op.create_index("inbox_bytes", "inbox", ["sha256"])
