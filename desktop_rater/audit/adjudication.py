"""One final value for each judged question at each place, and where it comes from. Pure.

The lead's word comes first: a decision, then the lead's own rating where a rating was corrected, then the ratings that
were accepted, if they say the same. Else people vote, each by the rating that counts; one that was sent back has no
vote there until it comes back, and models have none. More than half of the votes decide; else it stays open. Gold is
not asked.

Not every question is asked of every rater: where one rater's answers left a question out, that is a vote for leaving
it out. Once what was asked before is final, those vote who agree with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from desktop_rater.audit.disagreement import depth_of, labelling
from desktop_rater.audit.judged import Value, judged_questions, plain_value

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from desktop_rater.audit.filed import Audit, Filed
    from desktop_rater.audit.judged import Judged
    from desktop_rater.audit.reviews import Reviews
    from desktop_rater.audit.verdicts import Final, Verdict

Source = Literal["lead", "unanimous", "majority", "open"]
How = Literal["", "decided", "corrected", "accepted"]


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """The final value of one question at one place; `None` while it is open.

    `how` says of the lead's word what it was. `votes_for` and `against` count people: for the value, or for the one
    that most give while it is open. `label`: the question is what the place is called by. `decisive`: while it is
    open, the whole is.
    """

    task: str
    where: str
    question: str
    value: Value | None
    source: Source
    how: How = ""
    votes_for: int = 0
    against: int = 0
    label: bool = False
    decisive: bool = False
    lead: str = ""
    comment: str = ""

    @property
    def is_open(self) -> bool:
        """Whether the lead has to decide before all is final."""
        return self.decisive and self.value is None


Said = dict[str, Value | None]
"""Rater → what was answered; `None` where the question was left out."""

Settled = Sequence[tuple["Judged", Value]]


def _decides(question: Judged) -> bool:
    return question.decisive or question.main


class Votes:
    """What counts for decisions on one task: its ratings by people, and what the lead said of them."""

    def __init__(self, task: str, ratings: Sequence[Filed], reviews: Reviews, judged: Sequence[Judged]) -> None:
        self.task = task
        self._ratings = {one.rater: one for one in ratings}
        self._reviews = reviews
        self._judged = judged

    def wheres(self) -> list[str]:
        """Each place at which somebody judged something, in the order in which it is met."""
        own = self._reviews.owns.get(self.task)
        met = dict.fromkeys(where for one in self._ratings.values() for where in one.digest.values)
        return list(met) or (list(own.values) if own is not None else [])

    def decide(
        self,
        question: Judged,
        where: str,
        label: Settled = (),
        settled: Settled = (),
        waiting: Collection[str] = (),
    ) -> Decision | None:
        """The final value of a question at a place; `None` where nobody answered it, or it is to be left out.

        `label`: the place's, where it is final; `settled`: it and whatever else is; `waiting`: what is not, by name.
        """
        said = self._votes(question, where, label, settled)
        word = self._lead_says(question, where, said)
        if word is not None:
            agree = sum(one == word.value for one in said.values())
            return None if word.value is None else self._decision(question, where, word, (agree, len(said) - agree))
        if all(value is None for value in said.values()) or self._comes_too_early(question, where, waiting):
            return None
        votes = Counter(value for rater, value in said.items() if not self._is_returned(where, rater))
        return self._voted(question, where, votes)

    def _votes(self, question: Judged, where: str, label: Settled, settled: Settled) -> Said:
        """What each of those said who have a vote."""
        said = {rater: question.value(one.digest.values.get(where, {})) for rater, one in self._ratings.items()}
        if not _decides(question):
            said = self._agreeing(said, where, label)
        if question.conditional and None in said.values():
            return self._agreeing(said, where, [*self._decided(where, question), *settled])
        return {rater: value for rater, value in said.items() if value is not None}

    def _comes_too_early(self, question: Judged, where: str, waiting: Collection[str]) -> bool:
        """Whether nobody can know yet if it is to be asked: not all were asked, and what that hangs on is not final."""
        answers = (question.value(one.digest.values.get(where, {})) for one in self._ratings.values())
        return not question.hangs_on.isdisjoint(waiting) and None in answers

    def _agreeing(self, said: Said, where: str, settled: Iterable[tuple[Judged, Value]]) -> Said:
        """What those said who agree with all that is final."""
        finals = list(settled)

        def agrees(rater: str) -> bool:
            values = self._ratings[rater].digest.values.get(where, {})
            return all(question.value(values) == value for question, value in finals)

        return {rater: value for rater, value in said.items() if agrees(rater)}

    def _decided(self, where: str, question: Judged) -> Iterator[tuple[Judged, Value]]:
        """What the lead decided there of other questions."""
        for one in self._judged:
            if one.per == question.per and one.question != question.question:
                final = self.final(one, where)
                value = plain_value(final.value) if final is not None else None
                if value is not None:
                    yield one, value

    def _voted(self, question: Judged, where: str, votes: Counter[Value | None]) -> Decision | None:
        total = votes.total()
        if 2 * votes[None] > total:
            return None
        given = ((n, str(value), value) for value, n in votes.items() if value is not None)
        most, _, value = max(given, key=lambda one: one[:2], default=(0, "", None))
        counts = most, total - most
        if 2 * most <= total:
            return self._decision(question, where, _Word(None, "open"), counts)
        return self._decision(question, where, _Word(value, "unanimous" if most == total else "majority"), counts)

    def _lead_says(self, question: Judged, where: str, given: Said) -> _Word | None:
        """The lead's word; one without a value says that the question is to be left out."""
        final = self.final(question, where)
        if final is not None and (value := plain_value(final.value)) is not None:
            return _Word(value, "lead", "decided", final.lead, final.comment)
        verdicts = [one for rater in self._ratings if (one := self._verdict(where, rater)) is not None]
        own = self._reviews.owns.get(self.task)
        corrected = next((one for one in verdicts if one.kind == "corrected"), None)
        if corrected is not None and own is not None:
            value = question.value(own.values.get(where, {}))
            return _Word(value, "lead", "corrected", own.own.lead, corrected.comment)
        accepted = [one for one in verdicts if one.kind == "accepted" and one.rater in given]
        if len({given[one.rater] for one in accepted}) != 1:
            return None
        comment = next((one.comment for one in accepted if one.comment), "")
        return _Word(given[accepted[0].rater], "lead", "accepted", accepted[0].lead, comment)

    def final(self, question: Judged, where: str) -> Final | None:
        """The lead's decision on a question, which may be named by the label that it is a part of."""
        finals = self._reviews.finals
        found = finals.get((self.task, where, question.id))
        return found or finals.get((self.task, where, question.question))

    def _verdict(self, where: str, rater: str) -> Verdict | None:
        """What the lead said of the very rating that counts."""
        verdict = self._reviews.verdict(self.task, where, rater)
        return verdict if verdict is not None and verdict.rating == self._ratings[rater].sha256 else None

    def _is_returned(self, where: str, rater: str) -> bool:
        verdict = self._verdict(where, rater)
        return verdict is not None and verdict.kind == "returned"

    def _decision(self, question: Judged, where: str, word: _Word, counts: tuple[int, int]) -> Decision:
        return Decision(
            task=self.task,
            where=where,
            question=question.id,
            value=word.value,
            source=word.source,
            how=word.how,
            votes_for=counts[0],
            against=counts[1],
            decisive=_decides(question),
            lead=word.lead,
            comment=word.comment,
        )


