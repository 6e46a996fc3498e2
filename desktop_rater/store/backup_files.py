"""Files of a store's backups, and those that a killed process left among them."""

from pathlib import Path

from desktop_rater.files import PARTIAL_SUFFIX
from desktop_rater.store.errors import translate_errors


def backup_folder(folder: Path) -> Path:
    """Return the folder of a store's backups."""
    return folder / "backups"


def unfinished_backups(folder: Path) -> list[Path]:
    """Return the unfinished files that a killed process left among the backups."""
    return sorted(backup_folder(folder).glob(f".*{PARTIAL_SUFFIX}*"))


def delete_unfinished_backups(folder: Path) -> None:
    """Delete them. Raises `StoreError`."""
    with translate_errors("Unfinished backups are not removed."):
        for file in unfinished_backups(folder):
            file.unlink(missing_ok=True)
