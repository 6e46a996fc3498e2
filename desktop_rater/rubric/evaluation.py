"""Evaluation of one rating by one rubric: the tree of scopes, and each name's value on each node, cached.

Values are computed on demand: which claims and evidence exist depends on answers. `FACTS` is the table of the names
that are not questions.
"""

import operator
from collections import defaultdict
from functools import cached_property
from typing import Any, NamedTuple

from msgspec.structs import replace

from desktop_rater.format.change import CancelCheck
from desktop_rater.format.rating import CONTRADICTING, SUPPORTING, Claim, DecidedValue, Evidence, Rating, Stance
from desktop_rater.format.rubric import SCOPES, Question, Scope
from desktop_rater.format.task import Response, Target, Task, ToolCall
from desktop_rater.rubric.compiled import CompiledQuestion, Fact, Rubric
from desktop_rater.rubric.condition import (
    ALWAYS,
    COUNT_DOMAIN,
    TEXT_DOMAIN,
    TRUTH_DOMAIN,
    ChoiceDomain,
    Condition,
    InwardLook,
    ListDomain,
    NumberDomain,
)
from desktop_rater.rubric.links import link_verdicts, response_pages, tool_pages
from desktop_rater.text.urls import page_key

BY_CLAIMS = "claims"
_DEPTH = {scope: depth for depth, scope in enumerate(SCOPES)}
_TASK, _RESPONSE, _TARGET = range(3)
TESTS_BETWEEN_CANCEL_CHECKS = 4_000  # about a millisecond


class ScopeNode:
    """An object that questions are asked of. `where` is its name in problems; `item` is its struct.

    `claims` are those that a piece of evidence counts for; `names_claims`: it names one that exists.
    `ancestors` holds, for each scope from the task inwards, this node or its nearest ancestor of that scope.
    """

    __slots__ = (
        "ancestors",
        "answers",
        "cache",
        "children",
        "claims",
        "is_asked",
        "item",
        "names_claims",
        "parent",
        "scope",
        "where",
    )

    def __init__(
        self, scope: Scope, where: str, parent: "ScopeNode | None", answers: dict[str, Any], item: Any
    ) -> None:
        self.scope: Scope = scope
        self.where = where
        self.parent = parent
        self.answers = answers
        self.item = item
        self.children: list[ScopeNode] = []
        self.claims: list[ScopeNode] = []
        self.names_claims = False
        self.cache: dict[str, Any] = {}
        self.is_asked: dict[str, bool] = {}
        self.ancestors: list[ScopeNode | None] = [None] * len(SCOPES) if parent is None else parent.ancestors.copy()
        self.ancestors[_DEPTH[scope]] = self


class TargetInputs(NamedTuple):
    """Everything that the evaluation of a target depends on: `objects`, the `outer` values, `seconds` of research."""

    objects: tuple[Any, ...]
    outer: tuple[Any, ...]
    seconds: float