class _Word(NamedTuple):
    value: Value | None
    source: Source
    how: How = ""
    lead: str = ""
    comment: str = ""


def adjudicate(audit: Audit, reviews: Reviews) -> Iterator[Decision]:
    """Every decision, in the order of the tasks; the label of each place first."""
    judged = judged_questions(audit.rubric)
    for task in audit.tasks:
        votes = votes_on(audit, reviews, task, judged)
        for where in votes.wheres():
            yield from decisions_at(judged, votes, where)


def votes_on(audit: Audit, reviews: Reviews, task: str, judged: Sequence[Judged]) -> Votes:
    """What counts for decisions on a task."""
    people = (audit.ratings.get((task, rater)) for rater in audit.raters if rater not in audit.models)
    ratings = [one for one in people if one is not None and one.digest.status == "complete"]
    return Votes(task, ratings, reviews, judged)


def decisions_at(judged: Sequence[Judged], votes: Votes, where: str) -> Iterator[Decision]:
    """The label of one place, then the other questions there that somebody answered.

    What only leads to the label is taken of those who gave the final one.
    """
    label = labelling(judged).get(depth_of(where))
    final = votes.decide(label, where) if label is not None else None
    settled: list[tuple[Judged, Value]] = []
    if label is not None and final is not None:
        yield replace(final, label=True)
        settled += [] if final.value is None else [(label, final.value)]
    named = tuple(settled)
    waiting = [label.question] if label is not None and final is not None and final.value is None else []
    for question in judged:
        if question.per != depth_of(where) or (label is not None and question.question == label.question):
            continue
        if not question.decisive and final is not None and final.value is None:
            continue
        found = votes.decide(question, where, named, settled, waiting)
        if found is not None and (found.votes_for or found.value is not None):
            yield found
            settled += [] if found.value is None else [(question, found.value)]
        if found is None or found.value is None:
            waiting.append(question.question)
