"""The validation of text scores as charts and tables, for the window, an HTML page, and CSV files."""

from collections.abc import Iterator
from pathlib import Path

from desktop_rater.audit.charts.drawing import ConfusionChart, ScatterDot, ScatterPlot, draw_matrix, draw_scatters
from desktop_rater.audit.charts.system_drawing import (
    IntervalCell,
    IntervalChart,
    IntervalColumn,
    IntervalRow,
    draw_intervals,
)
from desktop_rater.audit.html_report import PageColors, PageSection, render_panels
from desktop_rater.audit.questions import ValueStyle
from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.report_format import (
    LONGEST_QUOTE,
    NONE,
    Wording,
    interval_text,
    place_name,
    shorten,
    with_interval,
)
from desktop_rater.audit.report_panels import ReportCell, ReportColumn, ReportPanel, ReportTableData
from desktop_rater.files import replaced_file, replaced_files
from desktop_rater.format.errors import bundle_errors
from desktop_rater.operations.audit.report import TRY_AGAIN
from desktop_rater.operations.results_tables import write_csv
from desktop_rater.operations.results_tables.tables import ExportColumn, Row, columns_of_kinds
from desktop_rater.plugins.scoring.validation import (
    BASELINE,
    OPINIONS,
    AnswerErrors,
    ScoreCorrelations,
    ScoreValidation,
    best_row,
    texts_needed,
)
from desktop_rater.stats.scores import PointOpinion

MOST_APART, GUIDE = 10, 0.5
FIGURES = ("spearman", "pearson", "kendall")


def rule_name(rule: str, texts: Wording) -> str:
    """Return the name of a score."""
    named = {
        "AV": texts.translate("Report", "Mean of points"),
        "AMV": texts.translate("Report", "Boldest of each topic"),
        "AFV": texts.translate("Report", "Two largest topics"),
        "AFMV": texts.translate("Report", "Boldest of two topics"),
        "MV": texts.translate("Report", "Boldest point"),
        "RC": texts.translate("Report", "Recall of the gold"),
    }
    return texts.translate("Report", "Model asked for a grade") if rule == BASELINE else f"{named[rule]} {rule}"


def source_name(name: tuple[str, str], texts: Wording) -> str:
    """Return the name of a source of answers."""
    source, model = name
    templates = {
        "hand": texts.translate("Report", "Your answers"),
        "own_points": texts.translate("Report", "{model}, your points"),
        "model": texts.translate("Report", "{model}, its own points"),
    }
    return templates.get(source, texts.translate("Report", "Model asked for a grade")).format(model=shorten(model, 60))


def opinion_name(opinion: PointOpinion, texts: Wording) -> str:
    """Return the text of an opinion on a point."""
    return {1: texts.translate("Report", "Agrees"), 0: texts.translate("Report", "Disagrees")}.get(
        -1 if opinion is None else opinion, texts.translate("Report", "Silent")
    )


def rests_on_texts(validation: ScoreValidation, texts: Wording) -> str:
    """Return what the figures rest on."""
    return texts.translate("Report", "{texts} texts, {raters} raters, {tasks} tasks").format(
        texts=texts.number(len(validation.texts)),
        raters=texts.number(validation.raters),
        tasks=texts.number(validation.tasks),
    )


def intervals_over(validation: ScoreValidation, texts: Wording) -> str:
    """Return the units that intervals are drawn over."""
    return (
        texts.translate("Report", "95 % intervals, bootstrap over tasks")
        if validation.unit == "task"
        else texts.translate("Report", "95 % intervals over texts, for these {n} tasks only")
    ).format(n=texts.number(validation.tasks))


