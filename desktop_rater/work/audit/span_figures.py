"""Agreement on spans: of a file, and of the targets of a bundle, with the borders that raters moved."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from desktop_rater.audit.figures import as_figure
from desktop_rater.audit.questions import JudgedQuestion
from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.results import Audit
from desktop_rater.bundle.errors import BundleFault, bundle_errors
from desktop_rater.bundle.jsonl import structs_of_lines
from desktop_rater.model.edit import with_corrected_targets
from desktop_rater.model.strict_json import OpenStruct, read_json_object, read_struct
from desktop_rater.model.task import Task
from desktop_rater.stats.cluster_bootstrap import draw_weights
from desktop_rater.stats.unitizing import MarkedText, check_spans, span_agreement
from desktop_rater.store import received
from desktop_rater.store.store import Store
from desktop_rater.work.audit.load_audit import TargetPlacements, language_of

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


def spans_of_bundle(store: Store, audit: Audit, question: JudgedQuestion) -> SpanFigures:
    """Compute agreement on the targets of each response that have a value, within each rater's borders."""
    return _figures(list(_marked(store, audit, question)))


def _marked(store: Store, audit: Audit, question: JudgedQuestion) -> Iterator[tuple[str, MarkedText]]:
    language = language_of(store, audit)
    people = [rater for rater in audit.raters if rater not in audit.models]
    for name in audit.tasks:
        given = {rater: audit.ratings[name, rater] for rater in people if (name, rater) in audit.ratings}
        if len(given) < 2:
            continue
        task = read_struct(read_json_object(received.task_text(store, audit.texts[name])), Task)
        placements = TargetPlacements(task, audit.rubric, language)
        by_response: dict[str, dict[str, list[tuple[int, int, str]]]] = {}
        for rater, of_rater in given.items():
            rating = received.received_rating(store, of_rater.results, name).rating
            placed = with_corrected_targets(placements.of(rating), rating)
            for response in placed.responses:
                by_response.setdefault(response.id, {})[rater] = []
            ends = [(target.start or 0, target.end or 0, target) for target in placed.targets or ()]
            for first, end, target in sorted(ends, key=lambda row: row[:2]):
                value = question.value(of_rater.digest.values.get(f"targets/{target.id}", {}))
                spans = by_response[target.response][rater]
                start = max(first, spans[-1][1] if spans else 0)  # moved borders may overlap
                if value is not None and start < end:
                    spans.append((start, end, str(value)))
        for response in task.responses:
            yield name, MarkedText(len(response.text), by_response[response.id])


def _figures(texts: list[tuple[str, MarkedText]]) -> SpanFigures:
    tasks = list(dict.fromkeys(task for task, _ in texts))
    numbers = {task: number for number, task in enumerate(tasks)}
    compared = [text for _, text in texts if len(text.spans) > 1]
    estimates = span_agreement(
        [text for _, text in texts], [numbers[task] for task, _ in texts], draw_weights(_SEED, tasks)
    )
    figures = {name: as_figure(figure, len(compared)) for name, figure in estimates.items()}
    return SpanFigures(
        figures=figures,
        texts=len(compared),
        raters=len({rater for text in compared for rater in text.spans}),
        spans=sum(len(spans) for text in compared for spans in text.spans.values()),
    )
