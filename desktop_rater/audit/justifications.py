"""Scores of written justifications against gold texts. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Literal

import msgspec

from desktop_rater.model.rating import Rating
from desktop_rater.rubric import Rubric
from desktop_rater.stats import scores
from desktop_rater.stats.scores import PointOpinion, ScoringRule, recall_score, score_text

ClusterBy = Literal["bundle", "place"]
SCORE_RULES = ("AV", "AMV", "AFV", "AFMV", "MV", "RC")
FLAT_RULE = "RC"  # the score that reports show where all priors are 0 or 1
DEFAULT_RULE = ScoringRule()


class WrittenText(msgspec.Struct, frozen=True, kw_only=True):
    """Text written for one question at one place. `rater` is empty for gold that is not by a rater."""

    task: str
    where: str
    question: str
    rater: str
    text: str


class TextCluster(msgspec.Struct, frozen=True, kw_only=True):
    """Gold texts, and the texts of raters at the same places."""

    id: str
    question: str
    gold: tuple[WrittenText, ...]
    texts: tuple[WrittenText, ...]


class JustificationScore(msgspec.Struct, frozen=True, kw_only=True):
    """Scores of a text by each rule, in [0, 1]; `gold`: number of gold texts compared with, `points`: of points."""

    AV: Fraction
    AMV: Fraction
    AFV: Fraction
    AFMV: Fraction
    MV: Fraction
    RC: Fraction
    points: int
    gold: int


def texts_in_rating(rubric: Rubric, rating: Rating, rater: str) -> Iterator[WrittenText]:
    """Yield every text of an exported rating, place by place. Texts on claims belong to their target."""
    written = {name for name, compiled in rubric.questions.items() if compiled.question.kind == "text"}
    answers = rating.answers
    places = [("task", answers.task)]
    places += [(f"responses/{name}", given) for name, given in answers.responses.items()]
    places += [(f"targets/{name}", given) for name, given in answers.targets.items()]
    by_place: dict[tuple[str, str], list[str]] = {}
    for where, given in places:
        for question in written & given.keys():
            by_place.setdefault((where, question), []).append(str(given[question]))
    for target, claims in rating.claims.items():
        for claim in claims:
            for question in written & claim.answers.keys():
                lines = f"{claim.text}: {claim.answers[question]}" if claim.text else str(claim.answers[question])
                by_place.setdefault((f"targets/{target}", question), []).append(lines)
    for (where, question), lines in sorted(by_place.items()):
        text = "\n".join(lines).strip()
        if text:
            yield WrittenText(task=rating.task, where=where, question=question, rater=rater, text=text)


def clusters(gold: Iterable[WrittenText], written: Iterable[WrittenText], by: ClusterBy) -> tuple[TextCluster, ...]:
    """Group the texts that can be scored: those at places with a gold text that is not the rater's own."""
    golds: dict[str, list[WrittenText]] = {}
    places: dict[tuple[str, str, str], set[str]] = {}
    for text in gold:
        golds.setdefault(_cluster(text, by), []).append(text)
        places.setdefault(_place(text), set()).add(text.rater)
    texts: dict[str, list[WrittenText]] = {name: [] for name in golds}
    for text in written:
        if places.get(_place(text), {text.rater}) - {text.rater}:
            texts[_cluster(text, by)].append(text)
    return tuple(
        TextCluster(id=name, question=golds[name][0].question, gold=tuple(golds[name]), texts=tuple(members))
        for name, members in texts.items()
        if members
    )


def priors(
    positions: Iterable[Sequence[PointOpinion]], rule: ScoringRule = DEFAULT_RULE
) -> tuple[Fraction | None, ...]:
    """Return the prior of each point; `None` if no gold text takes a position on it."""
    return tuple(rule.prior(column) for column in zip(*positions, strict=True))


def are_flat(shares: Iterable[Fraction | None]) -> bool:
    """Return whether all priors are 0 or 1, so that the rule gives each text one half, whatever it says."""
    priors_taken = [share for share in shares if share is not None]
    return bool(priors_taken) and all(share in (0, 1) for share in priors_taken)


def positions_taken(
    gold: Iterable[tuple[WrittenText, Sequence[PointOpinion]]], text: WrittenText
) -> frozenset[int] | None:
    """Return the points on which a gold text at the place of a text takes a position; `None` without a gold text.

    The other points score one half whatever the text says, so it need not be asked about them.
    """
    own = [positions for other, positions in gold if _place(other) == _place(text)]
    if not own:
        return None
    return frozenset(index for positions in own for index, position in enumerate(positions) if position is not None)


def score_justification(
    topics: Sequence[str],
    gold: Sequence[tuple[WrittenText, Sequence[PointOpinion]]],
    text: WrittenText,
    report: Sequence[PointOpinion],
    priors_by_rater: Mapping[str, tuple[Fraction | None, ...]] | None = None,
    rule: ScoringRule = DEFAULT_RULE,
) -> JustificationScore | None:
    """Score a text; returns `None` if it cannot be compared with any gold text.

    A rater's own gold text counts neither as a truth nor in a prior. With several gold texts at the place the score is
    their mean. `priors_by_rater` may hold the priors by rater, so that they are not computed for every text.
    """
    others = [(other, positions) for other, positions in gold if not other.rater or other.rater != text.rater]
    if not others:
        return None
    prior = (
        priors_by_rater[text.rater]
        if priors_by_rater is not None
        else priors([positions for _, positions in others], rule)
    )
    usable = [index for index, share in enumerate(prior) if share is not None]
    truths = [positions for other, positions in others if _place(other) == _place(text)]
    if not usable or not truths:
        return None
    every = [
        score_text(
            [
                scores.RulePoint(topics[index], prior[index] or Fraction(0), report[index], rule.truth(truth[index]))
                for index in usable
            ]
        )
        for truth in truths
    ]
    return JustificationScore(
        AV=_mean(result.av for result in every),
        AMV=_mean(result.amv for result in every),
        AFV=_mean(result.afv for result in every),
        AFMV=_mean(result.afmv for result in every),
        MV=_mean(result.mv for result in every),
        RC=_mean(recall_score(report, truth) for truth in truths),
        points=len(usable),
        gold=len(truths),
    )


def _place(text: WrittenText) -> tuple[str, str, str]:
    return text.task, text.where, text.question


def _cluster(text: WrittenText, by: ClusterBy) -> str:
    return text.question if by == "bundle" else f"{text.task}/{text.where}/{text.question}"


def _mean(values: Iterable[Fraction]) -> Fraction:
    every = list(values)
    return sum(every, Fraction(0)) / len(every)
