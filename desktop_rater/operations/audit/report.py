"""Report of a bundle's results: draw the sample, compute the figures, and save them as files."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from desktop_rater.audit.html_report import PageColors, render_html
from desktop_rater.audit.questions import judged_questions
from desktop_rater.audit.report import AuditReport, ReportFigure, ReportFilter
from desktop_rater.audit.report_columns import NAMES, csv_files
from desktop_rater.audit.report_format import Wording
from desktop_rater.audit.results import Audit
from desktop_rater.audit.reviews import values_of_gold
from desktop_rater.audit.sampling import ReviewSample, SampleRequest, sample_places
from desktop_rater.files import replaced_file, replaced_files
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError, bundle_errors
from desktop_rater.format.strict_json import canonical_json
from desktop_rater.format.values import format_time
from desktop_rater.format.write import NOTHING_WRITTEN
from desktop_rater.operations.audit import load_audit
from desktop_rater.operations.audit.review import Lead, ReviewChange, load_items, load_quotes, quotes_in, save_reviews
from desktop_rater.operations.audit.text_scores import load_scores
from desktop_rater.store import received
from desktop_rater.store.reviews import NewReview
from desktop_rater.store.store import Store

if TYPE_CHECKING:
    from desktop_rater.audit.compute_report import ReportInputs


REPORT_SEED = 1  # the same results give the same intervals, by command and in the window


class SampleChange(ReviewChange, frozen=True, kw_only=True):
    """The new sample as a change."""

    sample: ReviewSample


def draw_sample(store: Store, audit: Audit, wanted: SampleRequest, lead: Lead, progress: Progress) -> SampleChange:
    """Draw a new sample; the previous one stays in the history. Deterministic for the same results and seed.

    Raises `RaterError` for inconsistent options, and for `gold-misses` without gold.
    """
    _check(wanted)
    items = load_items(store, audit, load_quotes(store, audit, progress))
    if wanted.how == "gold-misses" and not any(item.gold for item in items):
        why = f"The store has no gold answers of {audit.bundle}."
        raise RaterError(
            "No sample was drawn.", why, "Open the lead's copy of the bundle, which contains its gold answers."
        )
    sample = replace(sample_places(items, wanted), lead=lead.name, changed=format_time(lead.now()))
    change = save_reviews(store, audit.bundle, [NewReview(subject=("sample",), body=sample)], lead)
    return SampleChange(audits=change.audits, steps=change.steps, sample=sample)


def _check(wanted: SampleRequest) -> None:
    shared = wanted.how in {"share", "stratified"}
    if shared and wanted.share is None:
        raise RaterError("No sample was drawn.", "The size of the sample is missing.", "Give a share, such as 0.1.")
    if shared and wanted.share is not None and not 0 < wanted.share <= 1:
        why = f"{wanted.share:g} is not a valid share."
        raise RaterError("No sample was drawn.", why, "Give a share above 0 and at most 1, such as 0.1.")
    if not shared and wanted.share is not None:
        raise RaterError("No sample was drawn.", f"{wanted.how!r} takes no share.", "Leave the share out.")
    if (wanted.how == "stratified") is not (wanted.by is not None):
        hint = (
            "Name the field to stratify by, or draw a plain share."
            if wanted.by is None
            else "Draw a stratified sample, or leave the field out."
        )
        raise RaterError("No sample was drawn.", "Only a stratified sample has a field to stratify by.", hint)


TRY_AGAIN = f"{NOTHING_WRITTEN} Choose another place."
CSV_BOM = "\ufeff"  # spreadsheets need it to recognise UTF-8


def save_report_tables(report: AuditReport, folder: Path) -> tuple[Path, ...]:
    """Write the report's CSV files into a folder, created if missing; other files stay. Raises `RaterError`."""
    with bundle_errors(folder, "written", TRY_AGAIN):
        folder.mkdir(parents=True, exist_ok=True)
        with replaced_files(folder, NAMES) as part_folder:
            for name, text in csv_files(report).items():
                (part_folder / name).write_text(CSV_BOM + text, encoding="utf-8", newline="")
    return tuple(folder / name for name in NAMES)


def save_report_page(
    report: AuditReport, path: Path, wording: Wording, colors: PageColors, *, lead: str, language: str
) -> Path:
    """Write the report as an HTML page. Raises `RaterError`."""
    page = render_html(report, wording, colors, lead=lead, language=language)
    with bundle_errors(path, "written", TRY_AGAIN), replaced_file(path) as part_path:
        part_path.write_text(page, encoding="utf-8", newline="\n")
    return path