class RatingEvaluation:
    """Cached evaluation of one rating. The rubric, the task and the rating are not changed.

    `check_cancelled` is called after each few thousand tests.
    """

    def __init__(self, rubric: Rubric, task: Task, rating: Rating, check_cancelled: CancelCheck = lambda: None) -> None:
        self.rubric = rubric
        self.task = task
        self.rating = rating
        self.skipped = rating.status == "skipped"
        self._depths = rubric.depths
        self._check_cancelled = check_cancelled
        self._tests_left = TESTS_BETWEEN_CANCEL_CHECKS
        answers = rating.answers
        self.root = ScopeNode("task", "task", None, answers.task, task)
        for response in task.responses:
            given = answers.responses.get(response.id, {})
            self.root.children.append(ScopeNode("response", f"responses/{response.id}", self.root, given, response))
        self._places = {node.item.id: node for node in self.root.children}
        self._claims: dict[ScopeNode, list[ScopeNode]] = {}
        self._outer: dict[ScopeNode, tuple[Any, ...]] = {}
        self._claim_indexes: dict[ScopeNode, dict[str, int]] = {}
        self._units: dict[ScopeNode, list[ScopeNode]] = {}
        self._evidence: dict[ScopeNode, list[ScopeNode]] = {}
        self._decided: dict[ScopeNode, dict[str, DecidedValue]] = {}
        self._repeated: dict[ScopeNode, set[ScopeNode]] = {}
        self._pages: dict[str, list[str]] = {}
        self._page_of: dict[str, str | None] = {}
        self._pages_on: dict[ScopeNode, defaultdict[Stance, set[str]]] = {}

    def parent_of(self, target: Target) -> ScopeNode:
        return self._places.get(target.response, self.root)

    @cached_property
    def targets(self) -> list[ScopeNode]:
        return [self.target_node(target) for target in self.task.targets or ()]

    @cached_property
    def _targets_of_response(self) -> defaultdict[ScopeNode, list[ScopeNode]]:
        of_response: defaultdict[ScopeNode, list[ScopeNode]] = defaultdict(list)
        for target in self.targets:
            response = target.ancestors[_RESPONSE]
            if response is not None:
                of_response[response].append(target)
        return of_response

    def target_node(self, target: Target) -> ScopeNode:
        """Return a new node of one of the task's targets."""
        parent = self.parent_of(target)
        given = self.rating.answers.targets.get(target.id, {})
        return ScopeNode("target", f"targets/{target.id}", parent, given, target)

    def inputs_of(self, target: Target, before: TargetInputs | None) -> TargetInputs:
        """Return what the evaluation of a target depends on; `before` itself if that is the same.

        Objects are compared by identity, which edits of a rating preserve, since equality takes 1 for `True`.
        """
        rating, pieces = self.rating, self.pieces.get(target.id, ())
        seconds = self.research_seconds(target.id)
        given, claims = rating.answers.targets.get(target.id), rating.claims.get(target.id)
        objects = self.rubric, target, given, claims, self.skipped, rating.links_opened if pieces else None, *pieces
        outer = self.outer_values(self.parent_of(target))
        if before is not None and before.seconds == seconds and len(before.objects) == len(objects):
            same = all(map(operator.is_, before.objects, objects)) and before.outer == outer
            if same and all(map(operator.is_, map(type, before.outer), map(type, outer))):
                return before
        return TargetInputs(objects, outer, seconds)

    def research_seconds(self, target: str) -> float:
        """Return the seconds of research on a target, inside and outside of the program."""
        return self.rating.time.targets.get(target, 0) + self.outside_seconds.get(target, 0)

    def outer_values(self, node: ScopeNode) -> tuple[Any, ...]:
        if node not in self._outer:
            self._outer[node] = tuple(self.value(node, name) for name in self.rubric.outer_names)
        return self._outer[node]

    @cached_property
    def pieces(self) -> defaultdict[str | None, list[Evidence]]:
        """Return the recorded evidence by the id of the target, or response, that the rubric asks it for."""
        pieces: defaultdict[str | None, list[Evidence]] = defaultdict(list)
        table = self.rubric.file.evidence
        if table is not None:
            for piece in self.rating.evidence:
                pieces[piece.target if table.per == "target" else piece.response].append(piece)
        return pieces

    @cached_property
    def outside_seconds(self) -> defaultdict[str | None, float]:
        """Return the reported seconds of research outside of the program, by target."""
        seconds: defaultdict[str | None, float] = defaultdict(float)
        for entry in self.rating.research:
            if entry.kind == "outside":
                seconds[entry.target] += entry.seconds or 0
        return seconds

    @cached_property
    def failing_links(self) -> set[str]:
        """Return the pages of links that do not show what the text says."""
        return {page for page, verdict in link_verdicts(self.rating).items() if verdict in FAILING_VERDICTS}

    @cached_property
    def opened(self) -> frozenset[str]:
        pages = map(page_key, self.rating.links_opened)
        return frozenset(page for page in pages if page is not None)

    @property
    def responses(self) -> list[ScopeNode]:
        return self.root.children

    def value(self, node: ScopeNode, name: str) -> Any:
        """Return the value of `name` at a node, searched outwards from it; `None` if it has none."""
        owner = node.ancestors[self._depths[name]]
        if owner is None:
            return None
        values = owner.cache
        if name not in values:
            values[name] = self._find(owner, name)
        return values[name]

    def _find(self, node: ScopeNode, name: str) -> Any:
        compiled = self.rubric.questions.get(name)
        if compiled is None:
            return self.rubric.facts[name].read(self, node)
        answer = node.answers.get(name)
        if answer is None or not compiled.domain.offers(answer) or not self.is_asked(node, compiled):
            return None
        given = answer if isinstance(answer, list | tuple) else (answer,)
        hidden = compiled.choices and any(part in given for part in self._hidden_choices(node, compiled))
        return None if hidden else answer

    def _hidden_choices(self, node: ScopeNode, compiled: CompiledQuestion) -> list[str]:
        return [name for name, condition in compiled.choices.items() if not self.holds(condition, node)]

    def gap(self, node: ScopeNode, compiled: CompiledQuestion) -> str:
        """Return why the rows of a list that is asked for are not finished; "" if they are."""
        if not isinstance(compiled.domain, ListDomain):
            return ""
        rows = self.value(node, compiled.question.id)
        return compiled.domain.gap(rows, len(self.task.context)) if rows is not None else ""

    def question_at(self, node: ScopeNode, compiled: CompiledQuestion) -> Question:
        """Return a question as it is asked at a node: with the choices that are offered there, in the words for it."""
        question = compiled.question
        if compiled.choices and (hidden := self._hidden_choices(node, compiled)):
            question = replace(question, choices=tuple(part for part in question.choices if part.id not in hidden))
        wording = question.wording
        if wording is not None and compiled.wording is not None and self.holds(compiled.wording, node):
            question = replace(question, ask=wording.ask, hint=wording.hint)
        return question

    def is_asked(self, node: ScopeNode, compiled: CompiledQuestion) -> bool:
        name = compiled.question.id
        if name not in node.is_asked:
            node.is_asked[name] = (
                not self.skipped
                and compiled.question.per == node.scope
                and (compiled.relevant is ALWAYS or self.holds(compiled.relevant, node))
            )
        return node.is_asked[name]

    def is_required(self, node: ScopeNode, compiled: CompiledQuestion) -> bool:
        required = compiled.required
        return required is ALWAYS or (required is not None and self.holds(required, node))

    def is_open(self, node: ScopeNode, name: str) -> bool:
        """Return whether a question is asked and required at a node or around it, and not answered."""
        compiled, owner = self.rubric.questions[name], node.ancestors[self._depths[name]]
        if owner is None or self.value(owner, name) is not None:
            return False
        return self.is_asked(owner, compiled) and self.is_required(owner, compiled)

    def count_tests(self, tests: int) -> None:
        """Count tests that are about to be evaluated. Raises what `check_cancelled` raises."""
        self._tests_left -= tests
        if self._tests_left < 0:
            self._tests_left = TESTS_BETWEEN_CANCEL_CHECKS
            self._check_cancelled()

    def holds(self, condition: Condition, node: ScopeNode) -> bool:
        ancestors, depths = node.ancestors, self._depths
        for test in condition.tests:
            # Like `value`, inlined: nearly all time is spent here.
            name = test.name
            owner = ancestors[depths[name]]
            if owner is None:
                value = None
            elif name in owner.cache:
                value = owner.cache[name]
            else:
                value = owner.cache[name] = self._find(owner, name)
            if not test.passes(value):
                return False
        if condition.alternatives:
            for part in condition.alternatives:
                if self.holds(part, node):
                    break
            else:
                return False
        return not condition.looks or all(self._meets(look, node) for look in condition.looks)

    def _meets(self, look: InwardLook, node: ScopeNode) -> bool:
        """Return whether an object further in meets a condition, or every one, or a share of them."""
        if look.share is not None:
            inside = self._inner(look.scope, node)
            self.count_tests(look.condition.size * len(inside))
            return bool(inside) and look.share.passes(
                sum(self.holds(look.condition, inner) for inner in inside) / len(inside)
            )
        for inner in self._inner(look.scope, node):
            self.count_tests(look.condition.size)
            if self.holds(look.condition, inner) is not look.every:
                return not look.every
        return look.every

    def _inner(self, scope: Scope, node: ScopeNode) -> list[ScopeNode]:
        """Return the objects of a scope inside a node; the claims are those of its target."""
        if scope == "claim":
            target = node.ancestors[_TARGET]
            return self.units(target) if target is not None else []
        if scope == "response":
            return self.responses
        return self.targets if node is self.root else self._targets_of_response[node]

    def claims_proposed(self, target: Target) -> int:
        """Return the number of claims that the task suggests for a target, else that a split by rule proposes."""
        suggestions, response = self.task.suggestions, self.task.response(target.response)
        if suggestions is not None and suggestions.claims.get(target.id):
            from desktop_rater.rubric.suggest import with_placed_claims  # noqa: PLC0415 - it checks ratings by this one

            claims = {target.id: suggestions.claims[target.id]}
            placed = with_placed_claims(replace(self.task, suggestions=replace(suggestions, claims=claims)))
            if placed.suggestions is not None and placed.suggestions.claims[target.id]:
                return len(placed.suggestions.claims[target.id])
        if response is None or target.start is None or target.end is None:
            return 0
        from desktop_rater.text.claim_split import split_claims  # noqa: PLC0415 - few rubrics ask for it

        return len(split_claims(response.text, target.start, target.end))

    def claims(self, target: ScopeNode) -> list[ScopeNode]:
        if target not in self._claims:
            condition = self.rubric.claims
            recorded: tuple[Claim, ...] = self.rating.claims.get(target.item.id, ())
            active = condition is not None and bool(recorded) and not self.skipped and self.holds(condition, target)
            self._claims[target] = [
                ScopeNode("claim", f"{target.where}/claims/{claim.id}", target, claim.answers, claim)
                for claim in (recorded if active else ())
            ]
        return self._claims[target]

    def units(self, target: ScopeNode) -> list[ScopeNode]:
        """Return the units that are rated: the recorded claims, or the target itself if there are none."""
        if target not in self._units:
            itself = ScopeNode("claim", target.where, target, target.answers, target.item)
            self._units[target] = self.claims(target) or [itself]
        return self._units[target]

    def evidence(self, holder: ScopeNode) -> list[ScopeNode]:
        """Return the evidence of a response or target, if it is asked for."""
        if holder not in self._evidence:
            table, condition = self.rubric.file.evidence, self.rubric.evidence
            active = table is not None and condition is not None and table.per == holder.scope and not self.skipped
            pieces = self.pieces[holder.item.id] if active else []
            if not pieces or condition is None or not self.holds(condition, holder):
                pieces = []
            self._evidence[holder] = [self._evidence_node(holder, piece) for piece in pieces]
        return self._evidence[holder]

    def _evidence_node(self, holder: ScopeNode, piece: Evidence) -> ScopeNode:
        claims: list[ScopeNode] = []
        names_claims = False
        if holder.scope == "target":
            recorded = self.claims(holder)
            if holder not in self._claim_indexes:
                self._claim_indexes[holder] = {claim.item.id: index for index, claim in enumerate(recorded)}
            indexes = self._claim_indexes[holder]
            named = sorted(indexes[name] for name in piece.claim_ids if name in indexes)
            claims = [recorded[index] for index in named] if recorded else self.units(holder)
            names_claims = bool(recorded) and bool(claims)
        node = ScopeNode("evidence", f"{holder.where}/evidence/{piece.id}", claims[0] if claims else holder, {}, piece)
        node.claims, node.names_claims = claims, names_claims
        return node

    def holder(self, node: ScopeNode) -> ScopeNode:
        return node.ancestors[_TARGET] or node.ancestors[_RESPONSE] or self.root

    def page(self, url: str) -> str | None:
        """Return the page of a piece of evidence; `None` if its URL is not valid."""
        if url not in self._page_of:
            self._page_of[url] = page_key(url)
        return self._page_of[url]

    def pages(self, claim: ScopeNode, stance: Stance) -> set[str]:
        """Return the pages with a stance on a claim, found for all claims of its target at once."""
        if claim not in self._pages_on:
            holder = self.holder(claim)
            units = self.units(holder) if holder.scope == "target" else [claim]
            self._pages_on.update((unit, defaultdict(set)) for unit in units)
            for node in self.evidence(holder):
                page = self.page(node.item.url)
                if page is not None and node.item.stance is not None:
                    for unit in node.claims:
                        self._pages_on[unit][node.item.stance].add(page)
        return self._pages_on[claim][stance]

    def repeated(self, evidence: ScopeNode) -> set[ScopeNode]:
        """Return the evidence of the same holder that repeats a page for the same claim and stance."""
        holder = self.holder(evidence)
        if holder not in self._repeated:
            seen: set[tuple[str | None, str | None, str]] = set()
            repeated = set()
            for node in self.evidence(holder):
                page = self.page(node.item.url)
                if page is None:
                    continue
                # Claims that do not exist still count as different ones.
                claims = [claim.where for claim in node.claims] or list(node.item.claim_ids) or [None]
                keys = {(claim, node.item.stance, page) for claim in claims}
                if not keys.isdisjoint(seen):
                    repeated.add(node)
                seen |= keys
            self._repeated[holder] = repeated
        return self._repeated[holder]

    def response_pages(self, response: Response) -> list[str]:
        """Return the pages that a response's text links to, without placeholders."""
        if response.id not in self._pages:
            placeholders = self.rubric.file.links.placeholders
            self._pages[response.id] = response_pages(response, placeholders)
        return self._pages[response.id]

    def decided(self, node: ScopeNode) -> dict[str, DecidedValue]:
        """Return the values that the facts imply here, by question; undecided ones are left out."""
        if node not in self._decided:
            decided = self._decided[node] = self._combined(node) if node.scope == "target" else {}
            undecided: set[str] = set()
            for deciding in self.rubric.decisions_by_scope[node.scope]:
                row = deciding.row
                if row.sets in decided or row.sets in undecided:
                    continue
                if not self.is_asked(node, self.rubric.questions[row.sets]) or not self.holds(deciding.when, node):
                    continue
                if any(self.is_open(node, name) for name in row.needs):
                    undecided.add(row.sets)
                else:
                    decided[row.sets] = DecidedValue(value=row.then, by=row.id)
        return self._decided[node]

    def _combined(self, target: ScopeNode) -> dict[str, DecidedValue]:
        """Return the worst of the claims' values by question, once all claims have what is decided and asked there."""
        claims = self.claims(target)
        combined: dict[str, DecidedValue] = {}
        if not claims:
            return combined
        decides = {row.sets for row in self.rubric.file.decide}
        decided_first = decides.intersection(self.rubric.file.combine)
        for question, order in sorted(self.rubric.file.combine.items(), key=lambda item: item[0] not in decides):
            if question in decides:
                labels = [self.decided(claim).get(question) for claim in claims]
                values = [label.value if label is not None else None for label in labels]
            elif decided_first <= combined.keys():
                compiled = self.rubric.questions[question]
                values = [self.value(claim, question) for claim in claims if self.is_asked(claim, compiled)]
            else:
                continue
            worst = next((value for value in order if value in values), None)
            if None not in values and worst is not None:
                combined[question] = DecidedValue(value=worst, by=BY_CLAIMS)
        return combined


