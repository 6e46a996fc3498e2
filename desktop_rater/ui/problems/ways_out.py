"""The ways out of a problem, read off the rubric's data: what to change, what to think over, where to write. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

from desktop_rater.rubric.condition import parse
from desktop_rater.rubric.values import same
from desktop_rater.ui import moves

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop_rater.model.place import Place
    from desktop_rater.model.rating import Problem
    from desktop_rater.model.rubric import Choice, Question
    from desktop_rater.rubric import Outcome, Rubric

Kind = Literal["change", "reconsider", "weigh", "write", "answer", "open", "mend", "acknowledge", "take_back"]
FIELDS = {"quote": "quote", "url_valid": "url", "url_repeated": "url", "claim_known": "claim"}
EVIDENCE_FACTS = {"supporting", "contradicting", "urls_on_both_sides"}


@dataclass(frozen=True)
class WayOut:
    """One way. `question` is what it is about, `value` the answer that it gives, `field` one of a piece of evidence."""

    kind: Kind
    question: Question | None = None
    choice: Choice | None = None
    value: Any = None
    field: str = ""
    keys: str = ""


def ways_out(rubric: Rubric, outcome: Outcome, problem: Problem, *, acknowledged: bool) -> tuple[WayOut, ...]:
    """The ways out of one problem, the nearest first."""
    if acknowledged:
        return (WayOut("take_back"),)
    place = outcome.places[problem.where]
    kind, _, name = problem.rule.partition(":")
    if kind == "contradicts":
        found = list(_contradiction(rubric, outcome, place, name))
    elif kind == "required":
        found = [_answer(rubric, name)]
    else:
        found = list(_rule(rubric, outcome, problem, place))
    if problem.level == "warn":
        found.append(WayOut("acknowledge"))
    return tuple(found)


def _contradiction(rubric: Rubric, outcome: Outcome, place: Place, name: str) -> Iterable[WayOut]:
    row = next(one for one in rubric.file.decide if one.id == name)
    sets = rubric.questions[row.sets].question
    choice = next((one for one in sets.choices if same(one.id, row.then)), None)
    yield WayOut("change", sets, choice, row.then, keys=choice.key.upper() if choice is not None else "")
    names = list(parse(row.when).names())
    shown = _asked(outcome, place)
    asked = [one for one in names if one in rubric.questions and one in shown]
    if asked:
        question = rubric.questions[asked[-1]].question
        yield WayOut("reconsider", question, keys=key_range(question))
    elif EVIDENCE_FACTS & set(names):
        yield WayOut("weigh")


def _answer(rubric: Rubric, name: str) -> WayOut:
    question = rubric.questions[name].question
    if question.kind == "text":
        return WayOut("write", question, keys="W")
    return WayOut("answer", question, keys=key_range(question))


def _rule(rubric: Rubric, outcome: Outcome, problem: Problem, place: Place) -> Iterable[WayOut]:
    rule = next((one for one in rubric.file.rules if one.id == problem.rule), None)
    wanted = list(parse(rule.require).names()) if rule is not None and rule.require else []
    if place.evidence is not None:
        yield WayOut("open", keys="O")
        field = next((FIELDS[one] for one in wanted if one in FIELDS), "")
        if field:
            yield WayOut("mend", field=field, keys="Q" if field == "quote" else "")
        return
    shown = _asked(outcome, place)
    text = next((one for one in wanted if one in shown and rubric.questions[one].question.kind == "text"), None)
    if text is not None:
        yield WayOut("write", rubric.questions[text].question, keys="W")
        return
    if EVIDENCE_FACTS & set(wanted):
        yield WayOut("weigh")
    blamed = [*wanted, *(parse(rule.when).names() if rule is not None and rule.when else ())]
    asked = next((one for one in blamed if one in shown), None)
    if asked is not None:
        question = rubric.questions[asked].question
        yield WayOut("reconsider", question, keys=key_range(question))


def _asked(outcome: Outcome, place: Place) -> set[str]:
    """The questions asked at a place and at the target around it."""
    wheres = (moves.where_of(place), moves.where_of(moves.stop_of(place)))
    return {one.question.id for where in wheres for one in outcome.asked.get(where, ())}


def key_range(question: Question) -> str:
    """The keys of a question's choices: "1–3" where they follow each other, "A I U D" where they do not."""
    keys = [choice.key.upper() for choice in question.choices if choice.key]
    if len(keys) < 2 or len(keys) > 4:
        return keys[0] if len(keys) == 1 else ""
    follow = all(ord(later) == ord(one) + 1 for one, later in pairwise(keys))
    return f"{keys[0]}–{keys[-1]}" if follow else " ".join(keys)


def short_name(question: Question) -> str:
    """What a question is about, to stand inside a sentence: the heading of its section, else its own words."""
    name = question.ask.rstrip("?. ") if question.kind == "text" else question.section or question.ask.rstrip("?. ")
    # An abbreviation keeps its capitals.
    return name[:1].lower() + name[1:] if name[1:2].islower() else name
