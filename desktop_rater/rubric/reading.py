"""One reading of one rating by one rubric: the tree of scopes, and each name's value on each node, found once.

Nothing is worked out before it is asked for: what claims and evidence there are depends on answers.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from desktop_rater.model.rating import CONTRADICTING, SUPPORTING, Claim, Decided, Evidence, Rating
from desktop_rater.model.rubric import SCOPES
from desktop_rater.rubric.condition import ALWAYS
from desktop_rater.rubric.links import response_pages
from desktop_rater.text.pages import page_of

if TYPE_CHECKING:
    from desktop_rater.model.rating import Stance
    from desktop_rater.model.rubric import Scope
    from desktop_rater.model.task import Response, Task
    from desktop_rater.rubric.compiled import Asking, Rubric
    from desktop_rater.rubric.condition import Condition

BY_CLAIMS = "claims"
_DEPTH = {scope: depth for depth, scope in enumerate(SCOPES)}
_TASK, _RESPONSE, _TARGET = range(3)


class Node:
    """A thing that questions are asked of. `where` is how problems name it; `thing` is its struct.

    `around` holds, for each scope from the task inwards, this node or the nearest one outwards of that scope.
    """

    __slots__ = ("answers", "around", "asks", "children", "known", "names_claim", "parent", "scope", "thing", "where")

    def __init__(self, scope: Scope, where: str, parent: Node | None, answers: dict[str, Any], thing: Any) -> None:
        self.scope: Scope = scope
        self.where = where
        self.parent = parent
        self.answers = answers
        self.thing = thing
        self.children: list[Node] = []
        self.names_claim = False
        self.known: dict[str, Any] = {}
        self.asks: dict[str, bool] = {}
        self.around: list[Node | None] = [None] * len(SCOPES) if parent is None else parent.around.copy()
        self.around[_DEPTH[scope]] = self


class Reading:
    """Look-ups over one rating. Neither the rubric, the task nor the rating is changed."""

    def __init__(self, rubric: Rubric, task: Task, rating: Rating) -> None:
        self.rubric = rubric
        self.task = task
        self.rating = rating
        self.skipped = rating.status == "skipped"
        self._depths = rubric.depths
        answers = rating.answers
        self.root = Node("task", "task", None, answers.task, task)
        for response in task.responses:
            given = answers.responses.get(response.id, {})
            self.root.children.append(Node("response", f"responses/{response.id}", self.root, given, response))
        places = {node.thing.id: node for node in self.root.children}
        self.targets = [
            Node(
                "target",
                f"targets/{target.id}",
                places.get(target.response, self.root),
                answers.targets.get(target.id, {}),
                target,
            )
            for target in task.targets or ()
        ]
        self._claims: dict[Node, list[Node]] = {}
        self._units: dict[Node, list[Node]] = {}
        self._evidence: dict[Node, list[Node]] = {}
        self._decided: dict[Node, dict[str, Decided]] = {}
        self._repeated: dict[Node, set[Node]] = {}
        self._pages: dict[str, list[str]] = {}
        self._page_of: dict[str, str | None] = {}
        self._sided: dict[Node, dict[Stance, set[str]]] = {}

    @cached_property
    def opened(self) -> frozenset[str]:
        """The pages that the rater has opened."""
        pages = map(page_of, self.rating.links_opened)
        return frozenset(page for page in pages if page is not None)

    @property
    def responses(self) -> list[Node]:
        """One node a response."""
        return self.root.children

    def value(self, node: Node, name: str) -> Any:
        """What `name` is here, or `None` where it has no value: the scope is searched, then outwards."""
        place = node.around[self._depths[name]]
        if place is None:
            return None
        known = place.known
        if name not in known:
            known[name] = self._find(place, name)
        return known[name]

    def _find(self, node: Node, name: str) -> Any:
        asking = self.rubric.questions.get(name)
        if asking is None:
            return self.rubric.facts[name].read(self, node)
        answer = node.answers.get(name)
        if answer is None or not asking.domain.offers(answer) or not self.asked(node, asking):
            return None
        return answer

    def asked(self, node: Node, asking: Asking) -> bool:
        """Whether the question is asked of this node. Nothing is asked in a task that is skipped."""
        name = asking.question.id
        if name not in node.asks:
            node.asks[name] = (
                not self.skipped
                and asking.question.per == node.scope
                and (asking.relevant is ALWAYS or self.holds(asking.relevant, node))
            )
        return node.asks[name]

    def holds(self, condition: Condition, node: Node) -> bool:
        """Whether a condition holds on this node."""
        around, depths = node.around, self._depths
        for test in condition.tests:
            # As `value` does. Here nearly all time is spent, so nothing is called that is known.
            name = test.name
            place = around[depths[name]]
            if place is None:
                value = None
            elif name in place.known:
                value = place.known[name]
            else:
                value = place.known[name] = self._find(place, name)
            if not test.passes(value):
                return False
        if condition.alternatives:
            for part in condition.alternatives:
                if self.holds(part, node):
                    break
            else:
                return False
        if condition.some_claim is None:
            return True
        target = around[_TARGET]
        return target is not None and any(self.holds(condition.some_claim, unit) for unit in self.units(target))

    def claims(self, target: Node) -> list[Node]:
        """The claims recorded for a target, where claims are asked for."""
        if target not in self._claims:
            wanted = self.rubric.claims
            recorded: tuple[Claim, ...] = self.rating.claims.get(target.thing.id, ())
            shown = wanted is not None and bool(recorded) and not self.skipped and self.holds(wanted, target)
            self._claims[target] = [
                Node("claim", f"{target.where}/claims/{claim.id}", target, claim.answers, claim)
                for claim in (recorded if shown else ())
            ]
        return self._claims[target]

    def units(self, target: Node) -> list[Node]:
        """What is rated one by one: the recorded claims, or the target itself while there are none."""
        if target not in self._units:
            itself = Node("claim", target.where, target, target.answers, target.thing)
            self._units[target] = self.claims(target) or [itself]
        return self._units[target]

    def evidence(self, holder: Node) -> list[Node]:
        """The evidence that hangs on a response or target, where it is asked for."""
        if holder not in self._evidence:
            table, wanted = self.rubric.file.evidence, self.rubric.evidence
            shown = table is not None and wanted is not None and table.per == holder.scope and not self.skipped
            pieces: list[Evidence] = []
            if shown:
                pieces = [piece for piece in self.rating.evidence if getattr(piece, holder.scope) == holder.thing.id]
            if not pieces or wanted is None or not self.holds(wanted, holder):
                pieces = []
            self._evidence[holder] = [self._evidence_node(holder, piece) for piece in pieces]
        return self._evidence[holder]

    def _evidence_node(self, holder: Node, piece: Evidence) -> Node:
        parent = holder
        named = False
        if holder.scope == "target":
            claims = self.claims(holder)
            found = next((claim for claim in claims if claim.thing.id == piece.claim), None)
            named = found is not None
            parent = found or (holder if claims else self.units(holder)[0])
        node = Node("evidence", f"{holder.where}/evidence/{piece.id}", parent, {}, piece)
        node.names_claim = named
        return node

    def holder(self, node: Node) -> Node:
        """The response or target that a claim or a piece of evidence hangs on."""
        return node.around[_TARGET] or node.around[_RESPONSE] or self.root

    def page(self, evidence: Node) -> str | None:
        """The page that a piece of evidence names; `None` where its URL is not valid."""
        url = evidence.thing.url
        if url not in self._page_of:
            self._page_of[url] = page_of(url)
        return self._page_of[url]

    def pages(self, claim: Node, stance: Stance) -> set[str]:
        """The distinct valid pages of a claim with that stance."""
        return self._sides(claim)[stance]

    def _sides(self, claim: Node) -> dict[Stance, set[str]]:
        if claim not in self._sided:
            sides: dict[Stance, set[str]] = {SUPPORTING: set(), CONTRADICTING: set()}
            for node in self.evidence(self.holder(claim)):
                page = self.page(node)
                if page is not None and node.parent is claim and node.thing.stance is not None:
                    sides[node.thing.stance].add(page)
            self._sided[claim] = sides
        return self._sided[claim]

    def repeated(self, evidence: Node) -> set[Node]:
        """Of the evidence beside a piece: what names a page again for the same claim and stance."""
        holder = self.holder(evidence)
        if holder not in self._repeated:
            seen: set[tuple[Node | None, str | None, str | None, str]] = set()
            again = set()
            for node in self.evidence(holder):
                page = self.page(node)
                if page is None:
                    continue
                # Claims that are not there are still different claims.
                strange = node.thing.claim if node.parent is holder else None
                key = (node.parent, strange, node.thing.stance, page)
                if key in seen:
                    again.add(node)
                seen.add(key)
            self._repeated[holder] = again
        return self._repeated[holder]

    def response_pages(self, response: Response) -> list[str]:
        """The pages that a response's text links to, without placeholders."""
        if response.id not in self._pages:
            placeholders = self.rubric.file.links.placeholders
            self._pages[response.id] = response_pages(response, placeholders)
        return self._pages[response.id]

    def decided(self, node: Node) -> dict[str, Decided]:
        """Question → what the facts imply for it here; what is undecided is left out."""
        if node not in self._decided:
            decided = self._decided[node] = self._combined(node) if node.scope == "target" else {}
            for deciding in self.rubric.deciding[node.scope]:
                row = deciding.row
                if row.sets in decided or not self.asked(node, self.rubric.questions[row.sets]):
                    continue
                if self.holds(deciding.when, node):
                    decided[row.sets] = Decided(value=row.then, by=row.id)
        return self._decided[node]

    def _combined(self, target: Node) -> dict[str, Decided]:
        claims = self.claims(target)
        combined = {}
        for question, order in self.rubric.file.combine.items() if claims else ():
            labels = [self.decided(claim).get(question) for claim in claims]
            values = [label.value for label in labels if label is not None]
            worst = next((value for value in order if value in values), None)
            if len(values) == len(claims) and worst is not None:
                combined[question] = Decided(value=worst, by=BY_CLAIMS)
        return combined
