"""Verify a results zip on its own: files, hashes, history, and every rule of the rubric."""

from collections.abc import Iterator
from contextlib import closing, suppress
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from desktop_rater.audit.digest import pull_counts
from desktop_rater.files import temporary_folder
from desktop_rater.format import edit
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import BundleError
from desktop_rater.format.hub_names import Signature
from desktop_rater.format.jsonl import RatingLine, TaskLine
from desktop_rater.format.manifests import RETURN_TOOL, HistoryLine, ModelSource
from desktop_rater.format.page import Page
from desktop_rater.format.rating import Evidence, LibraryName, Problem, Rating
from desktop_rater.format.results import OpenResults, open_results
from desktop_rater.format.strict_json import canonical_json, sha256, to_plain
from desktop_rater.format.task import Task
from desktop_rater.operations import rubrics
from desktop_rater.operations.audit.load_audit import TargetPlacements
from desktop_rater.operations.pages.stored_pages import read_outline, same_page
from desktop_rater.pages.response import SnapshotOutline, WebError
from desktop_rater.pages.warc import read_snapshot
from desktop_rater.rubric import CheckOutcome, Rubric, check_rating, exported_form, exported_sha256
from desktop_rater.rubric.check import UNHASHED_KEYS, SharedParts
from desktop_rater.rubric.suggest import count_suggestions, rubric_for_model
from desktop_rater.text.page_offsets import blanked
from desktop_rater.text.quotes import find_quote
from desktop_rater.text.untrusted import is_blank

if TYPE_CHECKING:
    from desktop_rater.pages.page_reader import PageReader

# They stand for rules: evidence and its stored page are of one address, and of one library, whose page has the quote.
WRONG_PAGE, WRONG_LIBRARY, WRONG_QUOTE = "evidence-page", "evidence-library", "evidence-quote"
_MOST_BYTES = 20_000_000  # of cached task lines
_STEP = 20  # ratings between two reports of progress; a large one reports while it is checked
_ALTERED = "Ask the rater to export again."


class ResultsCache:
    """Cache of rubrics, target placements and checked parts shared by several results zips.

    Tasks are cached because results of many raters contain the same ones; the cache is bounded by their bytes.
    """

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self.most_bytes = most_bytes
        self._rubrics: dict[tuple[str, str | None], Rubric] = {}
        self._places: dict[tuple[bytes, str, str], TargetPlacements] = {}
        self._parts: dict[str, SharedParts] = {}
        self.tasks: dict[bytes, Task] = {}
        self._size = 0

    def rubric(self, ref: str, toml: str | None, source: str) -> Rubric:
        """Return the rubric the results were rated with. Raises `RubricError`."""
        if (ref, toml) not in self._rubrics:
            self._rubrics[ref, toml] = rubrics.incoming_rubric(ref, toml, source)
        return self._rubrics[ref, toml]

    def rubric_for(self, rubric: Rubric, model: ModelSource | None) -> Rubric:
        """Return the part of a rubric that a model was asked; for a person, and older results, all of it."""
        if model is None or model.questions is None:
            return rubric
        key = rubric.basis, canonical_json(sorted(model.questions)).decode()
        if key not in self._rubrics:
            self._rubrics[key] = rubric_for_model(rubric, model.questions)
        return self._rubrics[key]

    def parts(self, rubric: Rubric) -> SharedParts:
        """Return the checked parts of the ratings by a rubric."""
        if rubric.basis not in self._parts:
            self._parts[rubric.basis] = SharedParts(rubric)
        return self._parts[rubric.basis]

    def places(self, line: TaskLine, rubric: Rubric, lang: str) -> TargetPlacements:
        """Return the target placements of a task. Raises `BundleError` for a line that is not a task."""
        if line.task is None:
            raise BundleError(line.error)
        key = line.raw, rubric.basis, lang
        if key not in self._places:
            self._size += len(line.raw)
            if self._size > self.most_bytes:
                self._places.clear()
                self.tasks.clear()
                self._size = len(line.raw)
            self.tasks[line.raw] = line.task
            self._places[key] = TargetPlacements(line.task, rubric, lang)
        return self._places[key]


class RecheckedRating(msgspec.Struct, frozen=True, kw_only=True):
    """A rating that equals the exported one. `broken`: blocking problems of one marked complete.

    `sha256` is that of its exported form; `counts_wrong`: its suggestion counts differ from the recomputed ones.
    `pull`: counts as in `audit.compute_report`.
    """

    line: RatingLine
    task_line: TaskLine
    history: tuple[HistoryLine, ...]
    task: Task
    outcome: CheckOutcome
    sha256: str
    broken: tuple[Problem, ...] = ()
    counts_wrong: bool = False
    strange_borders: tuple[str, ...] = ()
    pull: dict[str, tuple[int, ...]] = {}


