"""A whole rating for each task whose questions are decided: one that says just what was decided.

The lead's own is taken where it does, else that of a rater who agrees in everything, of several the one with the fewest
warnings and then by name. Else one is put together, place by place, of those who agree there. Whatever is taken holds
by the rubric; where nothing does, the task stays.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec.structs import replace

from desktop_rater.audit.composing import composed
from desktop_rater.audit.make_digest import make_digest
from desktop_rater.model.rating import Rating
from desktop_rater.model.strict_json import read_object, read_struct
from desktop_rater.model.task import Task
from desktop_rater.rubric import check, leaving
from desktop_rater.rubric.suggestions import counted
from desktop_rater.store import received
from desktop_rater.work.adjudicated_table import plain
from desktop_rater.work.as_rated import Places
from desktop_rater.work.audit_desk import language_of
from desktop_rater.work.rate import judged

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop_rater.audit.adjudication import Decision
    from desktop_rater.audit.filed import Audit, Filed
    from desktop_rater.audit.judged import Judged
    from desktop_rater.audit.reviews import Reviews, Values
    from desktop_rater.store.store import Store

ADJUDICATED = "adjudicated"
"""The key of a rating that says where each final value comes from."""

_OWN = ""  # the lead's own rating, among those of raters


class Adjudicated(msgspec.Struct, frozen=True, kw_only=True):
    """A rating as it leaves, the text that it rates, and when the last of what it rests on was said."""

    rating: Rating
    line: bytes
    changed: str


class _Known(NamedTuple):
    rating: Rating
    changed: str


class WholeRatings:
    """Finds the rating of one task after the other. `rater` is whose ratings they become."""

    def __init__(self, store: Store, audit: Audit, reviews: Reviews, questions: Sequence[Judged], rater: str) -> None:
        self._store = store
        self._audit = audit
        self._reviews = reviews
        self._questions = {one.id: one for one in questions}
        self._rater = rater
        self._language = language_of(store, audit)

    def of(self, task: str, decisions: Sequence[Decision]) -> Adjudicated | None:
        """The rating of a task none of whose decisions is open; `None` where nothing holds."""
        known = self._known(task)
        if not decisions:
            return self._skipped(task)
        at: dict[str, list[Decision]] = defaultdict(list)
        for one in decisions:
            at[one.where].append(one)
        agreeing = {
            where: [name for name, values in known.items() if self._agrees(values, some)] for where, some in at.items()
        }
        for name in known:
            if all(name in names for names in agreeing.values()):
                found = self._finished(task, dict.fromkeys(at, name), at)
                if found is not None:
                    return found
        if not all(agreeing.values()):
            return None
        often = {name: sum(name in names for names in agreeing.values()) for name in known}
        base = max(known, key=lambda name: often[name])
        return self._finished(task, {where: base if base in some else some[0] for where, some in agreeing.items()}, at)

    def _known(self, task: str) -> dict[str, Values]:
        """Who said what of the task, in the order in which they are asked for a rating."""
        own = self._reviews.owns.get(task)
        people = [one for one in self._people(task) if one.digest.status == "complete"]
        people.sort(key=lambda one: (len(one.digest.warnings), one.rater))
        return ({} if own is None else {_OWN: own.values}) | {one.rater: one.digest.values for one in people}

    def _people(self, task: str) -> list[Filed]:
        found = (self._audit.ratings.get((task, name)) for name in self._audit.raters)
        return [one for one in found if one is not None and one.rater not in self._audit.models]

    def _agrees(self, values: Values, decisions: Sequence[Decision]) -> bool:
        """Whether somebody says at a place what was decided there."""
        binding = (one for one in decisions if one.decisive or one.label)
        return all(self._questions[one.question].value(values.get(one.where, {})) == one.value for one in binding)

    def _skipped(self, task: str) -> Adjudicated | None:
        """Of a task that everybody skipped: that it can't be rated."""
        people = self._people(task)
        if not people or any(one.digest.status != "skipped" for one in people):
            return None
        return self._finished(task, {"task": people[0].rater}, {})

    def _finished(
        self, task: str, parts: Mapping[str, str], decisions: Mapping[str, Sequence[Decision]]
    ) -> Adjudicated | None:
        """The rating made of those parts, if it holds and says what was decided. `parts`: where → whose."""
        line = received.text(self._store, self._audit.texts[task])
        known = {name: self._load(task, name) for name in dict.fromkeys(parts.values())}
        base = max(known, key=lambda name: (sum(one == name for one in parts.values()), name == _OWN))
        rating = composed(known[base].rating, {where: known[name].rating for where, name in parts.items()})
        placed = Places(read_struct(read_object(line), Task), self._audit.rubric, self._language).of(rating)
        rating = self._renamed(rating, {where: self._told(some, parts) for where, some in decisions.items()})
        rubric = self._audit.rubric
        outcome = check(rubric, placed, rating)
        values = make_digest(rating, outcome, ()).values
        if outcome.blocking or not all(self._agrees(values, some) for some in decisions.values()):
            return None
        rating = replace(rating, suggestions=counted(rubric, placed, rating, outcome))
        changed = max(one.changed for one in known.values())
        left = leaving(judged(replace(rating, changed=changed), outcome, as_complete=True), outcome)
        return Adjudicated(rating=left, line=line, changed=changed)

    def _load(self, task: str, name: str) -> _Known:
        if name == _OWN:
            own = self._reviews.owns[task].own
            assert own.rating is not None, "one that was taken back does not count"
            return _Known(own.rating, own.changed)
        stored = received.get(self._store, self._audit.ratings[task, name].results, task)
        return _Known(stored.rating, stored.history[-1].changed)

    def _renamed(self, rating: Rating, told: dict[str, Any]) -> Rating:
        extra = {ADJUDICATED: told} if told else {}
        return replace(rating, rater=self._rater, rubric=self._audit.rubric.ref, revision=1, note="", unknown=extra)

    def _told(self, decisions: Sequence[Decision], parts: Mapping[str, str]) -> dict[str, Any]:
        """How a place was decided, for the rating itself."""
        labels = {}
        for one in decisions:
            if one.value is not None:
                how = {"how": one.how, "lead": one.lead} if one.source == "lead" else {}
                counts = {"for": one.votes_for, "against": one.against}
                value = plain(self._audit.rubric, self._questions[one.question], one.value)
                labels[one.question] = {"is": value, "source": one.source, **how, **counts}
        return {"from": parts[decisions[0].where] or self._rater, "labels": labels}
