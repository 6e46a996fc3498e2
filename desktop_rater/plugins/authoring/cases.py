"""Cases: examples of a guideline as tests of its rubric, and the changes of a rubric that none of them would notice.

A case states facts, and builds none: where it gives a value, that replaces what the program would find out.
"""

from __future__ import annotations

import dataclasses
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from desktop_rater.format.archive import CASES, GOLD, open_bundle
from desktop_rater.format.errors import FormatError, RaterError
from desktop_rater.format.jsonl import raw_lines
from desktop_rater.format.opened_files import ZIPS
from desktop_rater.format.rating import Rating
from desktop_rater.format.rubric import RubricCase, RubricFile, Scope
from desktop_rater.format.strict_json import StrictJsonError, prepared_type, read_json_object, read_struct, to_plain
from desktop_rater.format.task import Task
from desktop_rater.operations import rubrics
from desktop_rater.operations.bundles.import_bundle import bundle_lines, rubric_of_bundle
from desktop_rater.paths import resources
from desktop_rater.rubric import CheckOutcome, Rubric, RubricError, check_rating
from desktop_rater.rubric.compile import RubricCompiler
from desktop_rater.rubric.compiled import Fact
from desktop_rater.rubric.condition import ANY, LOOKS, SHARES, is_number, same_value
from desktop_rater.rubric.validate import RubricFault

_PAGE = "https://case.example/page"
_PLACE = re.compile(
    r"task|responses/(?P<response>[^/]+)|targets/(?P<target>[^/]+)(?:/claims/(?P<claim>[^/]+))?"
    r"|(?:targets|responses)/[^/]+/evidence/[^/]+"
)
_TEXT, _TASK_OF_CASES = "Example.", "case-{number}"


def read_cases(lines: Iterable[tuple[int, bytes]], name: str) -> tuple[RubricCase, ...]:
    """Read the cases in the numbered lines of a file. Raises `FormatError`."""
    cases = []
    for number, line in lines:
        try:
            cases.append(msgspec.convert(read_json_object(line), prepared_type(RubricCase)))
        except (StrictJsonError, msgspec.ValidationError) as error:
            raise FormatError(f"{name}, line {number}: not a case", f"{error}.") from None
    return tuple(cases)


def rubric_with_cases(ref: str, more: Path | None = None) -> tuple[Rubric, tuple[RubricCase, ...]]:
    """Return a rubric and its cases: of a TOML file, of a bundle, or of a built-in one those beside it; `more`: a file.

    Raises `RaterError`.
    """
    added = () if more is None else read_cases(raw_lines(more), more.name)
    path = rubrics.custom_rubric_file(ref)
    if path is not None and path.suffix.lower() in ZIPS:
        with open_bundle(path) as bundle:
            rubric = rubric_of_bundle(bundle, path)
            return rubric, (*rubric.file.cases, *read_cases(bundle.case_lines(), f"{path.name}: {CASES}"), *added)
    rubric = rubrics.find_rubric(ref)
    beside = resources() / "rubrics" / "cases" / f"{rubric.ref}.jsonl"
    own = read_cases(raw_lines(beside), beside.name) if path is None and beside.is_file() else rubric.file.cases
    return rubric, (*own, *added)


def cases_of_gold(path: Path) -> tuple[Rubric, tuple[RubricCase, ...]]:
    """Return the rubric of a bundle, and each of its gold ratings as a case. Raises `BundleError` or `RubricError`."""
    with open_bundle(path) as bundle:
        rubric, cases = rubric_of_bundle(bundle, path), []
        gold: dict[str, list[Rating]] = defaultdict(list)
        for rating in bundle.gold():
            gold[rating.task].append(rating)
        for line in bundle_lines(bundle.tasks(), rubric, lang=bundle.manifest.language):
            task = line.task
            if task is None:
                continue
            for rating in gold[task.id]:
                expected = _found(check_rating(rubric, task, rating))
                cases.append(
                    RubricCase(name=f"{GOLD}: {task.id}", task=to_plain(task), rating=to_plain(rating), expect=expected)
                )
    if not cases:
        raise RaterError(f"{path.name} has no gold answers.", hint="Cases are made of the tasks that have some.")
    return rubric, tuple(cases)


def given_parts(case: RubricCase) -> dict[str, Any]:
    """Return a case as plain JSON, without what is empty."""
    return {name: value for name, value in msgspec.to_builtins(case).items() if value not in (None, "", {}, ())}


class _PlacedCase(NamedTuple):
    """A case as a task and a rating. `stated`: place → fact → value; `by_default`: name → its place."""

    case: RubricCase
    task: Task
    rating: Rating
    stated: Mapping[str, Mapping[str, Any]]
    by_default: Mapping[str, str]


