"""Replay of stored ratings by a changed rubric: what the rules would now decide otherwise, and who must look again.

A place at which no changed condition has another result, given its values by the old rubric, can't be judged otherwise:
each value that an unchanged condition reads is the same. Only the other places are judged, by both rubrics.
"""

from __future__ import annotations

import dataclasses
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from desktop_rater.format.manifests import ResultsManifest
from desktop_rater.format.rating import Rating
from desktop_rater.format.rubric import SCOPES, Scope
from desktop_rater.format.task import Target, Task
from desktop_rater.rubric import CheckOutcome, Rubric, check_rating
from desktop_rater.rubric.compiled import CompiledDecision, CompiledQuestion, CompiledRule, Fact
from desktop_rater.rubric.condition import ALWAYS, Condition, ListDomain
from desktop_rater.rubric.evaluation import RatingEvaluation, ScopeNode
from desktop_rater.rubric.load import source_of_problem

_REQUIRED, _EVIDENCE, UNDECIDED = "required:", "/evidence/", "undecided"
_TABLES = {"questions": "question", "decide": "decision", "rules": "rule"}

Differs = Callable[[RatingEvaluation, ScopeNode], bool]


class StoredRating(NamedTuple):
    """A rating of received results, with the line of its task. `task` has its targets as this rater had them."""

    manifest: ResultsManifest
    results: str
    line: bytes
    task: Task
    rating: Rating


class RubricChange(msgspec.Struct, frozen=True, kw_only=True):
    """A row that judges otherwise in two rubrics; `section`: the heading of the guidelines that it rests on."""

    table: str
    id: str
    change: str
    section: str = ""

    @property
    def text(self) -> str:
        section = f" (§ {self.section})" if self.section else ""
        return f"{' '.join(part for part in (self.table, self.id) if part)}: {self.change}{section}"


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
    def text(self) -> str:
        """What the rater must know: the messages of new problems, else what is decided otherwise."""
        names = dict.fromkeys((*self.before, *self.after))
        labels = (f"{name}: {self.before.get(name, UNDECIDED)} → {self.after.get(name, UNDECIDED)}" for name in names)
        return " ".join(self.why) or f"{', '.join(labels)}."


class Replay:
    """The replay of ratings by an old rubric with a new one. `judged`: places that a changed condition touched."""

    def __init__(self, old: Rubric, new: Rubric) -> None:
        counts: dict[int, tuple[Target, int]] = {}
        self.old, self.new = _with_counts_kept(old, counts), _with_counts_kept(new, counts)
        self.places = self.judged = self.ratings = 0
        self._touched = _ChangedConditions(self.old, self.new)
        both = (old, new)
        self._looks_inwards = any(rubric.tests_of_looks[scope].coefficients for rubric in both for scope in SCOPES)

    @property
    def changes(self) -> list[RubricChange]:
        return self._touched.changes

    def judge(self, stored: StoredRating) -> list[ReplayedPlace]:
        """Return the places of a rating that the new rubric judges otherwise."""
        self.ratings += 1
        targets = stored.task.targets or ()
        self.places += len(targets) or len(stored.task.responses)
        if stored.rating.status == "skipped":
            return []
        whole, touched = self._touched.in_rating(stored.task, stored.rating)
        if not (whole or touched):
            return []
        task = stored.task
        if not (whole or self._looks_inwards):
            task = replace(task, targets=tuple(target for target in targets if target.id in touched))
        self.judged += len(task.targets or ()) or len(task.responses)
        return self.compared(stored, task)

    def compared(self, stored: StoredRating, task: Task) -> list[ReplayedPlace]:
        """Judge a rating of a task by both rubrics; return the places that differ."""
        before, after = (check_rating(rubric, task, stored.rating) for rubric in (self.old, self.new))
        blocked = {(problem.rule, _holder(problem.where)) for problem in before.problems if problem.level == "block"}
        fresh: dict[str, dict[str, str]] = defaultdict(dict)
        for problem in after.problems:
            if problem.level == "block" and (problem.rule, _holder(problem.where)) not in blocked:
                fresh[_holder(problem.where)][problem.rule] = problem.message or ""
        decided_before, decided_after = _decided(before), _decided(after)
        places = []
        for where in dict.fromkeys((*decided_before, *decided_after, *fresh)):
            was, now = decided_before.get(where, {}), decided_after.get(where, {})
            differing = [name for name in dict.fromkeys((*was, *now)) if was.get(name) != now.get(name)]
            rules = fresh.get(where, {})
            if not (differing or rules):
                continue
            bys = [after.decided[where][name].by for name in differing if name in now]
            sections = (_section(self.new, rule) for rule in (*rules, *(f"contradicts:{by}" for by in bys)))
            places.append(
                ReplayedPlace(
                    bundle=stored.manifest.bundle.id,
                    rater=stored.manifest.rater,
                    results=stored.results,
                    task=task.id,
                    where=where,
                    before={name: was[name] for name in differing if name in was},
                    after={name: now[name] for name in differing if name in now},
                    broken=tuple(rule for rule in rules if not rule.startswith(_REQUIRED)),
                    missing=tuple(rule.removeprefix(_REQUIRED) for rule in rules if rule.startswith(_REQUIRED)),
                    why=tuple(rules.values()),
                    sections=tuple(dict.fromkeys(section for section in sections if section)),
                )
            )
        return places


