"""Score raters' texts: an oracle tells what each text says about each point, and a proper scoring rule scores it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from desktop_rater.audit.results import Audit
from desktop_rater.format.change import NO_CHANGE, Change, Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import canonical_json
from desktop_rater.operations.audit.load_audit import audit_gold, language_of, load_audit
from desktop_rater.operations.audit.text_scores import (
    MAIN_RULE,
    SCORES_SUBJECT,
    ScoredRater,
    StoredScores,
    ratings_sha256,
)
from desktop_rater.plugins.scoring.oracles import Oracle, OraclePoint, TextPositions
from desktop_rater.rubric import Rubric
from desktop_rater.stats import scores
from desktop_rater.stats.scores import PointOpinion, ScoringRule, recall_score, score_text
from desktop_rater.store import received, reviews
from desktop_rater.store.store import Store

if TYPE_CHECKING:
    from desktop_rater.stats.cluster_bootstrap import Estimate


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

    @property
    def key(self) -> tuple[str, str, str, str]:
        return self.task, self.where, self.question, self.rater


class TextCluster(msgspec.Struct, frozen=True, kw_only=True):
    """Gold texts, and the texts of raters at the same places."""

    id: str
    question: str
    gold: tuple[WrittenText, ...]
    texts: tuple[WrittenText, ...]


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


def score_justification(
    topics: Sequence[str],
    gold: Sequence[tuple[WrittenText, Sequence[PointOpinion]]],
    text: WrittenText,
    report: Sequence[PointOpinion],
    priors_by_rater: Mapping[str, tuple[Fraction | None, ...]] | None = None,
    rule: ScoringRule = DEFAULT_RULE,
) -> dict[str, Fraction] | None:
    """Return the scores of a text by `SCORE_RULES`, in [0, 1]; `None` if it cannot be compared with any gold text.

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
    results = [
        score_text(
            [
                scores.RulePoint(topics[index], prior[index] or Fraction(0), report[index], rule.truth(truth[index]))
                for index in usable
            ]
        )
        for truth in truths
    ]
    by_rule = {
        rule: _mean(getattr(result, rule.lower()) for result in results) for rule in SCORE_RULES if rule != FLAT_RULE
    }
    return {**by_rule, FLAT_RULE: _mean(recall_score(report, truth) for truth in truths)}


def _place(text: WrittenText) -> tuple[str, str, str]:
    return text.task, text.where, text.question


def _cluster(text: WrittenText, by: ClusterBy) -> str:
    return text.question if by == "bundle" else f"{text.task}/{text.where}/{text.question}"


def _mean(values: Iterable[Fraction]) -> Fraction:
    every = list(values)
    return sum(every, Fraction(0)) / len(every)


_STEP = 50


class NoGoldTexts(RaterError):
    """There is no gold text to compare with."""


class ScoringOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Options. `trusted`: raters whose texts also count as gold. `questions`, `raters`: filters; empty means all."""

    by: ClusterBy = "bundle"
    rule: ScoringRule = DEFAULT_RULE
    trusted: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    raters: tuple[str, ...] = ()


class JustificationTexts(msgspec.Struct, frozen=True, kw_only=True):
    """Texts to score. `written`: rater → number of texts, scored or not. `language`: the bundle's."""

    audit: Audit
    clusters: tuple[TextCluster, ...]
    written: dict[str, int]
    language: str
    rule: ScoringRule = DEFAULT_RULE


