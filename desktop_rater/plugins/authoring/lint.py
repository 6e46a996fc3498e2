"""Create a rubric file, and report everything that is wrong with it."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import Struct

from desktop_rater.format.errors import RaterError
from desktop_rater.format.jsonl import raw_lines, read_small_text
from desktop_rater.format.rubric import Question, RubricCase, RubricFile
from desktop_rater.format.safe_zip import LIMITS
from desktop_rater.format.write import NOTHING_WRITTEN
from desktop_rater.operations import rubrics
from desktop_rater.operations.bundles.make import default_id
from desktop_rater.paths import resources
from desktop_rater.plugins.authoring.cases import CaseCheck, read_cases, unnoticed_changes
from desktop_rater.rubric import RubricError, load_rubric
from desktop_rater.rubric.compile import RubricCompiler
from desktop_rater.rubric.compiled import CompiledDecision, CompiledRule, Rubric
from desktop_rater.rubric.condition import ALWAYS, Condition, ScaleDomain
from desktop_rater.rubric.load import (
    CHOICE_SHAPES,
    CHOICE_TONES,
    MAX_TABLES,
    TOO_DEEP,
    TOO_MANY_TABLES,
    RubricTomlError,
    TableLines,
    parse_rubric_file,
    parse_toml,
    table_label,
)
from desktop_rater.rubric.provenance import comparable_title, guideline_headings
from desktop_rater.rubric.validate import RubricFault, holds_for, value_assignments


class RubricRemark(NamedTuple):
    """A remark on a rubric that loads all the same. An empty `table` is the whole rubric."""

    table: str
    index: int
    reason: str


def unreachable_remarks(rubric: Rubric) -> Iterator[RubricRemark]:
    """Yield remarks on questions, decisions and rules whose conditions exclude each other."""
    for index, question in enumerate(rubric.file.questions):
        compiled = rubric.questions[question.id]
        required = compiled.required
        if required is None or required is ALWAYS:
            continue
        possible = value_assignments(rubric, (compiled.relevant, required))
        if possible is not None and not any(
            holds_for(compiled.relevant, world) and holds_for(required, world) for world in possible
        ):
            yield RubricRemark("questions", index, "never required: whenever `required` holds, it is not asked")
    yield from _decision_remarks(rubric)
    ruling = {compiled.rule.id: compiled for scope in rubric.rules_by_scope.values() for compiled in scope}
    for index, rule in enumerate(rubric.file.rules):
        reason = _never_useful(rubric, ruling[rule.id])
        if reason:
            yield RubricRemark("rules", index, reason)


def _decision_remarks(rubric: Rubric) -> Iterator[RubricRemark]:
    before: dict[str, list[CompiledDecision]] = {}
    for index, row in enumerate(rubric.file.decide):
        deciding = rubric.decisions[row.id]
        earlier = before.setdefault(row.sets, [])
        reason = _never_decides(rubric, deciding, earlier)
        if reason:
            yield RubricRemark("decide", index, reason)
        earlier.append(deciding)


def _never_decides(rubric: Rubric, decision: CompiledDecision, earlier: list[CompiledDecision]) -> str:
    relevance = rubric.questions[decision.row.sets].relevant
    checked = [other for other in earlier if not _tests_claims(other.when)]
    possible = value_assignments(rubric, (relevance, decision.when, *(other.when for other in checked)))
    if possible is None:
        return ""
    relevant = [world for world in possible if holds_for(relevance, world) and holds_for(decision.when, world)]
    if not relevant:
        return f"never decides: whenever `when` holds, {decision.row.sets!r} is not asked"
    first = [next((other.row.id for other in checked if holds_for(other.when, world)), None) for world in relevant]
    if None in first:
        return ""
    names = ", ".join(sorted({repr(name) for name in first}))
    return f"never decides: whenever it holds, an earlier decision also holds: {names}"


def _never_useful(rubric: Rubric, ruling: CompiledRule) -> str:
    if ruling.require is None:
        return ""
    possible = value_assignments(rubric, (ruling.when, ruling.require))
    if possible is None:
        return ""
    met = [holds_for(ruling.require, world) for world in possible if holds_for(ruling.when, world)]
    if all(met):
        return "never broken: whenever `when` holds, `require` holds too"
    if not any(met):
        return "always broken: whenever `when` holds, `require` can't hold; without `require` the rule is the same"
    return ""


def _tests_claims(condition: Condition) -> bool:
    return bool(condition.looks) or any(map(_tests_claims, condition.alternatives))


MAX_ASK_LENGTH, MAX_CHOICE_LABEL_LENGTH, MAX_SCALE_BUTTONS, MAX_CHOICE_DIGITS = 100, 40, 11, 9
_OF_EVIDENCE = frozenset({"supporting", "contradicting", "urls_on_both_sides"})


def rubric_remarks(rubric: Rubric, sections: Collection[str] | None = None) -> list[RubricRemark]:
    """Return all remarks; `sections` are the headings of its guidelines, if known."""
    result = [*_whole_remarks(rubric), *unreachable_remarks(rubric), *_missing_table_remarks(rubric)]
    result += _source_remarks(rubric.file)
    for table, rows in (("decide", rubric.file.decide), ("rules", rubric.file.rules)):
        for index, row in enumerate(rows):
            if not row.message.strip():
                result.append(RubricRemark(table, index, "it has no message: raters do not see the reason"))
    headings = None if sections is None else {comparable_title(name) for name in sections}
    asks = Counter((question.per, _plain(question.ask)) for question in rubric.file.questions)
    read = set(_used_names(rubric))
    for index, question in enumerate(rubric.file.questions):
        reasons = [
            *_text_reasons(question),
            *_key_reasons(question),
            *_scale_reasons(question),
            *_look_reasons(question),
        ]
        if question.required is False and question.id not in read and question.kind != "text":
            reasons.append("it is not required and nothing depends on it: raters may skip it")
        if asks[question.per, _plain(question.ask)] > 1 and not _differs_by_section(rubric, question):
            reasons.append(f"another question per {question.per} asks the same words")
        if headings is not None and question.section and comparable_title(question.section) not in headings:
            reasons.append(f"the guidelines have no heading {question.section!r}")
        result += [RubricRemark("questions", index, reason) for reason in reasons]
    return result


def _whole_remarks(rubric: Rubric) -> Iterator[RubricRemark]:
    file = rubric.file
    if not file.questions:
        yield RubricRemark("", 0, "it asks nothing")
    elif all(question.required is False for question in file.questions):
        yield RubricRemark("", 0, "no question is required: a task is complete before anything is answered")
    if not file.title.strip():
        yield RubricRemark("", 0, "it has no title: raters see its id")


def _source_remarks(file: RubricFile) -> Iterator[RubricRemark]:
    """Yield remarks on sources that do not fit `guideline`. Parts of a question may leave the place to the question."""
    claims = () if file.claims is None else (file.claims,)
    tables = {"claims": claims, "questions": file.questions, "decide": file.decide, "rules": file.rules}
    for table, rows in tables.items():
        for index, row in enumerate(rows):
            parts = (*row.choices, *row.anchors, *row.levels) if isinstance(row, Question) else ()
            sourced = (row, *parts)
            if any(part.source == "guideline" and not (part.guideline or row.guideline).strip() for part in sourced):
                yield RubricRemark(table, index, "its source is the guideline, but `guideline` does not say where")
            if any(part.source == "project" and part.guideline for part in sourced):
                yield RubricRemark(table, index, '`guideline` names a place, but `source` is not "guideline"')


def _missing_table_remarks(rubric: Rubric) -> Iterator[RubricRemark]:
    file = rubric.file
    holder = file.evidence.per if file.evidence is not None else None
    for table, index, scope, names in _conditions(rubric):
        if scope == "evidence" and holder is None:
            yield RubricRemark(table, index, "it never applies: the rubric has no [evidence]")
        counted = sorted(_OF_EVIDENCE & names)
        if counted and holder != "target":
            where = "there is no [evidence]" if holder is None else "evidence belongs to responses"
            yield RubricRemark(table, index, f"`{counted[0]}` is always 0: {where}")
        if "claims" in names and file.claims is None:
            yield RubricRemark(table, index, "`claims` is always 0: there is no [claims]")


def _text_reasons(question: Question) -> Iterator[str]:
    if len(question.ask) > MAX_ASK_LENGTH:
        yield (
            f"its text has {len(question.ask)} characters; keep it below {MAX_ASK_LENGTH} and move details to `hint`"
        )
    for choice in question.choices:
        if len(choice.label) > MAX_CHOICE_LABEL_LENGTH:
            yield (
                f"choice {choice.id!r}: a label of {len(choice.label)} characters is too long for a "
                f"button; move details to `hint`"
            )
    labels = Counter(_plain(choice.label) for choice in question.choices)
    if any(count > 1 for count in labels.values()):
        yield "two of its choices have the same label"
    if question.kind == "choice" and len(question.choices) == 1 and question.required is True:
        yield "it is required and has only one choice: there is nothing to judge"


def _key_reasons(question: Question) -> Iterator[str]:
    without = [(index, choice) for index, choice in enumerate(question.choices) if not choice.key]
    if without and len(without) < len(question.choices):
        yield f"choice {without[0][1].id!r} has no key while others have one"
    beyond = [choice for index, choice in without if index >= MAX_CHOICE_DIGITS]
    if beyond:
        yield f"choice {beyond[0].id!r} has no key: only the first {MAX_CHOICE_DIGITS} have a digit"


def _scale_reasons(question: Question) -> Iterator[str]:
    if question.kind != "scale":
        return
    low, high = question.min or 0, question.max or 0
    count = len(ScaleDomain(low=low, high=high, step=question.step or 1).all())
    if count > MAX_SCALE_BUTTONS:
        yield f"a scale of {count} steps: more than {MAX_SCALE_BUTTONS} do not fit in a row"
    anchored = {anchor.at for anchor in question.anchors}
    missing = [end for end in (low, high) if end not in anchored]
    if missing and not question.levels:
        yield f"no anchor says what {' and '.join(map(str, missing))} means"


def _look_reasons(question: Question) -> Iterator[str]:
    for choice in question.choices:
        if choice.tone and choice.tone not in CHOICE_TONES:
            yield f"choice {choice.id!r}: unknown tone {choice.tone!r}: the choice is shown without a color"
        if choice.shape and choice.shape not in CHOICE_SHAPES:
            yield f"choice {choice.id!r}: unknown shape {choice.shape!r}: it is ignored"


def _differs_by_section(rubric: Rubric, question: Question) -> bool:
    """Return whether questions with the same text depend on different other questions."""
    same = [
        other
        for other in rubric.file.questions
        if (other.per, _plain(other.ask)) == (question.per, _plain(question.ask))
    ]
    dependencies = [frozenset(rubric.questions[other.id].relevant.names()) for other in same]
    return all(dependencies) and len(set(dependencies)) == len(dependencies)


def _used_names(rubric: Rubric) -> Iterator[str]:
    for _table, _index, _scope, names in _conditions(rubric):
        yield from names
    yield from (row.sets for row in rubric.file.decide)
    yield from rubric.file.combine
    yield from rubric.file.compare.by if rubric.file.compare is not None else ()


def _conditions(rubric: Rubric) -> Iterator[tuple[str, int, str, set[str]]]:
    for index, question in enumerate(rubric.file.questions):
        compiled = rubric.questions[question.id]
        yield "questions", index, question.per, _names(compiled.relevant, compiled.required)
    deciding = {compiled.row.id: compiled for scope in rubric.decisions_by_scope.values() for compiled in scope}
    for index, row in enumerate(rubric.file.decide):
        yield "decide", index, row.per, _names(deciding[row.id].when)
    ruling = {compiled.rule.id: compiled for scope in rubric.rules_by_scope.values() for compiled in scope}
    for index, rule in enumerate(rubric.file.rules):
        yield "rules", index, rule.per, _names(ruling[rule.id].when, ruling[rule.id].require)
    if rubric.file.evidence is not None:
        yield "evidence", 0, rubric.file.evidence.per, _names(rubric.evidence)
    yield "claims", 0, "target", _names(rubric.claims)


def _names(*conditions: Condition | None) -> set[str]:
    return {name for condition in conditions if condition is not None for name in condition.names()}


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


FindingLevel = Literal["fault", "remark"]

WHOLE_RUBRIC = "the rubric"
_ROWS = frozenset({"questions", "decide", "rules"})
_LEAST = {"id": "unnamed"}
_PLACE_IN_TOML = re.compile(r" \(at [^)]*\)$")


class LintFinding(Struct, frozen=True, kw_only=True):
    """A fault prevents the rubric from loading, a remark does not. `line`: the start of its table, from 1."""

    level: FindingLevel
    table: str
    line: int
    reason: str


def lint_rubric_text(text: str, sections: Collection[str] | None = None) -> tuple[LintFinding, ...]:
    """Lint the text of a rubric, sorted by line; `sections` are the headings of its guidelines, if known."""
    try:
        tables = parse_toml(text)
    except RubricTomlError as error:
        return (_not_toml(text, error),)
    reader = _FaultReader(tables)
    try:
        rubric = reader.rubric()
    except RecursionError:
        return (LintFinding(level="fault", table=WHOLE_RUBRIC, line=1, reason=TOO_DEEP[:1].lower() + TOO_DEEP[1:]),)
    notes: list[tuple[FindingLevel, str, int, str]] = [
        ("fault", fault.table, fault.index, str(fault)) for fault in reader.faults
    ]
    if rubric is not None:
        notes += [("remark", *remark) for remark in rubric_remarks(rubric, sections)]
    lines = TableLines(text)
    findings = {
        LintFinding(
            level=level,
            table=table_label(tables, table, index) if table else WHOLE_RUBRIC,
            line=lines.begins(table, index) if table else 1,
            reason=reason,
        ): None
        for level, table, index, reason in notes
    }
    return tuple(sorted(findings, key=lambda finding: finding.line))


def _not_toml(text: str, error: RubricTomlError) -> LintFinding:
    table, index = TableLines(text).table_at(error.line)
    kind = {"questions": "question", "decide": "decision", "rules": "rule"}.get(table, f"[{table}]")
    name = f"{kind} number {index + 1}" if table in _ROWS else kind if table else WHOLE_RUBRIC
    reason = _PLACE_IN_TOML.sub("", str(error))
    return LintFinding(level="fault", table=name, line=max(error.line, 1), reason=f"{error.kind}: {reason}")


class _FaultReader:
    """Rubric reader that goes on after faults: faulty parts are set aside, and what depends on them is not checked."""

    def __init__(self, tables: dict[str, Any]) -> None:
        self.faults: list[RubricFault] = []
        self._tables = tables
        self._doubtful: set[str] = set()
        self._kept: dict[str, list[int]] = {}

    def rubric(self) -> Rubric | None:
        file = self._file()
        if file is None:
            return None
        rubric = RubricCompiler(file, self._note, self._doubtful).rubric()
        return None if self.faults else rubric

    def _note(self, fault: RubricFault) -> None:
        """Record a fault; rows set aside shift the numbers of those behind them."""
        indexes = self._kept.get(fault.table)
        index = indexes[fault.index] if indexes and fault.index < len(indexes) else fault.index
        self.faults.append(RubricFault(fault.table, index, str(fault)))

    def _file(self) -> RubricFile | None:
        """Return the readable part of the file; `None` if too little is left to check."""
        lists = {table: rows for table, rows in self._tables.items() if table in _ROWS and isinstance(rows, list)}
        if sum(map(len, lists.values())) > MAX_TABLES:
            self.faults.append(RubricFault("questions", 0, TOO_MANY_TABLES))
            return None
        readable: dict[str, Any] = {"id": "unnamed"}
        if "id" not in self._tables:
            self._reads("id", 0, {})
        for table, value in self._tables.items():
            if table in lists:
                readable_rows = [
                    index for index, row in enumerate(value) if self._reads(table, index, {**_LEAST, table: [row]})
                ]
                self._kept[table] = readable_rows
                readable[table] = [value[index] for index in readable_rows]
            elif self._reads(table, 0, {**_LEAST, table: value}):
                readable[table] = value
            elif table == "questions":
                return None
        return parse_rubric_file(readable)

    def _reads(self, table: str, index: int, part: dict[str, Any]) -> bool:
        """Return whether a part of the file can be read by itself; if not, its names become doubtful."""
        try:
            parse_rubric_file(part)
        except RubricFault as fault:
            self.faults.append(RubricFault(table, index, str(fault)))
            if table == "compare":
                self._doubtful.add("better")
            if table == "questions":
                (row,) = part[table] if isinstance(part[table], list) else ({},)
                name = row.get("id") if isinstance(row, dict) else None
                if isinstance(name, str) and name:
                    self._doubtful.add(name)
            return False
        return True


NEW_RUBRIC_SCOPES = ("target", "response", "task")
_ID = re.compile(r'^id = "[^"\n]*"', re.MULTILINE)
_VERSION = re.compile(r"^version = \d+", re.MULTILINE)
_COPIED = """\
# A copy of the built-in rubric {ref}. docs/rubrics.md names every key.
#   desktop-rater rubric lint FILE      says what is wrong with it, and where
#   desktop-rater rubric preview FILE   shows its form, and follows each change of this file
"""


def new_rubric(path: Path, *, per: str = NEW_RUBRIC_SCOPES[0], source: str | None = None) -> str:
    """Write a starting rubric to `path`; return its id, taken from the file name.

    It is a small one with questions `per` target, response or task, or a copy of the built-in `source`. Raises
    `RaterError`; existing files are never replaced.
    """
    name = default_id(path)
    if name in rubrics.builtin_ids():  # results must not be confused with those of a built-in rubric
        name = f"my-{name}"
    if source is not None:
        builtin = rubrics.builtin_rubric(source)
        text = _COPIED.format(ref=builtin.ref) + rubrics.read_rubric_bytes(rubrics.rubric_path(source)).decode()
    else:
        text = (resources() / "new_rubric" / f"{per}.toml").read_text(encoding="utf-8")
    text = _VERSION.sub("version = 1", _ID.sub(f'id = "{name}"', text, count=1), count=1)
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise RaterError(f"{path.name} already exists.", NOTHING_WRITTEN, "Give the new rubric another name.") from None
    except OSError as error:
        raise RaterError(f"{path.name} can't be written.", f"{error.strerror or error}: {path}.") from None
    return name


WHOLE_FILE = "the file"


class RubricLint(msgspec.Struct, frozen=True, kw_only=True):
    """Findings of a lint. `rubric`: the reference used by bundles, `None` if the rubric can't be loaded."""

    file: str
    rubric: str | None
    findings: tuple[LintFinding, ...]


