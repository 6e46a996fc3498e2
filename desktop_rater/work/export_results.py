"""Let ratings leave the laptop, once no rule blocks any of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.bundle.put import check_place
from desktop_rater.bundle.results import NewResults, ResultLines, write_results
from desktop_rater.bundle.sources import Spool
from desktop_rater.bundle.trouble import BundleError, named
from desktop_rater.bundle.write import TRY_AGAIN
from desktop_rater.model.canonical import canonical
from desktop_rater.model.change import Change
from desktop_rater.model.derived import RETURN, derived_in
from desktop_rater.model.manifests import BundleRef, Counts
from desktop_rater.store import exports
from desktop_rater.work import rubrics
from desktop_rater.work.gather_results import Gathering, Stays
from desktop_rater.work.open_task import bundle_of

if TYPE_CHECKING:
    from pathlib import Path

    from desktop_rater.bundle.signing import SigningKey
    from desktop_rater.model.progress import Progress
    from desktop_rater.store.bundles import BundleRow
    from desktop_rater.store.store import Store
    from desktop_rater.work.gather_results import Keep


class Exported(Change, frozen=True, kw_only=True):
    """`written` is false, and there is no file, where ratings are missing or blocked and `partial` was not asked.

    `altered`: the SHA-256 of each stored page that evidence names and that stays, since it is not what was stored.
    `key`: the public key of what they are signed with; empty where they are not.
    """

    out: Path
    written: bool
    sha256: str = ""
    complete: int = 0
    skipped: int = 0
    stays: tuple[Stays, ...] = ()
    altered: tuple[str, ...] = ()
    key: str = ""


def export_results(
    store: Store,
    bundle_id: str,
    rater: str,
    out: Path,
    *,
    progress: Progress,
    partial: bool = False,
    key: SigningKey | None = None,
) -> Exported:
    """Write the rater's results of a bundle to `out`. Raises `RaterError`: then what was there is as it was.

    The same stored ratings give the same bytes. With `key`, the rater's own, they are signed.
    """
    if store.folder.resolve() in out.resolve().parents:
        raise BundleError(f"{out.name} can't be written", "That is inside the store.", "Choose another folder.")
    export = Export(store, bundle_of(store, bundle_id), rater, progress, key=key)
    exported = export.to(out, partial=partial)
    if export.made is not None:
        exports.remember(store, export.made)
    return exported


class Export:
    """One export: one walk through the tasks puts aside what leaves, and then it is packed.

    Nothing of it is written to the store but by `keep`, so `store` need not be the one that writes. What was `made` is
    to be remembered there, as long as the last results are still those `after` which they were made.
    """

    def __init__(
        self,
        store: Store,
        bundle: BundleRow,
        rater: str,
        progress: Progress,
        *,
        keep: Keep | None = None,
        key: SigningKey | None = None,
    ) -> None:
        self._store = store
        self._bundle = bundle
        self._rater = rater
        self._progress = progress
        self._key = key
        self._derived = derived_in(bundle.manifest)
        rubric = rubrics.of_bundle(bundle.rubric, bundle.rubric_toml, bundle.id)
        self._leaving = Gathering(store, bundle, rater, rubric, keep)
        self.made: exports.Export | None = None
        self.after: exports.Export | None = None

    def to(self, out: Path, *, partial: bool) -> Exported:
        """Write the results to a file. Raises `RaterError`: then what was there is as it was."""
        with named(out, "written", TRY_AGAIN):
            check_place(out)
            with Spool(out.parent) as spool:  # what leaves is too large to keep in memory
                lines = ResultLines(spool)
                self._leaving.gather(lines, self._progress)
                stays = tuple(self._leaving.stays)
                if not (self._leaving.complete or self._leaving.skipped) or (stays and not partial):
                    return Exported(out=out, written=False, stays=stays)
                return self._write(out, lines, partial=bool(stays))

    def _write(self, out: Path, lines: ResultLines, *, partial: bool) -> Exported:
        supersedes, content = self._predecessor(partial=partial)
        results = self._results(partial=partial, supersedes=supersedes)
        digest = write_results(out, results, lines, progress=self._progress, key=self._key)
        self._progress(self._bundle.tasks, self._bundle.tasks)
        self.made = exports.Export(
            bundle=self._bundle.id,
            rater=self._rater,
            sha256=digest,
            supersedes=supersedes,
            content=content,
            moment=self._leaving.moment,
            tasks=self._bundle.tasks,
            complete=self._leaving.complete,
            skipped=self._leaving.skipped,
        )
        return Exported(
            out=out,
            written=True,
            sha256=digest,
            complete=self._leaving.complete,
            skipped=self._leaving.skipped,
            stays=tuple(self._leaving.stays),
            altered=tuple(sorted(self._leaving.altered)),
            key=self._key.public if self._key is not None else "",
        )

    def _predecessor(self, *, partial: bool) -> tuple[str | None, str]:
        """What these results supersede, and the hash of their content.

        Exported twice, the same content supersedes the same: not itself. The first ones of what was sent back take the
        place of those that it was sent back from.
        """
        whole = [self._bundle.id, self._bundle.revision, self._rater, partial, sorted(self._leaving.snapshots)]
        if self._key is not None:  # signed ones follow the same ones without a signature, and are no fork
            whole.append(self._key.public)
        self._leaving.content.update(canonical(whole))
        content = self._leaving.content.hexdigest()
        last = self.after = exports.last(self._store, self._bundle.id, self._rater)
        if last is None:
            returned = self._derived if self._derived is not None and self._derived.tool == RETURN else None
            return (returned.results if returned is not None else None), content
        return (last.supersedes if last.content == content else last.sha256), content

    def _results(self, *, partial: bool, supersedes: str | None) -> NewResults:
        bundle = self._bundle
        return NewResults(
            bundle=BundleRef(
                id=bundle.id,
                revision=bundle.revision,
                sha256=bundle.tasks_sha256,
                language=bundle.language,
                derived=self._derived,
            ),
            rater=self._rater,
            rubric=bundle.rubric,
            counts=Counts(tasks=bundle.tasks, complete=self._leaving.complete, skipped=self._leaving.skipped),
            moment=self._leaving.moment,
            partial=partial,
            practice=bundle.practice,
            supersedes=supersedes,
            rubric_toml=bundle.rubric_toml,
            snapshots=self._leaving.snapshots,
        )