def gather_justifications(store: Store, bundle: str, options: ScoringOptions, progress: Progress) -> JustificationTexts:
    """Collect the texts. Raises `RaterError` if there is no gold text."""
    audit = load_audit(store, bundle)
    _check_names(audit, options)
    written: list[WrittenText] = []
    for index, (task, rater) in enumerate(sorted(audit.ratings)):
        if index % _STEP == 0:
            progress(index, len(audit.ratings))
        filed = audit.ratings[task, rater]
        if filed.digest.texts or rater in options.trusted:
            rating = received.received_rating(store, filed.results, task)
            written += texts_in_rating(audit.rubric, rating, rater)
    golden = [text for text in _gold(store, bundle, audit) if _asked_for(text, options)]
    golden += [text for text in written if text.rater in options.trusted and _asked_for(text, options)]
    if not golden:
        raise NoGoldTexts(
            "There are no gold texts to compare with.",
            f"Neither the gold answers of {bundle!r} nor those of trusted raters contain texts.",
            "Open the lead's copy of the bundle with its gold, or name raters with --trust.",
        )
    scored = [
        text for text in written if _asked_for(text, options) and (not options.raters or text.rater in options.raters)
    ]
    counts = {rater: sum(text.rater == rater for text in scored) for rater in audit.raters}
    return JustificationTexts(
        audit=audit,
        clusters=clusters(golden, scored, options.by),
        written=counts,
        language=language_of(audit) or "en",
        rule=options.rule,
    )


def _gold(store: Store, bundle: str, audit: Audit) -> Iterator[WrittenText]:
    for _, ratings in sorted(audit_gold(store, bundle).items()):
        for rating in ratings:
            yield from texts_in_rating(audit.rubric, rating, "")


def _asked_for(text: WrittenText, options: ScoringOptions) -> bool:
    return not options.questions or text.question in options.questions


def _check_names(audit: Audit, options: ScoringOptions) -> None:
    unknown = [name for name in (*options.trusted, *options.raters) if name not in audit.raters]
    if unknown:
        names = ", ".join(audit.raters)
        raise RaterError(f"There are no results of the rater {unknown[0]!r}.", f"Raters with results: {names}.")
    for name in options.questions:
        if name not in audit.rubric.questions or audit.rubric.questions[name].question.kind != "text":
            texts = [
                question_id for question_id, entry in audit.rubric.questions.items() if entry.question.kind == "text"
            ]
            raise RaterError(f"{name!r} is not a text question.", f"Text questions: {', '.join(texts) or 'none'}.")


FLAT_NOTE = (
    "All priors are 0 or 1, so by AV, AMV, AFV, AFMV and MV each text scores 0.5. RC, the recall of the gold points, "
    "tells texts apart. Smoothed priors (--priors smoothed) do too."
)


class ScoredText(msgspec.Struct, frozen=True, kw_only=True):
    """One text with its scores, None if there are none (see `notes`). `said`: the answer to each point."""

    cluster: str
    task: str
    where: str
    question: str
    rater: str
    scores: dict[str, float] | None
    said: tuple[PointOpinion, ...]
    notes: tuple[str, ...] = ()


class ScoredCluster(msgspec.Struct, frozen=True, kw_only=True):
    """The points of a cluster, and the number of gold texts they come from.

    The `prior` of a point is the share of gold texts that agree, `None` if none takes a position.
    `flat`: all priors are 0 or 1, so that by the V-shaped rule each text scores one half.
    """

    cluster: str
    gold: int
    points: list[dict[str, Any]]
    notes: tuple[str, ...] = ()
    flat: bool = False


class JustificationScores(msgspec.Struct, frozen=True, kw_only=True):
    """Outcome of a run. Raters are sorted by name, which is no ranking."""

    bundle: str
    oracle: Literal["hand", "endpoint", "recorded"]
    seed: int
    raters: tuple[ScoredRater, ...]
    clusters: tuple[ScoredCluster, ...]
    texts: tuple[ScoredText, ...]

    @property
    def main(self) -> str:
        """The score to be shown: recall where the priors of a cluster can tell nobody apart."""
        return FLAT_RULE if any(cluster.flat for cluster in self.clusters) else MAIN_RULE

    @property
    def unscored(self) -> int:
        return sum(text.scores is None for text in self.texts)


