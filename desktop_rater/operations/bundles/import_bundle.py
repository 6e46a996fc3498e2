"""Import a bundle into the store, completely or not at all."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from functools import partial
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import Any, Literal

import msgspec

from desktop_rater.format.archive import TASKS, OpenBundle, open_bundle
from desktop_rater.format.change import NO_CHANGE, Change, Progress
from desktop_rater.format.errors import BundleError
from desktop_rater.format.jsonl import TaskLine
from desktop_rater.format.manifests import BundleManifest, BundleRef, parse_derivation
from desktop_rater.format.strict_json import StrictJsonError, read_json_object, read_struct
from desktop_rater.format.targets import PreparedTask, RelocatedTarget, UnplacedReason, prepare_task
from desktop_rater.format.task import Task
from desktop_rater.format.values import format_time
from desktop_rater.operations import rubrics
from desktop_rater.operations.pages.stored_pages import record_pages
from desktop_rater.operations.rating.gold import read_bundle_gold
from desktop_rater.rubric import Rubric
from desktop_rater.rubric.check import excess_of_task
from desktop_rater.rubric.suggest import ignored_suggestions
from desktop_rater.store import bundle_events, bundles, snapshots
from desktop_rater.store.bundle_events import RevisionEffect
from desktop_rater.store.errors import StoreError
from desktop_rater.store.pages import PageOrigin
from desktop_rater.store.state import recent_file, record_file
from desktop_rater.store.store import Store

# Reading stops when more than this is left out.
MOST_LEFT_OUT = 100_000
_NAMED = 200  # notes
_ESCAPE = re.compile(r"\\(?:u[0-9a-f]{4}|.)")  # in JSON


class LeftOut(msgspec.Struct, frozen=True, kw_only=True):
    """A task or target that is not imported. `target` None: the whole task; `why` names file, line and ids."""

    task: str | None
    target: str | None = None
    why: str
    reason: UnplacedReason | Literal["invalid", "no-targets"] = "invalid"


class BundleLine(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a bundle. `task` is `None` if left out; `raw`: the line to the byte.

    `strange`: messages about ignored suggestions, naming file, line and ids.
    """

    number: int
    raw: bytes
    task: Task | None
    left_out: tuple[LeftOut, ...] = ()
    aligned: tuple[RelocatedTarget, ...] = ()
    strange: tuple[str, ...] = ()


class BundleNotes:
    """Notes on a bundle that do not prevent the import; only the first ones are kept in `named`."""

    def __init__(self) -> None:
        self.count = 0
        self._named: list[str] = []

    def add(self, messages: Iterable[str]) -> None:
        for message in messages:
            self.count += 1
            if self.count <= _NAMED:
                self._named.append(message)

    @property
    def named(self) -> tuple[str, ...]:
        more = self.count - _NAMED
        return (*self._named, *((f"… and {more:,} more of that kind",) if more > 0 else ()))


def rubric_of_bundle(bundle: OpenBundle, path: Path) -> Rubric:
    """Return the rubric of an open bundle. Raises `RubricError`."""
    return rubrics.incoming_rubric(bundle.manifest.rubric, bundle.rubric_toml, path.name)


def bundle_lines(
    lines: Iterable[TaskLine], rubric: Rubric, *, lang: str, called: str = TASKS, accept_close: bool = False
) -> Iterator[BundleLine]:
    """Yield every line, in order; `called`: file name for messages, `lang`: the bundle's language.

    Raises `BundleError` if too much is left out.
    """
    lost = 0
    for line in _prepared_lines(lines, rubric, lang=lang, called=called, accept_close=accept_close):
        lost += len(line.left_out)
        if lost > MOST_LEFT_OUT:
            why = f"More than {MOST_LEFT_OUT:,} tasks and targets of {called} can't be imported, the last: "
            raise BundleError(f"{called} is refused", f"{why}{line.left_out[-1].why}.")
        yield line


