"""Import what people answered in other tools: each rater's answers become results, checked like all others."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from desktop_rater.files import temporary_folder
from desktop_rater.format.archive import TASKS, open_bundle
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import BundleError
from desktop_rater.format.jsonl import SeenIds, TaskLine, read_task
from desktop_rater.format.make import make_bundle
from desktop_rater.format.manifests import BundleRef, Counts, HistoryLine
from desktop_rater.format.rating import Rating
from desktop_rater.format.results import ResultLines, ResultsDraft, write_results
from desktop_rater.format.strict_json import canonical_json, sha256, to_plain
from desktop_rater.format.targets import target_at
from desktop_rater.format.task import Target
from desktop_rater.format.write import Spool
from desktop_rater.operations import rubrics
from desktop_rater.operations.audit.import_results import ImportedResults
from desktop_rater.operations.audit.listed_places import open_results
from desktop_rater.operations.audit.load_audit import canonical_task_line, lead_copy
from desktop_rater.operations.bundles.import_bundle import bundle_lines, bundle_ref, rubric_of_bundle
from desktop_rater.operations.bundles.make import BundleOptions, new_bundle
from desktop_rater.operations.rating.save import evaluated_rating
from desktop_rater.plugins.convert.annotations import AnnotationFiles, read_annotations
from desktop_rater.plugins.convert.annotations.annotation import (
    ImportLosses,
    SourceAnnotation,
    SourcePlace,
    SourceRatings,
    SourceTask,
)
from desktop_rater.plugins.convert.annotations.placing import RatingPlacer, RatingVersion, TaskPlaces
from desktop_rater.plugins.convert.maps.record_map import RatingMap, TargetUnit
from desktop_rater.rubric import Rubric, check_rating, exported_form, exported_sha256
from desktop_rater.rubric.check import SharedParts
from desktop_rater.rubric.suggest import count_suggestions
from desktop_rater.store import received
from desktop_rater.store.store import Store
from desktop_rater.text.quotes import QuotePlace
from desktop_rater.text.untrusted import file_name_part

_NO_TIME = "1980-01-01T00:00:00Z"  # the earliest time a zip can store, for bundles without a time
_HINT = "Nothing was imported."
_WORD = re.compile(r"\S+")
_STEP = 20


class AnnotationImport(msgspec.Struct, frozen=True, kw_only=True):
    """Files to import for a bundle: its zip, or the id of one in the store; `make`: options to make it of the files.

    With `make`, `bundle` is the zip to write, and `units` are its targets, as the map says by default.
    """

    files: AnnotationFiles
    bundle: Path | None = None
    audit: str = ""
    make: BundleOptions | None = None
    units: TargetUnit = ""


class ImportedAnnotations(ImportedResults, frozen=True, kw_only=True):
    """Outcome of an import. `ratings`, `answers`, `raters`: what was taken; `losses`: what was not, by kind.

    `same`: raters whose ratings were in the store already. `made`: the number of tasks of the bundle that was made.
    """

    tool: str
    bundle: str
    raters: int
    ratings: int
    answers: int
    same: int = 0
    made: int = 0
    losses: dict[str, dict[str, Any]] = {}


def import_annotations(
    store: Store, wanted: AnnotationImport, *, lead: str, now: datetime, progress: Progress
) -> ImportedAnnotations:
    """Import the annotations of files into an audit, as results of their raters. Importing them twice has no effect.

    Raises `RaterError`, or `Cancelled`; a bundle that was made is then still there.
    """
    given_map = wanted.files.record_map
    questions = _rubric_of(store, wanted).questions
    source = read_annotations(wanted.files, tuple(questions))
    source.file = file_name_part(wanted.files.paths[0].name)
    progress(0, 0)
    ratings_map = (given_map.ratings if given_map is not None else None) or RatingMap()
    made = 0
    if wanted.make is not None:
        source.drop_varying()
        made = _make(wanted, source, wanted.units or ratings_map.units)
    bundle = (
        _RatedBundle.opened(wanted.bundle) if wanted.bundle is not None else _RatedBundle.stored(store, wanted.audit)
    )
    with temporary_folder() as folder:
        writer = _ResultsWriter(store, bundle, ratings_map, source, Path(folder))
        paths = list(writer.written(progress))
        copies = [] if wanted.bundle is None else [wanted.bundle]
        imported = open_results(store, [*copies, *paths], lead=lead, now=now, progress=progress)
    if copies and not imported.copies and imported.refused:
        first = imported.refused[0]
        raise BundleError(first.title, first.message, first.hint)
    return ImportedAnnotations(
        **{field: getattr(imported, field) for field in ImportedResults.__struct_fields__},
        tool=source.tool,
        bundle=bundle.ref.id,
        raters=writer.raters,
        ratings=writer.ratings,
        answers=writer.placer.answers,
        same=writer.same,
        made=made,
        losses=source.losses.plain(),
    )


def _rubric_of(store: Store, wanted: AnnotationImport) -> Rubric:
    if wanted.make is not None:
        return rubrics.find_rubric(wanted.make.rubric)
    if wanted.bundle is not None:
        with open_bundle(wanted.bundle) as bundle:
            return rubric_of_bundle(bundle, wanted.bundle)
    return _RatedBundle.stored(store, wanted.audit).rubric


class _RatedBundle:
    """Bundle whose tasks were rated: its lines, and the places of each task."""

    def __init__(
        self, ref: BundleRef, rubric: tuple[str, str | None, Rubric], moment: str, lines: Iterator[TaskLine]
    ) -> None:
        self.ref = ref
        self.rubric_ref, self.rubric_toml, self.rubric = rubric
        self.moment = moment
        self.tasks: dict[str, tuple[bytes, TaskPlaces]] = {}
        for line in bundle_lines(lines, self.rubric, lang=ref.language):
            if line.task is not None:
                self.tasks[line.task.id] = line.raw, TaskPlaces(line.task)
        self.total = 0
        by_text: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for name, (_, places) in self.tasks.items():
            by_text[tuple(places.texts.values())].append(name)
            by_text[tuple(map(_without_space, places.texts.values()))].append(name)
        self._by_text = {texts: names[0] for texts, names in by_text.items() if len(set(names)) == 1}

    @classmethod
    def opened(cls, path: Path) -> "_RatedBundle":
        """Return the bundle in a zip. Raises `BundleError`."""
        with open_bundle(path) as bundle:
            manifest = bundle.manifest
            rubric = manifest.rubric, bundle.rubric_toml, rubric_of_bundle(bundle, path)
            opened = cls(bundle_ref(manifest), rubric, manifest.created or _NO_TIME, bundle.tasks())
            opened.total = manifest.tasks
        return opened

    @classmethod
    def stored(cls, store: Store, audit: str) -> "_RatedBundle":
        """Return the lead's copy of a bundle. Raises `BundleError` if there is none."""
        copy = lead_copy(store, audit)
        if copy is None:
            why = "Its results are here, but not the bundle itself, whose tasks say what was rated."
            raise BundleError(f"The bundle {audit!r} is not here", why if audit else "", f"Give the bundle. {_HINT}")
        raws = [received.task_text(store, digest) for _, digest in copy.tasks]
        seen = SeenIds()
        lines = (read_task(number, raw, TASKS, seen) for number, raw in enumerate(raws, 1))
        rubric = copy.rubric, copy.rubric_toml, rubrics.bundle_rubric_of(copy.rubric, copy.rubric_toml, audit)
        ref = BundleRef(
            id=audit,
            revision=copy.revision,
            sha256=sha256(b"".join(raw + b"\n" for raw in raws)),
            language=copy.language,
        )
        stored = cls(ref, rubric, _NO_TIME, lines)
        stored.total = len(copy.tasks)
        return stored

    def find(self, task: SourceTask) -> str | None:
        """Return the id of a task of the source: by its names, else by the texts of its responses.

        Texts that differ in white space only are the same: some tools have tokens.
        """
        named = next((name for name in task.names if name in self.tasks), None)
        if named is not None or not task.texts:
            return named
        return self._by_text.get(task.texts) or self._by_text.get(tuple(map(_without_space, task.texts)))


