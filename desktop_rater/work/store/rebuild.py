"""Rebuild a store from salvaged rows: bundles, tasks, ratings with history, audits and hub connections."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

import msgspec
from msgspec.structs import replace

from desktop_rater.bundle.targets import prepare_task
from desktop_rater.model import edit
from desktop_rater.model.change import Progress
from desktop_rater.model.errors import RaterError
from desktop_rater.model.manifests import ResultsManifest
from desktop_rater.model.rating import Rating
from desktop_rater.model.strict_json import (
    StrictJsonError,
    canonical_json,
    from_plain,
    prepared_type,
    read_json_object,
    read_struct,
    sha256,
    to_plain,
)
from desktop_rater.model.task import Target, Task
from desktop_rater.rubric import CheckOutcome, Rubric, check_rating, exported_form, exported_sha256
from desktop_rater.store import (
    bundle_events,
    bundles,
    hubs,
    insert_recovered,
    outbox,
    received,
    reviews,
    signatures,
    tasks,
)
from desktop_rater.store.bundles import TaskRow
from desktop_rater.store.doctor import STAND_IN_ENTRY
from desktop_rater.store.errors import NotInStore
from desktop_rater.store.insert_recovered import HeadColumns
from desktop_rater.store.received import NewReceivedResults
from desktop_rater.store.salvage import OTHER_TABLES, SalvagedRating, SalvagedRows, SalvagedTask
from desktop_rater.store.store import Store
from desktop_rater.work.bundles.import_bundle import task_row
from desktop_rater.work.rating.open_task import decode_task
from desktop_rater.work.rubrics import rubrics


def rebuild_hubs(store: Store, findings: SalvagedRows) -> list[str]:
    """Insert the salvaged hubs and outbox items; return a sentence for each loss.

    Interrupted items start over. Verified items stay verified, since the next sync compares them with the hub.
    """
    lost = []
    with store.writing("The salvaged hubs could not be stored.") as db:
        for hub in findings.hubs():
            hubs.insert_hub(db, hub)
    projects = {hub.project for hub in hubs.list_hubs(store)}
    for item in findings.outbox():
        if item.project in projects:
            outbox.restore_item(store, item)
        elif item.state != "verified":
            lost.append(f"The hub of {item.project} can't be read, and {item.name} was not sent. Connect it again.")
    return lost


def rebuild_audits(store: Store, findings: SalvagedRows, progress: Progress) -> list[str]:
    """Insert the salvaged reviews, then the complete results; return a sentence for each loss."""
    rows = ((review.bundle, review.subject, review.lead, review.changed, review.body) for review in findings.reviews())
    while chunk := list(islice(rows, _BATCH)):
        reviews.restore_reviews(store, chunk)
        progress(0, 0)
    lost = [
        f"Revision {revision} of the review of {bundle}, {subject}, can't be read."
        for bundle, subject, revision in findings.lost_reviews()
    ]
    texts = findings.texts()
    while batch := list(islice(texts, _BATCH)):
        received.store_texts(store, batch)
        progress(0, 0)
    keys = []
    for new in findings.received():
        key, message = _put_results(store, findings, new, progress)
        keys += [key] if key else []
        lost += [message] if message else []
    received.finish_results(store, keys)
    return lost


def _put_results(store: Store, findings: SalvagedRows, new: NewReceivedResults, progress: Progress) -> tuple[int, str]:
    """Return the key of rebuilt results; 0 if incomplete, with a message."""
    counts = from_plain(msgspec.json.decode(new.manifest), ResultsManifest).counts
    expected = counts.complete + counts.skipped
    count = sum(1 for _ in findings.received_ratings(new.sha256))
    if count != expected:
        message = f"The results {new.file!r} of {new.rater}: {count:,} of {expected:,} ratings can be read."
        return 0, f"{message} Open them again."
    key = received.begin_results(store, new)
    signature = findings.signature(new.sha256)
    if signature is not None:
        signatures.record_signature(store, key, signature)
    ratings = findings.received_ratings(new.sha256)
    while chunk := list(islice(ratings, _BATCH)):
        received.add_received_ratings(store, key, chunk, {})
        progress(0, 0)
    return key, ""


_BATCH = 200  # rows per transaction
_LISTED = 5  # lost tasks named per bundle

RatingKey = tuple[str, str, str]  # bundle, task, rater


class RebuiltStore(msgspec.Struct, frozen=True, kw_only=True):
    """Counts of rebuilt rows, and a sentence for each loss."""

    bundles: int
    tasks: int
    revisions: int
    lost: tuple[str, ...]


def rebuild_store(store: Store, findings: SalvagedRows, progress: Progress) -> RebuiltStore:
    """Fill an empty store with salvaged rows. Raises `StoreError`, `Cancelled`."""
    bundles_rebuilt = _Bundles(store, findings, progress)
    bundles_rebuilt.rebuild()
    bundle_events.restore_events(store, findings.bundle_events())
    current = bundles.list_bundles(store, put_away=True)
    rubrics_by_bundle = {row.id: bundles_rebuilt.rubrics[row.id, row.revision] for row in current}
    history = _History(store, findings, rubrics_by_bundle, progress)
    history.rebuild()
    for bundle in current:
        insert_recovered.rebuild_finished_runs(store, bundle.id)
    for table in OTHER_TABLES:
        insert_recovered.insert_other_rows(store, table, findings.other_rows(table))
    lost = (
        *bundles_rebuilt.lost,
        *history.lost,
        *rebuild_audits(store, findings, progress),
        *rebuild_hubs(store, findings),
    )
    return RebuiltStore(bundles=bundles_rebuilt.count, tasks=bundles_rebuilt.tasks, revisions=history.read, lost=lost)


class _Bundles:
    def __init__(self, store: Store, findings: SalvagedRows, progress: Progress) -> None:
        self._store = store
        self._found = findings
        self._progress = progress
        self.rubrics: dict[tuple[str, int], Rubric] = {}  # by bundle and revision
        self.count = self.tasks = 0
        self.lost: list[str] = []

    def rebuild(self) -> None:
        for new, expected in self._found.bundles():
            name = f"Revision {new.revision} of the bundle {new.id}"
            try:
                rubric = rubrics.bundle_rubric_of(new.rubric, new.rubric_toml, new.id)
            except RaterError as error:
                self.lost.append(f"{name}: its rubric can't be read ({error.title})")
                continue
            self.rubrics[new.id, new.revision] = rubric
            self._rebuild(new, rubric, expected, name)

    def _rebuild(self, new: bundles.NewBundle, rubric: Rubric, expected: int, name: str) -> None:
        key = bundles.begin_bundle_import(self._store, new)
        positions: list[int] = []
        rows = self._rows(new, rubric, positions)
        while chunk := list(islice(rows, _BATCH)):
            self._progress(bundles.add_tasks(self._store, key, chunk), expected)
        bundles.store_gold(self._store, key, self._gold_rows(new, name))
        bundles.finish_bundle_import(self._store, key)
        self.count += 1
        self.tasks += len(positions)
        missing = sorted(set(range(expected)) - set(positions))
        if missing:
            task_names = self._found.task_names(new.id, new.revision)
            listed = ", ".join(task_names.get(position, f"number {position + 1}") for position in missing[:_LISTED])
            more = f" and {len(missing) - _LISTED} more" if len(missing) > _LISTED else ""
            self.lost.append(f"{name}: {len(missing)} of {expected} tasks can't be read: {listed}{more}.")

    def _gold_rows(self, new: bundles.NewBundle, name: str) -> Iterator[tuple[str, bytes]]:
        task_names = self._found.task_names(new.id, new.revision)
        for position, line in self._found.gold(new.id, new.revision, new.identity):
            if line is None:
                task = task_names.get(position, f"number {position + 1}")
                self.lost.append(f"{name}: the gold answer of the task {task} can't be read.")
                continue
            with suppress(msgspec.MsgspecError):  # its hash is right, so it is unchanged
                yield from_plain(msgspec.json.decode(line), Rating).task, line

    def _rows(self, new: bundles.NewBundle, rubric: Rubric, positions: list[int]) -> Iterator[TaskRow]:
        for found_task in self._found.tasks(new.id, new.revision, new.identity):
            task = _placed(found_task, rubric, new.language)
            if task is not None:
                positions.append(found_task.position)
                yield task_row(found_task.line, task)


class _History:
    """Rebuild revisions in order.

    A lost one is replaced by a copy of its neighbour, since results with a gap in their history count as altered.
    """

    def __init__(
        self, store: Store, findings: SalvagedRows, rubrics_by_bundle: dict[str, Rubric], progress: Progress
    ) -> None:
        self._store = store
        self._found = findings
        self._rubrics = rubrics_by_bundle
        self._progress = progress
        self._lasts: dict[RatingKey, tuple[int, int]] = {}
        revisions = Counter(new.id for new, _ in findings.bundles())
        self._never_changed = {name for name, count in revisions.items() if count == 1}
        self.read = 0
        self.lost: list[str] = []

    def rebuild(self) -> None:
        for bundle, task, rater, last, ever in self._found.last_revisions():
            self._lasts[bundle, task, rater] = last, ever
            if not last:
                self.lost.append(f"{rater}'s rating of {bundle}/{task}: none of its {ever} revisions can be read.")
        rows = self._rows()
        count = 0
        while chunk := list(islice(rows, _BATCH)):
            insert_recovered.insert_ratings(self._store, chunk)
            count += len(chunk)
            self._progress(count, 0)

    def _rows(self) -> Iterator[tuple[SalvagedRating, HeadColumns | None]]:
        before: dict[RatingKey, int] = {}
        for row in self._found.ratings():
            key = row.bundle, row.task, row.rater
            last, ever = self._lasts[key]
            for number in range(before.get(key, 0) + 1, row.revision):
                yield _substitute(row, number), None
                self._report_loss(row, number, "")
            before[key] = row.revision
            self.read += 1
            yield (row, None) if row.revision < max(last, ever) else self._with_head(row)
            for number in range(last + 1, ever + 1) if row.revision == last else ():
                # The last answers are unknown, so the task must be reviewed again.
                stand_in = _substitute(row, number, status="incomplete")
                self._report_loss(row, number, " The task counts as unfinished.")
                yield self._with_head(stand_in) if number == ever else (stand_in, None)

    def _report_loss(self, row: SalvagedRating, number: int, consequence: str) -> None:
        name = f"Revision {number} of {row.rater}'s rating of {row.bundle}/{row.task}"
        self.lost.append(f"{name} can't be read and was replaced by a copy of revision {row.revision}.{consequence}")

    def _with_head(self, row: SalvagedRating) -> tuple[SalvagedRating, HeadColumns]:
        rubric = self._rubrics.get(row.bundle)
        try:
            stored = tasks.get_task(self._store, row.bundle, row.task)
            rating = from_plain(msgspec.json.decode(row.body), Rating)
        except (NotInStore, msgspec.MsgspecError):
            stored = None
        if rubric is None or stored is None:
            return row, HeadColumns(line_sha256=None, blocking=0, warnings=0, answered=0, total=0)
        line = self._found.rated_line(row.bundle, row.task, row.rater)
        if line is None and row.bundle in self._never_changed:
            line = stored.line_sha256  # the task never changed
        if rating.rubric != rubric.ref:
            line = None  # the current rubric's questions are unanswered
        outcome = check_rating(rubric, decode_task(stored), rating)
        if line == stored.line_sha256:
            # No hash in the row covers this value, and it is exported with the results.
            row = replace(row, leaving_sha256=exported_sha256(exported_form(rating, outcome)))
        return row, _head(outcome, line or None)


def _head(outcome: CheckOutcome, line: str | None) -> HeadColumns:
    questions = [question for entries in outcome.asked.values() for question in entries if question.required]
    return HeadColumns(
        line_sha256=line,
        blocking=outcome.blocking,
        warnings=outcome.warnings,
        answered=sum(question.value is not None for question in questions),
        total=len(questions),
    )


def _substitute(row: SalvagedRating, number: int, status: str = "") -> SalvagedRating:
    rating = replace(from_plain(msgspec.json.decode(row.body), Rating), revision=number)
    if status and rating.status == "skipped":
        rating = edit.without_skip(rating)
    elif status:
        rating = replace(rating, status="incomplete")
    body = canonical_json(to_plain(rating))
    return replace(
        row, revision=number, status=rating.status, done=STAND_IN_ENTRY, sha256=sha256(body), body=body.decode()
    )


def _placed(salvaged: SalvagedTask, rubric: Rubric, lang: str) -> Task | None:
    """Return a task with the targets placed by the import, or placed again if these are invalid."""
    try:
        task = read_struct(read_json_object(salvaged.line), Task)
    except StrictJsonError:  # imported by a version with looser rules
        return None
    if salvaged.targets is not None:
        try:
            targets = msgspec.json.decode(salvaged.targets, type=prepared_type(tuple[Target, ...]))
        except msgspec.MsgspecError:
            targets = None
        responses = {response.id: response.text for response in task.responses}
        if targets is not None and all(
            responses.get(target.response or "", "")[target.start or 0 : target.end or 0] == target.quote
            for target in targets
        ):
            return replace(task, targets=targets)
    return prepare_task(task, per_target=rubric.per_target, accept_close=True, lang=lang).task
