"""Agreement on spans: of a file, and of the targets of a bundle, with the borders that raters moved."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, permutations
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec
import numpy as np
from msgspec import Meta

from desktop_rater.audit.figures import as_figure
from desktop_rater.audit.questions import JudgedQuestion
from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.results import Audit
from desktop_rater.format.edit import with_corrected_targets
from desktop_rater.format.errors import BundleFault, bundle_errors
from desktop_rater.format.jsonl import structs_of_lines
from desktop_rater.format.strict_json import OpenStruct, read_json_object, read_struct
from desktop_rater.format.task import Task
from desktop_rater.operations.audit.load_audit import TargetPlacements, language_of
from desktop_rater.stats.cluster_bootstrap import (
    Estimate,
    Floats,
    Weights,
    divided,
    draw_sums,
    draw_weights,
    estimate_figure,
    no_value,
)
from desktop_rater.store import received
from desktop_rater.store.store import Store

Spans = Sequence[tuple[int, int, str]]
"""Start, end (half open) and value of each span of a rater in a text; they do not overlap."""

MAX_VALUES = 30
NO_BORDER = "no rater moved a border, so all have the spans of the bundle: agreement on them is that of the labels"
_NEAR_NOTHING = 1e-9


class MarkedText(NamedTuple):
    """Text of a length, and the spans of each of its raters; a rater without spans has marked nothing."""

    length: int
    spans: Mapping[str, Spans]


def check_spans(text: MarkedText) -> None:
    """Raise `ValueError` if a span is empty, overlaps another one of its rater, or leaves the text."""
    for rater, spans in text.spans.items():
        last = 0
        for start, end, _value in sorted(spans):
            if not last <= start < end <= text.length:
                raise ValueError(f'the span {start} to {end} of "{rater[:60]}" is empty, overlaps or leaves the text')
            last = end


def span_agreement(texts: Sequence[MarkedText], clusters: Sequence[int], draws: Weights) -> dict[str, Estimate]:
    """Return the agreement on spans of the texts with two raters or more; `clusters`: the task of each, by number.

    `u_alpha` is alpha for unitizing: of spans, gaps and values; `u_alpha.binary` of spans and gaps alone;
    `u_alpha.coding` of the values where spans meet (Krippendorff, Mathet, Bouvry, Widlöcher 2016, equations 1 to 11,
    nominal). What two of the m raters of a text have in common adds its length / (m - 1). Expected coincidences are
    those of all lengths, without each span's with itself: a span is one piece, a gap is not. `f1.exact` is F1 of spans
    of equal borders and values over all pairs of raters, `f1.characters` that of characters of equal values.
    """
    values = sorted({value for text in texts for spans in text.spans.values() for *_, value in spans})[:MAX_VALUES]
    places = {value: place for place, value in enumerate(values, 1)}  # 0 is a gap
    size = len(values) + 1
    sums = np.zeros((draws.shape[0], size * size + 2 * size + 4))
    for text, cluster in zip(texts, clusters, strict=True):
        if len(text.spans) > 1:
            sums[cluster] += _sums(text, places)
    drawn = draw_sums(sums, draws)
    parts = np.cumsum([size * size, size, size])

    def of(statistic: Callable[[Floats, Floats, Floats], Floats]) -> Estimate:
        def figure(rows: Floats) -> Floats:
            met, own, inside, _scores = np.split(rows, parts, axis=1)
            return statistic(met.reshape(-1, size, size), own, inside)

        return estimate_figure(drawn, figure)

    return {
        "u_alpha": of(lambda met, own, _inside: _alpha(met, own)),
        "u_alpha.binary": of(lambda met, own, _inside: _alpha(*_joined(met, own))),
        "u_alpha.coding": of(lambda met, _own, inside: _alpha(met[:, 1:, 1:], inside[:, 1:])),
        "f1.exact": estimate_figure(drawn, lambda rows: divided(rows[:, -4], rows[:, -3])),
        "f1.characters": estimate_figure(drawn, lambda rows: divided(rows[:, -2], rows[:, -1])),
    }


def _alpha(met: Floats, own: Floats) -> Floats:
    """Return 1 - observed / expected disagreement of each draw; `own`: what each value's lengths have with itself."""
    margins = met.sum(axis=2)
    total = margins.sum(axis=1)
    agreed = divided((margins**2 - own).sum(axis=1) * total, total**2 - own.sum(axis=1))
    expected = total - agreed
    observed = total - np.trace(met, axis1=1, axis2=2)
    return 1 - divided(observed, np.where(expected > _NEAR_NOTHING * total, expected, 0))


def _joined(met: Floats, own: Floats) -> tuple[Floats, Floats]:
    """Return the same of gaps and spans, whatever their values."""
    mixed, spans = met[:, 0, 1:].sum(axis=1), met[:, 1:, 1:].sum(axis=(1, 2))
    both = np.stack([met[:, 0, 0], mixed, mixed, spans], axis=1).reshape(-1, 2, 2)
    return both, np.stack([own[:, 0], own[:, 1:].sum(axis=1)], axis=1)


