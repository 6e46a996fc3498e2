"""Read a rubric's TOML, refuse what can't be right, and compile the rest."""

from __future__ import annotations

import math
import re
import tomllib
from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater.model.ready import ready
from desktop_rater.model.rubric import SCOPES, DecideRow, RubricFile, Scope
from desktop_rater.rubric import sound
from desktop_rater.rubric.compiled import Asking, Deciding, Name, Rubric, Ruling
from desktop_rater.rubric.condition import ALWAYS, RESERVED, Condition, parse
from desktop_rater.rubric.domains import OneOf, SomeOf, domain_of
from desktop_rater.rubric.facts import FACTS
from desktop_rater.rubric.lines import begins
from desktop_rater.rubric.reading import BY_CLAIMS
from desktop_rater.rubric.sound import Unsound
from desktop_rater.rubric.trouble import RubricError

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_TABLES = 1_000
# A key of many parts, a.b.c: each makes a table inside the one before, and tomllib takes the square of their number.
_LONG_KEY = re.compile(r"""(?:\.[ \t]*+(?:"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+'|[^\s."']++)[ \t]*+){32}""")
_UNKNOWN = re.compile(r"Object contains unknown field `(.+)`")
_PATH = re.compile(r"\$\.?(\w+)?(?:\[(\d+)\])?(.*)")


def load(text: str, name: str = "rubric.toml") -> Rubric:
    """The rubric that `text` is; `name` stands in messages. Raises `RubricError`."""
    tables = _tables(text, name)
    try:
        return _Loading(_read(tables)).rubric()
    except RecursionError:
        raise RubricError(f"{name}: not a rubric", "It is nested too deep.", "Nothing was loaded.") from None
    except Unsound as error:
        line = begins(text, error.table, error.index)
        title = f"{name}, line {line}, {_named(tables, error.table, error.index)}"
        raise RubricError(title, f"{error}.", "Nothing was loaded.") from None


def _tables(text: str, name: str) -> dict[str, Any]:
    long_key = _LONG_KEY.search(text)
    if long_key is not None:
        line = text.count("\n", 0, long_key.start()) + 1
        raise RubricError(f"{name}, line {line}: not a rubric", "A key has too many parts.", "Nothing was loaded.")
    try:
        return tomllib.loads(text)
    except RecursionError:
        why = "It is nested too deep"
    except tomllib.TOMLDecodeError as error:
        why = str(error)
    except ValueError:  # Python reads no whole number of more than 4,300 digits
        why = "A number in it is too long"
    raise RubricError(f"{name}: not TOML", f"{why}.", "Nothing was loaded.")


def _named(tables: dict[str, Any], table: str, index: int) -> str:
    rows = tables.get(table)
    kind = {"questions": "question", "decide": "decision", "rules": "rule"}.get(table, f"[{table}]")
    row = rows[index] if isinstance(rows, list) and index < len(rows) else None
    return f'{kind} "{row["id"]}"' if isinstance(row, dict) and isinstance(row.get("id"), str) else kind


def _check_values(value: Any) -> None:
    """Raise `ValueError` for what no JSON can hold: rubrics travel with results."""
    if isinstance(value, str) and "\0" in value:
        raise ValueError("a text holds U+0000")
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{value} is no number to count with")
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in parts:
        _check_values(part)


def _read(tables: dict[str, Any]) -> RubricFile:
    for table, rows in tables.items():
        for index, row in enumerate(rows if isinstance(rows, list) else [rows]):
            try:
                _check_values(row)
            except ValueError as error:
                raise Unsound(table, index, str(error)) from None
    try:
        file = msgspec.convert(tables, ready(RubricFile))
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at ")
        found = _PATH.fullmatch(path.strip("`"))
        table, index, rest = found.groups() if found else (None, None, "")
        what = message[:1].lower() + message[1:]
        strange = _UNKNOWN.fullmatch(message)
        if strange and not table:
            table, what = strange[1], "no rubric has such a table or key"
        if rest:
            what = f"`{rest.lstrip('.')}`: {what}"
        raise Unsound(table or "id", int(index or 0), what) from None
    if len(file.questions) + len(file.decide) + len(file.rules) > MOST_TABLES:
        raise Unsound("questions", 0, f"more than {MOST_TABLES:,} questions, decisions and rules")
    return file


