"""Replay of stored ratings by a changed rubric: what the rules would now decide otherwise, and who must look again.

A place at which no changed condition holds, given its values by the old rubric, can't be judged otherwise: each value
that an unchanged condition reads is the same. The others are judged by both rubrics, those with the same values once.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from desktop_rater.audit.results import original_bundle
from desktop_rater.format.change import Progress
from desktop_rater.format.jsonl import TaskLine
from desktop_rater.format.make import BundleDraft, make_bundle
from desktop_rater.format.manifests import DERIVED_KEY, RETURN_TOOL
from desktop_rater.format.rating import Rating
from desktop_rater.format.rubric import SCOPES, Scope
from desktop_rater.format.strict_json import from_plain, read_json_object, read_struct
from desktop_rater.format.task import Comment, Target, Task
from desktop_rater.format.write import refuse_inside_store
from desktop_rater.operations.audit.check_results import ResultsCache
from desktop_rater.operations.audit.load_audit import load_packed_audit
from desktop_rater.operations.audit.rework import pages_of, returned_line
from desktop_rater.rubric import CheckOutcome, Rubric, check_rating
from desktop_rater.rubric.compiled import CompiledQuestion, Fact
from desktop_rater.rubric.condition import ALWAYS, Condition, TextDomain
from desktop_rater.rubric.evaluation import RatingEvaluation, ScopeNode
from desktop_rater.rubric.load import source_of_problem
from desktop_rater.store import received
from desktop_rater.store.store import Store
from desktop_rater.text.untrusted import distinct_file_name_parts, file_name, normalised_name

UNDECIDED = "undecided"
_REQUIRED, _CONTRADICTS, _EVIDENCE, _CLAIMS = "required:", "contradicts:", "/evidence/", "/claims/"
Touches = Callable[[RatingEvaluation, ScopeNode], bool]
_MOST_KEPT = 100_000  # combinations of values that were judged


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

    def judge(self, task: Task, rating: Rating, origin: Mapping[str, str]) -> list[ReplayedPlace]:
        """Return the places of a rating that the new rubric judges otherwise.

        `task` has its targets as this rater had them; `origin`: the bundle, the rater and the results.
        """
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
            return self.compared(task, rating, origin)
        places = []
        for target, node in touched:
            part = replace(task, targets=(target,))
            if target.id in rating.claims:
                places += self.compared(part, rating, origin)
                continue
            values = tuple(read(reading.value(reading.units(node)[0], name)) for name, read in self._names)
            if values not in self._known:
                if len(self._known) >= _MOST_KEPT:
                    self._known.clear()
                self._known[values] = self.compared(part, rating, origin)
            here = {**origin, "task": task.id, "where": node.where}
            places += [replace(place, **here) for place in self._known[values]]
        return places

    def compared(self, task: Task, rating: Rating, origin: Mapping[str, str]) -> list[ReplayedPlace]:
        """Judge a rating of a task, or of some of its targets, by both rubrics; return the places that differ."""
        before, after = (check_rating(rubric, task, rating) for rubric in (self.old, self.new))
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
                        **origin,
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
        """Return a JSON object with the changes of the rubric, the counts, and each place to look at again."""
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
        count = counts.get(id(node.item))
        if count is None or count[0] is not node.item:
            count = counts[id(node.item)] = node.item, fact.read(reading, node)
        return count[1]

    return replace(rubric, facts={**rubric.facts, "claims_proposed": Fact(fact.scope, fact.domain, read)})


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
        self.reading = replace(old, names={**new.names, **old.names}, facts={**old.facts, **nothing})
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

    def _add(self, key: "_RowKey", was: "_Row | None", now: "_Row | None", section: str) -> None:
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
    def touches(reading: RatingEvaluation, node: ScopeNode) -> bool:
        value = reading.value(node, now.question.id)
        return value is not None and (isinstance(value, list | tuple) or not now.domain.offers(value))

    return touches


def replayed_places(replay: Replay, store: Store, bundle: str, progress: Progress) -> list[ReplayedPlace]:
    """Replay the ratings of an audit by the old rubric: those that count, and those that only their rubric keeps out.

    Return the places that are judged otherwise. Raises `RaterError`.
    """
    audit = load_packed_audit(store, bundle)
    cache, by_results = ResultsCache(), received.rubrics_by_results(store, bundle)
    wanted: dict[str, set[str]] = defaultdict(set)
    for rating in (*audit.ratings.values(), *audit.stale):
        own = by_results[rating.results]
        if cache.rubric(own.ref, own.toml, bundle).basis == replay.old.basis:
            wanted[rating.results].add(rating.task)
    places = []
    for number, (results, tasks) in enumerate(wanted.items()):
        progress(number, len(wanted))
        manifest = received.results_manifest(store, results)
        origin = {"bundle": bundle, "rater": normalised_name(manifest.rater), "results": results}
        for text, rating in _ratings(store, results, tasks):
            line = received.task_text(store, text)
            task = cache.tasks.get(line) or read_struct(read_json_object(line), Task)
            task_line = TaskLine(number=0, raw=line, task=task, id=task.id)
            placed = cache.places(task_line, replay.old, manifest.bundle.language).of(rating)
            places += replay.judge(placed, rating, origin)
    return places


def _ratings(store: Store, results: str, tasks: Collection[str]) -> Iterator[tuple[str, Rating]]:
    for text, body, _ in received.received_lines(store, results):
        rating = from_plain(msgspec.json.decode(body), Rating)
        if rating.task in tasks:
            yield text, rating


def write_return_bundles(
    store: Store, out: Path, places: Iterable[ReplayedPlace], new: BundleDraft, by: str, revision: int | None = None
) -> dict[Path, int]:
    """Write the tasks of some places as bundles: one for each results zip, with its rater's answers in place.

    `new`: what they have in common; `revision`: that of the bundle with the new rubric, by default the next. With
    several zips, the names of the raters are added to that of the file. Return the number of tasks of each. Raises
    `BundleError`.
    """
    again: dict[str, dict[str, list[ReplayedPlace]]] = defaultdict(lambda: defaultdict(list))
    for place in places:
        again[place.results][place.task].append(place)
    origins = [next(iter(tasks.values()))[0] for tasks in again.values()]
    names = distinct_file_name_parts(place.rater for place in origins)
    written = {}
    for (results, tasks), place, name in zip(again.items(), origins, names, strict=True):
        path = out if len(again) == 1 else out.with_stem(f"{out.stem}-{name}")
        refuse_inside_store(store.folder, path)
        bundle = received.results_manifest(store, results).bundle
        whole = original_bundle(bundle.derived) or bundle
        origin = {"id": place.bundle, "revision": revision or whole.revision + 1, "sha256": whole.sha256}
        derived = {"tool": RETURN_TOOL, "rater": place.rater, "results": results, "round": 1, "bundles": [origin]}
        ratings = list(_ratings(store, results, tasks))
        draft = replace(
            new,
            id=f"{place.bundle}-return-{name}-{file_name(new.rubric)}",
            title=f"{place.bundle} ({new.rubric})",
            language=bundle.language,
            snapshots={name: path for _, rating in ratings for name, path in pages_of(store, rating).items()},
            unknown={DERIVED_KEY: derived},
        )
        lines = (
            returned_line(
                received.task_text(store, text), rating, tuple(map(_comment, tasks[rating.task])), by, new.created
            )
            for text, rating in ratings
        )
        written[path] = make_bundle(path, draft, lines).tasks
    return written


def _comment(place: ReplayedPlace) -> Comment:
    where, _, claim = place.where.partition(_CLAIMS)
    sections = "".join(f" § {section}" for section in place.sections)
    return Comment(where=where, claim=claim or None, comment=place.text + sections)