def _sums(text: MarkedText, places: Mapping[str, int]) -> Floats:
    """Return coincidences, what lengths have with themselves, alone and where spans meet, and the counts of F1."""
    size = len(places) + 1
    met, own, inside, scores = np.zeros((size, size)), np.zeros(size), np.zeros(size), np.zeros(4)
    rows = [_with_gaps(spans, text.length, places) for spans in text.spans.values()]
    weight = 1 / (len(rows) - 1)
    for row in rows:
        np.add.at(own, row[:, 2], np.where(row[:, 2] > 0, (row[:, 1] - row[:, 0]) ** 2, row[:, 1] - row[:, 0]))
    for one, other in permutations(rows, 2):
        common = np.minimum.outer(one[:, 1], other[:, 1]) - np.maximum.outer(one[:, 0], other[:, 0])
        common = np.maximum(common, 0)
        np.add.at(met, (one[:, 2][:, None], other[:, 2]), weight * common)
        np.add.at(inside, one[:, 2], weight * common[:, other[:, 2] > 0].sum(axis=1) ** 2)
    for spans, others in combinations(text.spans.values(), 2):
        lengths = sum(end - start for each in (spans, others) for start, end, _ in each)
        same = sum(
            max(0, min(end, last) - max(start, first))
            for start, end, value in spans
            for first, last, kind in others
            if value == kind
        )
        scores += (2 * len(set(spans) & set(others)), len(spans) + len(others), 2 * same, lengths)
    return np.concatenate([met.ravel(), own, inside, scores])


def _with_gaps(spans: Spans, length: int, places: Mapping[str, int]) -> np.ndarray:
    """Return start, end and place of the value of spans and gaps, in order."""
    rows: list[tuple[int, int, int]] = []
    last = 0
    for start, end, value in sorted(spans):
        rows += [(last, start, 0)] if start > last else []
        rows.append((start, end, places.get(value, len(places))))
        last = end
    rows += [(last, length, 0)] if last < length else []
    return np.array(rows, dtype=np.int64).reshape(-1, 3)


Offset = Annotated[int, Meta(ge=0)]
_SEED = 1


class MarkedLine(OpenStruct, frozen=True, kw_only=True):
    """A line of the file: length of a text, and rater → spans as [start, end, value]."""

    length: Offset
    spans: dict[str, tuple[tuple[Offset, Offset, str], ...]]


class SpanFigures(msgspec.Struct, frozen=True, kw_only=True):
    """Figures of `stats.unitizing`; `texts` have two raters or more."""

    figures: dict[str, ReportFigure]
    texts: int
    raters: int
    spans: int


def spans_of_file(path: Path) -> SpanFigures:
    """Compute agreement on the spans of a file. Raises `BundleError` naming the line."""
    texts = []
    with bundle_errors(path, "read", "Nothing was computed."):
        for where, line in structs_of_lines(path, MarkedLine):
            text = MarkedText(line.length, line.spans)
            try:
                check_spans(text)
            except ValueError as error:
                raise BundleFault(f"{where}: {error}") from None
            texts.append((where, text))
    return _figures(texts)


def spans_of_bundle(store: Store, audit: Audit, question: JudgedQuestion, unmarked: str = "") -> SpanFigures:
    """Compute agreement on the targets of each response that have a value, within each rater's borders.

    `unmarked`: the value of a target that a rater did not mark. Where no rater has moved a border, all have the spans
    of the bundle, and there are no figures.
    """
    moved: set[str] = set()
    texts = list(_marked(store, audit, question, unmarked, moved))
    return _figures(texts, "" if moved or not texts else NO_BORDER)


def _marked(
    store: Store, audit: Audit, question: JudgedQuestion, unmarked: str, moved: set[str]
) -> Iterator[tuple[str, MarkedText]]:
    """Yield the marked texts, and add the tasks in which a border was moved to `moved`."""
    language = language_of(audit)
    people = [rater for rater in audit.raters if rater not in audit.models]
    for name in audit.tasks:
        ratings = {rater: audit.ratings[name, rater] for rater in people if (name, rater) in audit.ratings}
        given = {rater: rating for rater, rating in ratings.items() if rating.digest.status == "complete"}
        if len(given) < 2:
            continue
        task = read_struct(read_json_object(received.task_text(store, audit.texts[name])), Task)
        placements = TargetPlacements(task, audit.rubric, language)
        by_response: dict[str, dict[str, list[tuple[int, int, str]]]] = {}
        for rater, of_rater in given.items():
            rating = received.received_rating(store, of_rater.results, name)
            moved |= {name} if rating.borders else set()
            placed = with_corrected_targets(placements.of(rating), rating)
            for response in placed.responses:
                by_response.setdefault(response.id, {})[rater] = []
            ends = [(target.start or 0, target.end or 0, target) for target in placed.targets or ()]
            for first, end, target in sorted(ends, key=lambda row: row[:2]):
                value = question.value(of_rater.digest.values.get(f"targets/{target.id}", {}))
                spans = by_response[target.response][rater]
                start = max(first, spans[-1][1] if spans else 0)  # moved borders may overlap
                if value not in (None, unmarked) and start < end:
                    spans.append((start, end, str(value)))
        for response in task.responses:
            yield name, MarkedText(len(response.text), by_response[response.id])


def _figures(texts: list[tuple[str, MarkedText]], why: str = "") -> SpanFigures:
    tasks = list(dict.fromkeys(task for task, _ in texts))
    numbers = {task: number for number, task in enumerate(tasks)}
    compared = [text for _, text in texts if len(text.spans) > 1]
    estimates = span_agreement(
        [text for _, text in texts], [numbers[task] for task, _ in texts], draw_weights(_SEED, tasks)
    )
    raters = len({rater for text in compared for rater in text.spans})
    return SpanFigures(
        figures={
            name: as_figure(no_value(figure.clusters, why) if why else figure, len(compared), raters)
            for name, figure in estimates.items()
        },
        texts=len(compared),
        raters=raters,
        spans=sum(len(spans) for text in compared for spans in text.spans.values()),
    )