class CaseCheck:
    """The cases of one rubric, placed once, to be checked by it and by changed copies of it."""

    def __init__(self, rubric: Rubric, cases: Sequence[RubricCase]) -> None:
        self._rubric = rubric
        self._stated: dict[str, Mapping[str, Mapping[str, Any]]] = {}
        self.placed: list[_PlacedCase] = []
        for number, case in enumerate(cases, 1):
            try:
                placed = _placed(rubric, case, _TASK_OF_CASES.format(number=number))
            except (ValueError, RaterError) as error:
                raise FormatError(f'{rubric.ref}: the case "{case.name}" can\'t be read', f"{error}.") from None
            self.placed.append(placed)
            self._stated[placed.task.id] = placed.stated

    def failures(self) -> dict[int, str]:
        """Return the number of each case that the rubric fails, from 0, with the reason."""
        stating = self._stating(self._rubric)
        found = ((number, self._failure(stating, placed)) for number, placed in enumerate(self.placed))
        return {number: reason for number, reason in found if reason}

    def noticed(self, changed: RubricFile) -> bool:
        """Return whether a case fails by a changed rubric, or none can be loaded from it."""
        try:
            rubric = self._stating(RubricCompiler(changed).rubric())
            return any(self._failure(rubric, placed) for placed in self.placed)
        except (RubricFault, RubricError):
            return True

    def _stating(self, rubric: Rubric) -> Rubric:
        """Return the rubric with the facts that the cases state."""

        def stating(name: str, fact: Fact) -> Fact:
            def read(reading: Any, node: Any) -> Any:
                given = self._stated[reading.task.id].get(node.where, {})
                return given[name] if name in given else fact.read(reading, node)

            return Fact(fact.scope, fact.domain, read)

        return dataclasses.replace(rubric, facts={name: stating(name, fact) for name, fact in rubric.facts.items()})

    def _failure(self, rubric: Rubric, placed: _PlacedCase) -> str:
        case, outcome = placed.case, check_rating(rubric, placed.task, placed.rating)
        if case.expect is not None:
            found = _found(outcome)
            differing = [key for key in ("decided", "problems") if found[key] != case.expect.get(key, found[key])]
            return "; ".join(f"{key}: {_shown(found[key])}, not {_shown(case.expect[key])}" for key in differing)
        reasons = [*_hidden_reasons(placed, outcome, rubric.questions), *_decided_reasons(placed, outcome)]
        problems = {problem.rule: problem.level for problem in outcome.problems}
        if problems != case.problems:
            reasons.append(f"problems: {_shown(problems)}, not {_shown(case.problems)}")
        for name, value in case.refused.items():
            wrong = _with_answer(placed, name, value)
            if wrong is None or not check_rating(rubric, placed.task, wrong).blocking:
                reasons.append(f"{name} = {_shown(value)} is not refused")
        return "; ".join(reasons)


def _found(outcome: CheckOutcome) -> dict[str, Any]:
    """Return an outcome in the form of `expect`."""
    problems = sorted([problem.rule, problem.level, problem.where] for problem in outcome.problems)
    return {"decided": to_plain(outcome.decided), "problems": problems}


def _hidden_reasons(placed: _PlacedCase, outcome: CheckOutcome, questions: Collection[str]) -> Iterator[str]:
    for name in placed.case.given:
        asked = outcome.asked.get(placed.by_default[name], ())
        counts = any(item.question.id == name and item.value is not None for item in asked)
        if name in questions and counts is (name in placed.case.hidden):
            yield f"{name} {'counts' if counts else 'does not count'}"


def _decided_reasons(placed: _PlacedCase, outcome: CheckOutcome) -> Iterator[str]:
    for where in dict.fromkeys(placed.by_default.values()):
        decided = {name: label.value for name, label in outcome.decided.get(where, {}).items()}
        expected = {name: value for name, value in placed.case.decided.items() if placed.by_default.get(name) == where}
        if decided.keys() != expected.keys() or not all(same_value(decided[name], expected[name]) for name in expected):
            yield f"decided: {_shown(decided)}, not {_shown(expected)}"


