"""The book of the house: what it has read, its games, and the names that were deleted from it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "5"
down_revision = "4"


def upgrade() -> None:
    op.create_table(
        "book_sources",
        sa.Column("id", sa.String(255), primary_key=True),
        sa.Column("touched", sa.BigInteger, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
    )
    op.create_table(
        "book_games",
        sa.Column("id", sa.String(255), primary_key=True),
        sa.Column("source", sa.String(255), nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("reviewed", sa.Integer, nullable=False, server_default="0"),
        sa.Column("review", sa.LargeBinary),
    )
    op.create_index("book_by_source", "book_games", ["source"])
    op.create_index("book_by_review", "book_games", ["reviewed"])
    op.create_table("book_deleted", sa.Column("digest", sa.String(64), primary_key=True))


def downgrade() -> None:
    op.drop_table("book_deleted")
    op.drop_table("book_games")
    op.drop_table("book_sources")