_IDENTITY_FIELDS = ("id", "meta")  # fields that may differ between duplicates of a task
NO_FILTER = ReportFilter()
NO_PROGRESS = Progress()
EPSILON = 0.15  # what a trained rater is worth more than a model


def load_report(
    store: Store,
    bundle: str,
    *,
    seed: int,
    now: datetime,
    wanted: ReportFilter = NO_FILTER,
    scores: Mapping[str, ReportFigure] | None = None,
) -> AuditReport:
    """Compute all figures; deterministic for a seed. Raises `NotInStore`, `StoreDamaged` or `RaterError`.

    `scores`: rater → mean score of the justifications; by default the cached ones.
    """
    with store.snapshot_isolation():
        audit = load_audit.load_packed_audit(store, bundle)
        return report_of_audit(store, audit, seed=seed, now=now, wanted=wanted, scores=scores)


def report_of_audit(
    store: Store,
    audit: Audit,
    *,
    seed: int,
    now: datetime,
    wanted: ReportFilter = NO_FILTER,
    scores: Mapping[str, ReportFigure] | None = None,
    pairs: bool = True,
    progress: Progress = NO_PROGRESS,
) -> AuditReport:
    """Compute all figures of an audit that is loaded, as `load_report` does.

    `pairs`: with the figures of each two raters, which only files have.
    """
    # It loads numpy and scipy, which no other command waits for.
    from desktop_rater.audit.compute_report import (  # noqa: PLC0415
        check_model,
        make_report,
        with_quotes,
    )

    with store.snapshot_isolation():
        refuse_unknown(wanted, [question.id for question in judged_questions(audit.rubric)], audit.raters)
        companions = report_inputs(store, audit, load_scores(store, audit) if scores is None else dict(scores))
        moment = format_time(now)
        figures = make_report(audit, wanted, companions, seed=seed, computed=moment, pairs=pairs, progress=progress)
        chosen = next((question for question in judged_questions(audit.rubric) if question.main), None)
        rated = [row.rater for row in figures.raters if row.model and row.rater in audit.models]
        if chosen is not None and rated and not wanted.models:
            checks = (check_model(audit, figures, name, chosen, epsilon=EPSILON, seed=seed) for name in rated)
            figures = replace(figures, models=tuple(checks))
        return with_quotes(figures, AuditQuotes(store, audit).quote)


def report_inputs(store: Store, audit: Audit, scores: dict[str, ReportFigure]) -> "ReportInputs":
    """Load the data besides the results: gold, and which tasks occur twice. Raises `StoreDamaged`."""
    from desktop_rater.audit.compute_report import ReportInputs  # noqa: PLC0415 - as above

    golds = load_audit.audit_gold(store, audit.bundle)
    return ReportInputs(
        gold=values_of_gold(audit.rubric, golds, partial=False),
        partial_gold=values_of_gold(audit.rubric, golds, partial=True),
        twice=_duplicates(store, audit),
        scores=scores,
    )


def refuse_unknown(wanted: ReportFilter, questions: Sequence[str], raters: Sequence[str]) -> None:
    """Raise `RaterError` for a filter that matches nothing: an empty report would look like a result."""
    if wanted.question and wanted.question not in questions:
        raise RaterError(f"There is no question {wanted.question!r}.", f"Questions: {', '.join(questions)}.")
    unknown = [rater for rater in wanted.raters if rater not in raters]
    if unknown:
        names = ", ".join(raters) or "none"
        raise RaterError(f"There are no results of the rater {unknown[0]!r}.", f"Raters with results: {names}.")


def _duplicates(store: Store, audit: Audit) -> tuple[tuple[str, ...], ...]:
    rated = {task for task, _ in audit.ratings}
    groups: dict[bytes, list[str]] = {}
    for task in audit.tasks:
        if task in rated:
            plain: dict[str, Any] = msgspec.json.decode(received.task_text(store, audit.texts[task]))
            key = canonical_json({name: part for name, part in plain.items() if name not in _IDENTITY_FIELDS})
            groups.setdefault(key, []).append(task)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)


class AuditQuotes:
    """Texts of places; each task is read once, when first needed."""

    def __init__(self, store: Store, audit: Audit) -> None:
        self._store = store
        self._audit = audit
        self._language = load_audit.language_of(audit)
        self._known: dict[str, dict[str, str]] = {}

    def quote(self, task: str, where: str) -> str:
        if task not in self._known:
            self._known[task] = quotes_in(self._store, self._audit, task, self._language)
        return self._known[task].get(where, "")
