"""Import the results of many raters: each zip is fully checked; invalid ones are reported and skipped."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import msgspec

from desktop_rater.audit.digest import make_digest
from desktop_rater.audit.results import LeadCopy, ResultsDecision, TaskGold, origin_of, original_bundle
from desktop_rater.format.archive import GOLD, OpenBundle, open_bundle, zip_kind
from desktop_rater.format.authority import Source, counts
from desktop_rater.format.change import Cancelled, Change, Progress
from desktop_rater.format.errors import BundleError, RaterError
from desktop_rater.format.hub_names import SignatureState
from desktop_rater.format.manifests import parse_derivation
from desktop_rater.format.rating import Problem, Rating
from desktop_rater.format.results import OpenResults, open_results
from desktop_rater.format.strict_json import from_plain
from desktop_rater.format.values import Answers, format_time
from desktop_rater.operations import rubrics
from desktop_rater.operations.audit.check_results import RecheckedRating, ResultsCache, ResultsNotes, ratings_for_audit
from desktop_rater.operations.audit.load_audit import AuditTexts, gold_of_copies, lead_copy, put_away_copies
from desktop_rater.operations.audit.results_files import (
    FileState,
    ResultsFile,
    file_state,
    files_of,
    is_folder,
    printable_name,
    refuse_changed,
)
from desktop_rater.operations.bundles.import_bundle import bundle_lines, rubric_of_bundle
from desktop_rater.operations.hub.keys import ImportedKey, import_keys, is_key_file
from desktop_rater.operations.pages.stored_pages import record_pages
from desktop_rater.operations.rating.gold import GoldAnswers
from desktop_rater.store import received, reviews, snapshots
from desktop_rater.store.errors import StoreError
from desktop_rater.store.keys import record_signature, signature_of
from desktop_rater.store.pages import PageOrigin
from desktop_rater.store.received import NewReceivedRating, NewReceivedResults
from desktop_rater.store.reviews import NewReview
from desktop_rater.store.store import Store
from desktop_rater.text.untrusted import normalised_name

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
        digest = make_digest(rating, judged.outcome, self._snapshots, judged.pull)
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
            record_signature(store, self.key, self._results.signature)
        if self._waiting:
            received.add_received_ratings(store, self.key, self._waiting, self._run.texts.pending)
            self._run.texts.pending.clear()
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
    texts.pending.clear()
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
            texts.pending.clear()
            progress(incoming_task.number, manifest.tasks)
        if incoming_task.task is not None:
            tasks.append((incoming_task.task.id, texts.add(incoming_task.raw)))
            answers.judge(rubric, incoming_task.task)
    snapshots.store_pictures(store, bundle.pictures().values())
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


_NAMED = "the file was opened by its name"
_FEW = 2  # files: a bundle and the results of one rater
_BATCH = 50  # zips finished in one transaction: each commit waits for the disk


class RefusedFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file that was refused, with the reason. `file`: its name relative to the given folder."""

    file: str
    title: str
    message: str = ""
    hint: str = ""


class ImportedResults(Change, frozen=True, kw_only=True):
    """Outcome of an import, in the order of the files. `took`: results; `copies`: the lead's bundle copies.

    `keys`: the raters' public signing keys. `passed_over`: other files in the folders.
    """

    took: tuple[ImportedFile, ...] = ()
    copies: tuple[ImportedCopy, ...] = ()
    refused: tuple[RefusedFile, ...] = ()
    keys: tuple[ImportedKey, ...] = ()
    passed_over: tuple[str, ...] = ()


def import_results(
    store: Store,
    paths: Sequence[Path],
    *,
    lead: str,
    now: datetime,
    progress: Progress,
    source: Source = "named",
) -> ImportedResults:
    """Import results, bundle copies and raters' keys from files and folders. Importing a file twice has no effect.

    `source`: of the files among `paths`; what lies in a folder was found there. A bundle that was found is refused,
    unless it is the copy that the lead has.

    Raises `StoreError` if the store can't be written, or `Cancelled`; files imported before that are kept.
    """
    return _Opening(store, lead, now, source).open(paths, progress)


def keep_published(store: Store, path: Path, *, lead: str, now: datetime, progress: Progress) -> Change:
    """Keep a copy of a bundle that the lead has published: its results are compared with that. Parts are left out.

    Raises `StoreError` or `Cancelled`.
    """
    try:
        copy = import_bundle_copy(store, path, AuditTexts(), lead=lead, now=now, progress=progress, source="published")
    except BundleError:
        return Change()
    return Change(audits=frozenset() if copy.known else frozenset({copy.bundle}))


