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

    def rubric(self, *, is_trusted: bool = False) -> Rubric:
        """Return the rubric. `is_trusted`: it comes with the program, and its conditions are known to be possible."""
        file = self.file
        questions = {question.id: self._question(index) for index, question in enumerate(file.questions)}
        self.relevant = {name: compiled.relevant for name, compiled in questions.items()}
        evidence = claims = several = None
        if file.evidence:
            evidence = self._parse("evidence", 0, "relevant", file.evidence.relevant, file.evidence.per)
        if file.claims:
            claims = self._parse("claims", 0, "relevant", file.claims.relevant, "target")
            if file.claims.several is not None:
                several = self._parse("claims", 0, "several", file.claims.several, "claim")
        deciding = [self._decision(index, row) for index, row in enumerate(file.decide)]
        ruling = [self._rule(index) for index in range(len(file.rules))]
        self._check_questions("combine", file.combine, "claim")
        if file.compare is not None:
            self._check_questions("compare", file.compare.by, "response")
        self._check_cycles(questions, evidence, claims, deciding)
        wholes = {("evidence", "relevant"): evidence, ("claims", "relevant"): claims, ("claims", "several"): several}
        if not is_trusted:
            self._check_possible(questions, deciding, ruling, wholes)
        for fault in validate.find_key_clashes(enumerate(file.questions), self.names, self.relevant, self._effort):
            self._note(fault)
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
            several=several,
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

    def _question(self, index: int) -> CompiledQuestion:
        question, wording = self.file.questions[index], self.file.questions[index].wording
        required = ALWAYS if question.required is True else None
        if isinstance(question.required, dict):
            required = self._parse("questions", index, "required", question.required, question.per)
        choices = {
            choice.id: self._parse("questions", index, f"relevant of {choice.id}", choice.relevant, question.per)
            for choice in question.choices
            if choice.relevant
        }
        return CompiledQuestion(
            question=question,
            domain=self.names[question.id].domain,
            relevant=self._parse("questions", index, "relevant", question.relevant, question.per),
            required=required,
            choices=choices,
            wording=self._parse("questions", index, "wording", wording.when, question.per) if wording else None,
        )

    def _decision(self, index: int, row: DecideRow) -> CompiledDecision:
        when = self._parse("decide", index, "when", row.when, row.per)
        with self._reporting("decide", index):
            if row.sets not in self._doubtful:
                if not self._has_question(row.sets, row.per):
                    raise ValueError(f"`sets`: no question per {row.per} is called {row.sets!r}")
                self._check_offered(row.sets, (row.then,))
            for name in row.needs:
                if not any(question.id == name for question in self.file.questions):
                    raise ValueError(f"`needs`: no question is called {name!r}")
                # It has to be one that is seen from here.
                validate.check_condition(parse_condition({name: {"filled": True}}), row.per, self.file, self.names)
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
        self,
        questions: dict[str, CompiledQuestion],
        evidence: Condition | None,
        claims: Condition | None,
        deciding: list[CompiledDecision],
    ) -> None:
        """Note each cycle, except where the facts that are counted first exclude it, whatever they are."""
        counted: list[dict[str, Any]] = [{}]
        if validate.find_cycle(self._edges(questions, evidence, claims, deciding, {})):
            conditions = [condition for item in questions.values() for condition in item.conditions]
            counted = validate.fact_assignments(conditions, {name: fact.domain for name, fact in FACTS.items()})
        reported: set[frozenset[str]] = set()
        for known in counted:
            edges = self._edges(questions, evidence, claims, deciding, known)
            while cycle := validate.find_cycle(edges):
                steps = " → ".join(step.removeprefix("#") for step in cycle)
                index = next((i for i, question in enumerate(self.file.questions) if question.id in cycle), None)
                table = "questions" if index is not None else cycle[0].removeprefix("#")
                if frozenset(cycle) not in reported:
                    self._note(RubricFault(table, index or 0, f"a dependency cycle: {steps}"))
                reported.add(frozenset(cycle))
                edges[cycle[0]] = []  # report each cycle once; there may be others

    def _edges(
        self,
        questions: dict[str, CompiledQuestion],
        evidence: Condition | None,
        claims: Condition | None,
        deciding: list[CompiledDecision],
        known: dict[str, Any],
    ) -> dict[str, list[str]]:
        """Return the dependencies between names, where some facts are `known`.

        `#evidence` and `#claims` are the conditions that ask for them.
        """
        edges: dict[str, list[str]] = {}
        for name, compiled in questions.items():
            read = (compiled.relevant, *compiled.choices.values())
            edges[name] = [other for condition in read for other in condition.names_read(known)]
            if compiled.question.per == "claim":
                edges[name].append("#claims")
        edges["#claims"] = list(claims.names()) if claims else []
        edges["#evidence"] = [*(evidence.names() if evidence else []), "#claims"]
        edges["claims"] = ["#claims"]
        for fact in ("supporting", "contradicting", "urls_on_both_sides"):
            edges[fact] = ["#evidence"]
        rows = [decision for decision in deciding if decision.row.per == "claim"]
        needs = {name: questions[name] for decision in rows for name in decision.row.needs if name in questions}
        edges["decided_by"] = [name for decision in rows for name in (*decision.when.names(), decision.row.sets)]
        edges["decided_by"] += [
            *needs,
            *(other for need in needs.values() for other in (need.required or ALWAYS).names()),
        ]
        edges["better"] = list(self.file.compare.by) if self.file.compare else []
        return edges

    def _check_possible(
        self,
        questions: dict[str, CompiledQuestion],
        deciding: list[CompiledDecision],
        ruling: list[CompiledRule],
        wholes: dict[tuple[str, str], Condition | None],
    ) -> None:
        conditions: list[tuple[str, int, str, Condition | None]] = []
        for index, item in enumerate(questions.values()):
            own = {"relevant": item.relevant, "required": item.required, "wording": item.wording}
            own |= {f"relevant of {name}": condition for name, condition in item.choices.items()}
            conditions += [("questions", index, key, condition) for key, condition in own.items()]
        conditions += [("decide", index, "when", item.when) for index, item in enumerate(deciding)]
        for index, item in enumerate(ruling):
            conditions += [("rules", index, "when", item.when), ("rules", index, "require", item.require)]
        conditions += [(table, 0, key, condition) for (table, key), condition in wholes.items()]
        for table, index, key, condition in conditions:
            if condition is not None:
                with self._reporting(table, index):
                    validate.check_satisfiable(condition, self.names, self.relevant, self._effort, f"`{key}`: ")