class _Loading:
    """One file on its way to a `Rubric`; the checks stand in the order in which they need each other."""

    def __init__(self, file: RubricFile) -> None:
        self.file = file
        self._check_ids()
        for index, question in enumerate(file.questions):
            sound.check_question(question, index)
        rows = tuple(row.id for row in file.decide if row.per == "claim")
        several = len({row.sets for row in file.decide if row.per == "claim"}) > 1
        decided_by = SomeOf(values=rows) if several else OneOf(values=rows)
        self.names: dict[str, Name] = {fact: Name(known.scope, known.domain) for fact, known in FACTS.items()}
        self.names["decided_by"] = Name("claim", decided_by)
        if file.compare is None:
            del self.names["better"]
        self.names.update({one.id: Name(one.per, domain_of(one)) for one in file.questions})
        self.relevant: dict[str, Condition] = {}

    def rubric(self) -> Rubric:
        file = self.file
        relevant = [
            self._parse("questions", index, "relevant", one.relevant, one.per)
            for index, one in enumerate(file.questions)
        ]
        self.relevant = {one.id: condition for one, condition in zip(file.questions, relevant, strict=True)}
        required = [self._required(index) for index in range(len(file.questions))]
        evidence = self._table("evidence", file.evidence.relevant, file.evidence.per) if file.evidence else None
        claims = self._table("claims", file.claims.relevant, "target") if file.claims else None
        deciding = [self._deciding(index, row) for index, row in enumerate(file.decide)]
        ruling = [self._ruling(index) for index in range(len(file.rules))]
        self._check_combine()
        self._check_compare()
        self._check_circle(evidence, claims, deciding)
        self._check_possible(deciding, ruling, evidence, claims)
        sound.check_keys(enumerate(file.questions), self.names, self.relevant)
        questions = {
            one.id: Asking(one, self.names[one.id].domain, self.relevant[one.id], need)
            for one, need in zip(file.questions, required, strict=True)
        }
        return Rubric(
            file=file,
            names=self.names,
            facts=FACTS,
            questions=questions,
            asking={scope: tuple(one for one in questions.values() if one.question.per == scope) for scope in SCOPES},
            deciding={scope: tuple(one for one in deciding if one.row.per == scope) for scope in SCOPES},
            ruling={scope: tuple(one for one in ruling if one.rule.per == scope) for scope in SCOPES},
            evidence=evidence,
            claims=claims,
        )

    def _check_ids(self) -> None:
        if "@" in self.file.id:
            raise Unsound("id", 0, "an id has no `@`: that parts it from the version")
        if "" in self.file.links.placeholders:
            raise Unsound("links", 0, "an empty placeholder would be every link")
        taken = set(FACTS) | RESERVED
        for index, question in enumerate(self.file.questions):
            if question.id in taken:
                raise Unsound("questions", index, f"the name {question.id!r} is taken")
            if question.per == "evidence":
                raise Unsound("questions", index, "no question can be asked per evidence")
            taken.add(question.id)
        for table, rows in (("decide", self.file.decide), ("rules", self.file.rules)):
            seen = set()
            for index, row in enumerate(rows):
                if row.id in seen:
                    raise Unsound(table, index, f"the id {row.id!r} stands twice")
                if row.id == BY_CLAIMS or ":" in row.id:
                    raise Unsound(table, index, f"the id {row.id!r} is kept for the engine")
                seen.add(row.id)

    def _parse(self, table: str, index: int, key: str, raw: dict[str, Any], scope: Scope) -> Condition:
        try:
            condition = parse(raw)
            sound.check_condition(condition, scope, self.file, self.names)
        except ValueError as error:
            raise Unsound(table, index, f"`{key}`: {error}") from None
        return condition

    def _table(self, table: str, raw: dict[str, Any], scope: Scope) -> Condition:
        return self._parse(table, 0, "relevant", raw, scope)

    def _required(self, index: int) -> Condition | None:
        question = self.file.questions[index]
        if isinstance(question.required, bool):
            return ALWAYS if question.required else None
        return self._parse("questions", index, "required", question.required, question.per)

    def _deciding(self, index: int, row: DecideRow) -> Deciding:
        when = self._parse("decide", index, "when", row.when, row.per)
        sets = next((one for one in self.file.questions if one.id == row.sets), None)
        if sets is None or sets.per != row.per:
            raise Unsound("decide", index, f"`sets`: no question per {row.per} is called {row.sets!r}")
        self._offered("decide", index, row.sets, (row.then,))
        return Deciding(row, when)

    def _ruling(self, index: int) -> Ruling:
        rule = self.file.rules[index]
        if rule.when is None and rule.require is None:
            raise Unsound("rules", index, "neither `when` nor `require`: it would always break")
        when = self._parse("rules", index, "when", rule.when or {}, rule.per)
        require = None
        if rule.require is not None:
            require = self._parse("rules", index, "require", rule.require, rule.per)
        return Ruling(rule, when, require)

    def _offered(self, table: str, index: int, question: str, values: Iterable[Any]) -> None:
        try:
            sound.check_offered(self.names[question].domain, values, f"`{question}`")
        except ValueError as error:
            raise Unsound(table, index, str(error)) from None

    def _check_combine(self) -> None:
        self._check_questions("combine", self.file.combine, "claim")

    def _check_compare(self) -> None:
        if self.file.compare is not None:
            self._check_questions("compare", self.file.compare.by, "response")

    def _check_questions(self, table: str, lists: dict[str, tuple[Any, ...]], scope: Scope) -> None:
        for name, values in lists.items():
            if not any(one.id == name and one.per == scope for one in self.file.questions):
                raise Unsound(table, 0, f"no question per {scope} is called {name!r}")
            self._offered(table, 0, name, values)
            if len({str(value) for value in values}) < len(values):
                raise Unsound(table, 0, f"a value of {name!r} stands twice")

    def _check_circle(self, evidence: Condition | None, claims: Condition | None, deciding: list[Deciding]) -> None:
        """What hangs on what; `#evidence` and `#claims` stand for whether they are asked for."""
        edges: dict[str, list[str]] = {name: list(condition.names()) for name, condition in self.relevant.items()}
        for question in self.file.questions:
            if question.per == "claim":
                edges[question.id].append("#claims")
        edges["#claims"] = list(claims.names()) if claims else []
        edges["#evidence"] = [*(evidence.names() if evidence else []), "#claims"]
        edges["claims"] = ["#claims"]
        for fact in ("supporting", "contradicting", "urls_on_both_sides"):
            edges[fact] = ["#evidence"]
        rows = [one for one in deciding if one.row.per == "claim"]
        edges["decided_by"] = [name for one in rows for name in (*one.when.names(), one.row.sets)]
        edges["better"] = list(self.file.compare.by) if self.file.compare else []
        circle = sound.find_cycle(edges)
        if circle is None:
            return
        steps = " → ".join(step.removeprefix("#") for step in circle)
        index = next((i for i, one in enumerate(self.file.questions) if one.id in circle), None)
        table = "questions" if index is not None else circle[0].removeprefix("#")
        raise Unsound(table, index or 0, f"a circle: {steps}")

    def _check_possible(
        self,
        deciding: list[Deciding],
        ruling: list[Ruling],
        evidence: Condition | None,
        claims: Condition | None,
    ) -> None:
        conditions: list[tuple[str, int, str, Condition]] = [
            ("questions", index, "relevant", self.relevant[one.id]) for index, one in enumerate(self.file.questions)
        ]
        for index, one in enumerate(self.file.questions):
            if isinstance(one.required, dict):
                conditions.append(("questions", index, "required", parse(one.required)))
        conditions += [("decide", index, "when", one.when) for index, one in enumerate(deciding)]
        for index, one in enumerate(ruling):
            conditions.append(("rules", index, "when", one.when))
            if one.require is not None:
                conditions.append(("rules", index, "require", one.require))
        conditions += [("evidence", 0, "relevant", evidence)] if evidence else []
        conditions += [("claims", 0, "relevant", claims)] if claims else []
        for table, index, key, condition in conditions:
            try:
                sound.check_possible(condition, self.names, self.relevant, f"`{key}`: ")
            except ValueError as error:
                raise Unsound(table, index, str(error)) from None
