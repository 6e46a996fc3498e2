"""Export a rater's results once no rule blocks any of the ratings."""

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from desktop_rater.files import check_destination
from desktop_rater.format.change import Change, Progress
from desktop_rater.format.errors import bundle_errors
from desktop_rater.format.manifests import RETURN_TOOL, BundleRef, Counts, HistoryLine, derivation_in_manifest
from desktop_rater.format.rating import Problem, Status
from desktop_rater.format.results import ResultLines, ResultsDraft, write_results
from desktop_rater.format.signing import SigningKey
from desktop_rater.format.strict_json import canonical_json, prepared_type, sha256, to_plain
from desktop_rater.format.values import utc_now
from desktop_rater.format.write import HINT_UNCHANGED, Spool, refuse_inside_store
from desktop_rater.operations import rubrics
from desktop_rater.operations.rating.open_task import decode_task, load_bundle
from desktop_rater.rubric import Rubric, check_rating, exported_form
from desktop_rater.rubric.check import UNHASHED_KEYS
from desktop_rater.store import export_forms, ratings, snapshots, state
from desktop_rater.store.bundles import BundleRow
from desktop_rater.store.export_forms import ExportedTask
from desktop_rater.store.state import recent_file, record_file
from desktop_rater.store.store import Store

Keep = Callable[[str, Sequence[tuple[ExportedTask, bytes]]], None]

_BATCH = 100  # tasks between two progress reports, during which answers may be saved


class UnexportedTask(msgspec.Struct, frozen=True, kw_only=True):
    """A task whose rating can't be exported: the reason, and the rules that block it."""

    task: str
    why: str
    problems: tuple[Problem, ...] = ()


class _Form(msgspec.Struct, frozen=True):
    """The fields of an exported rating that the export needs."""

    task: str
    rater: str
    status: Status
    revision: int = 0
    changed: str = ""
    evidence: tuple[dict[str, Any], ...] = ()