def recheck_ratings(
    path: Path, results: OpenResults, rubric: Rubric, cache: ResultsCache, progress: Progress
) -> Iterator[RecheckedRating]:
    """Yield each rating, rechecked, while reporting progress.

    Raises `BundleError` if anything differs from the export, `RubricError` if a task takes too many tests, `Cancelled`.
    """
    manifest = results.manifest
    total = manifest.counts.complete + manifest.counts.skipped
    rubric = cache.rubric_for(rubric, manifest.model)
    shared = cache.parts(rubric)
    if total == 0 or total > manifest.counts.tasks or (total < manifest.counts.tasks) is not manifest.partial:
        raise _altered(path, "Its manifest and its counts disagree on whether it is partial")
    for count, (line, task_line, history) in enumerate(aligned_lines(path, results, cache)):
        rating, report = line.rating, partial(progress, count, total)
        if count % _STEP == 0:
            report()
        digest = _refuse_altered(path, results, line, history)
        task = cache.places(task_line, rubric, manifest.bundle.language).of(rating)
        if rating.display_order not in (None, task.display_order):
            raise _altered(path, f'Task "{task.id}": its rating names an order of the responses that the task does not')
        outcome = check_rating(rubric, task, rating, shared=shared, check_cancelled=report)
        broken = outcome.blocking and rating.status == "complete"
        if not broken:
            _compare(path, rating, outcome)
        yield RecheckedRating(
            line=line,
            task_line=task_line,
            history=tuple(history),
            task=task,
            outcome=outcome,
            sha256=digest,
            broken=tuple(problem for problem in outcome.problems if problem.level == "block") if broken else (),
            counts_wrong=task.suggestions is not None
            and count_suggestions(rubric, task, rating, outcome) != rating.suggestions,
            strange_borders=tuple(_strange_borders(task, rating)),
            pull=pull_counts(rubric, task, rating, outcome),
        )


def aligned_lines(
    path: Path, results: OpenResults, cache: ResultsCache
) -> Iterator[tuple[RatingLine, TaskLine, list[HistoryLine]]]:
    """Yield each rating with its task and history. The three files share one order, so they are streamed."""
    tasks = results.tasks(cache.tasks)
    histories = groupby(results.history(), key=lambda line: line.task)
    for line in results.ratings():
        name = line.rating.task
        task = next(tasks, None)
        history_task, history = next(histories, (None, iter(())))
        if task is None or task.id != name or history_task != name:
            raise _altered(path, f'Task "{name}" is not at the same position in all files')
        yield line, task, list(history)
    extra_task = next(tasks, None)
    if extra_task is not None:
        raise _altered(path, f'tasks.jsonl contains task "{extra_task.id}", which has no rating')
    extra_history = next(histories, None)
    if extra_history is not None:
        raise _altered(path, f'history.jsonl contains task "{extra_history[0]}", which has no rating')


def _refuse_altered(path: Path, results: OpenResults, line: RatingLine, history: list[HistoryLine]) -> str:
    """Return the SHA-256 of a rating's exported form. Raises `BundleError` if it was altered."""
    rating = line.rating
    where = f'Task "{rating.task}"'
    manifest = results.manifest
    if rating.status == "incomplete":
        raise _altered(path, f"{where}: its rating is incomplete, and incomplete ratings are never exported")
    if (rating.rater, rating.rubric) != (results.written_rater, manifest.rubric):
        raise _altered(path, f"{where}: its rating names another rater or rubric than the manifest")
    numbers = [revision.revision for revision in history]
    if numbers != list(range(1, rating.revision + 1)) or not numbers:
        raise _altered(path, f"{where}: its history does not lead to revision {rating.revision}")
    digest = _sha256(line, history[-1].sha256)
    if history[-1].sha256 != digest or rating.changed not in (None, history[-1].changed):
        raise _altered(path, f"{where}: its rating does not match its history")
    return digest


def _sha256(line: RatingLine, expected: str) -> str:
    """Return the SHA-256 of a rating's exported form; re-encode it only if the raw line has a different one."""
    if b"null" not in line.raw:  # the exported form omits null values
        plain = msgspec.json.decode(line.raw)
        rest = {key: value for key, value in plain.items() if key not in UNHASHED_KEYS}
        if sha256(msgspec.json.encode(rest, order="sorted")) == expected:
            return expected
    return exported_sha256(line.rating)


