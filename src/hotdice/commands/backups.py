"""`hotdice backup` and `hotdice restore`: a server's tables as one file."""

from __future__ import annotations

from pathlib import Path

from hotdice.errors import HotdiceError


def backup(file: Path, database: str) -> None:
    """Copy all tables to a new file, whether a server runs or not."""
    try:
        from hotdice.server import backup, run
    except ImportError as error:
        raise HotdiceError(f"Backups need {error.name}: pip install 'hotdice[server]'.") from None
    copied = backup.backup(database or str(run.data_file()), file)
    print(f"The backup is {file}. {copied.told}")


def restore(file: Path, database: str) -> None:
    """Bring all tables back from a backup."""
    try:
        from hotdice.server import backup, run
    except ImportError as error:
        raise HotdiceError(f"Backups need {error.name}: pip install 'hotdice[server]'.") from None
    copied = backup.restore(file, database or str(run.data_file()))
    print(f"{file} is brought back. {copied.told}")
    if copied.kept:
        print(f"What was in its place is now {copied.kept}")