def save_scores(
    store: Store, audit: Audit, scores: JustificationScores, model: str, lead: str, *, now: datetime
) -> Change:
    """Save the means of a run over all raters; equal ones are not saved again. Raises `StoreError`."""
    new = StoredScores(
        ratings=ratings_sha256(audit.ratings),
        oracle=scores.oracle,
        model=model,
        seed=scores.seed,
        raters=scores.raters,
        rule=scores.main,
    )
    last = reviews.newest_review(store, audit.bundle, SCORES_SUBJECT)
    if last is not None and last.body == canonical_json(msgspec.to_builtins(new)):
        return NO_CHANGE
    reviews.append_review(store, audit.bundle, SCORES_SUBJECT, lead, new, now=now)
    return Change(audits=frozenset({audit.bundle}))


def score_justifications(
    gathered: JustificationTexts,
    oracle: Oracle,
    kind: Literal["hand", "endpoint", "recorded"],
    *,
    seed: int,
    progress: Progress,
) -> JustificationScores:
    """Score the texts. Raises what the oracle raises; answers received until then are stored."""
    clusters, texts = score_texts(gathered, oracle, progress)
    audit = gathered.audit
    names = [name for name in audit.raters if gathered.written.get(name)]
    return JustificationScores(
        bundle=audit.bundle,
        oracle=kind,
        seed=seed,
        raters=_score_raters(names, gathered, texts),
        clusters=tuple(clusters),
        texts=tuple(texts),
    )


def score_texts(
    gathered: JustificationTexts, oracle: Oracle, progress: Progress
) -> tuple[list[ScoredCluster], list[ScoredText]]:
    """Return the points and texts with their scores, without the means of raters."""
    clusters, texts = [], []
    for cluster in gathered.clusters:
        cluster_scores, of_texts = _score_cluster(cluster, oracle, gathered.rule, progress)
        clusters.append(cluster_scores)
        texts += of_texts
    return clusters, texts


def _score_cluster(
    cluster: TextCluster, oracle: Oracle, rule: ScoringRule, progress: Progress
) -> tuple[ScoredCluster, list[ScoredText]]:
    golden = [entry.text for entry in cluster.gold]
    summary = oracle.summarise(cluster.id, golden, progress)
    points = summary.points
    if not points:
        empty = ScoredCluster(cluster=cluster.id, gold=len(golden), points=[], notes=summary.notes)
        return empty, [_scored_text(cluster, entry, ("Not scored: there are no points.",)) for entry in cluster.texts]
    answers = ask_about_texts(cluster, points, oracle, progress)
    unanswered = [entry for entry in golden if not answers[entry].known]
    gold_answers = [(entry, answers[entry.text].positions) for entry in cluster.gold if answers[entry.text].known]
    known_answers = [answers[text] for text in dict.fromkeys(golden) if answers[text].known]
    notes = (*summary.notes, *(f"Of a gold text: {note}" for answer in known_answers for note in answer.notes))
    if unanswered:
        notes = (*notes, f"{len(unanswered):,} gold texts have not been answered.")
    shares = priors([opinions for _, opinions in gold_answers], rule) if gold_answers else (None,) * len(points)
    flat = are_flat(shares)
    if flat:
        notes = (*notes, FLAT_NOTE)
    cluster_scores = ScoredCluster(
        cluster=cluster.id,
        gold=len(golden),
        points=[
            {
                "topic": point.topic,
                "text": point.text,
                "quotes": point.quotes,
                "prior": None if share is None else float(share),
                "gold": sum(opinions[index] is not None for _, opinions in gold_answers),
            }
            for index, (point, share) in enumerate(zip(points, shares, strict=True))
        ],
        notes=notes,
        flat=flat,
    )
    return cluster_scores, list(_score_texts(cluster, points, gold_answers, answers, rule))