class _ResultsWriter:
    """Writes results of each rater, except those that are in the store already."""

    def __init__(
        self, store: Store, bundle: _RatedBundle, ratings: RatingMap, source: SourceRatings, folder: Path
    ) -> None:
        self.raters = self.ratings = self.same = 0
        self.placer = RatingPlacer(bundle.rubric, ratings, source.losses)
        self._store = store
        self._bundle = bundle
        self._source = source
        self._folder = folder
        self._shared = SharedParts(bundle.rubric)
        self._earlier = _earlier_imports(store, bundle.ref.id)

    def written(self, progress: Progress) -> Iterator[Path]:
        """Yield a results zip for each rater with new ratings."""
        by_rater = self._by_rater()
        if not by_rater:
            kinds = [
                f"{count:,} {loss['why']} ({loss['examples'][0]})"
                for loss in self._source.losses.plain().values()
                if (count := loss["count"])
            ]
            why = f"Not taken: {'; '.join(kinds)}." if kinds else "It holds none."
            raise BundleError(f"No rating of {self._bundle.ref.id} was found", why, _HINT)
        for number, (rater, by_task) in enumerate(sorted(by_rater.items())):
            progress(number, len(by_rater))
            path = self._results(number, rater, by_task, progress)
            if path is not None:
                yield path

    def _by_rater(self) -> dict[str, dict[str, list[SourceAnnotation]]]:
        by_rater: dict[str, dict[str, list[SourceAnnotation]]] = defaultdict(lambda: defaultdict(list))
        tasks = self._source.tasks
        ids = {key: self._bundle.find(task) for key, task in tasks.items()}
        for annotation in self._source.annotations:
            name = ids.get(annotation.task)
            if name is None:
                self._source.losses.add("unknown_task", f"{annotation.where}: {annotation.task}")
            else:
                texts = tuple(self._bundle.tasks[name][1].texts.values())
                by_rater[annotation.rater][name].append(_with_quotes(annotation, tasks[annotation.task], texts))
        return by_rater

    def _results(
        self, number: int, rater: str, by_task: Mapping[str, list[SourceAnnotation]], progress: Progress
    ) -> Path | None:
        rated: list[tuple[bytes, Rating, list[HistoryLine]]] = []
        for count, (name, given) in enumerate(by_task.items()):
            if count % _STEP == 0:
                progress(0, 0)
            raw, places = self._bundle.tasks[name]
            states = self.placer.states(places, given)
            if _is_empty(states[-1][0]):
                self._source.losses.add("empty", f"{given[-1].where}: {rater}")
                continue
            rated.append((raw, *self._exported(rater, places, states)))
        if not rated:
            return None
        self.raters += 1
        self.ratings += len(rated)
        ratings = {rating.task: history[-1].sha256 for _, rating, history in rated}
        before, stored = self._earlier.get(rater, (None, {}))
        if before is not None and stored == ratings:
            self.same += 1
            return None
        name = f"{self._source.file}, {file_name_part(rater)}"
        path = self._folder / f"{name}.zip"
        if path.exists():  # of a rater whose name differs in the signs that are not in a file's
            path = self._folder / f"{name} {number}.zip"
        with Spool(self._folder) as spool:
            lines = ResultLines(spool)
            for raw, rating, history in rated:
                lines.add([canonical_json(to_plain(rating))], [canonical_task_line(raw)], history)
            skipped = sum(rating.status == "skipped" for _, rating, _ in rated)
            draft = ResultsDraft(
                bundle=self._bundle.ref,
                rater=rater,
                rubric=self._bundle.rubric_ref,
                counts=Counts(tasks=self._bundle.total, complete=len(rated) - skipped, skipped=skipped),
                moment=max(history[-1].changed for *_, history in rated),
                partial=len(rated) < self._bundle.total,
                supersedes=before,
                rubric_toml=self._bundle.rubric_toml,
                imported_from=self._source.tool,
            )
            write_results(path, draft, lines)
        return path

    def _exported(
        self, rater: str, places: TaskPlaces, states: list[RatingVersion]
    ) -> tuple[Rating, list[HistoryLine]]:
        """Return the exported rating, complete even if rules are broken, and its history."""
        rubric, task = self._bundle.rubric, places.task
        history: list[HistoryLine] = []
        form = Rating(task=task.id)
        for number, (state, changed) in enumerate(states, 1):
            rating = replace(
                state, rater=rater, rubric=self._bundle.rubric_ref, revision=number, changed=changed or None
            )
            outcome = check_rating(rubric, task, rating, shared=self._shared)
            rating = evaluated_rating(rating, outcome, as_complete=True)
            rating = replace(rating, status="skipped" if rating.status == "skipped" else "complete")
            counts = (
                count_suggestions(rubric, task, rating, outcome) if task.suggestions is not None else rating.suggestions
            )
            form = exported_form(replace(rating, suggestions=counts), outcome)
            history.append(
                HistoryLine(
                    task=task.id,
                    revision=number,
                    changed=changed or self._bundle.moment,
                    done=f"imported from {self._source.tool}",
                    sha256=exported_sha256(form),
                )
            )
        _count_not_asked(states[-1][0], form, self._source.losses)
        return form, history


