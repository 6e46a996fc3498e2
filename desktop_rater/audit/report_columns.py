"""The figures of a report and the columns of its raters, as tables that window, page, terminal and files read.

A figure that is added needs its computation and a row here.
"""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Literal

from msgspec import Struct

from desktop_rater.audit import report_format
from desktop_rater.audit.report import AuditReport, RaterFigures, ReportFigure, TimeSpread
from desktop_rater.audit.report_format import Wording, figure_line
from desktop_rater.text.untrusted import escape_formula
from desktop_rater.translation import N_

MANY_RATERS = 10  # with more, those whose agreement is unlike that of the group come first


class FigureRow(Struct, frozen=True):
    """Figure of a question. `line`: its name in the terminal, where figures without one are left out.

    `shown`: always, "listed" if it is not in the terminal without a value, or with a value only. `drawn`: on the axis
    from 0 to 1 of a scale. `places`: decimals.
    """

    title: str
    line: str = ""
    shown: Literal["always", "listed", "defined"] = "defined"
    drawn: bool = False
    places: int = 2


_AC2, _CONGER = N_("Report", "Gwet’s AC2, {weights}"), N_("Report", "Conger’s κ, {weights}")
_RATERS_FOR = N_("Report", "Raters for a reliability of {reliability}")

AGREEMENT_FIGURES = {
    "percent": FigureRow(N_("Report", "Percent agreement"), "percent agreement", "always"),
    "krippendorff_alpha": FigureRow(N_("Report", "Krippendorff’s α"), "Krippendorff's alpha", "always"),
    "krippendorff_alpha.interval": FigureRow(N_("Report", "α for interval data"), "alpha for interval data"),
    "fleiss_kappa": FigureRow(N_("Report", "Fleiss’ κ"), "Fleiss' kappa", "listed"),
    "gwet_ac1": FigureRow(N_("Report", "Gwet’s AC1"), "Gwet's AC1", "listed"),
    "cohen_kappa": FigureRow(N_("Report", "Cohen’s κ"), "Cohen's kappa"),
    "weighted_kappa.linear": FigureRow(N_("Report", "Weighted κ, linear"), "weighted kappa, linear"),
    "weighted_kappa.quadratic": FigureRow(N_("Report", "Weighted κ, quadratic"), "weighted kappa, quadratic"),
}
"""Figures of agreement by name, in the order of the terminal and the chart."""

SCALE_FIGURES = {
    "mean": FigureRow(N_("Report", "Mean")),
    "gwet_ac2": FigureRow(_AC2),
    "gwet_ac2.linear": FigureRow(_AC2, "Gwet's AC2, linear", drawn=True),
    "gwet_ac2.quadratic": FigureRow(_AC2, "Gwet's AC2, quadratic", drawn=True),
    "brennan_prediger": FigureRow(N_("Report", "Brennan–Prediger, {weights}")),
    "conger_kappa": FigureRow(_CONGER),
    "conger_kappa.quadratic": FigureRow(_CONGER, drawn=True),
    "icc_1": FigureRow(N_("Report", "ICC(1)"), drawn=True),
    "icc_2_1": FigureRow(N_("Report", "ICC(2,1), one rater"), "ICC(2,1), one rater", drawn=True),
    "icc_2_k": FigureRow(N_("Report", "ICC(2,k), mean"), "ICC(2,k), mean of raters", drawn=True),
    "unit": FigureRow(N_("Report", "Standard deviation of places")),
    "rater": FigureRow(N_("Report", "Standard deviation of raters")),
    "rest": FigureRow(N_("Report", "Standard deviation of the rest")),
    "raters_for": FigureRow(_RATERS_FOR, places=0),
    "raters_for.80": FigureRow(_RATERS_FOR, "raters for reliability .80", places=0),
    "raters_for.90": FigureRow(_RATERS_FOR, "raters for reliability .90", places=0),
    "step": FigureRow(N_("Report", "Step {n}, log-odds")),
    "spread": FigureRow(N_("Report", "Standard deviation of places, log-odds")),
}
"""Figures of a scale by name, or by the part before the dot; in the order of the terminal and the chart."""

PULL_FIGURES = {
    "precedents": FigureRow(N_("Report", "Equal to most decided cases")),
    "changed": FigureRow(N_("Report", "Equal to most decided cases, unlike the first answer")),
    "suggestions": FigureRow(N_("Report", "Equal to the suggestion")),
}
"""Figures of the pull of what raters are shown, by name."""


def scale_figure(name: str) -> FigureRow:
    """Return the row of a figure of a scale."""
    return SCALE_FIGURES.get(name) or SCALE_FIGURES.get(name.partition(".")[0]) or FigureRow(name)