class _Opening:
    def __init__(self, store: Store, lead: str, now: datetime, source: Source) -> None:
        self._store = store
        self._lead = lead
        self._source = source
        self._run = ResultsImportRun(store, ResultsCache(), AuditTexts(), now)
        self._known = received.stored_results(store)
        self._keys: list[int] = []
        self._took: list[ImportedFile] = []
        self._copies: list[ImportedCopy] = []
        self._refused: list[RefusedFile] = []
        self._named: set[Path] = set()
        self._passed_over: list[str] = []
        self._results_named: set[str] = set()

    def open(self, paths: Sequence[Path], progress: Progress) -> ImportedResults:
        keys = import_keys(self._store, paths, lead=self._lead, now=self._run.now, refuse=self._refuse)
        files = [
            entry
            for path in paths
            if not is_key_file(path)
            for entry in files_of(path, self._refuse, self._passed_over.append)
        ]
        self._named = {path for path in paths if not is_folder(path)}
        files.sort(key=lambda file: file.path not in self._named)  # so that a named bundle is known where it is found
        if few := len(files) <= _FEW:
            self._run.known.most_bytes = 0  # hardly a task occurs twice
        try:
            for index, file in enumerate(files):
                progress(index, len(files))
                # Cancelled with the run, whose progress counts files; of a few, what is in them.
                within = lambda *of_file, index=index: progress(  # noqa: E731
                    *(of_file if few and all(of_file) else (index, len(files)))
                )
                self._open(file, Progress(within))
                if len(self._keys) == _BATCH:
                    self._finish()
        except (Cancelled, KeyboardInterrupt):
            self._finish()
            raise
        self._finish()
        self._admit_named_models()
        progress(len(files), len(files))
        changed = {entry.bundle for entry in self._took if not entry.known}
        changed |= {entry.bundle for entry in self._copies if not entry.known}
        if not all(entry.known for entry in keys):
            changed |= set(received.bundles_with_results(self._store))  # their signatures can be verified now
        return ImportedResults(
            audits=frozenset(changed),
            took=tuple(self._took),
            copies=tuple(self._copies),
            refused=tuple(self._refused),
            keys=keys,
            passed_over=tuple(self._passed_over),
        )

    def _open(self, file: ResultsFile, progress: Progress) -> None:
        try:
            if zip_kind(file.path) == "bundle":
                now, texts = self._run.now, self._run.texts
                source: Source = self._source if file.path in self._named else "found"
                copy = import_bundle_copy(
                    self._store, file.path, texts, lead=self._lead, now=now, progress=progress, source=source
                )
                self._copies.append(msgspec.structs.replace(copy, file=file.display_name))
            else:
                self._open_results(file, progress)
        except StoreError:
            raise
        except RaterError as error:
            self._refuse(file.display_name, error)

    def _refuse(self, name: str, error: RaterError) -> None:
        title, message = printable_name(error.title), printable_name(error.message)
        self._refused.append(RefusedFile(file=name, title=title, message=message, hint=error.hint))

    def _open_results(self, file: ResultsFile, progress: Progress) -> None:
        content = file_state(file.path)
        digest = content.sha256
        if file.path in self._named:
            self._results_named.add(digest)
        if digest in self._known:
            self._finish()  # it may have been imported in this run
            stored = received.get_results(self._store, digest)
            signature = signature_of(self._store, digest)
            imported = ImportedFile(
                file=file.display_name,
                sha256=digest,
                bundle=stored.bundle,
                rater=stored.rater,
                complete=stored.complete,
                skipped=stored.skipped,
                partial=stored.partial,
                practice=stored.practice,
                known=True,
                signature=signature.state if signature is not None else "unsigned",
            )
            self._took.append(imported)
            return
        imported, key = import_results_file(self._run, file, content, progress)
        self._known.add(digest)
        self._keys.append(key)
        self._took.append(imported)

    def _admit_named_models(self) -> None:
        """Record that the lead named results of models: others of a model wait for the lead's word."""
        source = self._source
        now = self._run.now
        decision = ResultsDecision(kind="admitted", reason=_NAMED, lead=self._lead, changed=format_time(now))
        taken = [entry.sha256 for entry in self._took if entry.sha256 in self._results_named]
        for digest in taken if counts("model results", source) else ():
            results = received.get_results(self._store, digest)
            subject = ("results", digest)
            if results.model and not reviews.review_history(self._store, results.bundle, subject):
                reviews.append_review(self._store, results.bundle, subject, self._lead, decision, now=now)

    def _finish(self) -> None:
        keys, self._keys = self._keys, []
        if keys:
            received.finish_results(self._store, keys)