def _earlier_imports(store: Store, bundle: str) -> dict[str, tuple[str, dict[str, str]]]:
    """Map each rater to the last results that were imported from annotations, with the SHA-256 of each rating."""
    results = received.list_results(store, bundle)
    replaced = {entry.supersedes for entry in results}
    last = {
        entry.rater: entry.sha256
        for entry in results
        if entry.sha256 not in replaced and received.results_manifest(store, entry.sha256).imported_from
    }
    ratings: dict[str, dict[str, str]] = defaultdict(dict)
    wanted = set(last.values())
    for rating in received.stream_received(store, bundle) if wanted else ():
        if rating.results in wanted:
            ratings[rating.results][rating.task] = rating.sha256
    return {rater: (digest, ratings[digest]) for rater, digest in last.items()}


def _is_empty(rating: Rating) -> bool:
    answers = rating.answers
    given = answers.task or answers.responses or answers.targets or rating.claims or rating.evidence
    return rating.status != "skipped" and not given


def _without_space(text: str) -> str:
    return "".join(text.split())


def _with_quotes(annotation: SourceAnnotation, task: SourceTask, texts: tuple[str, ...]) -> SourceAnnotation:
    """Return the annotation with the marked texts, by which spans are found if the bundle's text differs.

    If it differs in white space only, the offsets become those of the bundle's text.
    """
    if len(task.texts) != 1:
        return annotation
    text = task.texts[0]
    same = len(texts) == 1 and text != texts[0] and _without_space(text) == _without_space(texts[0])
    signs = [index for index, sign in enumerate(texts[0]) if not sign.isspace()] if same else []

    def quoted(place: SourcePlace) -> SourcePlace:
        if place.start is None or place.end is None or (place.quote and not signs):
            return place
        quote = text[place.start : place.end]
        before, marked = (len(_without_space(part)) for part in (text[: place.start], quote)) if signs else (0, 0)
        if not marked:
            return replace(place, quote=quote)
        start, end = signs[before], signs[before + marked - 1] + 1
        return replace(place, start=start, end=end, quote=texts[0][start:end])

    return replace(
        annotation, answers=tuple(replace(answer, place=quoted(answer.place)) for answer in annotation.answers)
    )


