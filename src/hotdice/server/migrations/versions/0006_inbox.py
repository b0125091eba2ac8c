"""Where entries lie first in SQLite, and the log as a whole."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "6"
down_revision = "5"


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.create_table(
            "inbox",
            sa.Column("table", sa.String(16), nullable=False),
            sa.Column("number", sa.Integer, nullable=False),
            sa.Column("at", sa.BigInteger, nullable=False),
            sa.Column("body", sa.LargeBinary, nullable=False),
        )
        op.execute("CREATE VIEW log AS SELECT * FROM events UNION ALL SELECT * FROM inbox")


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute("INSERT INTO events SELECT * FROM inbox")
        op.execute("DROP VIEW log")
        op.drop_table("inbox")
