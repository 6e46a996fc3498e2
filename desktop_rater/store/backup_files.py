"""Files of a store's backups, and those that a killed process left among them."""

from pathlib import Path

from desktop_rater.files import PARTIAL_SUFFIX, remove_leftovers


def backup_folder(folder: Path) -> Path:
    """Return the folder of a store's backups."""
    return folder / "backups"


def unfinished_backups(folder: Path) -> list[Path]:
    """Return the unfinished files that a killed process left among the backups."""
    return sorted(backup_folder(folder).glob(f".*{PARTIAL_SUFFIX}*"))


def delete_unfinished_backups(folder: Path) -> None:
    """Delete them, as far as no other program has them open."""
    remove_leftovers(unfinished_backups(folder))
