"""What a rubric's author may have overlooked: it loads, and a rater would stumble over it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from desktop_rater.rubric.domains import Steps
from desktop_rater.rubric.looks import SHAPES, TONES
from desktop_rater.rubric.vain import Remark, remarks_of_conditions

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from desktop_rater.model.rubric import Question
    from desktop_rater.rubric.compiled import Rubric
    from desktop_rater.rubric.condition import Condition

LONGEST_ASK, LONGEST_LABEL, MOST_STEPS, MOST_DIGITS = 100, 40, 11, 9
_OF_EVIDENCE = frozenset({"supporting", "contradicting", "urls_on_both_sides"})


def remarks(rubric: Rubric, sections: Collection[str] | None = None) -> list[Remark]:
    """Everything that can be said; `sections` are the headings of its guidelines, where they are known."""
    found = [*_of_the_whole(rubric), *remarks_of_conditions(rubric), *_of_missing_tables(rubric), *_of_messages(rubric)]
    known = None if sections is None else {_plain(name) for name in sections}
    asks = Counter((one.per, _plain(one.ask)) for one in rubric.file.questions)
    read = set(_read(rubric))
    for index, one in enumerate(rubric.file.questions):
        reasons = [*_of_words(one), *_of_keys(one), *_of_scale(one), *_of_looks(one)]
        if one.required is False and one.id not in read and one.kind != "text":
            reasons.append("nothing requires it and nothing reads it: raters may pass it by")
        if asks[one.per, _plain(one.ask)] > 1 and not _differs_by_section(rubric, one):
            reasons.append(f"another question per {one.per} asks the same words")
        if known is not None and one.section and _plain(one.section) not in known:
            reasons.append(f"the guidelines have no heading {one.section!r}")
        found += [Remark("questions", index, reason) for reason in reasons]
    return found


def _of_the_whole(rubric: Rubric) -> Iterator[Remark]:
    file = rubric.file
    if not file.questions:
        yield Remark("", 0, "it asks nothing")
    elif all(one.required is False for one in file.questions):
        yield Remark("", 0, "no question is required: a task is complete before anything is answered")
    if not file.title.strip():
        yield Remark("", 0, "it has no title: raters see its id")


def _of_missing_tables(rubric: Rubric) -> Iterator[Remark]:
    """What counts evidence and claims where there can be none."""
    file = rubric.file
    hangs_on = file.evidence.per if file.evidence is not None else None
    for table, index, scope, names in _conditions(rubric):
        if scope == "evidence" and hangs_on is None:
            yield Remark(table, index, "nothing ever comes to it: the rubric has no [evidence]")
        counted = sorted(_OF_EVIDENCE & names)
        if counted and hangs_on != "target":
            where = "there is no [evidence]" if hangs_on is None else "evidence hangs on responses"
            yield Remark(table, index, f"`{counted[0]}` is always 0: {where}")
        if "claims" in names and file.claims is None:
            yield Remark(table, index, "`claims` is always 0: there is no [claims]")


def _of_messages(rubric: Rubric) -> Iterator[Remark]:
    for table, rows in (("decide", rubric.file.decide), ("rules", rubric.file.rules)):
        for index, row in enumerate(rows):
            if not row.message.strip():
                yield Remark(table, index, "it has no message: raters are not told why")


def _of_words(question: Question) -> Iterator[str]:
    if len(question.ask) > LONGEST_ASK:
        yield f"it asks in {len(question.ask)} characters: more than {LONGEST_ASK} fill the form; `hint` takes the rest"
    for choice in question.choices:
        if len(choice.label) > LONGEST_LABEL:
            yield f"choice {choice.id!r}: a label of {len(choice.label)} characters is no button; `hint` takes the rest"
    labels = Counter(_plain(choice.label) for choice in question.choices)
    if any(count > 1 for count in labels.values()):
        yield "two of its choices have the same label"
    if question.kind == "choice" and len(question.choices) == 1 and question.required is True:
        yield "it has one choice, and that is required: nothing is left to judge"


def _of_keys(question: Question) -> Iterator[str]:
    without = [(index, choice) for index, choice in enumerate(question.choices) if not choice.key]
    if without and len(without) < len(question.choices):
        yield f"choice {without[0][1].id!r} has no key while others have one"
    beyond = [choice for index, choice in without if index >= MOST_DIGITS]
    if beyond:
        yield f"choice {beyond[0].id!r} is taken by no key: only the first {MOST_DIGITS} have a digit"


def _of_scale(question: Question) -> Iterator[str]:
    if question.kind != "scale":
        return
    low, high = question.min or 0, question.max or 0
    count = len(Steps(low=low, high=high, step=question.step or 1).all())
    if count > MOST_STEPS:
        yield f"a scale of {count} steps: more than {MOST_STEPS} do not fit in a row"
    anchored = {anchor.at for anchor in question.anchors}
    bare = [end for end in (low, high) if end not in anchored]
    if bare and not question.levels:
        yield f"no anchor says what {' and '.join(map(str, bare))} means"


def _of_looks(question: Question) -> Iterator[str]:
    for choice in question.choices:
        if choice.tone and choice.tone not in TONES:
            yield f"choice {choice.id!r}: no tone is called {choice.tone!r}: it looks plain"
        if choice.shape and choice.shape not in SHAPES:
            yield f"choice {choice.id!r}: no shape is called {choice.shape!r}: it is left out"


def _differs_by_section(rubric: Rubric, question: Question) -> bool:
    """Whether the same words follow different questions: each hangs on one of its own."""
    same = [one for one in rubric.file.questions if (one.per, _plain(one.ask)) == (question.per, _plain(question.ask))]
    hang = [frozenset(rubric.questions[one.id].relevant.names()) for one in same]
    return all(hang) and len(set(hang)) == len(hang)


def _read(rubric: Rubric) -> Iterator[str]:
    """Every name that something in the rubric looks at."""
    for _table, _index, _scope, names in _conditions(rubric):
        yield from names
    yield from (row.sets for row in rubric.file.decide)
    yield from rubric.file.combine
    yield from rubric.file.compare.by if rubric.file.compare is not None else ()


def _conditions(rubric: Rubric) -> Iterator[tuple[str, int, str, set[str]]]:
    """Table, index, scope and names of whatever has a condition."""
    for index, one in enumerate(rubric.file.questions):
        asking = rubric.questions[one.id]
        yield "questions", index, one.per, _names(asking.relevant, asking.required)
    deciding = {one.row.id: one for scope in rubric.deciding.values() for one in scope}
    for index, row in enumerate(rubric.file.decide):
        yield "decide", index, row.per, _names(deciding[row.id].when)
    ruling = {one.rule.id: one for scope in rubric.ruling.values() for one in scope}
    for index, rule in enumerate(rubric.file.rules):
        yield "rules", index, rule.per, _names(ruling[rule.id].when, ruling[rule.id].require)
    if rubric.file.evidence is not None:
        yield "evidence", 0, rubric.file.evidence.per, _names(rubric.evidence)
    yield "claims", 0, "target", _names(rubric.claims)


def _names(*conditions: Condition | None) -> set[str]:
    return {name for condition in conditions if condition is not None for name in condition.names()}


def _plain(words: str) -> str:
    return " ".join(words.split()).casefold()