def scatter_panel(validation: ScoreValidation, name: tuple[str, str], texts: Wording) -> ReportPanel:
    """Return a plot for each score of a source that differs between texts, and its baseline."""
    rows = [row for row in validation.of(name) if row.figures["spearman"].value is not None]
    plots = tuple(_plot(validation, row, texts) for row in rows)
    description = ". ".join(f"{plot.title}: {plot.figure}" for plot in plots)
    columns = [
        ReportColumn(texts.translate("Report", "Text")),
        ReportColumn(texts.translate("Report", "lead’s grade"), figures=True),
    ]
    columns += [
        ReportColumn(
            texts.translate("Report", "Model asked for a grade") if row.rule == BASELINE else row.rule, figures=True
        )
        for row in rows
    ]
    scores = [dict(row.values) for row in rows]
    table = tuple(
        (
            ReportCell(shorten(text.text, LONGEST_QUOTE)),
            ReportCell(_grade(text.grade, texts)),
            *(ReportCell(texts.number(values[at], 2) if at in values else NONE) for values in scores),
        )
        for at, text in enumerate(validation.texts)
    )
    return ReportPanel(
        title=texts.translate("Report", "The lead’s grades against each way of scoring"),
        draw=(lambda area: draw_scatters(plots, area, texts.translate("Report", "lead’s grade"), description))
        if plots
        else None,
        table=ReportTableData(tuple(columns), table),
        note=texts.translate("Report", "a dot is a text; dashed: 0.5, which says nothing"),
        foot=(texts.translate("Report", "A score follows the lead or does not; it does not judge a person."),),
    )


def _grade(grade: float, texts: Wording) -> str:
    return texts.number(grade, 0 if grade == int(grade) else 1)


def _plot(validation: ScoreValidation, row: ScoreCorrelations, texts: Wording) -> ScatterPlot:
    values = [score for _, score in row.values]
    is_grade = row.rule == BASELINE
    low, high = (1, 10) if is_grade else (min(values), max(values))
    dots = []
    for index, score in row.values:
        text = validation.texts[index]
        tooltip = f"{place_name(text.task, text.where)}: {_grade(text.grade, texts)}, {texts.number(score, 2)}"
        dots.append(ScatterDot(text.grade, score, tooltip, ("text", text.task, text.where)))
    return ScatterPlot(
        title=rule_name(row.rule, texts),
        figure=f"ρ {with_interval(row.figures['spearman'], texts, '')}",
        dots=tuple(dots),
        low=low,
        high=high,
        ring=is_grade,
        guide=None if is_grade else GUIDE,
    )


def follows_panel(validation: ScoreValidation, name: tuple[str, str], texts: Wording) -> ReportPanel:
    """Return the correlations of each score of a source, and its difference from the baseline."""
    rows = [row for row in validation.of(name) if row.figures["spearman"].value is not None]
    titles = (
        texts.translate("Report", "Spearman’s ρ"),
        texts.translate("Report", "Pearson’s r"),
        texts.translate("Report", "Kendall’s τ-b"),
    )
    has_baseline = any(row.above is not None for row in rows)
    columns = [IntervalColumn(title=title, floor=-1, ceiling=1, reach=1) for title in titles]
    if has_baseline:
        columns.append(
            IntervalColumn(
                title=texts.translate("Report", "Above the baseline"),
                about=texts.translate("Report", "difference in ρ"),
            )
        )
    chart_rows, table = [], []
    for row in rows:
        figures = [row.figures[figure] for figure in FIGURES]
        if has_baseline:
            figures.append(row.above or ReportFigure(why=texts.translate("Report", "baseline")))
        tasks = texts.counted("task", row.figures["spearman"].tasks)
        cells = tuple(_cell(f"{rule_name(row.rule, texts)}, {tasks}", figure, texts) for figure in figures)
        chart_rows.append(IntervalRow(name=rule_name(row.rule, texts), cells=cells))
        plain = [ReportCell(with_interval(figure, texts, NONE)) for figure in figures]
        rests = f"{texts.number(row.figures['spearman'].n)}, {tasks}"
        table.append((ReportCell(rule_name(row.rule, texts)), *plain, ReportCell(rests)))
    heads = (
        texts.translate("Report", "Way of scoring"),
        *(column.title for column in columns),
        texts.translate("Report", "Based on"),
    )
    chart = IntervalChart(columns=tuple(columns), rows=tuple(chart_rows))
    description = ". ".join(cell.tooltip for row in chart_rows for cell in row.cells)
    return ReportPanel(
        title=texts.translate("Report", "How well each follows the lead"),
        draw=(lambda area: draw_intervals(chart, area, description)) if rows else None,
        table=ReportTableData(
            tuple(ReportColumn(head, figures=index > 0) for index, head in enumerate(heads)), tuple(table)
        ),
        note=intervals_over(validation, texts),
        foot=tuple(_findings(validation, name, texts)),
        rows=2 * len(rows),
    )