def _with_counts_kept(rubric: Rubric, counts: dict[int, tuple[Target, int]]) -> Rubric:
    """Return the rubric with the proposed claims of each target counted once: many raters have the same."""
    fact = rubric.facts["claims_proposed"]

    def read(reading: RatingEvaluation, node: ScopeNode) -> int:
        known = counts.get(id(node.item))
        if known is None or known[0] is not node.item:
            known = counts[id(node.item)] = node.item, fact.read(reading, node)
        return known[1]

    return dataclasses.replace(rubric, facts={**rubric.facts, "claims_proposed": Fact(fact.scope, fact.domain, read)})


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


class _ChangedConditions:
    """The conditions that differ between two rubrics, read on values by the old one."""

    def __init__(self, old: Rubric, new: Rubric) -> None:
        self.changes: list[RubricChange] = []
        self._by_scope: dict[Scope, list[Differs]] = {scope: [] for scope in SCOPES}
        self._old, self._new = old, new
        nothing = {
            name: Fact(entry.scope, entry.domain, lambda _reading, _node: None)
            for name, entry in new.names.items()
            if name not in old.names
        }
        # The old rubric, with the names of the new one: they have no value.
        self._reading = dataclasses.replace(old, names={**new.names, **old.names}, facts={**old.facts, **nothing})
        scopes = [
            name for name in old.names.keys() & new.names.keys() if old.names[name].scope != new.names[name].scope
        ]
        self._whole = bool(scopes)
        self._compare_questions()
        self._compare_decisions()
        self._compare_rules()
        self._compare_tables()
        self._outer = any(self._by_scope[scope] for scope in SCOPES[:2])

    def in_rating(self, task: Task, rating: Rating) -> tuple[bool, set[str]]:
        """Return whether a change touches the task or a response, and the targets that one touches."""
        if self._whole:
            return True, set()
        reading = RatingEvaluation(self._reading, task, rating)
        if self._outer:
            outer = [reading.root, *reading.responses]
            outer += [piece for response in reading.responses for piece in reading.evidence(response)]
            if any(self._differ(reading, node) for node in outer):
                return True, set()
        return False, {
            target.id for target in task.targets or () if self._touches(reading, reading.target_node(target))
        }

    def _touches(self, reading: RatingEvaluation, target: ScopeNode) -> bool:
        if self._differ(reading, target) or any(self._differ(reading, unit) for unit in reading.units(target)):
            return True
        return bool(self._by_scope["evidence"]) and any(
            self._differ(reading, piece) for piece in reading.evidence(target)
        )

    def _differ(self, reading: RatingEvaluation, node: ScopeNode) -> bool:
        return any(differs(reading, node) for differs in self._by_scope[node.scope])

    def _note(self, table: str, row: str, was: object, now: object, section: str) -> None:
        change = "new" if was is None else "dropped" if now is None else "changed"
        self.changes.append(RubricChange(table=_TABLES.get(table, table), id=row, change=change, section=section))

    def _compare_questions(self) -> None:
        for name in dict.fromkeys((*self._new.questions, *self._old.questions)):
            was, now = self._old.questions.get(name), self._new.questions.get(name)
            if was is None or now is None or _meaning_of_question(was) != _meaning_of_question(now):
                scope = self._reading.names[name].scope
                self._note("questions", name, was, now, _section(self._new if now else self._old, _REQUIRED + name))
                pairs = [(was.relevant if was else None, now.relevant if now else None)]
                if was is not None and now is not None:
                    choices = was.choices.keys() | now.choices.keys()
                    pairs += [(was.choices.get(choice, ALWAYS), now.choices.get(choice, ALWAYS)) for choice in choices]
                    pairs.append((was.required, now.required))
                    if was.domain != now.domain or was.question.choices != now.question.choices:
                        self._by_scope[scope].append(_loses_answer(now))
                self._by_scope[scope] += [_differing(*pair) for pair in pairs if pair[0] != pair[1]]

    def _compare_decisions(self) -> None:
        rows: list[dict[tuple[Scope, str], list[CompiledDecision]]] = []
        for rubric in (self._old, self._new):
            by_question: dict[tuple[Scope, str], list[CompiledDecision]] = defaultdict(list)
            for decision in (decision for scope in SCOPES for decision in rubric.decisions_by_scope[scope]):
                by_question[decision.row.per, decision.row.sets].append(decision)
            rows.append(by_question)
        meanings = [
            {name: _meaning_of_decision(row) for name, row in rubric.decisions.items()}
            for rubric in (self._old, self._new)
        ]
        for name in dict.fromkeys((*meanings[1], *meanings[0])):
            was, now = (rows_of.get(name) for rows_of in meanings)
            if was != now:
                self._note("decide", name, was, now, _section(self._new if now else self._old, f"contradicts:{name}"))
        for key in dict.fromkeys((*rows[0], *rows[1])):
            was_rows, now_rows = rows[0][key], rows[1][key]
            if list(map(_meaning_of_decision, was_rows)) != list(map(_meaning_of_decision, now_rows)):
                self._by_scope[key[0]].append(_decides_otherwise(self._old, key[1], was_rows, now_rows))

    def _compare_rules(self) -> None:
        was_rules, now_rules = (
            {entry.rule.id: entry for scope in SCOPES for entry in rubric.rules_by_scope[scope]}
            for rubric in (self._old, self._new)
        )
        for name in dict.fromkeys((*now_rules, *was_rules)):
            was, now = was_rules.get(name), now_rules.get(name)
            if was is None or now is None or _meaning_of_rule(was) != _meaning_of_rule(now):
                self._note("rules", name, was, now, _section(self._new if now else self._old, name))
                for scope in {entry.rule.per for entry in (was, now) if entry is not None}:
                    self._by_scope[scope].append(_breaks_otherwise(was, now))

    def _compare_tables(self) -> None:
        old, new = self._old, self._new
        conditions: tuple[tuple[str, Scope], ...] = (("evidence", _evidence_scope(old)), ("claims", "target"))
        for table, scope in conditions:
            was, now = getattr(old, table), getattr(new, table)
            if was != now:
                self._note(f"[{table}]", "", was, now, "")
                self._by_scope[scope].append(_differing(was, now))
        tables = {
            "combine": [(rubric.file.combine, {row.sets for row in rubric.file.decide}) for rubric in (old, new)],
            "compare": [rubric.file.compare for rubric in (old, new)],
            "links": [rubric.file.links for rubric in (old, new)],
            "evidence": [_evidence_scope(rubric) for rubric in (old, new)],
        }
        for table, (was, now) in tables.items():
            if was != now and (table != "combine" or old.file.combine or new.file.combine):
                self._note(f"[{table}]", "", was, now, "")
                self._whole = True


