"""Address: a change of address waits for the old address as well; since when a player has the present one.

Changes that waited when this version came are dropped: an old key was enough to ask for one. They are asked for again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

Instant = sa.DateTime(timezone=True).with_variant(sa.String(20), "sqlite")


def upgrade() -> None:
    op.execute("DELETE FROM new_address")
    for name in ("agree_code", "veto_code", "letter"):
        op.add_column("new_address", sa.Column(name, sa.Text, nullable=False, server_default=""))
    for name in ("holds_from", "confirmed_at", "vetoed_at"):
        op.add_column("new_address", sa.Column(name, Instant))
    op.add_column("player", sa.Column("address_at", Instant))