def _cell(name: str, figure: ReportFigure, texts: Wording) -> IntervalCell:
    if figure.value is None:
        return IntervalCell(missing=texts.why(figure.why), tooltip=f"{name}: {texts.why(figure.why)}")
    value, ends = texts.number(figure.value, 2), interval_text(figure, texts)
    why = "" if ends else texts.why(figure.why)
    return IntervalCell(
        value=figure.value,
        low=figure.low,
        high=figure.high,
        value_text=value,
        interval_text=ends,
        missing=why,
        tooltip=f"{name}: {value}" + (f" ({ends})" if ends else f". {why}"),
    )


def _findings(validation: ScoreValidation, name: tuple[str, str], texts: Wording) -> list[str]:
    """Return sentences on which scores lie above the baseline, which can't tell texts apart, and missing intervals."""
    rows = [row for row in validation.of(name) if row.rule != BASELINE]
    flat = [row.rule for row in rows if row.figures["spearman"].value is None]
    lines = (
        [texts.translate("Report", "The same score for each text: {ways}.").format(ways=", ".join(flat))]
        if flat
        else []
    )
    compared = [row for row in rows if row.above is not None and row.above.value is not None]
    if compared:
        sure = [row.rule for row in compared if row.above is not None and (row.above.low or 0) > 0]
        lines.append(
            texts.translate("Report", "Above the baseline by more than the interval: {ways}.").format(
                ways=", ".join(sure)
            )
            if sure
            else texts.translate("Report", "No way of scoring is above the baseline by more than its interval.")
        )
        best = best_row(compared)
        needed = texts_needed(best.above) if best is not None and best.above is not None else None
        if not sure and best is not None and needed is not None:
            lines.append(
                texts.translate("Report", "{way}: about {n} texts would show it, if the difference stays.").format(
                    way=best.rule, n=texts.number(needed)
                )
            )
    elif not any(row.above for row in rows):
        lines.append(texts.translate("Report", "No model has been asked for grades, so there is no baseline."))
    figures = (figure for row in rows for figure in (*row.figures.values(), row.above))
    whys = {figure.why for figure in figures if figure is not None and figure.value is not None and figure.why}
    words = texts.translate("Report", "no interval")
    missing = f"{words[:1].upper()}{words[1:]}"
    return [*lines, *(f"{missing}: {texts.why(why)}." for why in sorted(whys))]