def _evidence_scope(rubric: Rubric) -> Scope:
    return rubric.file.evidence.per if rubric.file.evidence is not None else "target"


def _meaning_of_question(compiled: CompiledQuestion) -> tuple[Any, ...]:
    return compiled.question.per, compiled.domain, compiled.relevant, compiled.required, dict(compiled.choices)


def _meaning_of_decision(decision: CompiledDecision) -> tuple[Any, ...]:
    row = decision.row
    return row.id, row.per, row.sets, row.needs, repr(row.then), row.level, decision.when


def _meaning_of_rule(compiled: CompiledRule) -> tuple[Any, ...]:
    return compiled.rule.per, compiled.rule.level, compiled.when, compiled.require


def _differing(was: Condition | None, now: Condition | None) -> Differs:
    """Return the test whether two conditions differ at a node; `None` never holds."""

    def differs(reading: RatingEvaluation, node: ScopeNode) -> bool:
        held = was is not None and reading.holds(was, node)
        return held is not (now is not None and reading.holds(now, node))

    return differs


def _loses_answer(now: CompiledQuestion) -> Differs:
    def loses(reading: RatingEvaluation, node: ScopeNode) -> bool:
        value = reading.value(node, now.question.id)
        return value is not None and (isinstance(now.domain, ListDomain) or not now.domain.offers(value))

    return loses