def _count_not_asked(given: Rating, form: Rating, losses: ImportLosses) -> None:
    """Count the answers that the rubric does not ask for, which results do not hold."""
    before, kept = (
        {
            (kind, id_, question)
            for kind, parts in (
                ("", {"task": answers.task}),
                ("responses/", answers.responses),
                ("targets/", answers.targets),
            )
            for id_, part in parts.items()
            for question in part
        }
        for answers in (given.answers, form.answers)
    )
    for kind, id_, question in sorted(before - kept):
        losses.add("not_asked", f"{given.task} {kind}{id_}: {question}")


def _make(wanted: AnnotationImport, source: SourceRatings, units: TargetUnit) -> int:
    """Write the bundle of the tasks in the source; return their number. Raises `BundleError`."""
    assert wanted.make is not None
    assert wanted.bundle is not None
    tasks = {task.plain["id"]: (key, task.plain) for key, task in source.tasks.items() if task.plain is not None}
    if not tasks:
        why = (
            f"The annotations of {source.tool} come without the texts that were rated, or no column is named for them."
        )
        raise BundleError(f"{wanted.bundle.name} can't be made", why, "Give the bundle with --bundle.")
    marks: dict[str, set[tuple[int, int]]] = defaultdict(set)
    if units == "marks":
        for annotation in source.annotations:
            spans = [(answer.place.start, answer.place.end) for answer in annotation.answers]
            marks[annotation.task] |= {(start, end) for start, end in spans if start is not None and end is not None}

    def lines() -> Iterator[bytes]:
        for key, plain in tasks.values():
            targets = list(_targets(plain, units, marks[key]))
            yield canonical_json({**plain, "targets": [to_plain(target) for target in targets]} if targets else plain)

    new = new_bundle(wanted.bundle, wanted.make, wanted.files.paths)
    make_bundle(wanted.bundle, new, lines(), called=wanted.files.paths[0].name)
    return len(tasks)


def _targets(plain: dict[str, Any], units: TargetUnit, marks: set[tuple[int, int]]) -> Iterator[Target]:
    """Yield the words of each response, or the spans that were marked in the first; none for sentences."""
    number = 0
    for index, response in enumerate(plain["responses"]):
        text = response["text"]
        spans = [match.span() for match in _WORD.finditer(text)] if units == "words" else []
        if units == "marks" and index == 0:
            spans = sorted((start, end) for start, end in marks if 0 <= start < end <= len(text))
        for start, end in spans:
            number += 1
            yield target_at(Target(id=f"s{number}", response=response["id"]), text, QuotePlace(start, end, "offsets"))