def lint_rubric(ref: str, guidelines: Path | None = None, cases: Path | None = None) -> RubricLint:
    """Lint a rubric: a TOML file, or a built-in one by its id.

    `guidelines`: its Markdown file; `cases`: a file of further cases. Raises `RaterError` if one of the two is missing.
    """
    path = rubrics.rubric_path(ref)
    sections = _sections(ref, guidelines)
    try:
        data = rubrics.read_rubric_bytes(path)
    except RubricError as error:
        reason = " ".join(part for part in (error.title, error.message) if part)
        return RubricLint(file=path.name, rubric=None, findings=(_of_file(reason),))
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        finding = _of_file(f"not UTF-8 at byte {error.start + 1}", data.count(b"\n", 0, error.start) + 1)
        return RubricLint(file=path.name, rubric=None, findings=(finding,))
    findings = lint_rubric_text(text, sections)
    if any(entry.level == "fault" for entry in findings):
        return RubricLint(file=path.name, rubric=None, findings=findings)
    rubric = load_rubric(text, path.name)
    owner = rubrics.builtin_name_owner(rubric)
    if owner and not rubrics.is_builtin(rubric, text):
        reason = f"a built-in rubric is called {owner!r} too, and is another one; bundles with this one are refused"
        findings = (LintFinding(level="remark", table="[id]", line=1, reason=reason), *findings)
    added = () if cases is None else read_cases(raw_lines(cases), cases.name)
    findings += tuple(_case_findings(text, rubric, (*rubric.file.cases, *added)))
    return RubricLint(file=path.name, rubric=rubric.ref, findings=findings)


