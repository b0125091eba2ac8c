"""PostgreSQL for the tests of databases."""

from tests.services import postgres

__all__ = ["postgres"]