FAILING_VERDICTS = {"differs", "dead"}  # of a link whose page does not show what the text says
FIRST, SECOND, NEITHER = "first", "second", "neither"


def offered_text(text: str | None) -> str | None:
    """Return a text, or `None` if it is white space alone."""
    return text if text is not None and TEXT_DOMAIN.offers(text) else None


def _meta_text(reading: RatingEvaluation, name: str) -> str | None:
    value = reading.task.meta.get(name)
    return None if value is None or value is False else offered_text(str(value))


def _better(reading: RatingEvaluation, node: ScopeNode) -> str | None:
    """Return which of two responses is at least as good on every ranking and better on one."""
    compare = reading.rubric.file.compare
    responses = [child for child in node.children if child.scope == "response"]
    if compare is None or len(responses) != 2:
        return None
    differences = []
    for question, ranking in compare.by.items():
        first, second = (reading.value(response, question) for response in responses)
        if first not in ranking or second not in ranking:
            return None
        differences.append(ranking.index(first) - ranking.index(second))
    if any(difference > 0 for difference in differences) and min(differences) >= 0:
        return FIRST
    if any(difference < 0 for difference in differences) and max(differences) <= 0:
        return SECOND
    return NEITHER


def _tool_links_unopened(reading: RatingEvaluation, node: ScopeNode) -> int:
    in_text = reading.response_pages(node.item)
    tools = tool_pages(node.item, reading.rubric.file.links.placeholders)
    return len(set(tools) - set(in_text) - reading.opened)


