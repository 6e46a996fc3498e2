"""Cases: examples of a guideline as tests of its rubric, and the changes of a rubric that none of them would notice.

A case states facts, and builds none: where it gives a value, that replaces what the program would find out.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, product
from pathlib import Path
from typing import Any

import msgspec

from desktop_rater.format.archive import CASES, GOLD, open_bundle
from desktop_rater.format.errors import FormatError, RaterError
from desktop_rater.format.jsonl import raw_lines
from desktop_rater.format.opened_files import ZIPS
from desktop_rater.format.rating import Rating
from desktop_rater.format.rubric import RubricCase, RubricFile
from desktop_rater.format.strict_json import StrictJsonError, prepared_type, read_json_object, read_struct, to_plain
from desktop_rater.format.task import Task
from desktop_rater.operations import rubrics
from desktop_rater.operations.bundles.import_bundle import bundle_lines, rubric_of_bundle
from desktop_rater.paths import resources
from desktop_rater.rubric import CheckOutcome, Rubric, RubricError, check_rating
from desktop_rater.rubric.compile import RubricCompiler
from desktop_rater.rubric.compiled import Fact
from desktop_rater.rubric.condition import ANY, LOOKS, SHARES, is_number
from desktop_rater.rubric.validate import RubricFault

_PAGE = "https://case.example/page"
_PLACE = re.compile("task|(responses|targets)/[^/]+(/evidence/[^/]+)?|targets/[^/]+/claims/[^/]+")
_TEXT = "Example."


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
        rubric = rubric_of_bundle(bundle, path)
        lines = bundle_lines(bundle.tasks(), rubric, lang=bundle.manifest.language)
        tasks = {line.task.id: line.task for line in lines if line.task is not None}
        cases = tuple(
            RubricCase(
                name=f"{GOLD}: {rating.task}",
                task=to_plain(tasks[rating.task]),
                rating=to_plain(rating),
                expect=outcome_of_case(check_rating(rubric, tasks[rating.task], rating)),
            )
            for rating in bundle.gold()
            if rating.task in tasks
        )
    if not cases:
        raise RaterError(f"{path.name} has no gold answers.", hint="Cases are made of the tasks that have some.")
    return rubric, cases


class CaseCheck:
    """The cases of one rubric, made to tasks and ratings once, to be checked by it and by changed copies of it."""

    def __init__(self, rubric: Rubric, cases: Sequence[RubricCase]) -> None:
        self._rubric = rubric
        evidence = rubric.file.evidence.per if rubric.file.evidence is not None else "target"
        only = {"task": "task", "response": "responses/a", "target": "targets/s1", "claim": "targets/s1"}
        only["evidence"] = f"{only[evidence]}/evidence/e1"
        self._only_place = {name: only[entry.scope] for name, entry in rubric.names.items()}
        self._values: dict[str, dict[str, dict[str, Any]]] = {}  # of the facts, too, by task and place
        self.made: list[tuple[RubricCase, Task, list[Rating]]] = []
        for number, case in enumerate(cases, 1):
            try:
                self.made.append(self._make(case, f"case-{number}"))
            except (ValueError, RaterError) as error:
                raise FormatError(f'{rubric.ref}: the case "{case.name}" can\'t be read', f"{error}.") from None

    def failures(self) -> dict[int, str]:
        """Return the number of each case that the rubric fails, from 0, with the reason."""
        rubric = self.stating(self._rubric)
        reasons = ((number, "; ".join(self._reasons(rubric, *made))) for number, made in enumerate(self.made))
        return {number: reason for number, reason in reasons if reason}

    def notices(self, changed: RubricFile) -> bool:
        """Return whether a case fails by a changed rubric, or the change is refused when it is loaded."""
        try:
            rubric = self.stating(RubricCompiler(changed).rubric())
            return any(reason for made in self.made for reason in self._reasons(rubric, *made))
        except (RubricFault, RubricError):
            return True

    def stating(self, rubric: Rubric) -> Rubric:
        """Return the rubric with the facts that the cases state."""

        def stated(name: str, fact: Fact) -> Fact:
            def read(reading: Any, node: Any) -> Any:
                given = self._values.get(reading.task.id, {}).get(node.where, {})
                return given[name] if name in given else fact.read(reading, node)

            return Fact(fact.scope, fact.domain, read)

        return msgspec.structs.replace(rubric, facts={name: stated(name, fact) for name, fact in rubric.facts.items()})

    def _reasons(self, rubric: Rubric, case: RubricCase, task: Task, ratings: list[Rating]) -> Iterator[str]:
        """Yield what is not as the case says. After its own rating come those with an answer that is refused."""
        outcome = check_rating(rubric, task, ratings[0])
        places = dict.fromkeys(self._only_place.values())
        labels = [label for where in places for label in outcome.decided.get(where, {}).items()]
        actual: dict[str, Any] = {
            "decided": {name: label.value for name, label in labels},
            "problems": {problem.rule: problem.level for problem in outcome.problems},
        }
        expected: dict[str, Any] = {"decided": case.decided, "problems": case.problems}
        if case.expect is not None:
            actual, expected = outcome_of_case(outcome), {**outcome_of_case(outcome), **case.expect}
        for key, value in actual.items():
            if _shown(value) != _shown(expected[key]):
                yield f"{key}: {_shown(value)}, not {_shown(expected[key])}"
        for name in case.given.keys() & rubric.questions.keys():
            answers = outcome.asked.get(self._only_place[name], ())
            counts = any(item.question.id == name and item.value is not None for item in answers)
            if counts is (name in case.hidden):
                yield f"{name} {'counts' if counts else 'does not count'}"
        for (name, value), rating in zip(case.refused.items(), ratings[1:], strict=True):
            if not check_rating(rubric, task, rating).blocking:
                yield f"{name} = {_shown(value)} is not refused"

    def _make(self, case: RubricCase, task_id: str) -> tuple[RubricCase, Task, list[Rating]]:
        """Return a case with its task and ratings. Raises `ValueError` or `RaterError`."""
        if case.expect is not None:
            plain = msgspec.json.decode(msgspec.json.encode([case.task or {}, case.rating or {}]))
            task = rubrics.with_targets(self._rubric, read_struct({**plain[0], "id": task_id}, Task))
            return case, task, [read_struct({**plain[1], "task": task_id}, Rating)]
        unknown = {*case.given, *chain(*case.at.values())} - self._rubric.names.keys()
        unknown |= {*case.decided, *case.refused, *case.hidden} - self._rubric.questions.keys()
        places = [where for where in case.at if not _PLACE.fullmatch(where)]
        if unknown or places:
            raise ValueError(f"no name or place of the rubric: {', '.join(sorted((*unknown, *places)))}")
        ratings = []
        for name, value in (("", None), *case.refused.items()):
            values: dict[str, dict[str, Any]] = defaultdict(dict)
            for given, of_given in {**case.given, **({name: value} if name else {})}.items():
                values[self._only_place[given]][given] = of_given
            for where, at_place in case.at.items():
                values[where].update(at_place)
            self._values.setdefault(task_id, values)
            task, rating = _task_and_rating(case.text or _TEXT, task_id, values)
            ratings.append(rating)
        return case, task, ratings


def outcome_of_case(outcome: CheckOutcome) -> dict[str, Any]:
    """Return an outcome in the form of `expect`."""
    problems = sorted([problem.rule, problem.level, problem.where] for problem in outcome.problems)
    return {"decided": to_plain(outcome.decided), "problems": problems}


def _shown(value: Any) -> str:
    return msgspec.json.encode(value, order="sorted").decode()


def _task_and_rating(text: str, task_id: str, values: Mapping[str, dict[str, Any]]) -> tuple[Task, Rating]:
    """Return a task with the places of some values, and a rating with these as answers: facts among them are none."""
    answers: dict[str, dict[str, Any]] = {"task": {}, "responses": {"a": {}}, "targets": {"s1": {}}}
    claims: dict[str, list[dict[str, Any]]] = defaultdict(list)
    evidence: list[dict[str, Any]] = []
    for where, given in values.items():
        kind, holder, level, inner = (*where.split("/"), "", "", "")[:4]
        if level == "claims":
            claims[holder].append({"id": inner, "text": text, "answers": given})
        elif level == "evidence":
            piece = {"id": inner, kind.removesuffix("s"): holder, "url": f"{_PAGE}-{len(evidence)}", "quote": text}
            evidence.append({**piece, "stance": "supporting"})
        answers[kind] = {**answers[kind], holder: given} if holder and not level else answers[kind] if holder else given
    span = {"response": "a", "start": 0, "end": len(text), "quote": text}
    plain = {
        "id": task_id,
        "prompt": {"text": ""},
        "responses": [{"id": name, "text": text} for name in answers["responses"]],
        "targets": [{"id": name, **span} for name in answers["targets"]],
    }
    opened = [piece["url"] for piece in evidence]
    rating = {"task": task_id, "answers": answers, "claims": claims, "evidence": evidence, "links_opened": opened}
    return read_struct(plain, Task), read_struct(rating, Rating)


# Table, number of its row, how it is changed, and the changed rubric.
Mutation = tuple[str, int, str, RubricFile]


def mutations(file: RubricFile) -> Iterator[Mutation]:
    """Yield a rubric with each decision, rule and condition changed in turn: dropped, negated, its bound moved.

    The words of a question, and whose rule a message names, are no judgement and stay.
    """
    plain = msgspec.json.decode(msgspec.json.encode(file))
    for table in _CONDITIONS:
        rows = plain[table]
        for index, row in enumerate(rows if isinstance(rows, list) else [rows] if rows else []):
            for other, change in _changed_rows(table, row):
                kept = [] if other is None else [other]
                changed = [*rows[:index], *kept, *rows[index + 1 :]] if isinstance(rows, list) else other
                yield (table, index, change, msgspec.convert({**plain, table: changed}, prepared_type(RubricFile)))


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
            yield from (({**table, name: moved}, f"`{name}`: {change}") for moved, change in _moved_bounds(want))
        else:
            for other, change in (
                *_negations(want),
                *_moved_bounds(want),
            ):
                yield {**table, name: other}, f"`{name}` {change}"


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


def _moved_bounds(want: Any) -> Iterator[tuple[dict[str, Any], str]]:
    bounds = [name for name in ("min", "max") if isinstance(want, dict) and is_number(want.get(name))]
    for bound, sign in product(bounds, (-1, 1)):
        moved = want[bound] + sign * (0.01 if {"share", "of"} & want.keys() else 1)
        yield {**want, bound: moved}, f"{bound} is {moved:g}"


def unnoticed_changes(rubric: Rubric, cases: Sequence[RubricCase]) -> tuple[int, list[Mutation]]:
    """Return how many changes of a rubric there are, and those that no case would notice. All cases must pass."""
    check, every = CaseCheck(rubric, cases), list(mutations(rubric.file))
    return len(every), [mutation for mutation in every if not check.notices(mutation[3])]
