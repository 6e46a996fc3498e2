"""Scoring at the desk: the texts to read, the points, what the lead said of each; every word is kept at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from desktop_rater.model.change import Change
from desktop_rater.model.progress import Progress
from desktop_rater.model.trouble import RaterError
from desktop_rater.oracle.interface import Point
from desktop_rater.stats.justification import Said
from desktop_rater.store import reviews
from desktop_rater.work.audit_desk import load_audit
from desktop_rater.work.justification_texts import Wanted, gather
from desktop_rater.work.kept_scores import KeptScores, keep_scores
from desktop_rater.work.points_by_hand import KeptAnswers, KeptPoints, by_hand, kept_answers, kept_points, subject_of
from desktop_rater.work.review import Lead, Reviewed, say
from desktop_rater.work.review_list import quotes_in
from desktop_rater.work.score_justifications import Scores, score_justifications

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop_rater.audit.filed import Audit
    from desktop_rater.audit.justifications import Cluster, Text
    from desktop_rater.store.store import Store
    from desktop_rater.work.justification_texts import Gathered

MOST_CHARACTERS = 2_000  # of a point, and of a topic
SEED = 0  # as that of the command, so that both show the same intervals


class HandText(msgspec.Struct, frozen=True, kw_only=True):
    """One text, whoever wrote it. `task`, `where`: the first place where it stands; `places`: how many there are."""

    text: str
    gold: bool
    task: str
    where: str
    places: int


class HandCluster(msgspec.Struct, frozen=True, kw_only=True):
    """A question for words: gold texts first. `said`: text → words of a point → answer."""

    id: str
    ask: str
    points: tuple[Point, ...]
    texts: tuple[HandText, ...]
    said: dict[str, dict[str, Said]]


class HandDesk(msgspec.Struct, frozen=True, kw_only=True):
    """All that the lead needs. `last`: by whom the scores were made that the report shows; empty without any."""

    bundle: str
    language: str
    clusters: tuple[HandCluster, ...]
    trusted: tuple[str, ...]
    last: str


class Trusted(msgspec.Struct, frozen=True):
    """The body of the review ("trusted",): raters whose texts count as gold too."""

    raters: tuple[str, ...]


class HandScores(Change, frozen=True, kw_only=True):
    """What a run over all that is answered came to."""

    scores: Scores


def load_desk(store: Store, bundle: str) -> HandDesk:
    """Raises `NoGold` where nothing can be scored, and `StoreDamaged`."""
    gathered = gather_trusted(store, bundle)
    points, said = kept_points(store, bundle), kept_answers(store, bundle)
    last = reviews.newest(store, bundle, ("scores",))
    return HandDesk(
        bundle=bundle,
        language=gathered.language,
        clusters=tuple(_cluster(one, gathered, points.get(one.id, ()), said) for one in gathered.clusters),
        trusted=trusted(store, bundle),
        last=last.read(KeptScores).oracle if last is not None else "",
    )


def gather_trusted(store: Store, bundle: str) -> Gathered:
    """The texts, with those of raters whom the lead trusts as gold. Raises `NoGold`."""
    known = set(load_audit(store, bundle).raters)
    wanted = Wanted(trusted=tuple(one for one in trusted(store, bundle) if one in known))
    return gather(store, bundle, wanted, Progress())


def trusted(store: Store, bundle: str) -> tuple[str, ...]:
    """Whose texts count as gold too. Raises `StoreDamaged`."""
    last = reviews.newest(store, bundle, ("trusted",))
    return last.read(Trusted).raters if last is not None else ()


def trust(store: Store, bundle: str, raters: tuple[str, ...], lead: Lead) -> Reviewed:
    """Let the texts of these raters count as gold too, and of nobody else."""
    return say(store, bundle, [reviews.Said(subject=("trusted",), body=Trusted(raters))], lead)


def keep_points(store: Store, bundle: str, cluster: str, points: tuple[Point, ...], lead: Lead) -> Reviewed:
    """Keep the points of a cluster as they are now. Raises `RaterError` for one that can't be."""
    words = [one.text for one in points]
    if not all(one.strip() for one in words) or len(set(words)) < len(words):
        raise RaterError("The points are not kept.", "Each has words, and no two have the same.")
    if any(len(part) > MOST_CHARACTERS for one in points for part in (one.text, one.topic)):
        raise RaterError("The points are not kept.", f"One has more than {MOST_CHARACTERS:,} characters.")
    return say(store, bundle, [reviews.Said(subject=("points", cluster), body=KeptPoints(points))], lead)


def keep_answers(store: Store, bundle: str, cluster: str, text: str, said: Mapping[str, Said], lead: Lead) -> Reviewed:
    """Keep what a text says of points, as far as it is answered."""
    body = KeptAnswers(text, dict(said))
    return say(store, bundle, [reviews.Said(subject=subject_of(cluster, text), body=body)], lead)


def score_by_hand(store: Store, bundle: str, lead: Lead) -> HandScores:
    """Score what is answered, and keep it for the report. Raises `NoGold`."""
    gathered = gather_trusted(store, bundle)
    oracle = by_hand(store, bundle)
    scores = score_justifications(gathered, oracle, "hand", seed=SEED, progress=Progress())
    kept = keep_scores(store, gathered.audit, scores, "", lead.name, now=lead.now())
    return HandScores(audits=kept.audits, scores=scores)


def place_words(store: Store, audit: Audit, task: str, where: str, language: str) -> str:
    """What is rated at a place, to know of what a text speaks. Raises `StoreDamaged`."""
    return quotes_in(store, audit, task, language).get(where, "") if task in audit.texts else ""


def _cluster(
    cluster: Cluster,
    gathered: Gathered,
    points: tuple[Point, ...],
    said: Mapping[tuple[str, str], dict[str, Said]],
) -> HandCluster:
    """Raters' texts stand in the order of their places and then of their words, which tells nobody's name."""
    rest = sorted(cluster.texts, key=lambda one: (one.task, one.where, one.text))
    places: dict[str, list[Text]] = {}
    for one in (*cluster.gold, *rest):
        places.setdefault(one.text, []).append(one)
    golden = {one.text for one in cluster.gold}
    asking = gathered.audit.rubric.questions.get(cluster.question)
    return HandCluster(
        id=cluster.id,
        ask=asking.question.ask if asking is not None else cluster.question,
        points=points,
        texts=tuple(
            HandText(
                text=text,
                gold=text in golden,
                task=found[0].task,
                where=found[0].where,
                places=len({(one.task, one.where) for one in found}),
            )
            for text, found in places.items()
        ),
        said={text: given for (name, text), given in said.items() if name == cluster.id},
    )