def answers_panel(answers: AnswerErrors | None, texts: Wording) -> ReportPanel:
    """Return the model's answers against the lead's, as a matrix."""
    labels = tuple(ValueStyle(str(opinion), opinion_name(opinion, texts)) for opinion in OPINIONS)
    columns = (
        ReportColumn(texts.translate("Report", "Lead")),
        *(ReportColumn(label.label, figures=True) for label in labels),
    )
    if answers is None:
        return ReportPanel(
            title=texts.translate("Report", "The model’s answers to points against the lead’s"),
            table=ReportTableData((), ()),
        )
    cells = tuple(
        tuple(
            texts.translate("Report", "lead: {lead}, model: {model}: {n}").format(
                lead=lead.label, model=model.label, n=texts.number(count)
            )
            for model, count in zip(labels, line, strict=True)
        )
        for lead, line in zip(labels, answers.counts, strict=True)
    )
    chart = ConfusionChart(
        labels,
        answers.counts,
        texts.translate("Report", "the model says that the text …"),
        texts.translate("Report", "total"),
        cells,
    )
    rows = tuple(
        (ReportCell(label.label), *(ReportCell(texts.number(count)) for count in line))
        for label, line in zip(labels, answers.counts, strict=True)
    )
    foot = [
        template.format(
            share=_share(figure, texts),
            n=texts.number(figure.n),
            texts=texts.number(answers.texts),
            tasks=texts.number(figure.tasks),
        )
        for template, figure in (
            (
                texts.translate("Report", "Error rate: {share}, of {n} answers about {texts} texts, {tasks} tasks."),
                answers.errors,
            ),
            (
                texts.translate("Report", "Inversions: {share}, of {n} where both take a side, {tasks} tasks."),
                answers.inversions,
            ),
        )
    ]
    return ReportPanel(
        title=texts.translate("Report", "The model’s answers to points against the lead’s"),
        draw=lambda area: draw_matrix(chart, area, " ".join(foot)),
        table=ReportTableData(columns, rows),
        foot=tuple(foot),
        rows=len(labels),
    )


def _share(figure: ReportFigure, texts: Wording) -> str:
    if figure.value is None:
        return texts.why(figure.why)
    value = f"{texts.number(100 * figure.value, 1)} %"
    if figure.low is None or figure.high is None:
        return f"{value} ({texts.why(figure.why)})" if figure.why else value
    return f"{value} ({texts.number(100 * figure.low, 1)}–{texts.number(100 * figure.high, 1)})"


def apart_panel(validation: ScoreValidation, name: tuple[str, str], texts: Wording) -> ReportPanel | None:
    """Return the texts where the best score of a source and the lead part most; `None` if there is no score."""
    row = best_row(validation.of(name))
    if row is None:
        return None
    columns = (
        ReportColumn(texts.translate("Report", "Text")),
        ReportColumn(texts.translate("Report", "lead’s grade"), figures=True),
        ReportColumn(row.rule, figures=True),
        ReportColumn(texts.translate("Report", "Rank above the lead’s"), figures=True),
        ReportColumn(texts.translate("Report", "Where")),
    )
    scores = dict(row.values)
    entries = [(validation.texts[index], scores[index], by) for index, by in row.apart[:MOST_APART]]
    rows = tuple(
        (
            ReportCell(shorten(text.text, LONGEST_QUOTE)),
            ReportCell(_grade(text.grade, texts)),
            ReportCell(texts.number(score, 2)),
            ReportCell(texts.percent_of(by)),
            ReportCell(place_name(text.task, text.where)),
        )
        for text, score, by in entries
    )
    keys = tuple((text.task, text.where) for text, _, _ in entries)
    return ReportPanel(
        title=texts.translate("Report", "Texts where {way} and the lead part most").format(way=row.rule),
        table=ReportTableData(columns, rows, keys),
    )


def inversions_panel(answers: AnswerErrors | None, texts: Wording) -> ReportPanel | None:
    """Return the points on which the model says the opposite of the lead; `None` without answers to compare."""
    if answers is None:
        return None
    titles = (
        texts.translate("Report", "Point"),
        texts.translate("Report", "Lead"),
        texts.translate("Report", "Model"),
        texts.translate("Report", "Text"),
        texts.translate("Report", "Where"),
    )
    rows = tuple(
        (
            ReportCell(shorten(answer.point, LONGEST_QUOTE)),
            ReportCell(opinion_name(answer.lead, texts)),
            ReportCell(opinion_name(answer.model, texts)),
            ReportCell(shorten(answer.text, LONGEST_QUOTE)),
            ReportCell(place_name(answer.task, answer.where)),
        )
        for answer in answers.inverted
    )
    keys = tuple((answer.task, answer.where) for answer in answers.inverted)
    table = ReportTableData(tuple(map(ReportColumn, titles)), rows, keys)
    return ReportPanel(
        title=texts.translate("Report", "Inversions"),
        table=table,
        foot=() if rows else (texts.translate("Report", "The model never says the opposite of the lead."),),
    )


