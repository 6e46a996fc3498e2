"""One rubric file on its way to a `Rubric`: the checks stand in the order in which they need each other."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from desktop_rater.model.rubric import SCOPES, DecideRow, RubricFile, Scope
from desktop_rater.rubric import sound
from desktop_rater.rubric.compiled import Asking, Deciding, Name, Rubric, Ruling
from desktop_rater.rubric.condition import ALWAYS, RESERVED, Condition, parse
from desktop_rater.rubric.domains import OneOf, SomeOf, domain_of
from desktop_rater.rubric.facts import FACTS
from desktop_rater.rubric.possible import Effort
from desktop_rater.rubric.reading import BY_CLAIMS
from desktop_rater.rubric.sound import Unsound

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

    from desktop_rater.model.rubric import Question


def raise_at_once(fault: Unsound) -> None:
    """The first fault ends the reading."""
    raise fault


class Compiling:
    """`note` is told of each fault. Where it lets the work go on, the rubric that comes out is only to be looked at.

    `doubtful` are names of which nothing more is known than that they are there: nothing is said of what hangs on them.
    """

    def __init__(
        self, file: RubricFile, note: Callable[[Unsound], None] = raise_at_once, doubtful: Iterable[str] = ()
    ) -> None:
        self.file = file
        self._note = note
        self._doubtful = set(doubtful)
        self._effort = Effort()
        self._check_ids()
        for index, question in enumerate(file.questions):
            with self._noting("questions", index, doubt=question.id):
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
        """The whole, checked."""
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
        self._check_circles(evidence, claims, deciding)
        self._check_possible(required, deciding, ruling, evidence, claims)
        for fault in sound.key_clashes(enumerate(file.questions), self.names, self.relevant, self._effort):
            self._note(fault)
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

    @contextmanager
    def _noting(self, table: str, index: int, *, doubt: str = "") -> Generator[None]:
        """What is wrong inside is noted for that table; the name that is then in `doubt`."""
        try:
            yield
        except ValueError as error:
            if doubt:
                self._doubtful.add(doubt)
            self._note(error if isinstance(error, Unsound) else Unsound(table, index, str(error)))

    def _check_ids(self) -> None:
        with self._noting("id", 0):
            if "@" in self.file.id:
                raise ValueError("an id has no `@`: that parts it from the version")
        with self._noting("links", 0):
            if "" in self.file.links.placeholders:
                raise ValueError("an empty placeholder would be every link")
        taken = set(FACTS) | RESERVED
        for index, question in enumerate(self.file.questions):
            with self._noting("questions", index, doubt=question.id):
                self._check_name(question, taken)
            taken.add(question.id)
        for table, rows in (("decide", self.file.decide), ("rules", self.file.rules)):
            seen: set[str] = set()
            for index, row in enumerate(rows):
                with self._noting(table, index):
                    self._check_id(row.id, seen)
                seen.add(row.id)

    def _check_name(self, question: Question, taken: set[str]) -> None:
        if question.id in taken:
            raise ValueError(f"the name {question.id!r} is taken")
        if question.per == "evidence":
            raise ValueError("no question can be asked per evidence")

    def _check_id(self, name: str, seen: set[str]) -> None:
        if name in seen:
            raise ValueError(f"the id {name!r} stands twice")
        if name == BY_CLAIMS or ":" in name:
            raise ValueError(f"the id {name!r} is kept for the engine")

    def _parse(self, table: str, index: int, key: str, raw: dict[str, Any], scope: Scope) -> Condition:
        """The condition; one that always holds where it is wrong, or in doubt."""
        try:
            condition = parse(raw)
            if self._doubtful.isdisjoint(condition.names()):
                sound.check_condition(condition, scope, self.file, self.names)
                return condition
        except ValueError as error:
            self._note(Unsound(table, index, f"`{key}`: {error}"))
        return ALWAYS

    def _table(self, table: str, raw: dict[str, Any], scope: Scope) -> Condition:
        return self._parse(table, 0, "relevant", raw, scope)

    def _required(self, index: int) -> Condition | None:
        question = self.file.questions[index]
        if isinstance(question.required, bool):
            return ALWAYS if question.required else None
        return self._parse("questions", index, "required", question.required, question.per)

    def _deciding(self, index: int, row: DecideRow) -> Deciding:
        when = self._parse("decide", index, "when", row.when, row.per)
        with self._noting("decide", index):
            if row.sets not in self._doubtful:
                if not self._asks(row.sets, row.per):
                    raise ValueError(f"`sets`: no question per {row.per} is called {row.sets!r}")
                self._check_offered(row.sets, (row.then,))
        return Deciding(row, when)

    def _ruling(self, index: int) -> Ruling:
        rule = self.file.rules[index]
        with self._noting("rules", index):
            if rule.when is None and rule.require is None:
                raise ValueError("neither `when` nor `require`: it would always break")
        when = self._parse("rules", index, "when", rule.when or {}, rule.per)
        require = None
        if rule.require is not None:
            require = self._parse("rules", index, "require", rule.require, rule.per)
        return Ruling(rule, when, require)

    def _asks(self, name: str, scope: Scope) -> bool:
        return any(one.id == name and one.per == scope for one in self.file.questions)

    def _check_offered(self, question: str, values: Iterable[Any]) -> None:
        sound.check_offered(self.names[question].domain, values, f"`{question}`")

    def _check_combine(self) -> None:
        self._check_questions("combine", self.file.combine, "claim")

    def _check_compare(self) -> None:
        if self.file.compare is not None:
            self._check_questions("compare", self.file.compare.by, "response")

    def _check_questions(self, table: str, lists: dict[str, tuple[Any, ...]], scope: Scope) -> None:
        for name, values in lists.items():
            if name in self._doubtful:
                continue
            with self._noting(table, 0):
                if not self._asks(name, scope):
                    raise ValueError(f"no question per {scope} is called {name!r}")
                self._check_offered(name, values)
                if len({str(value) for value in values}) < len(values):
                    raise ValueError(f"a value of {name!r} stands twice")

    def _check_circles(self, evidence: Condition | None, claims: Condition | None, deciding: list[Deciding]) -> None:
        edges = self._edges(evidence, claims, deciding)
        while circle := sound.find_cycle(edges):
            steps = " → ".join(step.removeprefix("#") for step in circle)
            index = next((i for i, one in enumerate(self.file.questions) if one.id in circle), None)
            table = "questions" if index is not None else circle[0].removeprefix("#")
            self._note(Unsound(table, index or 0, f"a circle: {steps}"))
            edges[circle[0]] = []  # told of once; there may be others

    def _edges(
        self, evidence: Condition | None, claims: Condition | None, deciding: list[Deciding]
    ) -> dict[str, list[str]]:
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
        return edges

    def _check_possible(
        self,
        required: list[Condition | None],
        deciding: list[Deciding],
        ruling: list[Ruling],
        evidence: Condition | None,
        claims: Condition | None,
    ) -> None:
        conditions: list[tuple[str, int, str, Condition | None]] = [
            ("questions", index, "relevant", self.relevant[one.id]) for index, one in enumerate(self.file.questions)
        ]
        conditions += [("questions", index, "required", one) for index, one in enumerate(required)]
        conditions += [("decide", index, "when", one.when) for index, one in enumerate(deciding)]
        for index, one in enumerate(ruling):
            conditions += [("rules", index, "when", one.when), ("rules", index, "require", one.require)]
        conditions += [("evidence", 0, "relevant", evidence), ("claims", 0, "relevant", claims)]
        for table, index, key, condition in conditions:
            if condition is not None:
                with self._noting(table, index):
                    sound.check_possible(condition, self.names, self.relevant, self._effort, f"`{key}`: ")
