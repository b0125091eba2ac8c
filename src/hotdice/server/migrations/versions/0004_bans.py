"""Addresses that may not use the server for a time."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "4"
down_revision = "3"


def upgrade() -> None:
    op.create_table(
        "bans",
        sa.Column("address", sa.String(64), primary_key=True),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Column("why", sa.String(200), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("bans")
