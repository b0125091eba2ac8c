"""Alembic's entry: migrations run on the connection that `upgrade` gives."""

from __future__ import annotations

from alembic import context

from hotdice.server.store import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
