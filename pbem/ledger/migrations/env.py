"""Runs the migrations on the connection it is handed, inside that connection's transaction."""

from alembic import context

from pbem.ledger.tables import TABLES

context.configure(connection=context.config.attributes["connection"], target_metadata=TABLES)
context.run_migrations()