def _shown(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _placed(rubric: Rubric, case: RubricCase, task_id: str) -> _PlacedCase:
    """Return a case as a task and a rating. Raises `ValueError` or `RaterError`."""
    if case.task is not None or case.rating is not None or case.expect is not None:
        if case.task is None or case.rating is None or case.expect is None:
            raise ValueError("`task`, `rating` and `expect` are given together")
        plain = msgspec.json.decode(msgspec.json.encode([case.task, case.rating]))
        task = rubrics.with_targets(rubric, read_struct({**plain[0], "id": task_id}, Task))
        return _PlacedCase(case, task, read_struct({**plain[1], "task": task_id}, Rating), {}, {})
    holder = rubric.file.evidence.per if rubric.file.evidence is not None else "target"
    defaults: dict[Scope, str] = {
        "task": "task",
        "response": "responses/a",
        "target": "targets/s1",
        "claim": "targets/s1",
    }
    defaults["evidence"] = f"{defaults[holder]}/evidence/e1"
    by_default = {name: defaults[entry.scope] for name, entry in rubric.names.items()}
    values: dict[str, dict[str, Any]] = defaultdict(dict)
    for where, name, value in chain(
        ((by_default.get(name, ""), name, value) for name, value in case.given.items()),
        ((where, name, value) for where, given in case.at.items() for name, value in given.items()),
    ):
        if name not in rubric.names or not _PLACE.fullmatch(where):
            raise ValueError(f"the rubric has no name `{name}`, or there is no place {where!r}")
        values[where][name] = value
    for name in (*case.decided, *case.refused, *case.hidden):
        if name not in rubric.questions:
            raise ValueError(f"no question is called {name!r}")
    answers, stated = (
        {where: {name: value for name, value in given.items() if name in names} for where, given in values.items()}
        for names in (rubric.questions, rubric.facts)
    )
    task, rating = _task_and_rating(case, task_id, (*values, *case.at), answers)
    return _PlacedCase(case, task, rating, stated, by_default)


def _task_and_rating(
    case: RubricCase, task_id: str, places: Iterable[str], answers: Mapping[str, dict[str, Any]]
) -> tuple[Task, Rating]:
    text = case.text or _TEXT
    ids: dict[str, list[str]] = {"response": ["a"], "target": ["s1"]}
    claims: dict[str, list[dict[str, Any]]] = defaultdict(list)
    evidence = []
    for where in dict.fromkeys(places):
        kind, _, rest = where.partition("/")
        holder, _, inner = rest.partition("/")
        for scope in ("response", "target"):
            if kind == f"{scope}s" and holder not in ids[scope]:
                ids[scope].append(holder)
        level, _, name = inner.partition("/")
        if level == "claims":
            claims[holder].append({"id": name, "text": text, "answers": dict(answers.get(where, {}))})
        elif level == "evidence":
            piece = {
                "id": name,
                kind.removesuffix("s"): holder,
                "stance": "supporting",
                "url": f"{_PAGE}-{len(evidence)}",
            }
            evidence.append({**piece, "quote": text})
    span = {"response": "a", "start": 0, "end": len(text), "quote": text}
    plain = {
        "id": task_id,
        "prompt": {"text": ""},
        "responses": [{"id": name, "text": text} for name in ids["response"]],
        "targets": [{"id": name, **span} for name in ids["target"]],
    }
    given = {f"{scope}s": {name: dict(answers.get(f"{scope}s/{name}", {})) for name in ids[scope]} for scope in ids}
    rated = {"task": dict(answers.get("task", {})), **given}
    opened = [piece["url"] for piece in evidence]
    rating = {"task": task_id, "answers": rated, "claims": claims, "evidence": evidence, "links_opened": opened}
    return read_struct(plain, Task), read_struct(dict(rating), Rating)


def _with_answer(placed: _PlacedCase, name: str, value: Any) -> Rating | None:
    """Return the rating with another answer to a question at its only place."""
    plain = to_plain(placed.rating)
    where = placed.by_default[name].split("/")
    place = plain["answers"]["task"] if where == ["task"] else plain["answers"][where[0]].get(where[1])
    if place is None:
        return None
    place[name] = value
    return read_struct(plain, Rating)


class Mutation(NamedTuple):
    """A change of a rubric in one place. `table` and `index`: of the row that differs, `change`: how."""

    table: str
    index: int
    change: str
    file: RubricFile


def mutations(file: RubricFile) -> Iterator[Mutation]:
    """Yield a rubric with each decision, rule and condition changed in turn: dropped, negated, its bound moved.

    The words of a question, and whose rule a message names, are no judgement and stay.
    """
    plain = msgspec.json.decode(msgspec.json.encode(file))
    for table in _CONDITIONS:
        rows = plain[table]
        for index, row in enumerate(_rows(rows)):
            for other, change in _changed_rows(table, row):
                kept = [] if other is None else [other]
                changed = [*rows[:index], *kept, *rows[index + 1 :]] if isinstance(rows, list) else other
                yield Mutation(table, index, change, msgspec.convert({**plain, table: changed}, RubricFile))


_CONDITIONS = {
    "questions": ("relevant", "required"),
    "decide": ("when",),
    "rules": ("when", "require"),
    "evidence": ("relevant",),
    "claims": ("relevant",),
    "combine": (),
    "compare": (),
}


def _changed_rows(table: str, row: dict[str, Any]) -> Iterator[tuple[dict[str, Any] | None, str]]:
    if table in {"decide", "rules"}:
        yield None, "it is dropped"
    for position, name in enumerate(row.get("needs", ())):
        yield {**row, "needs": [*row["needs"][:position], *row["needs"][position + 1 :]]}, f"`needs` loses `{name}`"
    if row.get("required") is True:
        yield {**row, "required": False}, "it is not required"
    for key in _CONDITIONS[table]:
        yield from (({**row, key: other}, f"`{key}`: {change}") for other, change in _changed_conditions(row.get(key)))
    for position, choice in enumerate(row.get("choices", ())):
        for other, change in _changed_conditions(choice["relevant"]):
            choices = [*row["choices"][:position], {**choice, "relevant": other}, *row["choices"][position + 1 :]]
            yield {**row, "choices": choices}, f"`{choice['id']}`: {change}"
    if table in {"combine", "compare"}:
        lists = row if table == "combine" else row["by"]
        for name, position in (
            (name, position) for name, values in lists.items() for position in range(1, len(values))
        ):
            before, after = lists[name][position - 1 : position + 1]
            swapped = {**lists, name: [*lists[name][: position - 1], after, before, *lists[name][position + 1 :]]}
            words = f"`{name}`: {_shown(before)} and {_shown(after)} change places"
            yield swapped if table == "combine" else {"by": swapped}, words


def _rows(table: Any) -> list[dict[str, Any]]:
    return table if isinstance(table, list) else [table] if table is not None else []


def _changed_conditions(table: Any) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield a condition with each of its tests changed in turn, and how; nothing for one that is no table."""
    for name, want in table.items() if isinstance(table, dict) else ():
        rest = {other: value for other, value in table.items() if other != name}
        yield rest, f"`{name}` is dropped"
        if name == ANY:
            for index, part in enumerate(want):
                others = [*want[:index], *want[index + 1 :]]
                if others:
                    yield {**table, ANY: others}, f"alternative {index + 1} is dropped"
                for inner, change in _changed_conditions(part):
                    yield (
                        {**table, ANY: [*want[:index], inner, *want[index + 1 :]]},
                        f"alternative {index + 1}: {change}",
                    )
        elif name in LOOKS:
            yield from (({**table, name: inner}, f"`{name}`: {change}") for inner, change in _changed_conditions(want))
        elif name in SHARES:
            for inner, change in _changed_conditions(want["of"]):
                yield {**table, name: {**want, "of": inner}}, f"`{name}`: {change}"
            yield from (({**table, name: moved}, f"`{name}`: {change}") for moved, change in _moved_bounds(want, 0.01))
        else:
            for other, change in (*_negations(want), *_moved_bounds(want, 0.01 if "share" in _keys(want) else 1)):
                yield {**table, name: other}, f"`{name}` {change}"


def _keys(want: Any) -> Collection[str]:
    return want.keys() if isinstance(want, dict) else ()


def _negations(want: Any) -> Iterator[tuple[Any, str]]:
    values = want if isinstance(want, list) else [] if isinstance(want, dict) else [want]
    if values:
        yield {"not": values}, "is negated"
    elif "filled" in want:
        yield {**want, "filled": not want["filled"]}, "is negated"
    elif want.keys() == {"not"}:
        yield want["not"], "is negated"
    for value in values if len(values) > 1 else ():
        yield [other for other in values if other != value], f"loses {_shown(value)}"


def _moved_bounds(want: Any, step: float) -> Iterator[tuple[dict[str, Any], str]]:
    for bound in ("min", "max"):
        if is_number(want.get(bound) if isinstance(want, dict) else None):
            for moved in (want[bound] - step, want[bound] + step):
                yield {**want, bound: moved}, f"{bound} is {moved:g}"


def unnoticed_changes(rubric: Rubric, cases: Sequence[RubricCase]) -> tuple[int, list[Mutation]]:
    """Return how many changes of a rubric there are, and those that no case would notice. All cases must pass."""
    check, every = CaseCheck(rubric, cases), list(mutations(rubric.file))
    return len(every), [mutation for mutation in every if not check.noticed(mutation.file)]
