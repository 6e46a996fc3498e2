"""Put a bundle on a hub, and assign it to raters."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.bundle.handed_out import holds_gold, without_gold
from desktop_rater.bundle.kind import kind_of
from desktop_rater.bundle.read import open_bundle
from desktop_rater.bundle.trouble import BundleError, named
from desktop_rater.bundle.write import TRY_AGAIN, file_sha256
from desktop_rater.hub.trouble import HubTrouble
from desktop_rater.model import hub_names
from desktop_rater.model.derived import RETURN, derived_from
from desktop_rater.model.hub import ASSIGNMENT_FORMAT, HUB_VERSION, MOST_BYTES, AssignedBundle, Assignment
from desktop_rater.work.hub_files import put_small, written
from desktop_rater.work.hub_marker import check_marker, read_marker
from desktop_rater.work.incoming import LeftOut, rubric_of
from desktop_rater.work.side_by_side import SideBySide

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_rater.bundle.read import OpenBundle
    from desktop_rater.hub.interface import Hub, Put
    from desktop_rater.model.progress import Progress

_STEP = 200
_REFUSED = "Nothing was published."
_LOOK = "Look at the file, or make the bundle again."


class Published(msgspec.Struct, frozen=True, kw_only=True):
    """What is on the hub now. `already`: raters to whom the bundle had been assigned before.

    `there`: the bundle stood there before. `gold_kept`: its gold was left out. `failed`: (rater, why) of those to whom
    it could not be assigned. `left_out`: lines of the bundle that no rater will get.
    """

    project: str
    hub_title: str
    bundle: AssignedBundle
    there: bool
    gold_kept: bool
    assigned: tuple[str, ...] = ()
    already: tuple[str, ...] = ()
    failed: tuple[tuple[str, HubTrouble], ...] = ()
    left_out: tuple[LeftOut, ...] = ()


def publish_bundle(
    hub: Hub,
    path: Path,
    raters: Sequence[str],
    *,
    project: str = "",
    chance: Callable[[], float],
    progress: Progress,
) -> Published:
    """Put a bundle on the hub, then what assigns it. Raises `RaterError`; told to do it again it goes on.

    `project`: whose hub it has to be, where that is known. The bundle is verified there before anything names it.
    """
    names = list(dict.fromkeys(raters))
    with tempfile.TemporaryDirectory(prefix="desktop-rater-") as place:
        ready = _Ready(path, Path(place), progress)
        marker = check_marker(hub, project, progress) if project else read_marker(hub, progress)
        bundle, there = _put(hub, ready, progress)
        side_by_side = SideBySide(hub, _assign(bundle), chance, progress)
        side_by_side.run(names)
    came = dict(side_by_side.done)
    return Published(
        project=marker.project,
        hub_title=marker.title,
        bundle=bundle,
        there=there,
        gold_kept=ready.gold_kept,
        assigned=tuple(one for one in names if came.get(one) == "put"),
        already=tuple(one for one in names if came.get(one) == "there"),
        failed=tuple(side_by_side.failed),
        left_out=tuple(ready.left_out),
    )


class _Ready:
    """The zip that goes: checked whole, and without its gold."""

    def __init__(self, path: Path, place: Path, progress: Progress) -> None:
        self.path = path
        self.left_out: list[LeftOut] = []
        self.gold_kept = False
        if kind_of(path, otherwise="bundle") == "results":
            raise BundleError(f"{path.name} is not published", "It holds results, and is no bundle.", _REFUSED)
        try:
            with open_bundle(path) as bundle:
                self.manifest = bundle.manifest
                self.identity = bundle.identity
                self._check(bundle, progress)
                self.gold_kept = holds_gold(bundle)
        except BundleError as error:
            hint = error.hint if error.hint.startswith(_REFUSED) else f"{_REFUSED} {_LOOK}"
            raise BundleError(error.title, error.message, hint) from error
        if self.gold_kept:
            self.path = place / "bundle.zip"
            without_gold(path, self.path, progress)
        with named(path, "read", _REFUSED):
            self.bytes = self.path.stat().st_size
            self.sha256 = file_sha256(self.path)
        if self.bytes > MOST_BYTES:
            why = f"It is {self.bytes:,} bytes long, and a hub takes {MOST_BYTES:,} at most."
            raise BundleError(
                f"{path.name} is not published", why, "Split it by `bundle split`, and publish the parts."
            )

    def _check(self, bundle: OpenBundle, progress: Progress) -> None:
        name = self.path.name
        derived = derived_from(self.manifest.unknown)
        if derived is not None and derived.tool == RETURN:
            why = "It goes back to one rater, and nobody else."
            raise BundleError(f"{name} is not published", why, f"{_REFUSED} Send it by `audit return --hub`.")
        rubric_of(bundle, self.path)
        for line in bundle.tasks():
            if line.number % _STEP == 0:
                progress(line.number, self.manifest.tasks)
            if line.task is None:
                self.left_out.append(LeftOut(task=line.id, why=line.trouble))
        bundle.verify_rest(progress)

    def as_assigned(self, name: str, sha256: str, size: int) -> AssignedBundle:
        manifest = self.manifest
        return AssignedBundle(
            name=name,
            sha256=sha256,
            bytes=size,
            id=manifest.id,
            revision=manifest.revision,
            title=manifest.title,
            tasks=manifest.tasks,
        )


def _put(hub: Hub, ready: _Ready, progress: Progress) -> tuple[AssignedBundle, bool]:
    """The bundle as it stands on the hub then, and whether it stood there before. Raises `BundleError`."""
    manifest = ready.manifest
    name = hub_names.bundle_name(manifest.id, manifest.revision, ready.sha256)
    same = _same_there(hub, ready, name, progress)
    if same is not None:
        return same, True
    there = hub.put_new(name, ready.path, ready.sha256, progress) == "there"
    # Another lead may have put other files there since we looked. Each looks once more after its own are there and
    # before anybody is assigned, so at least the second one sees both.
    _same_there(hub, ready, name, progress)
    return ready.as_assigned(name, ready.sha256, ready.bytes), there


def _same_there(hub: Hub, ready: _Ready, name: str, progress: Progress) -> AssignedBundle | None:
    """The same bundle where it lies there in another packing. Raises `BundleError` where another has its revision."""
    manifest, found = ready.manifest, None
    for one in hub.list(name.rpartition("/")[0], progress):
        digest = hub_names.hash_in(one.name)
        if one.name != name and digest and hub_names.is_formed(one.name) and _revision(one.name) == manifest.revision:
            size = _same_to_a_rater(hub, ready, one.name, progress)
            found = found or ready.as_assigned(one.name, digest, size)
    return found


def _revision(name: str) -> int:
    return int(name.rpartition("/")[2].partition("-")[0])


def _same_to_a_rater(hub: Hub, ready: _Ready, name: str, progress: Progress) -> int:
    """The size of what stands there, where it is the same bundle in another packing. Raises `BundleError`."""
    manifest = ready.manifest
    what = f"{manifest.id} revision {manifest.revision}"
    with tempfile.TemporaryDirectory(prefix="desktop-rater-") as place:
        copy = Path(place) / "there.zip"
        try:
            with named(copy, "written", TRY_AGAIN), copy.open("wb") as file:
                size = hub.get(name, file.write, progress, most=MOST_BYTES)
        except HubTrouble as trouble:
            if trouble.kind != "torn":
                raise
            why = f"{name} may still be on its way, or was cut off, so nobody can say whether it is the same."
            hint = f"{_REFUSED} Wait until it is whole, or give the bundle a higher revision."
            raise BundleError(f"{what} is on the hub, and not whole", why, hint) from trouble
        same = _is_same(copy, ready)
    if not same:
        own = hub_names.bundle_name(manifest.id, manifest.revision, ready.sha256)
        raise BundleError(
            f"{what} is on the hub with other files",
            f"There: {name}. Here: {own}.",
            f"{_REFUSED} Give the bundle a higher revision.",
        )
    return size


def _is_same(copy: Path, ready: _Ready) -> bool:
    try:
        with open_bundle(copy) as bundle:
            return bundle.manifest.id == ready.manifest.id and bundle.identity == ready.identity
    except BundleError:
        return False


def _assign(bundle: AssignedBundle) -> Callable[[Hub, str, Progress], Put]:
    def assign(hub: Hub, rater: str, progress: Progress) -> Put:
        assignment = Assignment(format=ASSIGNMENT_FORMAT, version=HUB_VERSION, rater=rater, bundle=bundle)
        raw = written(assignment)
        name = hub_names.assignment_name(rater, hashlib.sha256(raw).hexdigest())
        return put_small(hub, name, raw, progress)

    return assign
