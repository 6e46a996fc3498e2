"""What answers are given to, one after the other: the task, its responses, its targets and their claims."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater.model.rubric import Scope

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_rater.bundle.results_out.rated import Rated


class Unit(msgspec.Struct, frozen=True, kw_only=True):
    """`where` is the place as problems name it, `text` what stands there, `answers` those given. Code points."""

    scope: Scope
    where: str
    response: str | None = None
    target: str | None = None
    claim: str | None = None
    start: int | None = None
    end: int | None = None
    text: str | None = None
    answers: dict[str, Any] = {}


def units(rated: Rated) -> Iterator[Unit]:
    """All of a task, in order: a target stands behind its response, and its claims behind it."""
    given = rated.rating.answers
    yield Unit(scope="task", where="task", answers=given.task)
    for response in rated.task.responses:
        answers = given.responses.get(response.id, {})
        yield Unit(scope="response", where=f"responses/{response.id}", response=response.id, answers=answers)
        for target in rated.task.targets or ():
            if target.response == response.id:
                where = f"targets/{target.id}"
                yield Unit(
                    scope="target",
                    where=where,
                    response=response.id,
                    target=target.id,
                    start=target.start,
                    end=target.end,
                    text=target.quote,
                    answers=given.targets.get(target.id, {}),
                )
                yield from _claims(rated, response.id, target.id)


def _claims(rated: Rated, response: str, target: str) -> Iterator[Unit]:
    for claim in rated.rating.claims.get(target, ()):
        yield Unit(
            scope="claim",
            where=f"targets/{target}/claims/{claim.id}",
            response=response,
            target=target,
            claim=claim.id,
            start=claim.start,
            end=claim.end,
            text=claim.text,
            answers=claim.answers,
        )