def _compare(path: Path, rating: Rating, outcome: CheckOutcome) -> None:
    """Raise if the rating's decided values differ from the recomputed ones, or if it contains hidden answers."""
    where = f'Task "{rating.task}"'
    again = exported_form(rating, outcome)
    if _differ(again.decided, rating.decided) or _differ(again.problems, rating.problems):
        raise _altered(path, f"{where}: its decided values do not follow from its answers")
    if _differ(again.answers, rating.answers) or again.evidence != rating.evidence:
        raise _altered(path, f"{where}: it contains answers or evidence for hidden questions")


def _differ(left: Any, right: Any) -> bool:
    return left != right and to_plain(left) != to_plain(right)


def _strange_borders(task: Task, rating: Rating) -> Iterator[str]:
    """Yield a note for each corrected border that fits no target of the task; these affect no result."""
    for name, border in rating.borders.items():
        target = task.target(name)
        if target is None or not edit.border_applies(task, target, border):
            yield f'The corrected border of "{name}" in task "{task.id}" does not fit the text.'


def _altered(path: Path, what: str) -> BundleError:
    return BundleError(f"{path.name} has been altered or damaged", f"{what}.", _ALTERED)


NamedRubric = tuple[str, Rubric]
"""The name of a file, and the rubric in it, for which the user vouches."""


RubricSource = Literal["built-in", "named", "results"]


class CheckedResults(msgspec.Struct, frozen=True, kw_only=True):
    """Verified results. `broken`: (task id, blocking problems) of ratings marked complete, and of evidence.

    `signature` may still say that the results were assembled by another person. `rubric` is `id@version`, and
    `rubric_source` tells who vouches for its rules: the program, the user who named it, or only the results.
    """

    bundle: str
    revision: int
    rater: str
    complete: int
    skipped: int
    partial: bool
    practice: bool = False
    broken: tuple[tuple[str, tuple[Problem, ...]], ...]
    notes: tuple[str, ...]
    rubric: str
    rubric_sha256: str
    rubric_source: RubricSource
    signature: Signature = Signature()


class ResultsNotes:
    """Collect notes on results while their ratings are checked."""

    def __init__(
        self,
        results: OpenResults,
        cache: ResultsCache,
        named: NamedRubric | None = None,
        reader: "PageReader | None" = None,
    ) -> None:
        self._results = results
        self._rubric = cache.rubric(results.manifest.rubric, results.rubric_toml, results.manifest.rubric)
        self._named = named
        self._reader = reader  # of the pages of libraries, for their quotes
        self._read_pages: dict[str, Page] = {}
        self._pages: dict[str, SnapshotOutline | None] = {}
        self._notes: list[str] = []
        self._broken: list[tuple[str, tuple[Problem, ...]]] = []
        self._missing: set[str] = set()
        self._miscounted = 0
        derived, rater = results.manifest.bundle.derived, results.manifest.rater
        if derived is not None and derived.tool == RETURN_TOOL and derived.rater not in (None, rater):
            self._notes.append(
                f"They answer a bundle that was returned to {derived.rater!r}, but {rater!r} rated it. "
                f"They replace no earlier results."
            )
        model = results.manifest.model
        if model is not None and model.questions is not None:
            names = ", ".join(name for name in self._rubric.questions if name in model.questions)
            self._notes.append(f"A model was asked {names}. Rules on anything else, or on pages, were not applied.")

    def add(self, judged: RecheckedRating) -> None:
        rating = judged.line.rating
        problems = (*judged.broken, *self._wrong_pages(rating))
        if problems:
            self._broken.append((rating.task, problems))
        self._miscounted += judged.counts_wrong
        self._notes += judged.strange_borders
        self._missing |= {piece.snapshot for piece in rating.evidence if piece.snapshot}

    def _wrong_pages(self, rating: Rating) -> Iterator[Problem]:
        """Yield a problem for each piece of evidence whose stored page states something else."""
        for piece in rating.evidence:
            outline = self._outline(piece.snapshot) if piece.snapshot in self._results.snapshots else None
            if outline is not None and not same_page(piece.url, outline.url, outline.final_url):
                message = f"The stored page of {piece.url} is one of another address, {outline.url}."
                yield Problem(rule=WRONG_PAGE, level="block", where=f"evidence/{piece.id}", message=message)
            if outline is not None and piece.library != outline.library:
                stated, stored = (_library_name(library) for library in (piece.library, outline.library))
                message = f"The evidence is from {stated}, its stored page from {stored}."
                yield Problem(rule=WRONG_LIBRARY, level="block", where=f"evidence/{piece.id}", message=message)
            page = self._read_pages.get(piece.snapshot or "")
            if page is None or is_blank(piece.quote):
                continue
            if not page.shows:  # the reader may have been too slow
                self._notes.append(f"The quote from {piece.url} was not checked: {page.why or 'its page has no text.'}")
            elif not _has_quote(page, piece):
                yield Problem(
                    rule=WRONG_QUOTE,
                    level="block",
                    where=f"evidence/{piece.id}",
                    message=f"The stored page of {piece.url} does not have the quoted passage.",
                )

    def _outline(self, sha256: str) -> SnapshotOutline | None:
        if sha256 not in self._pages:
            with temporary_folder() as folder:
                path = Path(folder) / f"{sha256}.warc.gz"
                with path.open("wb") as file:
                    file.writelines(self._results.snapshot(sha256))
                outline = self._pages[sha256] = read_outline(path)
                if outline is not None and outline.library is not None and self._reader is not None:
                    with suppress(WebError):
                        self._read_pages[sha256] = self._reader.read(read_snapshot(path), progress=Progress())
        return self._pages[sha256]

    def _rubric_source(self) -> RubricSource:
        toml = self._results.rubric_toml
        if self._named is not None:
            return "named" if self._named[1].file == self._rubric.file else "results"
        return "built-in" if toml is None or rubrics.is_builtin(self._rubric, toml) else "results"

    def result(self) -> CheckedResults:
        manifest = self._results.manifest
        other = [f"They were not rated by the rubric of {self._named[0]}."] if self._named is not None else []
        source = self._rubric_source()
        missing = sorted(self._missing - set(self._results.snapshots))
        count = self._miscounted
        miscounted = [f"{count:,} ratings state suggestion counts that do not match their answers."] if count else []
        return CheckedResults(
            bundle=manifest.bundle.id,
            revision=manifest.bundle.revision,
            rater=manifest.rater,
            complete=manifest.counts.complete,
            skipped=manifest.counts.skipped,
            partial=manifest.partial,
            practice=manifest.practice,
            broken=tuple(self._broken),
            notes=(
                *self._notes,
                *(other if source == "results" else ()),
                *miscounted,
                *(f"Evidence refers to the snapshot {sha256}, which is missing." for sha256 in missing),
            ),
            rubric=self._rubric.ref,
            rubric_sha256=rubrics.rubric_sha256(self._rubric, self._results.rubric_toml),
            rubric_source=source,
            signature=self._results.signature,
        )


