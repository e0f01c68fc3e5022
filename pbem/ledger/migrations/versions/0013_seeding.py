"""Seeding: games whose dice are still to be settled are found by their deadline."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    waits = sa.text("status = 'seeding'")
    op.create_index("game_seeding", "game", ["due_at", "name"], sqlite_where=waits, postgresql_where=waits)