def _prepared_lines(
    lines: Iterable[TaskLine], rubric: Rubric, *, lang: str, called: str, accept_close: bool
) -> Iterator[BundleLine]:
    for line in lines:
        if line.task is None:
            yield BundleLine(
                number=line.number, raw=line.raw, task=None, left_out=(LeftOut(task=line.id, why=line.error),)
            )
            continue
        prepared = prepare_task(line.task, per_target=rubric.per_target, accept_close=accept_close, lang=lang)
        excess = excess_of_task(rubric, prepared.task) if prepared.task is not None else ""
        if excess:
            prepared = PreparedTask(task=None, why=excess)
        where = f'{called}, line {line.number}, task "{line.task.id}"'
        yield BundleLine(
            number=line.number,
            raw=line.raw,
            task=prepared.task,
            left_out=_left_out(where, line.task, prepared),
            aligned=prepared.aligned,
            strange=_ignored_suggestions(where, rubric, line.task, prepared),
        )


def _ignored_suggestions(where: str, rubric: Rubric, task: Task, prepared: PreparedTask) -> tuple[str, ...]:
    """Return messages about ignored suggestions; unplaced targets are reported elsewhere."""
    if task.suggestions is None or prepared.task is None:
        return ()
    unplaced = {entry.target for entry in prepared.unplaced}
    return tuple(
        f"{where}: {entry.why}" for entry in ignored_suggestions(rubric, prepared.task) if entry.target not in unplaced
    )


def bundle_ref(manifest: BundleManifest) -> BundleRef:
    """Return the reference to a bundle in the manifests of its results."""
    return BundleRef(
        id=manifest.id,
        revision=manifest.revision,
        sha256=manifest.files[TASKS].sha256,
        language=manifest.language,
        derived=parse_derivation(manifest.unknown),
    )


def refuse_empty(path: Path, tasks: int, left_out: list[LeftOut]) -> None:
    """Raise `BundleError` for a bundle without any usable task."""
    if not tasks:
        why = left_out[0].why if left_out else "it contains none"
        raise BundleError(f"{path.name} is refused", f"None of its tasks can be used: {why}.")


def _left_out(where: str, task: Task, prepared: PreparedTask) -> tuple[LeftOut, ...]:
    lost = []
    for target in prepared.unplaced:
        why = f'{where}, target "{target.target}": {target.why}'
        if target.close is not None:
            why += f"; --accept-close would accept a passage that matches to {target.close:.1%}"
        lost.append(LeftOut(task=task.id, target=target.target, why=why, reason=target.reason))
    if prepared.task is None:
        why = f"{where}: {prepared.why or 'none of its targets found a place'}"
        lost.append(LeftOut(task=task.id, why=why, reason="limit" if prepared.why else "no-targets"))
    return tuple(lost)


# Saving an answer waits for the current chunk, so chunks are short.
_SECONDS_A_CHUNK = 0.01
_SECONDS_READING = 0.1
_FIRST_CHUNK, _LARGEST_CHUNK = 20, 2_000
_TITLE = 200
INDEXED_AT_ONCE = 500  # a bundle with more tasks is searched later than it is there


LARGEST_USUAL_REVISION = 100_000  # a higher one is rather a slip, such as a date: 20261122 or 202611


class HidesWork(BundleError):
    """An import that must be confirmed: it would put rated tasks out of sight, or its revision is far off.

    `why` says which; `leap`: the revision is not the next one of the store's, or not a usual number.
    """

    def __init__(self, path: Path, bundle: str, revision: int, effect: RevisionEffect, *, leap: bool) -> None:
        self.bundle, self.revision, self.effect, self.leap = bundle, revision, effect, leap
        reasons = []
        if leap:
            reason = f", but the store has revision {effect.current}" if effect.current else ", which is unusually high"
            reasons.append(f"It is revision {revision} of {bundle}{reason}.")
        if effect.finished or effect.begun:
            reasons.append(
                f"It does not contain all rated tasks of {bundle}: {effect.finished:,} finished and {effect.begun:,} "
                "begun ones would go out of sight."
            )
        super().__init__(
            f"{path.name} is not imported",
            " ".join(reasons),
            "Ask your team whether it is right. It is imported only if you confirm it.",
        )