def scale_figure_title(name: str, texts: Wording) -> str:
    """Return the title of a figure of a scale."""
    part = name.partition(".")[2]
    weights = {
        "ordinal": texts.translate("Report", "ordinal"),
        "linear": texts.translate("Report", "linear"),
        "quadratic": texts.translate("Report", "quadratic"),
    }
    return texts.translate("Report", scale_figure(name).title).format(
        weights=weights.get(part, part), reliability=f"0{texts.point}{part}", n=part
    )


CellValue = int | float | ReportFigure | TimeSpread | None


def _with_data(_report: AuditReport) -> bool:
    return False


class RaterColumn(Struct, frozen=True, kw_only=True):
    """Column of the raters; `of` returns its value for a rater and a question.

    `name`: in files, where "*" stands for the parts of a figure and "~" for those of times; columns without one are in
    no file. `at`: its place in the window and the page, 0 for neither. `title`, or `responses` for a question about
    responses. `missing`: text of a cell without a figure. `needed`: the report has the column even without data.
    `counted`: a share whose count and base are shown. `page`: it does not fit into a window. `line`: its text in the
    terminal, empty for none.
    """

    of: Callable[[RaterFigures, str], CellValue]
    name: str = ""
    at: int = 0
    title: str = ""
    responses: str = ""
    missing: str = report_format.NONE
    needed: Callable[[AuditReport], object] = _with_data
    counted: bool = False
    page: bool = False
    line: Callable[[RaterFigures, str], str] | None = None

    def is_shown(self, report: AuditReport, question: str) -> bool:
        """Tell if the report has the column: it is needed, or a rater has data in it."""
        values = (self.of(rater, question) for rater in report.raters)
        return bool(self.needed(report)) or any(
            value.n if isinstance(value, ReportFigure) else value for value in values
        )


def _field(name: str) -> Callable[[RaterFigures, str], CellValue]:
    return lambda rater, _question: getattr(rater, name)


def _claims(report: AuditReport) -> bool:
    return any(rater.claims for rater in report.raters)


def _time_line(rater: RaterFigures, _question: str) -> str:
    spread, unit = rater.per_target or rater.per_task, "task" if rater.per_target is None else "target"
    return "" if spread is None else f"{spread.median / 60:.1f} min a {unit}, p90 {spread.high / 60:.1f}"


def _unresearched_line(rater: RaterFigures, _question: str) -> str:
    share = rater.unresearched
    return f"without research {hits_of(share):,} of {share.n:,} claims, {figure_line(share)}" if share.n else ""


def hits_of(share: ReportFigure) -> int:
    """Return the count that a share is of its base."""
    return round((share.value or 0) * share.n)


def _opened_line(rater: RaterFigures, _question: str) -> str:
    return f"never opened {rater.unopened:,} of {rater.evidence:,} pages" if rater.evidence else ""


