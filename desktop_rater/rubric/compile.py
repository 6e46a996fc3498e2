"""Compilation of a rubric file; the checks run in the order in which they depend on each other."""

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from typing import Any

from desktop_rater.format.rubric import SCOPES, DecideRow, RubricFile, Scope
from desktop_rater.rubric import validate
from desktop_rater.rubric.compiled import CompiledDecision, CompiledQuestion, CompiledRule, ConditionName, Rubric
from desktop_rater.rubric.condition import (
    ALWAYS,
    RESERVED,
    ChoiceDomain,
    ChoicesDomain,
    Condition,
    domain_of,
    parse_condition,
)
from desktop_rater.rubric.evaluation import BY_CLAIMS, FACTS
from desktop_rater.rubric.validate import CheckBudget, RubricFault


def raise_fault(fault: RubricFault) -> None:
    """Raise the first fault."""
    raise fault


class RubricCompiler:
    """Compiler of one rubric file. `note` is called for each fault.

    If it does not raise, the resulting rubric may only be inspected. `doubtful` are names of which only the existence
    is known: conditions that use them are not checked.
    """

    def __init__(
        self, file: RubricFile, note: Callable[[RubricFault], None] = raise_fault, doubtful: Iterable[str] = ()
    ) -> None:
        self.file = file
        self._note = note
        self._doubtful = set(doubtful)
        self._effort = CheckBudget()
        self._check_ids()
        for index, question in enumerate(file.questions):
            with self._reporting("questions", index, doubt=question.id):
                validate.check_question(question, index)
        rows = tuple(row.id for row in file.decide if row.per == "claim")
        several = len({row.sets for row in file.decide if row.per == "claim"}) > 1
        decided_by = ChoicesDomain(values=rows) if several else ChoiceDomain(values=rows)
        self.names: dict[str, ConditionName] = {
            fact: ConditionName(entry.scope, entry.domain) for fact, entry in FACTS.items()
        }
        self.names["decided_by"] = ConditionName("claim", decided_by)
        if file.compare is None:
            del self.names["better"]
        self.names.update({item.id: ConditionName(item.per, domain_of(item)) for item in file.questions})
        self.relevant: dict[str, Condition] = {}

    def rubric(self) -> Rubric:
        file = self.file
        relevant = [
            self._parse("questions", index, "relevant", question.relevant, question.per)
            for index, question in enumerate(file.questions)
        ]
        self.relevant = {question.id: when for question, when in zip(file.questions, relevant, strict=True)}
        required = [self._required(index) for index in range(len(file.questions))]
        evidence = claims = None
        if file.evidence:
            evidence = self._parse("evidence", 0, "relevant", file.evidence.relevant, file.evidence.per)
        if file.claims:
            claims = self._parse("claims", 0, "relevant", file.claims.relevant, "target")
        deciding = [self._decision(index, row) for index, row in enumerate(file.decide)]
        ruling = [self._rule(index) for index in range(len(file.rules))]
        self._check_questions("combine", file.combine, "claim")
        if file.compare is not None:
            self._check_questions("compare", file.compare.by, "response")
        self._check_cycles(evidence, claims, deciding)
        self._check_possible(required, deciding, ruling, evidence, claims)
        for fault in validate.find_key_clashes(enumerate(file.questions), self.names, self.relevant, self._effort):
            self._note(fault)
        questions = {
            question.id: CompiledQuestion(question, self.names[question.id].domain, self.relevant[question.id], need)
            for question, need in zip(file.questions, required, strict=True)
        }
        return Rubric(
            file=file,
            names=self.names,
            facts=FACTS,
            questions=questions,
            questions_by_scope={
                scope: tuple(compiled for compiled in questions.values() if compiled.question.per == scope)
                for scope in SCOPES
            },
            decisions_by_scope={
                scope: tuple(decision for decision in deciding if decision.row.per == scope) for scope in SCOPES
            },
            rules_by_scope={scope: tuple(rule for rule in ruling if rule.rule.per == scope) for scope in SCOPES},
            evidence=evidence,
            claims=claims,
        )

    @contextmanager
    def _reporting(self, table: str, index: int, *, doubt: str = "") -> Generator[None]:
        """Report errors raised inside as faults of that table; `doubt` is then a doubtful name."""
        try:
            yield
        except ValueError as error:
            if doubt:
                self._doubtful.add(doubt)
            self._note(error if isinstance(error, RubricFault) else RubricFault(table, index, str(error)))

    def _check_ids(self) -> None:
        with self._reporting("id", 0):
            if "@" in self.file.id:
                raise ValueError("an id must not contain `@`, which separates it from the version")
        with self._reporting("links", 0):
            if "" in self.file.links.placeholders:
                raise ValueError("a placeholder must not be empty: it would match every link")
        used = set(FACTS) | RESERVED
        for index, question in enumerate(self.file.questions):
            with self._reporting("questions", index, doubt=question.id):
                if question.id in used:
                    raise ValueError(f"the name {question.id!r} is already used")
                if question.per == "evidence":
                    raise ValueError("no question can be asked per evidence")
            used.add(question.id)
        for table, rows in (("decide", self.file.decide), ("rules", self.file.rules)):
            seen: set[str] = set()
            for index, row in enumerate(rows):
                with self._reporting(table, index):
                    if row.id in seen:
                        raise ValueError(f"the id {row.id!r} is used twice")
                    if row.id == BY_CLAIMS or ":" in row.id:
                        raise ValueError(f"the id {row.id!r} is reserved")
                seen.add(row.id)

    def _parse(self, table: str, index: int, key: str, raw: dict[str, Any], scope: Scope) -> Condition:
        """Parse a condition; one that is wrong or doubtful becomes `ALWAYS`."""
        try:
            condition = parse_condition(raw)
            if self._doubtful.isdisjoint(condition.names()):
                validate.check_condition(condition, scope, self.file, self.names)
                return condition
        except ValueError as error:
            self._note(RubricFault(table, index, f"`{key}`: {error}"))
        return ALWAYS

    def _required(self, index: int) -> Condition | None:
        question = self.file.questions[index]
        if isinstance(question.required, bool):
            return ALWAYS if question.required else None
        return self._parse("questions", index, "required", question.required, question.per)

    def _decision(self, index: int, row: DecideRow) -> CompiledDecision:
        when = self._parse("decide", index, "when", row.when, row.per)
        with self._reporting("decide", index):
            if row.sets not in self._doubtful:
                if not self._has_question(row.sets, row.per):
                    raise ValueError(f"`sets`: no question per {row.per} is called {row.sets!r}")
                self._check_offered(row.sets, (row.then,))
        return CompiledDecision(row, when)

    def _rule(self, index: int) -> CompiledRule:
        rule = self.file.rules[index]
        with self._reporting("rules", index):
            if rule.when is None and rule.require is None:
                raise ValueError("neither `when` nor `require`: the rule would always be broken")
        when = self._parse("rules", index, "when", rule.when or {}, rule.per)
        require = None
        if rule.require is not None:
            require = self._parse("rules", index, "require", rule.require, rule.per)
        return CompiledRule(rule, when, require)

    def _has_question(self, name: str, scope: Scope) -> bool:
        return any(question.id == name and question.per == scope for question in self.file.questions)

    def _check_offered(self, question: str, values: Iterable[Any]) -> None:
        validate.check_offered(self.names[question].domain, values, f"`{question}`")

    def _check_questions(self, table: str, lists: dict[str, tuple[Any, ...]], scope: Scope) -> None:
        for name, values in lists.items():
            if name in self._doubtful:
                continue
            with self._reporting(table, 0):
                if not self._has_question(name, scope):
                    raise ValueError(f"no question per {scope} is called {name!r}")
                self._check_offered(name, values)
                if len({str(value) for value in values}) < len(values):
                    raise ValueError(f"a value of {name!r} is listed twice")

    def _check_cycles(
        self, evidence: Condition | None, claims: Condition | None, deciding: list[CompiledDecision]
    ) -> None:
        edges = self._edges(evidence, claims, deciding)
        while cycle := validate.find_cycle(edges):
            steps = " → ".join(step.removeprefix("#") for step in cycle)
            index = next((i for i, question in enumerate(self.file.questions) if question.id in cycle), None)
            table = "questions" if index is not None else cycle[0].removeprefix("#")
            self._note(RubricFault(table, index or 0, f"a dependency cycle: {steps}"))
            edges[cycle[0]] = []  # report each cycle once; there may be others

    def _edges(
        self, evidence: Condition | None, claims: Condition | None, deciding: list[CompiledDecision]
    ) -> dict[str, list[str]]:
        """Return the dependencies between names; `#evidence` and `#claims` are the conditions that ask for them."""
        edges: dict[str, list[str]] = {name: list(condition.names()) for name, condition in self.relevant.items()}
        for question in self.file.questions:
            if question.per == "claim":
                edges[question.id].append("#claims")
        edges["#claims"] = list(claims.names()) if claims else []
        edges["#evidence"] = [*(evidence.names() if evidence else []), "#claims"]
        edges["claims"] = ["#claims"]
        for fact in ("supporting", "contradicting", "urls_on_both_sides"):
            edges[fact] = ["#evidence"]
        rows = [decision for decision in deciding if decision.row.per == "claim"]
        edges["decided_by"] = [name for decision in rows for name in (*decision.when.names(), decision.row.sets)]
        edges["better"] = list(self.file.compare.by) if self.file.compare else []
        return edges

    def _check_possible(
        self,
        required: list[Condition | None],
        deciding: list[CompiledDecision],
        ruling: list[CompiledRule],
        evidence: Condition | None,
        claims: Condition | None,
    ) -> None:
        conditions: list[tuple[str, int, str, Condition | None]] = [
            ("questions", index, "relevant", self.relevant[item.id]) for index, item in enumerate(self.file.questions)
        ]
        conditions += [("questions", index, "required", item) for index, item in enumerate(required)]
        conditions += [("decide", index, "when", item.when) for index, item in enumerate(deciding)]
        for index, item in enumerate(ruling):
            conditions += [("rules", index, "when", item.when), ("rules", index, "require", item.require)]
        conditions += [("evidence", 0, "relevant", evidence), ("claims", 0, "relevant", claims)]
        for table, index, key, condition in conditions:
            if condition is not None:
                with self._reporting(table, index):
                    validate.check_satisfiable(condition, self.names, self.relevant, self._effort, f"`{key}`: ")
