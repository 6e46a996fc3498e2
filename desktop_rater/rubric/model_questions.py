"""The part of a rubric that a language model answers: nothing that rests on pages that have to be opened."""

from collections.abc import Collection, Iterable, Iterator

from msgspec.structs import replace

from desktop_rater.model.rating import Rating
from desktop_rater.rubric.compile import RubricCompiler
from desktop_rater.rubric.compiled import CompiledQuestion, Rubric
from desktop_rater.rubric.condition import Condition
from desktop_rater.rubric.load import RubricError
from desktop_rater.rubric.validate import RubricFault
from desktop_rater.text.unseen_characters import is_blank

# Facts about evidence, opened links and time of research. A model opens nothing.
_RESEARCH = frozenset({
    "supporting", "contradicting", "urls_on_both_sides", "url_valid", "url_repeated", "claim_known", "opened", "quote",
    "snapshot", "links_unopened", "tool_links_unopened", "links_differing", "research_seconds",
})  # fmt: skip


REASONS_KEY = "reasons"
"""Key of a model's rating for its reasons: place → question id → text."""


def reasons_at(rating: Rating, where: str) -> dict[str, str]:
    """Return the reasons that a model gave for its answers at a place: question id → text. A file may hold anything."""
    places = rating.unknown.get(REASONS_KEY)
    given = places.get(where) if isinstance(places, dict) else None
    texts = given.items() if isinstance(given, dict) else ()
    return {name: text for name, text in texts if isinstance(text, str) and not is_blank(text)}


def without_research(rubric: Rubric) -> tuple[str, ...]:
    """Return the questions that are asked whatever pages were opened."""
    return tuple(question.question.id for question in _kept(rubric, rubric.questions))


def with_questions_before(rubric: Rubric, chosen: Iterable[str]) -> set[str]:
    """Return the chosen questions, with those whose answers decide whether they are asked."""
    names: set[str] = set()
    waiting = [name for name in chosen if name in rubric.questions]
    while waiting:
        name = waiting.pop()
        if name not in names:
            names.add(name)
            waiting += [before for before in rubric.questions[name].relevant.names() if before in rubric.questions]
    return names


def rubric_for_model(rubric: Rubric, questions: Collection[str] | None) -> Rubric:
    """Return the rubric by which a model is checked that was asked only these questions; `None` means all.

    It has no evidence, and only those decisions and rules that test nothing else. Raises `RubricError`.
    """
    if questions is None:
        return rubric
    file, kept = rubric.file, _kept(rubric, questions)
    names = {question.question.id for question in kept}
    gone = _gone(rubric, names)
    decide = tuple(
        row.row for row in rubric.decisions.values() if row.row.sets in names and gone.isdisjoint(row.when.names())
    )
    gone |= {"decided_by"} if len(decide) < len(file.decide) else set()
    compare = file.compare if file.compare is not None and names.issuperset(file.compare.by) else None
    gone |= {"better"} if compare is None else set()
    rules = tuple(
        rule.rule
        for scope in rubric.rules_by_scope.values()
        for rule in scope
        if rule.rule.per != "evidence" and gone.isdisjoint(_names(rule.when, rule.require))
    )
    claims = None if rubric.claims is None or not gone.isdisjoint(rubric.claims.names()) else file.claims
    new = replace(
        file,
        evidence=None,
        claims=claims,
        combine={name: values for name, values in file.combine.items() if name in names},
        compare=compare,
        questions=tuple(
            question.question
            if question.required is None or gone.isdisjoint(question.required.names())
            else replace(question.question, required=False)
            for question in kept
        ),
        decide=decide,
        rules=rules,
    )
    try:
        return RubricCompiler(new).rubric()
    except RubricFault as fault:
        title = f"{rubric.ref} has no part with these questions alone"
        raise RubricError(title, f"{fault}.", "Nothing was loaded.") from None


def _kept(rubric: Rubric, chosen: Collection[str]) -> list[CompiledQuestion]:
    """Return the chosen questions, without those that depend on research or on a question that is not chosen."""
    kept = [question for name, question in rubric.questions.items() if name in chosen]
    while True:
        gone = _gone(rubric, {question.question.id for question in kept})
        fewer = [question for question in kept if gone.isdisjoint(question.relevant.names())]
        if len(fewer) == len(kept):
            return kept
        kept = fewer


def _gone(rubric: Rubric, kept: set[str]) -> set[str]:
    return {*_RESEARCH, *rubric.questions} - kept


def _names(*conditions: Condition | None) -> Iterator[str]:
    return (name for condition in conditions if condition is not None for name in condition.names())
