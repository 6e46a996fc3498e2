"""All results of a hub, and its raters' keys, in a folder that looks like the hub. What is there is not fetched."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.bundle.limits import LIMITS
from desktop_rater.bundle.put import put_in_place
from desktop_rater.bundle.trouble import BundleError, Fault, named
from desktop_rater.bundle.write import TRY_AGAIN
from desktop_rater.hub.file_troubles import not_whole
from desktop_rater.hub.trouble import HubTrouble
from desktop_rater.model import hub_names
from desktop_rater.model.hub import SMALL_BYTES, HubMarker
from desktop_rater.work.hub_files import read_small, written
from desktop_rater.work.hub_marker import read_marker
from desktop_rater.work.results_files import readable
from desktop_rater.work.side_by_side import READING, SideBySide
from desktop_rater.work.whose_results import refuse_misplaced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from desktop_rater.hub.interface import Hub, Listed
    from desktop_rater.model.progress import Progress


class Collected(msgspec.Struct, frozen=True, kw_only=True):
    """What came. `fetched`: names of new files; `there`: how many were in the folder before.

    `failed`: (name, why) of files that could not be had, be it now or ever.
    """

    project: str
    hub_title: str
    fetched: tuple[str, ...] = ()
    there: int = 0
    failed: tuple[tuple[str, HubTrouble], ...] = ()


def collect_results(hub: Hub, folder: Path, *, chance: Callable[[], float], progress: Progress) -> Collected:
    """Fetch what the folder does not hold yet; the folder may be new. Raises `RaterError` and `Cancelled`.

    Each file is whole in the folder or not there, so whatever stopped a run, the next one goes on.
    """
    marker = read_marker(hub, progress)
    with named(folder, "written", TRY_AGAIN):
        folder.mkdir(exist_ok=True)
        _mark(folder, marker)
    closed: list[tuple[str, HubTrouble]] = []
    kinds = (hub_names.RESULTS, hub_names.KEYS)
    listed = [one for kind in kinds for one in hub.list(kind, progress, lambda *one: closed.append(one))]
    wanted, failed = sort_out(listed)
    failed += closed
    here = [one for one in wanted if _is_here(folder, one)]
    missing = [one for one in wanted if not _is_here(folder, one)]
    fetching = SideBySide(hub, _Fetching(folder).fetch, chance, progress, READING)
    fetching.run(missing)
    return Collected(
        project=marker.project,
        hub_title=marker.title,
        fetched=tuple(sorted(one.name for one, _ in fetching.done)),
        there=len(here),
        failed=tuple(sorted([*failed, *((one.name, why) for one, why in fetching.failed)], key=lambda one: one[0])),
    )


def _mark(folder: Path, marker: HubMarker) -> None:
    """Write down whose results these are, so that those of two projects never get mixed up in one folder."""
    path = folder / hub_names.MARKER
    if not path.exists():
        with put_in_place(path) as beside:
            beside.write_bytes(written(marker))
        return
    try:
        with path.open("rb") as file:
            project = read_small(file.read(SMALL_BYTES), HubMarker, hub_names.MARKER).project
    except HubTrouble:
        return  # somebody's own file, which stays
    if project != marker.project:
        why = f"It holds those of {project}, and the hub is {marker.project}'s."
        raise BundleError(f"{folder.name} is another project's", why, "Nothing was fetched. Name another folder.")


def sort_out(listed: Iterable[Listed]) -> tuple[list[Listed], list[tuple[str, HubTrouble]]]:
    """What may be fetched, and what not: a name that nobody gives could lead anywhere."""
    good, bad = [], []
    for one in listed:
        if not hub_names.is_formed(one.name):
            why = HubTrouble("other", "Its name is none that this program gives.", hint="Nothing was fetched of it.")
            bad.append((readable(one.name), why))
        else:
            good.append(one)
    return good, bad


def fetch(hub: Hub, name: str, path: Path, progress: Progress) -> int:
    """Put a file of a hub at `path`, whole and as its name promises; its size. Raises `HubTrouble`, `OSError`, `Fault`.

    "other" where its bytes are not those that its name promises, or where it went meanwhile.
    """
    digest = hashlib.sha256()
    with put_in_place(path) as beside, beside.open("wb") as file:

        def take(piece: bytes) -> None:
            digest.update(piece)
            file.write(piece)

        try:
            size = hub.get(name, take, progress, most=SMALL_BYTES if name.endswith(".json") else LIMITS.zip_bytes)
        except HubTrouble as trouble:
            if trouble.kind != "gone":
                raise
            raise HubTrouble("other", "It is not on the hub any more.", trouble.message, trouble.hint) from trouble
        if digest.hexdigest() != hub_names.hash_in(name):
            raise not_whole(name)
        file.flush()
        os.fsync(file.fileno())
        if name.startswith(hub_names.RESULTS):
            refuse_misplaced(name, beside)
        return size


def _is_here(folder: Path, one: Listed) -> bool:
    path = folder / one.name
    try:
        return path.is_file() and path.stat().st_size == one.size
    except OSError:
        return False


class _Fetching:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def fetch(self, hub: Hub, one: Listed, progress: Progress) -> int:
        path = self._folder / one.name
        with named(path, "written", TRY_AGAIN):
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                return fetch(hub, one.name, path, progress)
            except (Fault, NotADirectoryError, FileExistsError) as error:  # the others go on
                hint = "Move that away, then collect again."
                raise HubTrouble("other", "Something else stands in its place.", f"It goes to {path}.", hint) from error