class ImportedBundle(Change, frozen=True, kw_only=True):
    """Outcome of an import. `imported`: number of tasks; `message`: the one for the user.

    `ignored`: messages about unusable suggestions and gold answers of practice. `effect`: on tasks rated before.
    `current`: the revision of the bundle that is current now. `stored`: the store has this revision. `put_away`: the
    bundle is left out of lists.
    """

    outcome: Literal["imported", "unchanged", "older"]
    id: str
    revision: int
    imported: int = 0
    left_out: tuple[LeftOut, ...] = ()
    ignored: tuple[str, ...] = ()
    effect: RevisionEffect = RevisionEffect()
    current: int = 0
    stored: bool = True
    put_away: bool = False
    message: str


def import_bundle(
    store: Store,
    path: Path,
    *,
    progress: Progress,
    now: Callable[[], datetime],
    accept_close: bool = False,
    replace: bool = False,
    received_as: str = "",
    indexed_at_once: int = INDEXED_AT_ONCE,
) -> ImportedBundle:
    """Import one bundle. Raises `RaterError`, also for a refused bundle, and `Cancelled`; nothing is imported then.

    The rows are written in small chunks to an invisible bundle; the last step makes it visible. The search index of a
    bundle with more than `indexed_at_once` tasks is left to `index_bundles`. Raises `HidesWork`
    unless `replace` if that would put rated tasks out of sight, or if its revision is a leap. A revision below the
    current one is imported only with `replace`. `received_as`: its name if it came from a hub.
    """
    with open_bundle(path) as bundle:
        stored = _already_stored(store, bundle, path, replace=replace)
        if stored is not None:
            if stored.outcome == "unchanged":
                snapshots.store_pictures(store, bundle.pictures().values())  # a damaged store may have lost some
            return stored
        _sweep(store, progress)
        index_later = bundle.manifest.tasks > indexed_at_once
        rubric = rubric_of_bundle(bundle, path)  # an unreadable one refuses the bundle
        key = bundles.begin_bundle_import(store, _new_bundle(bundle, rubric, now), index_later=index_later)
        try:
            task_import = _TaskImport(store, key, bundle, rubric, accept_close=accept_close, index_later=index_later)
            tasks, left_out = task_import.run(path, progress)
            bundle.verify_rest(progress)
            _confirm(store, key, bundle.manifest, path, replace=replace)
            bundles.store_gold(store, key, task_import.gold.good)
            _store_files(store, bundle, now, progress)
            # Answers may have been saved since the tasks were compared.
            effect = _confirm(store, key, bundle.manifest, path, replace=replace)
            bundles.finish_bundle_import(store, key)
        except BaseException:
            with suppress(StoreError):  # the next import or start sweeps; report the first error
                bundles.drop_import(store, key)
            raise
        manifest = bundle.manifest
        what = "received" if received_as else "imported"
        record_file(store, recent_file(received_as or path.name, what, manifest.id, now))
        put_away = bundle_events.is_put_away(store, manifest.id)
        return ImportedBundle(
            bundles=frozenset({manifest.id}),
            outcome="imported",
            id=manifest.id,
            revision=manifest.revision,
            imported=tasks,
            left_out=tuple(left_out),
            ignored=task_import.remarks.named,
            effect=effect,
            current=manifest.revision,
            put_away=put_away,
            message=_import_message(path, manifest, tasks, effect, put_away=put_away),
        )


def _store_files(store: Store, bundle: OpenBundle, now: Callable[[], datetime], progress: Progress) -> None:
    """Store the pictures and pages of a bundle."""
    snapshots.store_pictures(store, bundle.pictures().values())
    for sha256 in bundle.snapshots:
        snapshots.store_snapshot(store.folder, sha256, bundle.snapshot(sha256))
    if bundle.snapshots:
        origin = PageOrigin(kind="bundle", bundle=bundle.manifest.id, arrived=format_time(now()))
        record_pages(store, origin, bundle.snapshots, progress)


def _import_message(path: Path, manifest: BundleManifest, tasks: int, effect: RevisionEffect, *, put_away: bool) -> str:
    message = f"{path.name}: {tasks:,} tasks of {manifest.id} revision {manifest.revision} are in the store."
    if effect.reopened:
        message += f" {effect.reopened:,} finished tasks changed and have to be finished again."
    return f"{message}{_put_away_note(manifest.id) if put_away else ''}"