class ResultsGatherer:
    """One pass over the tasks of a bundle's revision, which fills all attributes.

    `as_rated`: each task with the rating that was made on its line in this revision. `store` may be read-only if `keep`
    saves what was checked. `snapshots`: SHA-256 → file of exported stored pages; `altered`: those left out because they
    were altered. `content`: running SHA-256 of the ratings, `moment`: time of the last one.
    """

    def __init__(
        self,
        store: Store,
        bundle: BundleRow,
        rater: str,
        rubric: Rubric,
        keep: Keep | None = None,
        *,
        as_rated: bool = False,
    ) -> None:
        self._store = store
        self._as_rated = as_rated
        self._keep = keep or partial(export_forms.store_forms, store)
        self._bundle = bundle
        self._rater = rater
        self._rubric = rubric
        self.stays: list[UnexportedTask] = []
        self.complete = self.skipped = 0
        self.moment = ""
        self.snapshots: dict[str, Path] = {}
        self.altered: set[str] = set()
        self.content = hashlib.sha256()

    def gather(self, lines: ResultLines, progress: Progress) -> None:
        """Add the exported ratings in task order, with tasks and histories; record what can't be exported."""
        basis = self._rubric.basis
        batches = export_forms.stream_export(
            self._store, self._bundle, self._rater, basis, _BATCH, as_rated=self._as_rated
        )
        for batch in batches:
            leaving_now: list[tuple[ExportedTask, bytes]] = []
            checked_now: list[tuple[ExportedTask, bytes]] = []
            for leaver in batch:
                form = leaver.ready
                fields = None if form is None else self._fields_in_history(leaver, form)
                if form is None or fields is None:
                    form, fields = self._check(leaver) or (None, None)
                    if form is not None:
                        checked_now.append((leaver, form))
                if form is not None and fields is not None:
                    self._count(form, fields)
                    leaving_now.append((leaver, form))
            if leaving_now:
                lines.add(
                    [form for _, form in leaving_now],
                    [leaver.task.line for leaver, _ in leaving_now],
                    self._history([leaver for leaver, _ in leaving_now]),
                )
            if checked_now:
                self._keep(basis, checked_now)
            # Answers may be saved during this call; the batch is not used after it.
            progress(batch[-1].task.position + 1, self._bundle.tasks)

    def _check(self, leaver: ExportedTask) -> tuple[bytes, _Form] | None:
        task_id = leaver.task.id
        if leaver.last is None:
            self.stays.append(UnexportedTask(task=task_id, why="it is not rated"))
            return None
        rating = ratings.decode_rating(task_id, self._rater, leaver.last.revision, leaver.body)
        if not leaver.same_line:
            rating = msgspec.structs.replace(rating, status="incomplete")
        outcome = check_rating(self._rubric, decode_task(leaver.task), rating)
        problems = tuple(problem for problem in outcome.problems if problem.level == "block")
        if rating.status != "incomplete" and rating.rubric != self._rubric.ref:
            why = f"it was rated with {rating.rubric}, but the bundle now uses {self._rubric.ref}; finish it again"
            self.stays.append(UnexportedTask(task=task_id, why=why, problems=problems))
            return None
        if rating.status == "incomplete" or problems:
            why = "its rating is not complete" if leaver.same_line else "the task has changed since"
            self.stays.append(UnexportedTask(task=task_id, why=why, problems=problems))
            return None
        form = canonical_json(to_plain(exported_form(rating, outcome)))
        fields = self._fields_in_history(leaver, form)
        if fields is None:
            why = "its exported form differs from when it was saved; change an answer, and finish it again"
            self.stays.append(UnexportedTask(task=task_id, why=why))
            return None
        return form, fields

    def _fields_in_history(self, leaver: ExportedTask, form: bytes) -> _Form | None:
        """Return the form's fields if the history ends with it; otherwise recipients would consider it altered.

        Raises `StoreDamaged` if it is not even the form of that revision.
        """
        last, exported = leaver.last, msgspec.json.decode(form, type=prepared_type(_Form))
        number = last.revision if last is not None else 0
        identity = exported.task, exported.rater, exported.revision, exported.changed
        if last is None or identity != (leaver.task.id, self._rater, number, last.changed):
            raise ratings.altered_rating(leaver.task.id, self._rater, number)
        # The parts of canonical JSON are hashed as they are.
        parts = msgspec.json.decode(form, type=prepared_type(dict[str, msgspec.Raw]))
        hashed = {key: part for key, part in parts.items() if key not in UNHASHED_KEYS}
        return exported if sha256(msgspec.json.encode(hashed, order="sorted")) == last.sha256 else None

    def _count(self, form: bytes, exported: _Form) -> None:
        self.content.update(form)
        self.complete += exported.status == "complete"
        self.skipped += exported.status == "skipped"
        self.moment = max(self.moment, exported.changed)
        for snapshot in sorted({piece["snapshot"] for piece in exported.evidence if piece.get("snapshot")}):
            self._add_page(snapshot)

    def _add_page(self, sha256: str) -> None:
        """Add a stored page. An altered one proves nothing, and must not block the ratings."""
        path = snapshots.snapshot_path(self._store.folder, sha256)
        if path is None or sha256 in self.snapshots or sha256 in self.altered:
            return
        if snapshots.intact_snapshot(self._store.folder, sha256) is None:
            self.altered.add(sha256)
        else:
            self.snapshots[sha256] = path

    def _history(self, leaving_now: list[ExportedTask]) -> list[HistoryLine]:
        """Return the histories of some ratings. Raises `StoreDamaged` for a gap, which recipients would reject."""
        ends = [(leaver.task.id, leaver.last) for leaver in leaving_now if leaver.last is not None]
        rows = export_forms.export_history(
            self._store,
            self._bundle.id,
            self._rater,
            [(task_id, last.revision - 1) for task_id, last in ends if last.revision > 1],
        )
        counts = Counter(row.task for row in (*rows, *(last for _, last in ends)))
        for task_id, last in ends:
            if counts[task_id] != last.revision:
                raise ratings.missing_revisions(task_id, self._rater, counts[task_id], last.revision)
        remaining = iter(rows)
        return [row for _, last in ends for row in (*islice(remaining, last.revision - 1), last)]


class ExportedResults(Change, frozen=True, kw_only=True):
    """Outcome of an export. `written` is false and no file exists if ratings are missing or blocked without `partial`.

    `altered`: SHA-256 of cited stored pages left out because they were altered. `key`: public signing key, empty if
    unsigned.
    """

    out: Path
    written: bool
    sha256: str = ""
    complete: int = 0
    skipped: int = 0
    stays: tuple[UnexportedTask, ...] = ()
    altered: tuple[str, ...] = ()
    key: str = ""


def export_results(  # noqa: PLR0913 - what a user chooses, and the clock
    store: Store,
    bundle_id: str,
    rater: str,
    out: Path,
    *,
    progress: Progress,
    partial: bool = False,
    key: SigningKey | None = None,
    revision: int | None = None,
    now: Callable[[], datetime] = utc_now,
) -> ExportedResults:
    """Write the rater's results of a bundle to `out`. Raises `RaterError`; an existing file is then unchanged.

    The same stored ratings give the same bytes. With `key`, the rater's own, they are signed. `revision`: that of the
    bundle, as it was rated, instead of the current one. A store that is open for reading does not record the export.
    """
    refuse_inside_store(store.folder, out)
    bundle = load_bundle(store, bundle_id, revision)
    export = ResultsExport(store, bundle, rater, progress, key=key, as_rated=revision is not None)
    exported = export.to(out, partial=partial)
    if export.made is not None and store.writable:
        state.record_export(store, export.made)
        record_file(store, recent_file(out.name, "exported", bundle_id, now))
    return exported