RATER_COLUMNS = (
    RaterColumn(
        name="tasks", of=_field("tasks"), at=1, title=N_("Report", "Tasks"), needed=lambda _report: True,
        line=lambda rater, _question: f"{rater.tasks:,} tasks",
    ),
    RaterColumn(name="skipped", of=_field("skipped"), at=16, title=N_("Report", "Skipped tasks"), page=True),
    RaterColumn(
        name="targets", of=_field("targets"), at=2, title=N_("Report", "Targets"),
        responses=N_("Report", "Responses"), needed=lambda _report: True,
    ),
    RaterColumn(
        of=lambda rater, _question: rater.per_target or rater.per_task, at=3, title=N_("Report", "Median / p90, min"),
        line=_time_line,
    ),
    RaterColumn(name="claims", of=_field("claims")),
    RaterColumn(name="evidence", of=_field("evidence")),
    RaterColumn(
        of=lambda rater, _question: rater.evidence / rater.claims if rater.claims else None, at=4,
        title=N_("Report", "Evidence per claim"), needed=_claims,
    ),
    RaterColumn(
        name="unresearched*", of=_field("unresearched"), at=5, title=N_("Report", "Without research"), counted=True,
        line=_unresearched_line,
    ),
    RaterColumn(
        of=lambda rater, question: rater.others.get(question, ReportFigure()), at=8,
        title=N_("Report", "α with the others"), needed=lambda _report: True,
        line=lambda rater, question: (
            f"alpha with the others {figure_line(rater.others[question])}" if question in rater.others else ""
        ),
    ),
    RaterColumn(
        name="gold*", of=_field("gold"), at=10, title=N_("Report", "Agrees with gold"),
        missing=N_("Report", "no gold"), needed=lambda report: report.gold_tasks,
        line=lambda rater, _question: (
            f"as gold {figure_line(rater.gold)} of {rater.gold.n:,}" if rater.gold.value is not None else ""
        ),
    ),
    RaterColumn(
        name="repeats*", of=_field("repeats"), at=12, title=N_("Report", "Agreement on repeats"),
        missing=N_("Report", "no repeated tasks"), needed=lambda report: report.repeated,
        line=lambda rater, _question: (
            f"same on repeats {figure_line(rater.repeats)}" if rater.repeats.value is not None else ""
        ),
    ),
    RaterColumn(
        name="text*", of=_field("texts"), at=11, title=N_("Report", "Text score"), missing=N_("Report", "not scored")
    ),
    RaterColumn(
        name="unopened", of=_field("unopened"), at=6, title=N_("Report", "Never opened"), needed=_claims,
        line=_opened_line,
    ),
    RaterColumn(name="unquoted", of=_field("unquoted"), at=13, title=N_("Report", "Without a quote"), page=True),
    RaterColumn(name="unkept", of=_field("unkept"), at=14, title=N_("Report", "Page not saved"), page=True),
    RaterColumn(
        name="reused_evidence", of=_field("reused_evidence"), at=18, title=N_("Report", "Evidence taken over"),
        line=lambda rater, _question: (
            f"taken over {rater.reused_evidence:,} of {rater.evidence:,} pages" if rater.reused_evidence else ""
        ),
    ),
    RaterColumn(
        name="reused_answers", of=_field("reused_answers"), at=19, title=N_("Report", "Answers taken over"),
        line=lambda rater, _question: (
            f"answers taken over {rater.reused_answers:,}" if rater.reused_answers else ""
        ),
    ),
    RaterColumn(
        name="warnings_left", of=_field("warnings_left"), at=7, title=N_("Report", "Open warnings"),
        line=lambda rater, _question: f"warnings left {rater.warnings_left:,}" if rater.warnings_left else "",
    ),
    RaterColumn(
        name="warnings_let_stand", of=_field("warnings_let_stand"), at=15, title=N_("Report", "Warnings acknowledged"),
        page=True,
    ),
    RaterColumn(name="revisions", of=_field("revisions"), at=17, title=N_("Report", "Revisions"), page=True),
    RaterColumn(name="written", of=_field("written")),
    RaterColumn(name="task~", of=_field("per_task")),
    RaterColumn(name="target~", of=_field("per_target")),
)  # fmt: skip
"""Columns in the order of the terminal; in files, counts come before times and figures."""

FileValue = str | float | None
FIGURE = ("value", "low", "high", "n", "why", "tasks", "raters")
SPREAD = {
    "median_seconds": "median", "p10_seconds": "low", "p90_seconds": "high", "n": "n", "median_low": "median_low",
    "median_high": "median_high", "tasks": "tasks", "why": "why",
}  # fmt: skip
"""Parts of times in files: their name there → field of `TimeSpread`."""


def _file_columns(report: AuditReport) -> list[RaterColumn]:
    """Return the columns of the raters in files: counts, times, figures, and two figures for each question."""
    named = [column for column in RATER_COLUMNS if column.name]
    columns = sorted(named, key=lambda column: "~*".find(column.name[-1]))
    for question in (agreement.question.id for agreement in report.agreement):
        columns += [
            RaterColumn(name=f"alpha_{question}*", of=lambda rater, _main, name=question: rater.others.get(name)),
            RaterColumn(name=f"alike_{question}*", of=lambda rater, _main, name=question: rater.alike.get(name)),
        ]
    return columns


def _file_tables(report: AuditReport) -> dict[str, tuple[str, Iterable[Sequence[object]]]]:
    """Return the columns of each file but that of the raters, and its rows; "*" stands for a figure."""
    return {
        "agreement": (
            "question figure * units pairs ratings",
            (
                (row.question.id, name, figure, row.units, row.pairs, row.ratings)
                for row in report.agreement
                for name, figure in row.figures.items()
            ),
        ),
        "pairs": (
            "question rater other_rater figure *",
            (
                (pair.question, pair.one, pair.other, name, figure)
                for pair in report.pairs
                for name, figure in pair.figures.items()
            ),
        ),
        "confusion": (
            "question given majority_of_others ratings",
            (
                (confusion.question, given, others, count)
                for confusion in report.confusions
                for given, line in zip(confusion.values, confusion.counts, strict=True)
                for others, count in zip(confusion.values, line, strict=True)
            ),
        ),
        "labels": (
            "rater question value ratings share*",
            _label_rows(report),
        ),
        "differing": (
            "rater question task where quote own given distance",
            _differing_rows(report),
        ),
        **_scale_tables(report),
        "hardest": (
            "task where difficulty* discrimination*",
            ((row.task, row.where, row.difficulty, row.discrimination) for row in report.hardest),
        ),
        "libraries": (
            "library date question value count of raters",
            ((row.name, row.date, row.question, row.value, row.count, row.of, row.raters) for row in report.libraries),
        ),
        "library_places": (
            "task where rater question value",
            ((*place, row.question, row.value) for row in report.libraries for place in row.places),
        ),
        "pull": ("figure *", report.pull.items()),
        "models": (
            "model question figure *",
            (
                (check.model, check.question, name, getattr(check, name))
                for check in report.models
                for name in MODEL_FIGURES
            ),
        ),
    }