def _score_texts(
    cluster: TextCluster,
    points: Sequence[OraclePoint],
    gold_answers: list[tuple[WrittenText, tuple[PointOpinion, ...]]],
    answers: dict[str, TextPositions],
    rule: ScoringRule,
) -> Iterator[ScoredText]:
    topics = [entry.topic for entry in points]
    raters = {entry.rater for entry in cluster.texts}
    by_rater = {rater: _priors_without(rater, gold_answers, len(points), rule) for rater in raters}
    for text in cluster.texts:
        answer = answers[text.text]
        if not answer.known:
            yield _scored_text(cluster, text, answer.notes)
            continue
        score = score_justification(topics, gold_answers, text, answer.positions, by_rater, rule)
        notes = () if score is not None else ("Not scored: there is no gold text to compare with.",)
        yield _scored_text(cluster, text, (*answer.notes, *notes), answer.positions, score)


def _scored_text(
    cluster: TextCluster,
    text: WrittenText,
    notes: tuple[str, ...],
    answers: tuple[PointOpinion, ...] = (),
    score: Mapping[str, Fraction] | None = None,
) -> ScoredText:
    return ScoredText(
        cluster=cluster.id,
        task=text.task,
        where=text.where,
        question=text.question,
        rater=text.rater,
        scores=None if score is None else {rule: float(value) for rule, value in score.items()},
        said=answers,
        notes=notes,
    )


def ask_about_texts(
    cluster: TextCluster, points: Sequence[OraclePoint], oracle: Oracle, progress: Progress
) -> dict[str, TextPositions]:
    """Return text → its positions on all points, gold or not; identical texts are asked about once.

    Every text is asked about every point: the ways with a maximum choose by the report alone, so a point on which the
    gold of the text's own task is silent may be the chosen one.
    """
    texts = list(dict.fromkeys(entry.text for entry in (*cluster.gold, *cluster.texts)))
    return dict(zip(texts, oracle.answer(cluster.id, points, texts, progress), strict=True))


def single_gold(gathered: JustificationTexts) -> tuple[str, ...]:
    """Return the clusters with one gold text: each prior is then 0 or 1 unless it is smoothed."""
    if gathered.rule.priors != "observed":
        return ()
    return tuple(cluster.id for cluster in gathered.clusters if len({entry.text for entry in cluster.gold}) == 1)


def _priors_without(
    rater: str, gold_answers: list[tuple[WrittenText, tuple[PointOpinion, ...]]], points: int, rule: ScoringRule
) -> tuple[Fraction | None, ...]:
    other_answers = [answers for text, answers in gold_answers if not text.rater or text.rater != rater]
    return priors(other_answers, rule) if other_answers else (None,) * points


def _score_raters(
    names: Sequence[str], gathered: JustificationTexts, texts: Sequence[ScoredText]
) -> tuple[ScoredRater, ...]:
    """Return the means of each rater, with intervals over tasks."""
    import numpy as np  # noqa: PLC0415 - loaded for figures only

    from desktop_rater.stats import cluster_bootstrap  # noqa: PLC0415

    tasks = {task: index for index, task in enumerate(sorted({text.task for text in texts}))}
    raters = []
    for name in names:
        sums = np.zeros((len(tasks), 1 + len(SCORE_RULES)))
        for text in texts:
            if text.rater == name and text.scores is not None:
                sums[tasks[text.task]] += [1, *(text.scores[rule] for rule in SCORE_RULES)]
        means: dict[str, Estimate] = {}
        if sums.any():
            parts = enumerate(SCORE_RULES, 1)
            means = {rule: cluster_bootstrap.ratio(sums[:, column], sums[:, 0], (0, 1)) for column, rule in parts}
        main = means.get(MAIN_RULE)
        raters.append(
            ScoredRater(
                rater=name,
                model=name in gathered.audit.models,
                written=gathered.written[name],
                scored=int(sums[:, 0].sum()),
                scores={rule: mean.value for rule, mean in means.items() if mean.value is not None},
                intervals={
                    rule: (mean.low, mean.high)
                    for rule, mean in means.items()
                    if mean.low is not None and mean.high is not None
                },
                tasks=main.clusters if main is not None else 0,
                why=str(main.why) if main is not None else "",
            )
        )
    return tuple(raters)