def criterion_panel(validation: ScoreValidation, name: tuple[str, str], texts: Wording) -> ReportPanel | None:
    """Return the correlations of a source's mean scores with a value of each rater; `None` without such values."""
    criterion = validation.criterion
    if criterion is None:
        return None
    heads = (
        texts.translate("Report", "Way of scoring"),
        texts.translate("Report", "Spearman’s ρ"),
        texts.translate("Report", "Pearson’s r"),
        texts.translate("Report", "Kendall’s τ-b"),
        texts.translate("Report", "Based on"),
    )
    columns = tuple(ReportColumn(head, figures=index > 0) for index, head in enumerate(heads))
    rows = tuple(
        (
            ReportCell(_criterion_row(row, texts)),
            *(ReportCell(with_interval(row.figures[figure], texts, NONE)) for figure in FIGURES),
            ReportCell(texts.counted("rater", len(row.values))),
        )
        for row in criterion.rows
        if row.name == name or row.rule == BASELINE
    )
    missing = texts.translate("Report", "Without a value or a text: {names}").format(names=", ".join(criterion.missing))
    return ReportPanel(
        title=texts.translate("Report", "Raters’ means against {criterion}").format(criterion=criterion.criterion),
        table=ReportTableData(columns, rows),
        note=texts.translate("Report", "95 % intervals, bootstrap over raters"),
        foot=(missing,) if criterion.missing else (),
    )


def _criterion_row(row: ScoreCorrelations, texts: Wording) -> str:
    if row.name == ("hand", "") and row.rule == BASELINE:
        return texts.translate("Report", "The lead’s grades")
    return rule_name(row.rule, texts)


def source_names(validation: ScoreValidation) -> list[tuple[str, str]]:
    """Return the sources that have scores, by their names."""
    return list(dict.fromkeys(row.name for row in validation.rows if row.rule != BASELINE))


def validation_panels(validation: ScoreValidation, name: tuple[str, str], texts: Wording) -> dict[str, ReportPanel]:
    """Return the panels of a source by the names of their cards; those without data are left out."""
    answers = validation.answers_of(name[1])
    panels = {
        "scatter": scatter_panel(validation, name, texts),
        "follows": follows_panel(validation, name, texts),
        "answers": answers_panel(answers, texts) if answers is not None else None,
        "criterion": criterion_panel(validation, name, texts),
        "apart": apart_panel(validation, name, texts),
        "inversions": inversions_panel(answers, texts),
    }
    return {card: panel for card, panel in panels.items() if panel is not None}


_FIGURE = columns_of_kinds(value="number", low="number", high="number", n="whole", tasks="whole", why="text")
_SOURCE = columns_of_kinds(source="enum", model="text", rule="enum")
_ANSWERS = {1: "agree", None: "silent", 0: "disagree"}
TABLES: dict[str, tuple[ExportColumn, ...]] = {
    "correlations.csv": (*_SOURCE, *columns_of_kinds(figure="enum", baseline="text"), *_FIGURE),
    "texts.csv": (
        *columns_of_kinds(task="text", where="text", question="text", rater="text", text="text", grade="number"),
        *_SOURCE,
        *columns_of_kinds(score="number"),
    ),
    "answers.csv": columns_of_kinds(model="text", lead="enum", model_says="enum", answers="whole"),
    "criterion.csv": (*columns_of_kinds(criterion="text"), *_SOURCE, *columns_of_kinds(figure="enum"), *_FIGURE),
    "errors.csv": (*columns_of_kinds(model="text", figure="enum"), *_FIGURE),
    "inversions.csv": columns_of_kinds(
        model="text", task="text", where="text", text="text", point="text", lead="enum", model_says="enum"
    ),
}
"""Columns of each file."""


