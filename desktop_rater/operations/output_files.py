"""Check the path of an output file before anything is written to it."""

from os.path import realpath  # unlike `Path.resolve`, it accepts links in a circle
from pathlib import Path

from desktop_rater.files import check_destination, is_stream
from desktop_rater.format.errors import BundleError, bundle_errors
from desktop_rater.format.write import HINT_UNCHANGED
from desktop_rater.store.store import Store

NOTHING_WRITTEN = "Nothing was written."


def refuse_unwritable(out: Path) -> None:
    """Raise `BundleError` if no file can be written at that path."""
    with bundle_errors(out, "written", HINT_UNCHANGED):
        check_destination(out)


def refuse_same_file(out: Path, *others: Path) -> None:
    """Raise `BundleError` if an output file is also one of the others. Streams are no files."""
    with bundle_errors(out, "made", NOTHING_WRITTEN):
        if is_stream(out):
            return
        for other in others:
            if realpath(out) == realpath(other) or (out.exists() and other.exists() and out.samefile(other)):
                raise BundleError(f"{out.name} can't be written", "It is also an input and would be overwritten.")


def refuse_inside_store(store: Store, out: Path) -> None:
    """Raise `BundleError` for a path inside the store. Streams are no files."""
    if not is_stream(out) and Path(realpath(store.folder)) in Path(realpath(out)).parents:
        raise BundleError(f"{out.name} can't be written", "That path is inside the store.", "Choose another folder.")
