"""Import one results zip, or a lead's copy of a bundle, into the store."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import msgspec

from desktop_rater.audit.authority import Source, counts
from desktop_rater.audit.digest import make_digest
from desktop_rater.audit.results import LeadCopy, ResultsDecision, TaskGold, origin_of, original_bundle
from desktop_rater.bundle.archive import GOLD
from desktop_rater.bundle.errors import BundleError
from desktop_rater.bundle.read import OpenBundle, open_bundle
from desktop_rater.bundle.results import OpenResults, open_results
from desktop_rater.model.change import Progress
from desktop_rater.model.manifests import parse_derivation
from desktop_rater.model.rating import Problem, Rating
from desktop_rater.model.signature import SignatureState
from desktop_rater.model.strict_json import from_plain
from desktop_rater.model.values import Answers, format_time
from desktop_rater.store import pictures, received, reviews, signatures, snapshots
from desktop_rater.store.errors import StoreError
from desktop_rater.store.pages import PageOrigin
from desktop_rater.store.received import NewReceivedRating, NewReceivedResults
from desktop_rater.store.reviews import NewReview
from desktop_rater.store.store import Store
from desktop_rater.text.names import normalised_name
from desktop_rater.work.audit.check_results import (
    RecheckedRating,
    ResultsCache,
    ResultsNotes,
    ratings_for_audit,
)
from desktop_rater.work.audit.load_audit import AuditTexts, gold_of_copies, lead_copy, put_away_copies
from desktop_rater.work.audit.results_files import FileState, ResultsFile, refuse_changed
from desktop_rater.work.bundles.import_bundle import bundle_lines, rubric_of_bundle
from desktop_rater.work.pages.stored_pages import record_pages
from desktop_rater.work.rating.gold import GoldAnswers
from desktop_rater.work.rubrics import rubrics

_CHUNK = 200  # ratings per transaction


class ImportedFile(msgspec.Struct, frozen=True, kw_only=True):
    """Results in the store. `known`: they were there before. `units`: number of judged places.

    `bundle` is the audited one. `broken`: (task id, blocking problems) of ratings marked complete. `signature`:
    validity of the signature itself; the audit tells whose it is.
    """

    file: str
    sha256: str
    bundle: str
    rater: str
    complete: int = 0
    skipped: int = 0
    partial: bool = False
    practice: bool = False
    known: bool = False
    units: int = 0
    broken: tuple[tuple[str, tuple[Problem, ...]], ...] = ()
    notes: tuple[str, ...] = ()
    signature: SignatureState = "unsigned"


@dataclass(frozen=True)
class ResultsImportRun:
    """Shared state of an import run."""

    store: Store
    known: ResultsCache
    texts: AuditTexts
    now: datetime


def import_results_file(
    import_run: ResultsImportRun, file: ResultsFile, content: FileState, progress: Progress
) -> tuple[ImportedFile, int]:
    """Import a results zip; passing the returned key to `finish` makes it visible. `content`: its expected state.

    Raises `BundleError` or `RubricError` if invalid, and `Cancelled`; nothing of it is left then.
    """
    path = file.path
    with open_results(path) as results:
        notes, ratings = ratings_for_audit(path, results, import_run.known, progress)
        writer = _Results(import_run, file, content.sha256, results)
        try:
            for rating in ratings:
                writer.add(rating)
            progress(0, 0)
            writer.store()
            writer.keep_pages(progress)
            refuse_changed(path, content)
        except StoreError:
            import_run.texts.discard_pending()  # the store can't be written now; the next opening removes the rest
            raise
        except BaseException:
            writer.drop()
            raise
        return writer.imported(notes), writer.key


class _Results:
    """Writer of one zip's ratings in chunks. Small zips reach the store only after they were checked completely.

    `key`: of its row, 0 before there is one.
    """

    def __init__(self, run: ResultsImportRun, file: ResultsFile, sha256: str, results: OpenResults) -> None:
        self._run = run
        self._file = file
        self._sha256 = sha256
        self._results = results
        self._snapshots = frozenset(results.snapshots)
        self._bundle = origin_of(results.manifest).bundle
        self._waiting: list[NewReceivedRating] = []
        self._units = 0
        self.key = 0

    def add(self, judged: RecheckedRating) -> None:
        rating = judged.line.rating
        digest = make_digest(rating, judged.outcome, self._snapshots)
        self._units += len(digest.values)
        self._waiting.append(
            NewReceivedRating(
                task=rating.task,
                text=self._run.texts.add(judged.task_line.raw),
                revision=rating.revision,
                sha256=judged.sha256,
                digest=digest,
                history=msgspec.json.encode(judged.history).decode(),
                body=judged.line.raw,
            )
        )
        if len(self._waiting) == _CHUNK:
            self.store()

    def store(self) -> None:
        store = self._run.store
        if not self.key:
            self.key = received.begin_results(store, self._new())
            signatures.record_signature(store, self.key, self._results.signature)
        if self._waiting:
            received.add_received_ratings(store, self.key, self._waiting, self._run.texts.pending)
            self._run.texts.mark_stored()
            self._waiting = []

    def _new(self) -> NewReceivedResults:
        manifest = self._results.manifest
        return NewReceivedResults(
            sha256=self._sha256,
            bundle=self._bundle,
            rater=manifest.rater,
            supersedes=manifest.supersedes,
            manifest=self._results.manifest_raw.decode("utf-8-sig"),
            rubric_toml=self._results.rubric_toml,
            file=self._file.name,
            arrived=format_time(self._run.now),
        )

    def keep_pages(self, progress: Progress) -> None:
        """Store the pages that the rater used. They are harmless if the results are refused later."""
        for sha256 in self._results.snapshots:
            snapshots.store_snapshot(self._run.store.folder, sha256, self._results.snapshot(sha256))
            progress(0, 0)
        if self._results.snapshots:
            origin = PageOrigin(
                kind="results",
                bundle=self._bundle,
                rater=self._results.manifest.rater,
                results=self._sha256,
                arrived=format_time(self._run.now),
            )
            record_pages(self._run.store, origin, self._results.snapshots, progress)

    def drop(self) -> None:
        self._run.texts.discard_pending()
        if self.key:
            received.drop_results(self._run.store, self.key)

    def imported(self, notes: ResultsNotes) -> ImportedFile:
        checked = notes.result()
        signature = checked.signature
        alteration = (
            (f"It has been altered since it was signed. {signature.why}.",) if signature.state == "altered" else ()
        )
        return ImportedFile(
            file=self._file.display_name,
            sha256=self._sha256,
            bundle=self._bundle,
            rater=normalised_name(checked.rater),
            complete=checked.complete,
            skipped=checked.skipped,
            partial=checked.partial,
            practice=checked.practice,
            units=self._units,
            broken=checked.broken,
            notes=(*alteration, *checked.notes),
            signature=signature.state,
        )


_STEP = 200


class ImportedCopy(msgspec.Struct, frozen=True, kw_only=True):
    """A bundle copy in the store. `known`: it was there before, and nothing changed.

    `gold`: number of tasks with gold answers. `notes`: refused gold answers, with reasons.
    """

    file: str
    bundle: str
    revision: int
    tasks: int
    gold: int
    known: bool = False
    notes: tuple[str, ...] = ()


def import_bundle_copy(
    store: Store,
    path: Path,
    texts: AuditTexts,
    *,
    lead: str,
    now: datetime,
    progress: Progress,
    source: Source = "named",
) -> ImportedCopy:
    """Import a bundle for the audit of its results; where its `source` has no authority, only a known one is accepted.

    Raises `BundleError`, `RubricError`, `StoreError` or `Cancelled`.
    """
    with open_bundle(path) as bundle:
        _refuse_part(path, bundle)
        copy, answers = _read(store, path, bundle, texts, progress)
        bundle.verify_rest(progress)
        manifest = bundle.manifest
    stored_copy = lead_copy(store, manifest.id, manifest.revision)
    if stored_copy is not None and stored_copy.identity != copy.identity:
        why = f"A different bundle {manifest.id!r} with revision {manifest.revision} has already been opened for audit."
        raise BundleError(f"{path.name} is refused", why, "Give one of the two a higher revision.")
    if stored_copy is None and not counts("copy", source):
        raise found_bundle_error(path.name, manifest.id, manifest.revision)
    gold = _gold(answers, copy.revision) if counts("gold", source) else {}
    stored_gold = {("gold", task, str(known.revision)): known for task, known in gold_of_copies(store, manifest.id)}
    gold_changes = _new_gold(path, gold, stored_gold)
    received.store_texts(store, texts.pending.items())
    texts.mark_stored()
    changes = [] if stored_copy is not None else [NewReview(subject=("bundle", str(copy.revision)), body=copy)]
    if copy.revision in put_away_copies(store, manifest.id):  # it is named again
        changes += _of_put_away(store, manifest.id, copy.revision, gold)
    changes += gold_changes
    reviews.insert_reviews(store, manifest.id, changes, lead, now=now)
    return ImportedCopy(
        file=path.name,
        bundle=manifest.id,
        revision=manifest.revision,
        tasks=len(copy.tasks),
        gold=len(gold),
        known=not changes,
        notes=tuple(answers.faults()),
    )


def found_bundle_error(file: str, bundle: str, revision: int) -> BundleError:
    """Return the error for a bundle that nobody named: whoever laid it there would decide what counts."""
    why = f"It is revision {revision:,} of the bundle {bundle!r}, and anybody may have put it there."
    return BundleError(f"{file} was found in a folder", why, "Open it by its name if it is yours.")


def _refuse_part(path: Path, bundle: OpenBundle) -> None:
    """Refuse a part of a bundle: its results belong to the whole one, so an audit of the part would stay empty."""
    derived = parse_derivation(bundle.manifest.unknown)
    whole = original_bundle(derived)
    if whole is not None:
        what = f"It is a part of the bundle {whole.id!r}, and its results belong to that bundle."
        raise BundleError(f"{path.name} is refused", what, f"Open {whole.id!r} itself.")


def _read(
    store: Store, path: Path, bundle: OpenBundle, texts: AuditTexts, progress: Progress
) -> tuple[LeadCopy, GoldAnswers]:
    """Read the bundle. Its texts are stored meanwhile; they are harmless if it is refused later."""
    manifest = bundle.manifest
    rubric = rubric_of_bundle(bundle, path)
    answers = GoldAnswers(GOLD, strict=False, practice=manifest.practice)
    for line in bundle.gold_lines():
        answers.add(f"{GOLD}, line {line.number}", line.rating)
    tasks = []
    for incoming_task in bundle_lines(bundle.tasks(), rubric, lang=manifest.language):
        if incoming_task.number % _STEP == 0:
            received.store_texts(store, texts.pending.items())
            texts.mark_stored()
            progress(incoming_task.number, manifest.tasks)
        if incoming_task.task is not None:
            tasks.append((incoming_task.task.id, texts.add(incoming_task.raw)))
            answers.judge(rubric, incoming_task.task)
    pictures.store_pictures(store, bundle.pictures().values())
    copy = LeadCopy(
        revision=manifest.revision,
        title=manifest.title,
        language=manifest.language,
        rubric=manifest.rubric,
        rubric_toml=bundle.rubric_toml,
        guidelines=bundle.guidelines or rubrics.builtin_guidelines(rubric.file.id),
        pictures={name: manifest.files[name].sha256 for name in bundle.picture_names},
        identity=bundle.identity,
        tasks=tuple(tasks),
    )
    return copy, answers


def _gold(answers: GoldAnswers, revision: int) -> dict[str, TaskGold]:
    ratings_by_task: dict[str, list[Rating]] = {}
    for task, line in answers.good:
        ratings_by_task.setdefault(task, []).append(from_plain(msgspec.json.decode(line), Rating))
    return {task: TaskGold(revision=revision, ratings=tuple(ratings)) for task, ratings in ratings_by_task.items()}


def _new_gold(
    path: Path, gold: dict[str, TaskGold], stored_gold: Mapping[tuple[str, str, str], TaskGold]
) -> list[NewReview]:
    """Return the gold that differs from the stored one. Raises `BundleError` if its answers differ.

    Otherwise the order of two files would decide which gold is right.
    """
    changes = []
    for task, gold_of_task in gold.items():
        subject = ("gold", task, str(gold_of_task.revision))
        before = stored_gold.get(subject)
        if before == gold_of_task:
            continue
        if before is not None and _answers(before) != _answers(gold_of_task):
            why = f'An earlier bundle with the same id and revision has a different gold answer for task "{task}".'
            raise BundleError(f"{path.name} is refused", why, "Rebuild the correct bundle with a higher revision.")
        changes.append(NewReview(subject=subject, body=gold_of_task))
    return changes


def _of_put_away(store: Store, bundle: str, revision: int, gold: Collection[str]) -> list[NewReview]:
    """Return the reviews that bring back a revision, without the gold that only the copy in its place had."""
    back = NewReview(subject=("copy", str(revision)), body=ResultsDecision(kind="none"))
    earlier = (review.subject for review in reviews.latest_reviews(store, bundle, "gold"))
    gone = [subject for subject in earlier if subject[2] == str(revision) and subject[1] not in gold]
    return [back, *(NewReview(subject=subject, body=TaskGold(revision=revision, ratings=())) for subject in gone)]


def _answers(gold: TaskGold) -> list[tuple[str, Answers]]:
    """Return the answers alone, independent of how this version evaluates them."""
    return [(rating.rater, rating.answers) for rating in gold.ratings]
