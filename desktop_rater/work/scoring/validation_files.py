"""Save a validation of text scores as CSV files, or as an HTML page."""

from collections.abc import Iterator
from pathlib import Path

from desktop_rater.audit.html_report import PageColors, render_validation_html
from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.validation import OPINIONS, ScoreValidation
from desktop_rater.audit.validation_panels import ValidationTexts
from desktop_rater.bundle.errors import bundle_errors
from desktop_rater.bundle.results_out.table_files import write_csv
from desktop_rater.bundle.results_out.tables import ExportColumn, Row, columns_of_kinds
from desktop_rater.files import replaced_file, replaced_files
from desktop_rater.work.audit.report import TRY_AGAIN

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


def save_validation_page(
    validation: ScoreValidation, path: Path, texts: ValidationTexts, colors: PageColors, *, lead: str, language: str
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
