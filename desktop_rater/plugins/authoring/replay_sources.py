"""Stored ratings for a replay, from files or a lead's store; and the bundles of what must be looked at again."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from desktop_rater.audit.digest import Digest
from desktop_rater.audit.effective_ratings import effective_ratings
from desktop_rater.audit.results import ReceivedRating, ReceivedResults, original_bundle, received_of
from desktop_rater.format.archive import zip_kind
from desktop_rater.format.bundle_errors import BundleError
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.format.jsonl import TaskLine
from desktop_rater.format.make import BundleDraft, make_bundle
from desktop_rater.format.manifests import DERIVED_KEY, RETURN_TOOL
from desktop_rater.format.rating import Rating
from desktop_rater.format.results import open_results
from desktop_rater.format.strict_json import from_plain, read_json_object, read_struct, sha256
from desktop_rater.format.task import Comment, Task
from desktop_rater.format.values import format_time
from desktop_rater.operations.audit.check_results import ResultsCache, aligned_lines
from desktop_rater.operations.audit.load_audit import load_packed_audit
from desktop_rater.operations.audit.results_files import file_state, files_of
from desktop_rater.operations.audit.rework import returned_line
from desktop_rater.plugins.authoring.replay import Replay, ReplayedPlace, StoredRating
from desktop_rater.rubric import Rubric
from desktop_rater.store import received
from desktop_rater.store.store import Store
from desktop_rater.text.untrusted import distinct_file_name_parts, file_name

_CLAIM = re.compile(r"(?P<where>.+)/claims/(?P<claim>[^/]+)")
Source = Callable[[Progress], Iterator[StoredRating]]


class JudgedBy(NamedTuple):
    """The rubric of bundles that go out again: its TOML unless it is built-in, its guidelines, and their revision."""

    rubric: Rubric
    toml: str | None = None
    guidelines: str | None = None
    revision: int | None = None


class FolderRatings:
    """The ratings in results zips, of files and folders. `others`: zips rated by another rubric; `refused`: others."""

    def __init__(self, paths: Sequence[Path], rubric: Rubric) -> None:
        self._paths, self._rubric = paths, rubric
        self._received: list[ReceivedResults] = []
        self._filed: list[ReceivedRating] = []
        self.others: list[str] = []
        self.refused: list[str] = []

    def __call__(self, progress: Progress) -> Iterator[StoredRating]:
        """Yield each rating by the rubric. `counting` knows afterwards which of them are not superseded."""
        self._received, self._filed, self.others, self.refused = [], [], [], []
        cache = ResultsCache()
        files = [file for path in self._paths for file in files_of(path, self._refuse, lambda _name: None)]
        for number, file in enumerate(files):
            progress(number, len(files))
            try:
                if zip_kind(file.path) == "results":
                    yield from self._ratings(file.path, file.display_name, cache)
            except RaterError as error:
                self._refuse(file.display_name, error)

    def _refuse(self, name: str, error: RaterError) -> None:
        self.refused.append(f"{name}: {error.title}. {error.message}")

    def _ratings(self, path: Path, name: str, cache: ResultsCache) -> Iterator[StoredRating]:
        digest = file_state(path).sha256
        with open_results(path) as results:
            manifest = results.manifest
            if manifest.adjudicated or digest in {known.sha256 for known in self._received}:
                return
            rubric = cache.rubric(manifest.rubric, results.rubric_toml, name)
            rated_by = rubric.basis == self._rubric.basis
            bundle = original_bundle(manifest.bundle.derived)
            whole = manifest.bundle.id if bundle is None else bundle.id
            self._received.append(received_of(manifest, sha256=digest, bundle=whole, file=name))
            if not rated_by:
                self.others.append(name)
            for line, task_line, _ in aligned_lines(path, results, cache):
                rating = line.rating
                self._filed.append(_filed(digest, manifest.rater, line.raw, rating))
                if rated_by:
                    task = cache.places(task_line, rubric, manifest.bundle.language).of(rating)
                    yield StoredRating(manifest, digest, task_line.raw, task, rating)

    def counting(self) -> set[tuple[str, str]]:
        """Return (results, task) of the ratings that count: none that its rater has replaced."""
        by_bundle: dict[str, list[ReceivedResults]] = defaultdict(list)
        for results in self._received:
            by_bundle[results.bundle].append(results)
        filed: dict[str, list[ReceivedRating]] = defaultdict(list)
        for rating in self._filed:
            filed[rating.results].append(rating)
        effective = (
            effective_ratings(zips, (rating for results in zips for rating in filed[results.sha256]))
            for zips in by_bundle.values()
        )
        return {(rating.results, rating.task) for found in effective for rating in found.counting.values()}


def _filed(results: str, rater: str, raw: bytes, rating: Rating) -> ReceivedRating:
    return ReceivedRating(
        results=results,
        task=rating.task,
        rater=rater,
        text="",  # a rating of an earlier text of its task is judged as well
        sha256=sha256(raw),
        revision=rating.revision,
        summary=Digest(status=rating.status),
    )


def stored_ratings(store: Store, bundle: str, rubric: Rubric) -> Source:
    """Return the ratings of an audit by a rubric: those that count, and those that only their rubric keeps out."""
    audit = load_packed_audit(store, bundle)
    cache, by_results = ResultsCache(), received.rubrics_by_results(store, bundle)
    wanted: dict[str, set[str]] = defaultdict(set)
    for rating in (*audit.ratings.values(), *audit.stale):
        own = by_results[rating.results]
        if cache.rubric(own.ref, own.toml, bundle).basis == rubric.basis:
            wanted[rating.results].add(rating.task)

    def ratings(progress: Progress) -> Iterator[StoredRating]:
        for number, (results, tasks) in enumerate(wanted.items()):
            progress(number, len(wanted))
            manifest = received.results_manifest(store, results)
            for text, body, _ in received.received_lines(store, results):
                rating = from_plain(msgspec.json.decode(body), Rating)
                if rating.task in tasks:
                    line = received.task_text(store, text)
                    task = cache.tasks.get(line) or read_struct(read_json_object(line), Task)
                    task_line = TaskLine(number=0, raw=line, task=task, id=task.id)
                    placed = cache.places(task_line, rubric, manifest.bundle.language).of(rating)
                    yield StoredRating(manifest, results, line, placed, rating)

    return ratings


def replayed_places(replay: Replay, source: Source, progress: Progress) -> list[ReplayedPlace]:
    """Return the places of a source that are judged otherwise, without those of ratings that were replaced."""
    places = [place for stored in source(progress) for place in replay.judge(stored)]
    if isinstance(source, FolderRatings):
        counting = source.counting()
        places = [place for place in places if (place.results, place.task) in counting]
    return places


def write_return_bundles(
    out: Path,
    places: Iterable[ReplayedPlace],
    source: Source,
    new: JudgedBy,
    *,
    by: str,
    now: datetime,
    progress: Progress,
) -> dict[Path, int]:
    """Write the tasks of some places as bundles: one for each results zip, with its rater's answers in place.

    With several zips, the names of the raters are added to the name of the file. Return the number of tasks of each.
    Raises `BundleError`.
    """
    again: dict[str, dict[str, list[ReplayedPlace]]] = defaultdict(lambda: defaultdict(list))
    for place in places:
        again[place.results][place.task].append(place)
    if not again:
        raise BundleError("There is nothing to look at again.", "No bundle is written.")
    parts = distinct_file_name_parts(next(iter(tasks.values()))[0].rater for tasks in again.values())
    names = dict(zip(again, parts, strict=True))
    written = {}
    for results, group in groupby(source(progress), key=lambda stored: stored.results):
        if results not in again:
            continue
        path = out if len(again) == 1 else out.with_stem(f"{out.stem}-{names[results]}")
        written[path] = _write_return(path, group, again[results], new, names[results], by, format_time(now))
    return written


def _write_return(
    path: Path,
    group: Iterator[StoredRating],
    again: dict[str, list[ReplayedPlace]],
    new: JudgedBy,
    letters: str,
    by: str,
    at: str,
) -> int:
    first = next(group)
    ref = first.manifest.bundle
    whole = original_bundle(ref.derived) or ref
    origin = {"id": whole.id, "revision": new.revision or whole.revision + 1, "sha256": whole.sha256}
    derived: dict[str, Any] = {"tool": RETURN_TOOL, "rater": first.manifest.rater, "results": first.results, "round": 1}

    def lines() -> Iterator[bytes]:
        for stored in (first, *group):
            if stored.task.id in again:
                comments = tuple(map(_comment, again[stored.task.id]))
                yield returned_line(stored.line, stored.rating, comments, by, at)

    draft = BundleDraft(
        id=f"{whole.id}-return-{letters}-{file_name(new.rubric.ref)}",
        title=f"{whole.id} ({new.rubric.ref})",
        created=at,
        language=ref.language,
        rubric=new.rubric.ref,
        rubric_toml=new.toml,
        guidelines=new.guidelines,
        unknown={DERIVED_KEY: {**derived, "bundles": [origin]}},
    )
    return make_bundle(path, draft, lines()).tasks


def _comment(place: ReplayedPlace) -> Comment:
    match = _CLAIM.fullmatch(place.where)
    where, claim = (match["where"], match["claim"]) if match is not None else (place.where, None)
    sections = "".join(f" § {section}" for section in place.sections)
    return Comment(where=where, claim=claim, comment=place.text + sections)