def _links_differing(reading: RatingEvaluation, node: ScopeNode) -> int:
    placeholders = reading.rubric.file.links.placeholders
    pages = {*reading.response_pages(node.item), *tool_pages(node.item, placeholders)}
    return len(reading.failing_links & pages)


def _is_empty_result(call: ToolCall) -> bool:
    """Return whether a tool found nothing: by its status, or by an output that is or holds only an empty list."""
    output = call.output
    if isinstance(output, dict) and len(output) == 1:
        (output,) = output.values()
    return call.status in {"empty", "no_results"} or call.output in ([], {}) or output in ([], {})


def _decided_by(reading: RatingEvaluation, node: ScopeNode) -> list[str] | None:
    return [decided.by for decided in reading.decided(node).values()] or None


FACTS: dict[str, Fact] = {
    "responses": Fact("task", COUNT_DOMAIN, lambda reading, _node: len(reading.task.responses)),
    "context": Fact("task", COUNT_DOMAIN, lambda reading, _node: len(reading.task.context)),
    "history": Fact("task", COUNT_DOMAIN, lambda reading, _node: len(reading.task.history)),
    "reference": Fact("task", TEXT_DOMAIN, lambda reading, _node: offered_text(reading.task.reference)),
    "meta_attack": Fact("task", TEXT_DOMAIN, lambda reading, _node: _meta_text(reading, "attack")),
    "meta_source": Fact("task", TEXT_DOMAIN, lambda reading, _node: _meta_text(reading, "source")),
    "better": Fact("task", ChoiceDomain(values=(FIRST, SECOND, NEITHER)), _better),
    "tools_not_ok": Fact(
        "response",
        COUNT_DOMAIN,
        lambda _reading, node: sum(call.status not in {"ok", "not_recorded"} for call in node.item.tools),
    ),
    "tools_empty": Fact("response", COUNT_DOMAIN, lambda _reading, node: sum(map(_is_empty_result, node.item.tools))),
    "links_unopened": Fact(
        "response", COUNT_DOMAIN, lambda reading, node: len(set(reading.response_pages(node.item)) - reading.opened)
    ),
    "tool_links_unopened": Fact("response", COUNT_DOMAIN, _tool_links_unopened),
    "links_differing": Fact("response", COUNT_DOMAIN, _links_differing),
    "claims": Fact("target", COUNT_DOMAIN, lambda reading, node: len(reading.claims(node))),
    "claims_proposed": Fact("target", COUNT_DOMAIN, lambda reading, node: reading.claims_proposed(node.item)),
    "research_seconds": Fact(
        "target", NumberDomain(always=True, low=0), lambda reading, node: reading.research_seconds(node.item.id)
    ),
    "supporting": Fact("claim", COUNT_DOMAIN, lambda reading, node: len(reading.pages(node, SUPPORTING))),
    "contradicting": Fact("claim", COUNT_DOMAIN, lambda reading, node: len(reading.pages(node, CONTRADICTING))),
    "urls_on_both_sides": Fact(
        "claim",
        COUNT_DOMAIN,
        lambda reading, node: len(reading.pages(node, SUPPORTING) & reading.pages(node, CONTRADICTING)),
    ),
    # Its values are the rows of the given rubric, set when it is compiled.
    "decided_by": Fact("claim", ChoiceDomain(), _decided_by),
    "url_valid": Fact("evidence", TRUTH_DOMAIN, lambda reading, node: reading.page(node.item.url) is not None),
    "url_repeated": Fact("evidence", TRUTH_DOMAIN, lambda reading, node: node in reading.repeated(node)),
    "claim_known": Fact("evidence", TRUTH_DOMAIN, lambda _reading, node: node.names_claims),
    "opened": Fact("evidence", TRUTH_DOMAIN, lambda reading, node: reading.page(node.item.url) in reading.opened),
    "quote": Fact("evidence", TEXT_DOMAIN, lambda _reading, node: offered_text(node.item.quote)),
    "snapshot": Fact("evidence", TEXT_DOMAIN, lambda _reading, node: offered_text(node.item.snapshot)),
}