def _case_findings(text: str, rubric: Rubric, cases: Sequence[RubricCase]) -> Iterator[LintFinding]:
    """Yield remarks on cases that fail; if none does, on changes that no case would notice."""
    if not cases:
        return
    failures, tables, lines = CaseCheck(rubric, cases).failures(), parse_toml(text), TableLines(text)
    for number, reason in failures.items():
        yield LintFinding(
            level="remark", table=f'case "{cases[number].name}"', line=lines.begins("cases", number), reason=reason
        )
    for table, index, change, _ in () if failures else unnoticed_changes(rubric, cases)[1]:
        label, line = table_label(tables, table, index), lines.begins(table, index)
        yield LintFinding(level="remark", table=label, line=line, reason=f"no case would notice a change: {change}")


def _of_file(reason: str, line: int = 1) -> LintFinding:
    return LintFinding(level="fault", table=WHOLE_FILE, line=line, reason=reason.rstrip("."))


def _sections(ref: str, guidelines: Path | None) -> list[str] | None:
    if guidelines is not None:
        text = read_small_text(guidelines, LIMITS.guidelines_bytes)
    else:
        text = "" if rubrics.custom_rubric_file(ref) is not None else rubrics.builtin_guidelines(ref)
        if not text:
            return None
    return [heading.title for heading in guideline_headings(text)]
