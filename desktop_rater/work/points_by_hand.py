"""Points that the lead writes, and what the lead says of each text: out into a form, and in again as reviews."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.bundle.plain_files import struct_of, write_lines
from desktop_rater.model.canonical import canonical, sha256
from desktop_rater.model.change import Change
from desktop_rater.model.kept import to_plain
from desktop_rater.model.trouble import RaterError
from desktop_rater.oracle.by_hand import HandOracle
from desktop_rater.oracle.interface import Point
from desktop_rater.oracle.points_form import POINTS_FORMAT, FormCluster, FormPoint, FormText, PointsForm, Says
from desktop_rater.stats.justification import Said
from desktop_rater.store import reviews
from desktop_rater.text.sentences import sentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from desktop_rater.audit.justifications import Cluster
    from desktop_rater.store.store import Store

_MOST_SENTENCES = 24
_SAID: dict[Says, Said] = {"agree": 1, "disagree": 0, "silent": None}
_SAYS: dict[Said, Says] = {1: "agree", 0: "disagree", None: "silent"}


class KeptPoints(msgspec.Struct, frozen=True):
    """The body of a review ("points", cluster)."""

    points: tuple[Point, ...]


class KeptAnswers(msgspec.Struct, frozen=True):
    """The body of a review ("answers", cluster, SHA-256 of the text).

    `said` goes by the words of the points: so an answer outlasts whatever happens to other points, and a point that is
    worded anew is another question. A point that is not in it is not answered yet.
    """

    text: str
    said: dict[str, Said]


class Taken(Change, frozen=True, kw_only=True):
    """What a form brought: points of so many clusters, and answers for so many texts."""

    points: int
    answers: int
    unanswered: int


def kept_points(store: Store, bundle: str) -> dict[str, tuple[Point, ...]]:
    """Cluster → the points that the lead wrote. Raises `StoreDamaged`."""
    return {review.subject[1]: review.read(KeptPoints).points for review in reviews.latest(store, bundle, "points")}


def kept_answers(store: Store, bundle: str) -> dict[tuple[str, str], dict[str, Said]]:
    """(cluster, text) → what the lead said of it, by the words of the points. Raises `StoreDamaged`."""
    found = {}
    for review in reviews.latest(store, bundle, "answers"):
        answers = review.read(KeptAnswers)
        found[review.subject[1], answers.text] = answers.said
    return found


def by_hand(store: Store, bundle: str) -> HandOracle:
    """The lead as oracle: what the store holds of it. Raises `StoreDamaged`."""
    points = kept_points(store, bundle)
    said = {}
    for (cluster, text), given in kept_answers(store, bundle).items():
        asked = [one.text for one in points.get(cluster, ())]
        if asked and all(one in given for one in asked):  # of a text that is half answered nothing is known
            said[cluster, text] = tuple(given[one] for one in asked)
    return HandOracle(points, said)


def write_form(store: Store, bundle: str, clusters: Sequence[Cluster], out: Path, lang: str) -> int:
    """Write a form to fill; how many texts it holds. Raises `RaterError`.

    Where the lead has written no points yet, each sentence of the gold texts is offered as one.
    """
    points, said = kept_points(store, bundle), kept_answers(store, bundle)
    form = PointsForm(
        format=POINTS_FORMAT,
        version=1,
        bundle=bundle,
        clusters=tuple(_cluster_to_fill(points.get(one.id, ()), said, one, lang) for one in clusters),
    )
    words = json.dumps(to_plain(form), ensure_ascii=False, indent=2)
    with write_lines(out) as write:
        write(words.encode())
    return sum(len(cluster.texts) for cluster in form.clusters)


def take_form(store: Store, bundle: str, path: Path, lead: str, *, now: datetime) -> Taken:
    """Keep what a filled form says, all of it or nothing. Raises `RaterError` naming what does not fit."""
    form = struct_of(path, PointsForm)
    if form.bundle != bundle:
        raise RaterError(f"{path.name} is of another bundle.", f"It was made for {form.bundle!r}.", "Nothing changed.")
    known = {review.subject: review.body for review in reviews.latest(store, bundle, "points")}
    known |= {review.subject: review.body for review in reviews.latest(store, bundle, "answers")}
    found = list(_said(form, path.name, kept_answers(store, bundle)))
    fresh = [one for one in found if known.get(one.subject) != canonical(msgspec.to_builtins(one.body))]
    if fresh:
        reviews.append_all(store, bundle, fresh, lead, now=now)
    return Taken(
        audits=frozenset({bundle}) if fresh else frozenset(),
        points=sum(one.subject[0] == "points" for one in found),
        answers=sum(one.subject[0] == "answers" for one in found),
        unanswered=sum(not _answered(text) for cluster in form.clusters for text in cluster.texts),
    )


def _cluster_to_fill(
    kept: tuple[Point, ...], said: Mapping[tuple[str, str], dict[str, Said]], cluster: Cluster, lang: str
) -> FormCluster:
    points = kept or _sentences(cluster, lang)
    golden = {one.text for one in cluster.gold}
    texts = dict.fromkeys([*(one.text for one in cluster.gold), *sorted(one.text for one in cluster.texts)])
    return FormCluster(
        cluster=cluster.id,
        points=tuple(FormPoint(topic=one.topic, text=one.text, quotes=one.quotes) for one in points),
        texts=tuple(
            FormText(text=text, gold=text in golden, says=_says(said.get((cluster.id, text), {}), points))
            for text in texts
        ),
    )


def _says(said: Mapping[str, Said], points: Sequence[Point]) -> tuple[Says, ...]:
    return tuple(_SAYS[said[one.text]] if one.text in said else "" for one in points)


def _sentences(cluster: Cluster, lang: str) -> tuple[Point, ...]:
    found = [one.text[start:end] for one in cluster.gold for start, end in sentences(one.text, lang)]
    plain = dict.fromkeys(" ".join(words.split()) for words in found)
    return tuple(Point(topic="gold", text=words, quotes=(words,)) for words in list(plain)[:_MOST_SENTENCES])


def _said(form: PointsForm, name: str, known: Mapping[tuple[str, str], dict[str, Said]]) -> Iterator[reviews.Said]:
    for cluster in form.clusters:
        points = tuple(Point(topic=one.topic, text=one.text, quotes=one.quotes) for one in cluster.points)
        yield reviews.Said(subject=("points", cluster.cluster), body=KeptPoints(points))
        for text in cluster.texts:
            if not _answered(text):
                continue
            if len(text.says) != len(points):
                raise RaterError(
                    f"{name} can't be taken in.",
                    f'In the cluster "{cluster.cluster}" a text has {len(text.says)} answers to {len(points)} points: '
                    f'"{text.text[:60]}".',
                    "Nothing changed. Give each text one answer a point, in their order.",
                )
            given = {point.text: _SAID[one] for point, one in zip(points, text.says, strict=True)}
            body = KeptAnswers(text.text, known.get((cluster.cluster, text.text), {}) | given)
            yield reviews.Said(subject=subject_of(cluster.cluster, text.text), body=body)


def subject_of(cluster: str, text: str) -> tuple[str, ...]:
    """What answers for a text are a revision of."""
    return "answers", cluster, sha256(text.encode("utf-8", "replace"))


def _answered(text: FormText) -> bool:
    return bool(text.says) and "" not in text.says
