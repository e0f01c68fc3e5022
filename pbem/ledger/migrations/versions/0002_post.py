"""Real post: what was said of a mail, since when it waits, whether the host knows; and players who wish one digest."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

Instant = sa.DateTime(timezone=True).with_variant(sa.String(20), "sqlite")
LOST = sa.text("next_try_at IS NULL AND state <> 'sent'")


def upgrade() -> None:
    op.add_column("player", sa.Column("digest", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("outbox", sa.Column("since", Instant))  # of mails that were there before, a rebuild finds it
    op.add_column("outbox", sa.Column("detail", sa.Text, nullable=False, server_default=""))
    op.add_column("outbox", sa.Column("told", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_index("outbox_lost", "outbox", ["id"], sqlite_where=LOST, postgresql_where=LOST)