class ResultsExport:
    """One export: a pass over the tasks collects the ratings, then they are packed.

    Only `keep` writes to the store, so `store` may be read-only. Save `made` there afterwards if the last export is
    still `after`.
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
        as_rated: bool = False,
    ) -> None:
        self._store = store
        self._as_rated = as_rated
        self._bundle = bundle
        self._rater = rater
        self._progress = progress
        self._key = key
        self._derived = derivation_in_manifest(bundle.manifest)
        rubric = rubrics.bundle_rubric_of(bundle.rubric, bundle.rubric_toml, bundle.id)
        self._gathered = ResultsGatherer(store, bundle, rater, rubric, keep, as_rated=as_rated)
        self.made: state.ExportRow | None = None
        self.after: state.ExportRow | None = None

    def to(self, out: Path, *, partial: bool) -> ExportedResults:
        """Write the results to a file. Raises `RaterError`; an existing file is then unchanged."""
        # Exported ratings may exceed the memory.
        with bundle_errors(out, "written", HINT_UNCHANGED), Spool(check_destination(out)) as spool:
            lines = ResultLines(spool)
            self._gathered.gather(lines, self._progress)
            stays = tuple(self._gathered.stays)
            if not (self._gathered.complete or self._gathered.skipped) or (stays and not partial):
                return ExportedResults(out=out, written=False, stays=stays)
            return self._write(out, lines, partial=bool(stays))

    def _write(self, out: Path, lines: ResultLines, *, partial: bool) -> ExportedResults:
        supersedes, content = self._predecessor(partial=partial)
        results = self._results(partial=partial, supersedes=supersedes)
        digest = write_results(out, results, lines, progress=self._progress, key=self._key)
        self._progress(self._bundle.tasks, self._bundle.tasks)
        self.made = state.ExportRow(
            bundle=self._bundle.id,
            rater=self._rater,
            sha256=digest,
            supersedes=supersedes,
            content=content,
            moment=self._gathered.moment,
            tasks=self._bundle.tasks,
            complete=self._gathered.complete,
            skipped=self._gathered.skipped,
        )
        return ExportedResults(
            out=out,
            written=True,
            sha256=digest,
            complete=self._gathered.complete,
            skipped=self._gathered.skipped,
            stays=tuple(self._gathered.stays),
            altered=tuple(sorted(self._gathered.altered)),
            key=self._key.public if self._key is not None else "",
        )

    def _predecessor(self, *, partial: bool) -> tuple[str | None, str]:
        """Return the results superseded by these, and the hash of the content.

        A repeated export of the same content supersedes the same results, not itself. The first results of a returned
        bundle supersede those it was returned from. Results of a given revision that were exported before are the same
        again, whatever was exported since.
        """
        whole = [self._bundle.id, self._bundle.revision, self._rater, partial, sorted(self._gathered.snapshots)]
        if self._key is not None:  # signing unchanged results makes a successor, not a fork
            whole.append(self._key.public)
        self._gathered.content.update(canonical_json(whole))
        content = self._gathered.content.hexdigest()
        last = self.after = state.last_export(self._store, self._bundle.id, self._rater)
        if self._as_rated:
            last = state.last_export(self._store, self._bundle.id, self._rater, content=content) or last
        if last is None:
            returned = self._derived if self._derived is not None and self._derived.tool == RETURN_TOOL else None
            return (returned.results if returned is not None else None), content
        return (last.supersedes if last.content == content else last.sha256), content

    def _results(self, *, partial: bool, supersedes: str | None) -> ResultsDraft:
        bundle = self._bundle
        return ResultsDraft(
            bundle=BundleRef(
                id=bundle.id,
                revision=bundle.revision,
                sha256=bundle.tasks_sha256,
                language=bundle.language,
                derived=self._derived,
            ),
            rater=self._rater,
            rubric=bundle.rubric,
            counts=Counts(tasks=bundle.tasks, complete=self._gathered.complete, skipped=self._gathered.skipped),
            moment=self._gathered.moment,
            partial=partial,
            practice=bundle.practice,
            supersedes=supersedes,
            rubric_toml=bundle.rubric_toml,
            snapshots=self._gathered.snapshots,
        )