def save_validation_tables(validation: ScoreValidation, folder: Path) -> tuple[Path, ...]:
    """Write the CSV files into a folder, created if missing. Raises `RaterError`."""
    with bundle_errors(folder, "written", TRY_AGAIN):
        folder.mkdir(parents=True, exist_ok=True)
        with replaced_files(folder, tuple(TABLES)) as part_folder:
            for (name, columns), rows in zip(TABLES.items(), _rows(validation), strict=True):
                write_csv(part_folder / name, columns, rows, bom=True)
    return tuple(folder / name for name in TABLES)


def render_validation_html(
    validation: ScoreValidation, texts: Wording, colors: PageColors, *, lead: str = "", language: str = "en"
) -> str:
    """Render the page about text scores, with a section for each source of answers. Untrusted text is escaped."""
    sections = []
    for name in source_names(validation):
        panels = validation_panels(validation, name, texts)
        placed = tuple((panel, card != "answers") for card, panel in panels.items())
        sections.append(PageSection(source_name(name, texts), placed))
    about = (texts.translate("Report", "Text scores"), rests_on_texts(validation, texts))
    return render_panels(validation, sections, about, texts, colors, lead=lead, language=language)


def save_validation_page(
    validation: ScoreValidation, path: Path, texts: Wording, colors: PageColors, *, lead: str, language: str
) -> Path:
    """Write the validation as an HTML page. Raises `RaterError`."""
    page = render_validation_html(validation, texts, colors, lead=lead, language=language)
    with bundle_errors(path, "written", TRY_AGAIN), replaced_file(path) as part_path:
        part_path.write_text(page, encoding="utf-8", newline="\n")
    return path


def _rows(validation: ScoreValidation) -> Iterator[list[Row]]:
    rows = validation.rows
    sources = {id(row): {"source": row.source, "model": row.model, "rule": row.rule} for row in rows}
    yield [
        {**sources[id(row)], "figure": name, "baseline": row.baseline if name == "above" else "", **_figure(figure)}
        for row in rows
        for name, figure in (*row.figures.items(), ("above", row.above))
        if figure is not None
    ]
    yield [
        {
            **{name: getattr(text, name) for name in ("task", "where", "question", "rater", "text", "grade")},
            **sources[id(row)],
            "score": score,
        }
        for row in rows
        for text, score in ((validation.texts[index], score) for index, score in row.values)
    ]
    yield [
        {"model": answers.model, "lead": _ANSWERS[lead], "model_says": _ANSWERS[model], "answers": count}
        for answers in validation.answers
        for lead, line in zip(OPINIONS, answers.counts, strict=True)
        for model, count in zip(OPINIONS, line, strict=True)
    ]
    yield [
        {
            "criterion": criterion.criterion,
            **{name: getattr(row, name) for name in ("source", "model", "rule")},
            "figure": name,
            **_figure(figure),
        }
        for criterion in ([validation.criterion] if validation.criterion is not None else [])
        for row in criterion.rows
        for name, figure in row.figures.items()
    ]
    yield [
        {"model": answers.model, "figure": name, **_figure(figure)}
        for answers in validation.answers
        for name, figure in (("errors", answers.errors), ("inversions", answers.inversions))
    ]
    yield [
        {
            **{name: getattr(answer, name) for name in ("task", "where", "text", "point")},
            "model": answers.model,
            "lead": _ANSWERS[answer.lead],
            "model_says": _ANSWERS[answer.model],
        }
        for answers in validation.answers
        for answer in answers.inverted
    ]


def _figure(figure: ReportFigure) -> Row:
    return {name: getattr(figure, name) for name in ("value", "low", "high", "n", "tasks", "why")}
