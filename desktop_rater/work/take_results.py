"""One results zip on its way into the store: judged rating by rating, seen by nobody before it is whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.audit.make_digest import make_digest
from desktop_rater.audit.origin import origin_of
from desktop_rater.bundle.results import open_results
from desktop_rater.bundle.trouble import BundleError
from desktop_rater.model.limits import format_time
from desktop_rater.model.rating import Problem
from desktop_rater.model.signature import SignatureState
from desktop_rater.store import received, signatures, snapshots
from desktop_rater.store.received import NewRating, NewReceived
from desktop_rater.store.trouble import StoreError
from desktop_rater.work.check_results import Remarks, watched
from desktop_rater.work.judge_results import judge_results
from desktop_rater.work.results_files import refuse_changed
from desktop_rater.work.stored_pages import note

if TYPE_CHECKING:
    from datetime import datetime

    from desktop_rater.bundle.results import OpenResults
    from desktop_rater.model.progress import Progress
    from desktop_rater.store.store import Store
    from desktop_rater.work.audit_texts import Texts
    from desktop_rater.work.judge_results import Judged, Known
    from desktop_rater.work.results_files import Content, ResultsFile

_CHUNK = 200  # ratings of one transaction


class Took(msgspec.Struct, frozen=True, kw_only=True):
    """Results that are in the store. `known`: they were before. `units`: how many places of theirs were judged.

    `bundle` is the audited one. `broken`: (task id, blocking problems) of ratings that are called complete.
    `signature`: whether it is right by itself; whose it is the audit says.
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
class Taking:
    """What is worked out once for all results of a run."""

    store: Store
    known: Known
    texts: Texts
    now: datetime


def take_results(run: Taking, file: ResultsFile, content: Content, progress: Progress) -> tuple[Took, int]:
    """Take a results zip; `finish` with the key that is returned lets it be seen. `content`: what is to be in it.

    Raises `BundleError` or `RubricError` where it is not good, and `Cancelled`: nothing of it is left then.
    """
    path = file.path
    with open_results(path) as results:
        if results.manifest.adjudicated:
            why = "They say what a lead and the raters' majority decided, and their votes would count twice."
            raise BundleError(f"{path.name} holds no rater's results", why, "Open the raters' own.")
        results.verify_snapshots(progress)
        rubric = run.known.rubric(results.manifest.rubric, results.rubric_toml, path.name)
        remarks = Remarks(results, run.known)
        taking = _Results(run, file, content.sha256, results)
        try:
            judged = judge_results(path, results, rubric, run.known)
            for one in watched(judged, results, progress):
                remarks.take(one)
                taking.take(one)
            progress(0, 0)
            taking.store()
            taking.keep_pages(progress)
            refuse_changed(path, content)
        except StoreError:
            run.texts.forget()  # what is left of it goes when the store is opened next: now nothing can be written
            raise
        except BaseException:
            taking.drop()
            raise
        return taking.took(remarks), taking.key


class _Results:
    """Gathers the ratings of one zip, and stores them in chunks. What is small touches the store only once it is good.

    `key`: of its row, 0 while there is none.
    """

    def __init__(self, run: Taking, file: ResultsFile, sha256: str, results: OpenResults) -> None:
        self._run = run
        self._file = file
        self._sha256 = sha256
        self._results = results
        self._snapshots = frozenset(results.snapshots)
        self._bundle = origin_of(results.manifest).bundle
        self._waiting: list[NewRating] = []
        self._units = 0
        self.key = 0

    def take(self, judged: Judged) -> None:
        rating = judged.line.rating
        digest = make_digest(rating, judged.outcome, self._snapshots)
        self._units += len(digest.values)
        self._waiting.append(
            NewRating(
                task=rating.task,
                text=self._run.texts.take(judged.task_line.raw),
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
            self.key = received.begin(store, self._new())
            signatures.put(store, self.key, self._results.signature)
        if self._waiting:
            received.add(store, self.key, self._waiting, self._run.texts.waiting)
            self._run.texts.stored()
            self._waiting = []

    def _new(self) -> NewReceived:
        manifest = self._results.manifest
        return NewReceived(
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
        """The pages that the rater kept open from the store then. They do no harm where the results are refused."""
        for sha256 in self._results.snapshots:
            snapshots.keep(self._run.store.folder, sha256, self._results.snapshot(sha256))
            progress(0, 0)
        if self._results.snapshots:
            note(self._run.store, self._bundle, self._results.snapshots, progress)

    def drop(self) -> None:
        self._run.texts.forget()
        if self.key:
            received.drop(self._run.store, self.key)

    def took(self, remarks: Remarks) -> Took:
        checked = remarks.checked()
        signature = checked.signature
        wrong = (f"It is altered since it was signed. {signature.why}.",) if signature.state == "altered" else ()
        return Took(
            file=self._file.shown,
            sha256=self._sha256,
            bundle=self._bundle,
            rater=checked.rater,
            complete=checked.complete,
            skipped=checked.skipped,
            partial=checked.partial,
            practice=checked.practice,
            units=self._units,
            broken=checked.broken,
            notes=(*wrong, *checked.notes),
            signature=signature.state,
        )