def _label_rows(report: AuditReport) -> Iterator[Sequence[object]]:
    looks = {agreement.question.id: [look.id for look in agreement.question.looks] for agreement in report.agreement}
    for rater in report.raters:
        for question, counts in rater.labels.items():
            shares = rater.label_shares.get(question, ()) or (ReportFigure(),) * len(counts)
            for value, count, share in zip(looks.get(question, ()), counts, shares, strict=False):
                yield rater.rater, question, value, count, share


def _differing_rows(report: AuditReport) -> Iterator[Sequence[object]]:
    of_all = (("", unit) for unit in report.differing)
    of_raters = ((rater.rater, unit) for rater in report.raters for unit in rater.differing)
    for rater, unit in chain(of_all, of_raters):
        given = "; ".join(f"{value}: {count}" for value, count in unit.given)
        yield rater, unit.question, unit.task, unit.where, unit.quote, unit.own, given, unit.distance


def _scale_tables(report: AuditReport) -> dict[str, tuple[str, Iterable[Sequence[object]]]]:
    return {
        "scales": (
            "question figure *",
            ((scale.question, name, figure) for scale in report.scales for name, figure in scale.figures.items()),
        ),
        "scale_raters": (
            "question rater mean* offset* severity* infit outfit",
            (
                (scale.question, row.rater, row.mean, row.offset, row.severity, *(row.fits or (None, None)))
                for scale in report.scales
                for row in scale.raters
            ),
        ),
        "trends": (
            "rater week* practice* time*",
            ((row.rater, row.week, row.practice, row.time) for row in report.trends),
        ),
    }


MODEL_FIGURES = {
    "alike": N_("Report", "Same value as a person"),
    "alpha": N_("Report", "α with the people"),
    "people": N_("Report", "α among the people"),
    "gold": N_("Report", "Agrees with gold"),
    "advantage": N_("Report", "As close as a rater"),
    "winning_rate": N_("Report", "Wins against raters"),
}
"""Figures of a model by field of `ModelCheck`."""

NAMES = tuple(
    f"{name}.csv"
    for name in ("agreement", "pairs", "confusion", "labels", "raters", "differing", "scales", "scale_raters",
                 "trends", "hardest", "models", "libraries", "library_places", "pull")
)  # fmt: skip


def csv_files(report: AuditReport) -> dict[str, str]:
    """Return the text of each file in `NAMES`, with unformatted numbers."""
    columns = _file_columns(report)
    names = " ".join(["rater model", *(column.name for column in columns)])
    raters = ((rater.rater, int(rater.model), *(column.of(rater, "") for column in columns)) for rater in report.raters)
    tables = {**_file_tables(report), "raters": (names, raters)}
    return {name: _csv_text(*tables[name.removesuffix(".csv")]) for name in NAMES}


def _csv_text(columns: str, rows: Iterable[Sequence[object]]) -> str:
    file = io.StringIO(newline="")
    table = csv.writer(file, lineterminator="\r\n")
    names = columns.split()
    table.writerow(part for name in names for part, _field_name in _parts(name))
    for row in rows:
        values = zip(names, row, strict=True)
        table.writerow(_csv_cell(getattr(value, field, None) if field else value)
                       for name, value in values for _part, field in _parts(name))  # fmt: skip
    return file.getvalue()


def _parts(name: str) -> list[tuple[str, str]]:
    """Return the columns that a name stands for, each with the field of its figure or times; "" without any."""
    prefix = f"{name[:-1]}_" if len(name) > 1 else ""
    if name.endswith("*"):
        return [(f"{prefix}{field}", field) for field in FIGURE]
    if name.endswith("~"):
        return [(f"{prefix}{part}", field) for part, field in SPREAD.items()]
    return [(name, "")]


def _csv_cell(value: object) -> str:
    if value is None:
        return ""
    return escape_formula(value) if isinstance(value, str) else repr(value)
