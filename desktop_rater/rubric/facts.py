"""The facts that the app supplies: what a condition can ask beside the answers.

One table: name → scope, what values it can have, and how it is read off a rating.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.model.rating import CONTRADICTING, SUPPORTING
from desktop_rater.rubric.compiled import Fact
from desktop_rater.rubric.domains import COUNT, TEXT, TRUTH, Amount, OneOf
from desktop_rater.rubric.links import tool_pages

if TYPE_CHECKING:
    from desktop_rater.rubric.reading import Node, Reading

FIRST, SECOND, NEITHER = "first", "second", "neither"


def _reference(reading: Reading, _node: Node) -> str | None:
    text = reading.task.reference
    return text if text is not None and TEXT.offers(text) else None


def _better(reading: Reading, node: Node) -> str | None:
    """Which of two responses is at least as good on every ranking and better on one."""
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


def _tools_not_ok(_reading: Reading, node: Node) -> int:
    return sum(call.status != "ok" for call in node.thing.tools)


def _links_unopened(reading: Reading, node: Node) -> int:
    return len(set(reading.response_pages(node.thing)) - reading.opened)


def _tool_links_unopened(reading: Reading, node: Node) -> int:
    there = reading.response_pages(node.thing)
    tools = tool_pages(node.thing, reading.rubric.file.links.placeholders)
    return len(set(tools) - set(there) - reading.opened)


def _supporting(reading: Reading, node: Node) -> int:
    return len(reading.pages(node, SUPPORTING))


def _contradicting(reading: Reading, node: Node) -> int:
    return len(reading.pages(node, CONTRADICTING))


def _on_both_sides(reading: Reading, node: Node) -> int:
    return len(reading.pages(node, SUPPORTING) & reading.pages(node, CONTRADICTING))


def _decided_by(reading: Reading, node: Node) -> list[str] | None:
    return [decided.by for decided in reading.decided(node).values()] or None


def _research_seconds(reading: Reading, node: Node) -> float:
    return reading.rating.time.targets.get(node.thing.id, 0)


def _opened(reading: Reading, node: Node) -> bool:
    return reading.page(node) in reading.opened


def _quote(_reading: Reading, node: Node) -> str | None:
    return node.thing.quote if TEXT.offers(node.thing.quote) else None


def _snapshot(_reading: Reading, node: Node) -> str | None:
    return node.thing.snapshot if TEXT.offers(node.thing.snapshot) else None


FACTS: dict[str, Fact] = {
    "responses": Fact("task", COUNT, lambda reading, _node: len(reading.task.responses)),
    "context": Fact("task", COUNT, lambda reading, _node: len(reading.task.context)),
    "history": Fact("task", COUNT, lambda reading, _node: len(reading.task.history)),
    "reference": Fact("task", TEXT, _reference),
    "better": Fact("task", OneOf(values=(FIRST, SECOND, NEITHER)), _better),
    "tools_not_ok": Fact("response", COUNT, _tools_not_ok),
    "links_unopened": Fact("response", COUNT, _links_unopened),
    "tool_links_unopened": Fact("response", COUNT, _tool_links_unopened),
    "claims": Fact("target", COUNT, lambda reading, node: len(reading.claims(node))),
    "research_seconds": Fact("target", Amount(always=True, low=0), _research_seconds),
    "supporting": Fact("claim", COUNT, _supporting),
    "contradicting": Fact("claim", COUNT, _contradicting),
    "urls_on_both_sides": Fact("claim", COUNT, _on_both_sides),
    # Its values are the rows of the rubric at hand: see `load`.
    "decided_by": Fact("claim", OneOf(), _decided_by),
    "url_valid": Fact("evidence", TRUTH, lambda reading, node: reading.page(node) is not None),
    "url_repeated": Fact("evidence", TRUTH, lambda reading, node: node in reading.repeated(node)),
    "claim_known": Fact("evidence", TRUTH, lambda _reading, node: node.names_claim),
    "opened": Fact("evidence", TRUTH, _opened),
    "quote": Fact("evidence", TEXT, _quote),
    "snapshot": Fact("evidence", TEXT, _snapshot),
}
