"""Replay of stored ratings by a changed rubric: what the rules would now decide otherwise, and who must look again.

A place at which no changed condition holds, given its values by the old rubric, can't be judged otherwise: each value
that an unchanged condition reads is the same. The others are judged by both rubrics, those with the same values once.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from desktop_rater.audit.digest import Digest
from desktop_rater.audit.effective_ratings import effective_ratings
from desktop_rater.audit.results import ReceivedRating, ReceivedResults, original_bundle, received_of
from desktop_rater.format.archive import zip_kind
from desktop_rater.format.bundle_errors import BundleError
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.format.jsonl import TaskLine
from desktop_rater.format.make import BundleDraft, make_bundle
from desktop_rater.format.manifests import DERIVED_KEY, RETURN_TOOL, ResultsManifest
from desktop_rater.format.rating import Rating
from desktop_rater.format.results import open_results
from desktop_rater.format.rubric import SCOPES, Scope
from desktop_rater.format.strict_json import from_plain, read_json_object, read_struct, sha256
from desktop_rater.format.task import Comment, Target, Task
from desktop_rater.format.values import format_time
from desktop_rater.operations.audit.check_results import ResultsCache, aligned_lines
from desktop_rater.operations.audit.load_audit import load_packed_audit
from desktop_rater.operations.audit.results_files import file_state, files_of
from desktop_rater.operations.audit.rework import returned_line
from desktop_rater.rubric import CheckOutcome, Rubric, check_rating
from desktop_rater.rubric.compiled import CompiledQuestion, Fact
from desktop_rater.rubric.condition import ALWAYS, Condition, TextDomain
from desktop_rater.rubric.evaluation import RatingEvaluation, ScopeNode
from desktop_rater.rubric.load import source_of_problem
from desktop_rater.store import received
from desktop_rater.store.store import Store
from desktop_rater.text.untrusted import distinct_file_name_parts, file_name

UNDECIDED = "undecided"
_REQUIRED, _CONTRADICTS, _EVIDENCE = "required:", "contradicts:", "/evidence/"
_CLAIM = re.compile(r"(?P<where>.+)/claims/(?P<claim>[^/]+)")
Touches = Callable[[RatingEvaluation, ScopeNode], bool]
_MOST_KEPT = 100_000  # combinations of values that were judged


class StoredRating(NamedTuple):
    """A rating of received results, with the line of its task. `task` has its targets as this rater had them."""

    manifest: ResultsManifest
    results: str
    line: bytes
    task: Task
    rating: Rating


class ReplayedPlace(msgspec.Struct, frozen=True, kw_only=True):
    """A place that is judged otherwise. `before` and `after`: question → what the rules decide, if that differs.

    `broken`: rules that now block, `missing`: questions that are now open, `why`: the messages of both. `sections`: the
    headings of the guidelines that they rest on.
    """

    bundle: str
    rater: str
    results: str
    task: str
    where: str
    before: dict[str, Any]
    after: dict[str, Any]
    broken: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    why: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()

    @property
    def labels(self) -> str:
        names = dict.fromkeys((*self.before, *self.after))
        pairs = {name: (self.before.get(name, UNDECIDED), self.after.get(name, UNDECIDED)) for name in names}
        return ", ".join(f"{name}: {before} → {after}" for name, (before, after) in pairs.items())

    @property
    def text(self) -> str:
        """What the rater must know: the messages of new problems, else what is decided otherwise."""
        return " ".join(self.why) or f"{self.labels}."


class Replay:
    """The replay of ratings by an old rubric with a new one. `judged`: places that a changed condition touched.

    Ratings are in exported form: hidden answers would count again where the new rubric asks for them.
    """

    def __init__(self, old: Rubric, new: Rubric) -> None:
        counts: dict[int, tuple[Target, int]] = {}
        self.old, self.new = _with_counts_kept(old, counts), _with_counts_kept(new, counts)
        self.places = self.judged = self.ratings = 0
        self._changed = _ChangedConditions(self.old, self.new)
        self.changes = self._changed.rows
        both = (self.old, self.new)
        looks_inwards = any(rubric.tests_of_looks[scope].coefficients for rubric in both for scope in SCOPES)
        self._names = [] if looks_inwards or self._changed.by_scope["evidence"] else _names_read(*both)
        self._known: dict[tuple[Any, ...], list[ReplayedPlace]] = {}

    def judge(self, stored: StoredRating) -> list[ReplayedPlace]:
        """Return the places of a rating that the new rubric judges otherwise."""
        task, rating = stored.task, stored.rating
        targets = task.targets or ()
        self.ratings += 1
        self.places += len(targets) or len(task.responses)
        if rating.status == "skipped" or not self.changes:
            return []
        reading = RatingEvaluation(self._changed.reading, task, rating)
        nodes = [(target, reading.target_node(target)) for target in targets]
        whole = self._changed.touch_outside(reading)
        touched = [] if whole else [(target, node) for target, node in nodes if self._changed.touch(reading, node)]
        self.judged += (len(targets) or len(task.responses)) if whole else len(touched)
        if whole or (touched and not self._names):
            return self.compared(stored, task)
        places = []
        for target, node in touched:
            part = replace(task, targets=(target,))
            if target.id in rating.claims:
                places += self.compared(stored, part)
                continue
            values = tuple(read(reading.value(reading.units(node)[0], name)) for name, read in self._names)
            if values not in self._known:
                if len(self._known) >= _MOST_KEPT:
                    self._known.clear()
                self._known[values] = self.compared(stored, part)
            here = {**_origin(stored), "task": task.id, "where": node.where}
            places += [replace(place, **here) for place in self._known[values]]
        return places

    def compared(self, stored: StoredRating, task: Task) -> list[ReplayedPlace]:
        """Judge a rating of a task, or of some of its targets, by both rubrics; return the places that differ."""
        before, after = (check_rating(rubric, task, stored.rating) for rubric in (self.old, self.new))
        blocked = {(problem.rule, _holder(problem.where)) for problem in before.problems if problem.level == "block"}
        fresh: dict[str, dict[str, str]] = defaultdict(dict)
        for problem in after.problems:
            if problem.level == "block" and (problem.rule, _holder(problem.where)) not in blocked:
                fresh[_holder(problem.where)][problem.rule] = problem.message or ""
        decided = [_decided(before), _decided(after)]
        places = []
        for where in dict.fromkeys((*decided[0], *decided[1], *fresh)):
            was, now = (of_place.get(where, {}) for of_place in decided)
            differing = [name for name in dict.fromkeys((*was, *now)) if was.get(name) != now.get(name)]
            rules = fresh.get(where, {})
            bys = [_CONTRADICTS + after.decided[where][name].by for name in differing if name in now]
            sections = (_section(self.new, rule) for rule in (*rules, *bys))
            if differing or rules:
                places.append(
                    ReplayedPlace(
                        **_origin(stored),
                        task=task.id,
                        where=where,
                        before={name: was[name] for name in differing if name in was},
                        after={name: now[name] for name in differing if name in now},
                        broken=tuple(rule for rule in rules if not rule.startswith(_REQUIRED)),
                        missing=tuple(rule.removeprefix(_REQUIRED) for rule in rules if rule.startswith(_REQUIRED)),
                        why=tuple(rules.values()),
                        sections=tuple(dict.fromkeys(filter(None, sections))),
                    )
                )
        return places

    def summary(self, places: Sequence[ReplayedPlace]) -> dict[str, Any]:
        """Return the replay as a JSON object: the changes of the rubric, the counts, and each place to look at again."""
        return {
            "old": self.old.ref,
            "new": self.new.ref,
            "changes": self.changes,
            "ratings": self.ratings,
            "places": self.places,
            "judged": self.judged,
            "labels": dict(Counter(place.labels for place in places if place.labels).most_common()),
            "missing": dict(Counter(name for place in places for name in place.missing).most_common()),
            "broken": dict(Counter(rule for place in places for rule in place.broken).most_common()),
            "raters": dict(sorted(Counter(place.rater for place in places).items())),
            "again": msgspec.to_builtins(places),
        }


def _with_counts_kept(rubric: Rubric, counts: dict[int, tuple[Target, int]]) -> Rubric:
    """Return the rubric with the proposed claims of each target counted once: many raters have the same."""
    fact = rubric.facts["claims_proposed"]

    def read(reading: RatingEvaluation, node: ScopeNode) -> int:
        known = counts.get(id(node.item))
        if known is None or known[0] is not node.item:
            known = counts[id(node.item)] = node.item, fact.read(reading, node)
        return known[1]

    return dataclasses.replace(rubric, facts={**rubric.facts, "claims_proposed": Fact(fact.scope, fact.domain, read)})


def _origin(stored: StoredRating) -> dict[str, str]:
    return {"bundle": stored.manifest.bundle.id, "rater": stored.manifest.rater, "results": stored.results}


def _decided(outcome: CheckOutcome) -> dict[str, dict[str, Any]]:
    return {where: {name: label.value for name, label in labels.items()} for where, labels in outcome.decided.items()}


def _holder(where: str) -> str:
    return where.partition(_EVIDENCE)[0]


def _section(rubric: Rubric, rule: str) -> str:
    """Return the heading of the guidelines that a problem rests on; that of the question where a row names none."""
    row = source_of_problem(rubric, rule)
    question = rubric.questions.get(getattr(row, "sets", ""))
    own = getattr(row, "guideline", "") or getattr(row, "section", "")
    return own or (question.question.section if question is not None else "")


def _names_read(old: Rubric, new: Rubric) -> list[tuple[str, Callable[[Any], Any]]]:
    """Return the names on which the judgement of a target without claims rests, each with what matters of its value."""
    outer = {*old.outer_names, *new.outer_names}
    read: list[tuple[str, Callable[[Any], Any]]] = []
    for name, entry in {**new.names, **old.names}.items():
        tests = [test.passes for test in (*old.inner_tests(name), *new.inner_tests(name))]
        is_answer = name in old.questions
        if name in {"decided_by", "claims"} or entry.scope == "evidence":
            continue  # what follows from the others, or is none
        if name in outer or (entry.scope in {"target", "claim"} and (tests or is_answer)):
            read.append((name, repr if is_answer and not isinstance(entry.domain, TextDomain) else _tested(tests)))
    return read


def _tested(tests: list[Callable[[Any], bool]]) -> Callable[[Any], Any]:
    return lambda value: (value is None, *(passes(value) for passes in tests))


class _ChangedConditions:
    """The conditions that differ between two rubrics, read on values by the old one. `rows`: what to say of each.

    A changed row touches a place where its condition has another result, and a decision or rule where it holds.
    """

    def __init__(self, old: Rubric, new: Rubric) -> None:
        self.rows: list[dict[str, str]] = []
        self.by_scope: dict[Scope, list[Touches]] = {name: [] for name in SCOPES}
        nothing = {
            name: Fact(entry.scope, entry.domain, lambda _reading, _node: None)
            for name, entry in new.names.items()
            if name not in old.names
        }
        # The old rubric, with the names of the new one: they have no value.
        self.reading = dataclasses.replace(old, names={**new.names, **old.names}, facts={**old.facts, **nothing})
        decisions = old.decisions.keys() & new.decisions.keys()
        was, now = ({**_questions(rubric), **_decisions(rubric, decisions), **_rules(rubric)} for rubric in (old, new))
        for key in dict.fromkeys((*now, *was)):
            if was.get(key) != now.get(key):
                section = _section(new if key in now else old, _PREFIXES[key[0]] + key[2])
                self._add(key, was.get(key), now.get(key), section)
        for name in old.questions.keys() & new.questions.keys():
            if old.questions[name].domain != new.questions[name].domain:
                self.by_scope[old.questions[name].question.per].append(_loses_answer(new.questions[name]))
        whole = [
            (
                (rubric.file.combine, rubric.file.compare, rubric.file.links),
                bool(rubric.file.combine) and {row.sets for row in rubric.file.decide},
                [rubric.names[name].scope for name in sorted(old.names.keys() & new.names.keys())],
            )
            for rubric in (old, new)
        ]
        self._whole = whole[0] != whole[1]
        if self._whole:
            self.rows.append({"table": "rubric", "id": "", "change": "changed", "section": ""})

    def _add(self, key: _RowKey, was: _Row | None, now: _Row | None, section: str) -> None:
        change = "new" if was is None else "dropped" if now is None else "changed"
        self.rows.append({"table": key[0], "id": key[2], "change": change, "section": section})
        conditions = [dict(row[0]) if row is not None else {} for row in (was, now)]
        # Of two questions, a choice that only one offers is an answer that is new, or lost.
        for name in conditions[0].keys() & conditions[1].keys() if was and now else ("",):
            pair = [of_row.get(name) for of_row in conditions]
            if key[0] in _WHERE_HELD or pair[0] != pair[1]:
                self.by_scope[key[1]].append(_touching(*pair, where_held=key[0] in _WHERE_HELD))

    def touch_outside(self, reading: RatingEvaluation) -> bool:
        """Return whether a change touches the task, a response or its evidence, or every place."""
        if self._whole or not any(self.by_scope[scope] for scope in ("task", "response", "evidence")):
            return self._whole
        pieces = [piece for response in reading.responses for piece in reading.evidence(response)]
        return any(self._touch(reading, node) for node in (reading.root, *reading.responses, *pieces))

    def touch(self, reading: RatingEvaluation, target: ScopeNode) -> bool:
        """Return whether a change touches a target, its claims or evidence."""
        pieces = reading.evidence(target) if self.by_scope["evidence"] else []
        return any(self._touch(reading, node) for node in (target, *reading.units(target), *pieces))

    def _touch(self, reading: RatingEvaluation, node: ScopeNode) -> bool:
        return any(touches(reading, node) for touches in self.by_scope[node.scope])


# Table, scope and id of a row. Its conditions by name, and all else that its judgement rests on.
_RowKey = tuple[str, Scope, str]
_Row = tuple[tuple[tuple[str, Condition | None], ...], Any]
_PREFIXES = {"question": _REQUIRED, "decision": _CONTRADICTS, "rule": "", "evidence": "", "claims": ""}
_WHERE_HELD = frozenset({"decision", "rule"})


def _questions(rubric: Rubric) -> dict[_RowKey, _Row]:
    """Return the questions, and when claims and evidence are asked for."""
    rows: dict[_RowKey, _Row] = {}
    for name, compiled in rubric.questions.items():
        choices = {choice.id: compiled.choices.get(choice.id, ALWAYS) for choice in compiled.question.choices}
        conditions = {"": compiled.relevant, " ": compiled.required, **choices}
        rows["question", compiled.question.per, name] = tuple(conditions.items()), compiled.domain
    evidence: Scope = rubric.file.evidence.per if rubric.file.evidence is not None else "target"
    rows["evidence", evidence, ""] = (("", rubric.evidence),), None
    rows["claims", "target", ""] = (("", rubric.claims),), None
    return rows


def _decisions(rubric: Rubric, common: Collection[str]) -> dict[_RowKey, _Row]:
    """Return the rows of the decision table, each with those before it that both rubrics have."""
    rows: dict[_RowKey, _Row] = {}
    before: dict[str, frozenset[str]] = defaultdict(frozenset)
    for row in rubric.file.decide:
        meaning = row.sets, row.needs, repr(row.then), row.level, before[row.sets]
        rows["decision", row.per, row.id] = (("", rubric.decisions[row.id].when),), meaning
        before[row.sets] |= {row.id} & set(common)
    return rows


def _rules(rubric: Rubric) -> dict[_RowKey, _Row]:
    rules = (entry for scope in SCOPES for entry in rubric.rules_by_scope[scope])
    return {
        ("rule", entry.rule.per, entry.rule.id): ((("", entry.when),), (entry.rule.level, entry.require))
        for entry in rules
    }


def _touching(was: Condition | None, now: Condition | None, *, where_held: bool) -> Touches:
    """Return the test whether two conditions differ at a node, or whether one holds; `None` never holds."""

    def touches(reading: RatingEvaluation, node: ScopeNode) -> bool:
        held, holds = (condition is not None and reading.holds(condition, node) for condition in (was, now))
        return held or holds if where_held else held is not holds

    return touches


def _loses_answer(now: CompiledQuestion) -> Touches:
    """Return the test whether an answer is none any more; a list may not be finished any more."""

    def touches(reading: RatingEvaluation, node: ScopeNode) -> bool:
        value = reading.value(node, now.question.id)
        return value is not None and (isinstance(value, list | tuple) or not now.domain.offers(value))

    return touches


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