def _library_name(library: LibraryName | None) -> str:
    return "no library" if library is None else f"the library {library.name!r} of {library.date or 'an unknown date'}"


def _has_quote(page: Page, piece: Evidence) -> bool:
    quote, text = (piece.quote, piece.prefix, piece.suffix), page.whole_text or page.text
    return any(find_quote(part, *quote) for part in (text, blanked(text, page.whole_unshown)))


def ratings_for_audit(
    path: Path, results: OpenResults, cache: ResultsCache, progress: Progress
) -> tuple[ResultsNotes, Iterator[RecheckedRating]]:
    """Check results that are to be audited: their notes, complete after the last rating, and each rating.

    Raises `BundleError`, `RubricError`, and `Cancelled`.
    """
    if results.manifest.adjudicated:
        why = "They are adjudicated results, so their votes would count twice."
        raise BundleError(f"{path.name} is not a rater's results", why, "Open the raters' own results.")
    results.verify_snapshots(progress)
    rubric = cache.rubric(results.manifest.rubric, results.rubric_toml, path.name)
    notes = ResultsNotes(results, cache)

    def ratings() -> Iterator[RecheckedRating]:
        for rating in recheck_ratings(path, results, rubric, cache, progress):
            notes.add(rating)
            yield rating

    return notes, ratings()


def check_results(path: Path, progress: Progress, named: NamedRubric | None = None) -> CheckedResults:
    """Verify results; `named` is the rubric that they should have been rated by.

    Raises `BundleError` if the zip is invalid, altered or damaged, `RubricError` for its rubric.
    """
    from desktop_rater.pages.page_reader import PageReader  # noqa: PLC0415 - only when it is used

    with open_results(path) as results, closing(PageReader()) as reader:
        results.verify_files(progress)
        cache = ResultsCache(most_bytes=0)  # each task occurs once
        rubric = cache.rubric(results.manifest.rubric, results.rubric_toml, path.name)
        remarks = ResultsNotes(results, cache, named, reader)
        for judged in recheck_ratings(path, results, rubric, cache, progress):
            remarks.add(judged)
        return remarks.result()