def _confirm(store: Store, key: int, manifest: BundleManifest, path: Path, *, replace: bool) -> RevisionEffect:
    """Return the effect of the imported revision. Raises `HidesWork` if it has to be confirmed and is not."""
    effect = bundle_events.revision_effect(store, manifest.id, key)
    leap = manifest.revision > LARGEST_USUAL_REVISION or (
        effect.current > 0 and bundles.find_bundle_revision(store, manifest.id, manifest.revision - 1) is None
    )
    if not replace and (leap or effect.finished or effect.begun):
        raise HidesWork(path, manifest.id, manifest.revision, effect, leap=leap)
    return effect


def _put_away_note(bundle_id: str) -> str:
    return f" The bundle is put away; `bundle bring-back {bundle_id}` brings it back."


def _already_stored(store: Store, bundle: OpenBundle, path: Path, *, replace: bool) -> ImportedBundle | None:
    """Return the outcome if the store has this revision or, unless `replace`, a later one.

    Raises `BundleError` if contents differ.
    """
    manifest = bundle.manifest
    same = bundles.find_bundle_revision(store, manifest.id, manifest.revision)
    newest = bundles.find_bundle(store, manifest.id)
    name = f"{manifest.id} revision {manifest.revision}"
    if same is not None and same.identity != bundle.identity:
        raise BundleError(
            f"{path.name} is not imported",
            f"The store has {name} with other files.",
            "Ask the author of the bundle for one with a higher revision.",
        )
    if newest is None or (same is None and (replace or newest.revision < manifest.revision)):
        return None
    if same is not None:
        for _ in bundle.tasks():
            pass
    older = newest.revision > manifest.revision
    message = f"{path.name}: nothing to do, {name} is in the store."
    if same is None:
        message = f"{path.name}: nothing to do, the store has {manifest.id} revision {newest.revision} already; "
        message += "this earlier one is imported only if you confirm it (--replace)."
    elif newest.revision != manifest.revision:
        message += f" Revision {newest.revision} is the current one; `bundle revision {manifest.id} "
        message += f"{manifest.revision}` goes to this one."
    put_away = bundle_events.is_put_away(store, manifest.id)
    return ImportedBundle(
        outcome="older" if older else "unchanged",
        id=manifest.id,
        revision=manifest.revision,
        current=newest.revision,
        stored=same is not None,
        put_away=put_away,
        message=f"{message}{_put_away_note(manifest.id) if put_away else ''}",
    )


def _sweep(store: Store, progress: Progress) -> None:
    """Remove the rest of an import that could not be rolled back, for example on a full disk."""
    for key in bundles.unfinished_imports(store):
        while bundles.drop_import_step(store, key):
            progress(0, 0)


def _new_bundle(bundle: OpenBundle, rubric: Rubric, now: Callable[[], datetime]) -> bundles.NewBundle:
    manifest = bundle.manifest
    return bundles.NewBundle(
        id=manifest.id,
        revision=manifest.revision,
        title=manifest.title or manifest.id,
        language=manifest.language,
        created=manifest.created,
        rubric=rubric.ref,
        rubric_toml=bundle.rubric_toml,
        guidelines=bundle.guidelines or "",
        manifest=bundle.manifest_raw.decode(),
        tasks_sha256=manifest.files["tasks.jsonl"].sha256,
        identity=bundle.identity,
        imported=format_time(now()),
    )


