"""The score of what raters wrote, by what gold texts say. Pure: who says what a text says stands elsewhere.

A cluster is what one set of points is made for. By default that is one text question of the whole bundle: then the
points are what its gold texts speak of, they differ from task to task, and so their priors say something. A cluster of
one place alone rests on the few gold texts that stand there; where they all say the same, every score is 1/2.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Literal

import msgspec

from desktop_rater.stats import justification
from desktop_rater.stats.justification import Said, score

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from desktop_rater.model.rating import Rating
    from desktop_rater.rubric import Rubric

By = Literal["bundle", "place"]
WAYS = ("AV", "AMV", "AFV", "AFMV", "MV")


class Text(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody wrote to one question at one place. `rater` is empty for gold that nobody of the raters gave."""

    task: str
    where: str
    question: str
    rater: str
    text: str


class Cluster(msgspec.Struct, frozen=True, kw_only=True):
    """Gold texts, and the texts of raters at the same places."""

    id: str
    question: str
    gold: tuple[Text, ...]
    texts: tuple[Text, ...]


class TextScore(msgspec.Struct, frozen=True, kw_only=True):
    """By each way, in [0, 1]. `gold`: how many gold texts of the place it was held against, and `points` how many."""

    AV: Fraction
    AMV: Fraction
    AFV: Fraction
    AFMV: Fraction
    MV: Fraction
    points: int
    gold: int


def texts_of(rubric: Rubric, rating: Rating, rater: str) -> Iterator[Text]:
    """Every text that a rating holds as it left, place by place. What was written of claims stands at their target."""
    written = {name for name, one in rubric.questions.items() if one.question.kind == "text"}
    answers = rating.answers
    places = [("task", answers.task)]
    places += [(f"responses/{name}", given) for name, given in answers.responses.items()]
    places += [(f"targets/{name}", given) for name, given in answers.targets.items()]
    found: dict[tuple[str, str], list[str]] = {}
    for where, given in places:
        for question in written & given.keys():
            found.setdefault((where, question), []).append(str(given[question]))
    for target, claims in rating.claims.items():
        for claim in claims:
            for question in written & claim.answers.keys():
                words = f"{claim.text}: {claim.answers[question]}" if claim.text else str(claim.answers[question])
                found.setdefault((f"targets/{target}", question), []).append(words)
    for (where, question), words in sorted(found.items()):
        text = "\n".join(words).strip()
        if text:
            yield Text(task=rating.task, where=where, question=question, rater=rater, text=text)


def clusters(gold: Iterable[Text], written: Iterable[Text], by: By) -> tuple[Cluster, ...]:
    """What can be scored: texts at places where a gold text stands that is not the rater's own."""
    golds: dict[str, list[Text]] = {}
    places: dict[tuple[str, str, str], set[str]] = {}
    for one in gold:
        golds.setdefault(_cluster(one, by), []).append(one)
        places.setdefault(_place(one), set()).add(one.rater)
    texts: dict[str, list[Text]] = {name: [] for name in golds}
    for one in written:
        if places.get(_place(one), {one.rater}) - {one.rater}:
            texts[_cluster(one, by)].append(one)
    return tuple(
        Cluster(id=name, question=golds[name][0].question, gold=tuple(golds[name]), texts=tuple(found))
        for name, found in texts.items()
        if found
    )


def priors(said: Iterable[Sequence[Said]]) -> tuple[Fraction | None, ...]:
    """Of each point the share of gold texts that agree, of those that say something; `None` where none does."""
    columns = zip(*said, strict=True)
    return tuple(_prior([one for one in column if one is not None]) for column in columns)


def scored(
    topics: Sequence[str],
    gold: Sequence[tuple[Text, Sequence[Said]]],
    text: Text,
    report: Sequence[Said],
    known: Mapping[str, tuple[Fraction | None, ...]] | None = None,
) -> TextScore | None:
    """The score of a text; `None` where nothing can be held against it.

    A rater's own gold text is neither a truth nor in a prior here. Of several gold texts at the place the score is the
    mean. `known` may hold the priors by rater, so that they are not counted for every text.
    """
    others = [(one, said) for one, said in gold if not one.rater or one.rater != text.rater]
    if not others:
        return None
    prior = known[text.rater] if known is not None else priors([said for _, said in others])
    usable = [at for at, share in enumerate(prior) if share is not None]
    truths = [said for one, said in others if _place(one) == _place(text)]
    if not usable or not truths:
        return None
    every = [
        score([justification.Point(topics[at], prior[at] or Fraction(0), report[at], truth[at]) for at in usable])
        for truth in truths
    ]
    return TextScore(
        AV=_mean(one.av for one in every),
        AMV=_mean(one.amv for one in every),
        AFV=_mean(one.afv for one in every),
        AFMV=_mean(one.afmv for one in every),
        MV=_mean(one.mv for one in every),
        points=len(usable),
        gold=len(truths),
    )


def _place(text: Text) -> tuple[str, str, str]:
    return text.task, text.where, text.question


def _cluster(text: Text, by: By) -> str:
    return text.question if by == "bundle" else f"{text.task}/{text.where}/{text.question}"


def _prior(said: list[Literal[0, 1]]) -> Fraction | None:
    return Fraction(sum(said), len(said)) if said else None


def _mean(values: Iterable[Fraction]) -> Fraction:
    every = list(values)
    return sum(every, Fraction(0)) / len(every)