def _breaks_otherwise(was: CompiledRule | None, now: CompiledRule | None) -> Differs:
    def broken(compiled: CompiledRule | None, reading: RatingEvaluation, node: ScopeNode) -> str:
        if compiled is None or compiled.rule.per != node.scope or not reading.holds(compiled.when, node):
            return ""
        return "" if compiled.require is not None and reading.holds(compiled.require, node) else compiled.rule.level

    return lambda reading, node: broken(was, reading, node) != broken(now, reading, node)


def _decides_otherwise(old: Rubric, sets: str, was: list[CompiledDecision], now: list[CompiledDecision]) -> Differs:
    question = old.questions.get(sets)

    def decided(rows: list[CompiledDecision], reading: RatingEvaluation, node: ScopeNode) -> tuple[str, str, Any]:
        for decision in rows:
            if reading.holds(decision.when, node):
                # What the new rubric asks beyond the old one is a change of its own.
                needs = (name for name in decision.row.needs if name in old.questions)
                waits = any(reading.is_open(node, name) for name in needs)
                return ("", "", None) if waits else (decision.row.id, decision.row.level, decision.row.then)
        return "", "", None

    def differs(reading: RatingEvaluation, node: ScopeNode) -> bool:
        asked = question is not None and reading.is_asked(node, question)
        return asked and decided(was, reading, node) != decided(now, reading, node)

    return differs


def replay_object(replay: Replay, places: list[ReplayedPlace]) -> dict[str, Any]:
    """Return a replay as a JSON object: what changed in the rubric, the counts, and each place to look at again."""
    labels = Counter(
        (name, str(place.before.get(name, UNDECIDED)), str(place.after.get(name, UNDECIDED)))
        for place in places
        for name in dict.fromkeys((*place.before, *place.after))
    )
    raters = Counter(place.rater for place in places)
    return {
        "old": replay.old.ref,
        "new": replay.new.ref,
        "changes": msgspec.to_builtins(replay.changes),
        "ratings": replay.ratings,
        "places": replay.places,
        "judged": replay.judged,
        "labels": [
            {"question": name, "before": before, "after": after, "places": count}
            for (name, before, after), count in labels.most_common()
        ],
        "missing": dict(Counter(name for place in places for name in place.missing).most_common()),
        "broken": dict(Counter(rule for place in places for rule in place.broken).most_common()),
        "raters": dict(sorted(raters.items())),
        "again": msgspec.to_builtins(places),
    }