class _TaskImport:
    """Reader of one bundle's tasks, which stores them and collects notes."""

    def __init__(
        self, store: Store, key: int, bundle: OpenBundle, rubric: Rubric, *, accept_close: bool, index_later: bool
    ) -> None:
        self._store = store
        self._key = key
        self._total = bundle.manifest.tasks
        self._index_later = index_later
        self._rubric = rubric
        self._lines = bundle_lines(bundle.tasks(), rubric, lang=bundle.manifest.language, accept_close=accept_close)
        self.gold = read_bundle_gold(bundle)
        self.remarks = BundleNotes()
        self._left_out: list[LeftOut] = []

    def run(self, path: Path, progress: Progress) -> tuple[int, list[LeftOut]]:
        """Store the tasks in chunks; return the number stored and those left out."""
        tasks = lines = 0
        size = _FIRST_CHUNK
        rows = self._rows()
        while chunk := _chunk(rows, size, partial(progress, lines, self._total)):
            started = monotonic()
            tasks = bundles.add_tasks(self._store, self._key, [row for row in chunk if row is not None])
            lines += len(chunk)
            progress(lines, self._total)
            size = _next_size(size, monotonic() - started)
        refuse_empty(path, tasks, self._left_out)
        self.remarks.add(self.gold.faults())
        return tasks, self._left_out

    def _rows(self) -> Iterator[bundles.TaskRow | None]:
        for line in self._lines:
            self._left_out += line.left_out
            self.remarks.add(line.strange)
            if line.task is not None:
                self.gold.judge(self._rubric, line.task)
            yield None if line.task is None else task_row(line.raw, line.task, index_later=self._index_later)


def _next_size(size: int, seconds: float) -> int:
    """Return the size of the next chunk after one of `size` rows that took some seconds."""
    return min(_LARGEST_CHUNK, max(1, min(int(size * _SECONDS_A_CHUNK / max(seconds, 1e-6)), size * 2)))


def _chunk(
    rows: Iterator[bundles.TaskRow | None], size: int, check: Callable[[], None]
) -> list[bundles.TaskRow | None]:
    """Return at most `size` rows, fewer if reading takes long.

    `check` is called after each row, to let a pending answer through or to cancel.
    """
    deadline = monotonic() + _SECONDS_READING
    chunk: list[bundles.TaskRow | None] = []
    for row in islice(rows, size):
        check()
        chunk.append(row)
        if monotonic() > deadline:
            break
    return chunk


def index_bundles(store: Store, *, progress: Progress) -> Change:
    """Add the tasks of large bundles to the search index, in short transactions, until it has all.

    Goes on where an interrupted run ended. Raises `StoreError`, `Cancelled`.
    """
    if not bundles.has_unindexed(store):
        return NO_CHANGE
    size, done = _FIRST_CHUNK, 0
    while lines := bundles.unindexed_tasks(store, size):
        rows = []
        for key, line in lines:
            rows.append((key, _texts_of_line(line)))
            progress(done, 0)
        started = monotonic()
        bundles.add_to_index(store, rows)
        size = _next_size(size, monotonic() - started)
        done += len(rows)
        progress(done, 0)
    while bundles.merge_search_index(store):
        progress(done, 0)
    return Change(indexed=bundles.finish_index(store))


def task_row(raw: bytes, task: Task, *, index_later: bool = False) -> bundles.TaskRow:
    """Return the row of a task whose targets are placed; `raw`: its line to the byte."""
    return bundles.TaskRow(
        id=task.id,
        title=" ".join(task.prompt.text.split())[:_TITLE],
        line=raw,
        targets=None if task.targets is None else msgspec.json.encode(task.targets).decode(),
        texts=None if index_later else searched_texts(task),
        sizes=(len(task.targets or ()), len(task.responses)),
    )


def searched_texts(task: Task) -> bundles.SearchedTexts:
    """Return the texts by which a task is found: those that are found in the open task as well."""
    calls = [call for response in task.responses for call in response.tools]
    around = (*(turn.text for turn in task.history), task.reference or "")
    documents = (text for document in task.context for text in (document.title, document.text))
    return (
        "\n\n".join(filter(None, (task.prompt.text, *around, *documents))),
        "\n\n".join(response.text for response in task.responses),
        "\n\n".join(
            text for call in calls for text in (call.name, _indexed_text(call.input), _indexed_text(call.output))
        ),
    )


def _texts_of_line(line: bytes) -> bundles.SearchedTexts:
    try:
        return searched_texts(read_struct(read_json_object(line), Task))
    except StrictJsonError:  # it was damaged in the store: `doctor` reports it
        return "", "", ""


def _indexed_text(value: Any) -> str:
    """Return the words of a tool's input or output: of JSON without escapes, which would join words."""
    if value is None or isinstance(value, str):
        return value or ""
    return _ESCAPE.sub(" ", msgspec.json.encode(value).decode())
