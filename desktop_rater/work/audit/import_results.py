"""Import the results of many raters: each zip is fully checked; invalid ones are reported and skipped."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import msgspec

from desktop_rater.audit.authority import Source, counts
from desktop_rater.audit.results import ResultsDecision
from desktop_rater.bundle.archive import zip_kind
from desktop_rater.bundle.errors import BundleError
from desktop_rater.model.change import Cancelled, Change, Progress
from desktop_rater.model.errors import RaterError
from desktop_rater.model.values import format_time
from desktop_rater.store import received, reviews, signatures
from desktop_rater.store.errors import StoreError
from desktop_rater.store.store import Store
from desktop_rater.work.audit.check_results import ResultsCache
from desktop_rater.work.audit.import_results_file import (
    ImportedCopy,
    ImportedFile,
    ResultsImportRun,
    import_bundle_copy,
    import_results_file,
)
from desktop_rater.work.audit.load_audit import AuditTexts
from desktop_rater.work.audit.results_files import ResultsFile, file_state, files_of, is_folder, printable_name
from desktop_rater.work.hub.keys import ImportedKey, import_keys, is_key_file

_NAMED = "the file was opened by its name"
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
        copy = import_bundle_copy(
            store, path, AuditTexts(store), lead=lead, now=now, progress=progress, source="published"
        )
    except BundleError:
        return Change()
    return Change(audits=frozenset() if copy.known else frozenset({copy.bundle}))


class _Opening:
    def __init__(self, store: Store, lead: str, now: datetime, source: Source) -> None:
        self._store = store
        self._lead = lead
        self._source = source
        self._run = ResultsImportRun(store, ResultsCache(), AuditTexts(store), now)
        self._known = received.stored_results(store)
        self._keys: list[int] = []
        self._took: list[ImportedFile] = []
        self._copies: list[ImportedCopy] = []
        self._refused: list[RefusedFile] = []
        self._named: set[Path] = set()
        self._passed_over: list[str] = []
        self._results_named: list[str] = []

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
        try:
            for index, file in enumerate(files):
                progress(index, len(files))
                # Cancelled with the run, whose progress counts files.
                self._open(file, Progress(lambda _done, _total, index=index: progress(index, len(files))))
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
        if digest in self._known:
            self._finish()  # it may have been imported in this run
            stored = received.get_results(self._store, digest)
            signature = signatures.signature_of(self._store, digest)
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
            self._results_named += [digest] * (file.path in self._named)
            return
        imported, key = import_results_file(self._run, file, content, progress)
        self._results_named += [digest] * (file.path in self._named)
        self._known.add(digest)
        self._keys.append(key)
        self._took.append(imported)

    def _admit_named_models(self) -> None:
        """Record that the lead named results of models: others of a model wait for the lead's word."""
        source = self._source
        now = self._run.now
        decision = ResultsDecision(kind="admitted", reason=_NAMED, lead=self._lead, changed=format_time(now))
        for digest in self._results_named if counts("model results", source) else ():
            results = received.get_results(self._store, digest)
            subject = ("results", digest)
            if results.model and not reviews.review_history(self._store, results.bundle, subject):
                reviews.append_review(self._store, results.bundle, subject, self._lead, decision, now=now)

    def _finish(self) -> None:
        keys, self._keys = self._keys, []
        if keys:
            received.finish_results(self._store, keys)
