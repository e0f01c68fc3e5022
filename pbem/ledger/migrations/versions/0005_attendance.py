"""The attendance of a game: who came, who was late, who stayed away. Older games begin an empty one."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("game", sa.Column("attendance", sa.Text))
