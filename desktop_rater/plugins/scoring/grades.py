"""A lead's grades of texts, blind to scores and authors: stored with the reviews, or imported from a table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path

import msgspec

from desktop_rater.bundle.csv_cells import cells_of
from desktop_rater.bundle.errors import BundleError, BundleFault, bundle_errors
from desktop_rater.bundle.jsonl import read_small_text
from desktop_rater.bundle.results_out.table_files import write_csv
from desktop_rater.bundle.results_out.tables import columns_of_kinds
from desktop_rater.bundle.safe_zip import LIMITS
from desktop_rater.model.change import Change
from desktop_rater.model.strict_json import sha256
from desktop_rater.plugins.scoring.justifications import JustificationTexts, TextCluster, WrittenText
from desktop_rater.store import reviews
from desktop_rater.store.store import Store
from desktop_rater.text.untrusted import restored_cell
from desktop_rater.work.output_files import NOTHING_WRITTEN

GradeKey = tuple[str, str, str, str]
"""Task, place, question and text: equal texts at one place have one grade."""


class TextGrade(msgspec.Struct, frozen=True):
    """Body of the review ("grade", task, place, question, SHA-256 of the text). Without a grade it is withdrawn."""

    text: str
    grade: float | None


class GradedBy(msgspec.Struct, frozen=True):
    """Grade with the lead who gave it."""

    grade: float
    lead: str


class TextToGrade(msgspec.Struct, frozen=True, kw_only=True):
    """Text for a lead to grade. `gold`: the gold texts at its place."""

    task: str
    where: str
    question: str
    ask: str
    text: str
    gold: tuple[str, ...]
    grade: float | None = None

    @property
    def key(self) -> GradeKey:
        return self.task, self.where, self.question, self.text


class ImportedGrades(Change, frozen=True, kw_only=True):
    """Outcome of an import."""

    grades: int


def grade_key(text: WrittenText) -> GradeKey:
    """Return what a grade of this text is stored under."""
    return text.task, text.where, text.question, text.text


def load_grades(store: Store, bundle: str) -> dict[GradeKey, GradedBy]:
    """Return the grades given. Raises `StoreDamaged`."""
    grades = {}
    for review in reviews.latest_reviews(store, bundle, "grade"):
        body = review.read(TextGrade)
        if body.grade is not None:
            _kind, task, where, question, _sha256 = review.subject
            grades[task, where, question, body.text] = GradedBy(body.grade, review.lead)
    return grades


def save_grades(
    store: Store, bundle: str, grades: Mapping[GradeKey, float | None], lead: str, *, now: datetime
) -> Change:
    """Store grades, or withdraw those that are `None`. They change no figure of the report. Raises `StoreError`."""
    rows = [
        reviews.NewReview(
            subject=("grade", task, where, question, sha256(text.encode("utf-8", "replace"))),
            body=TextGrade(text, grade),
        )
        for (task, where, question, text), grade in grades.items()
    ]
    reviews.insert_reviews(store, bundle, rows, lead, now=now)
    return Change()


def texts_to_grade(gathered: JustificationTexts, grades: Mapping[GradeKey, GradedBy]) -> tuple[TextToGrade, ...]:
    """Return the distinct texts in a random order that stays the same, so that the first ones are a sample."""
    texts: dict[GradeKey, TextToGrade] = {}
    for cluster in gathered.clusters:
        entry = gathered.audit.rubric.questions.get(cluster.question)
        for text in cluster.texts:
            key = grade_key(text)
            given = grades.get(key)
            texts[key] = TextToGrade(
                task=text.task,
                where=text.where,
                question=text.question,
                ask=entry.question.ask if entry is not None else cluster.question,
                text=text.text,
                gold=gold_at(cluster, text),
                grade=given.grade if given is not None else None,
            )
    return tuple(texts[key] for key in sorted(texts, key=lambda key: sha256("\n".join(key).encode("utf-8", "replace"))))


def gold_at(cluster: TextCluster, text: WrittenText) -> tuple[str, ...]:
    """Return the gold texts at the place of a text that are not by its author."""
    return tuple(
        gold.text
        for gold in cluster.gold
        if (gold.task, gold.where) == (text.task, text.where) and (not gold.rater or gold.rater != text.rater)
    )


_NOTHING_CHANGED = "Nothing was changed."
_COLUMNS = columns_of_kinds(task="text", where="text", question="text", text="text", grade="number")
_HINT = f"{_NOTHING_CHANGED} The columns are task, where, question, grade, and text or rater."
_DELIMITERS = ",;\t"


def write_grades_table(texts: Sequence[TextToGrade], out: Path) -> None:
    """Write a table to fill in, without authors, in random order. Raises `BundleError`."""
    with bundle_errors(out, "written", NOTHING_WRITTEN):
        write_csv(out, _COLUMNS, [msgspec.to_builtins(text) for text in texts], bom=True)


def import_grades(
    store: Store, gathered: JustificationTexts, path: Path, lead: str, *, now: datetime
) -> ImportedGrades:
    """Import a table of grades, all or nothing; rows without a grade are skipped. Raises `BundleError`."""
    written = [text for cluster in gathered.clusters for text in cluster.texts]
    grades: dict[GradeKey, float | None] = {}
    for line, row in _rows(path):
        if not row.get("grade", "").strip():
            continue
        keys = {grade_key(text) for text in written if _matches(row, text)}
        try:
            grade = float(row["grade"])
        except ValueError:
            grade = math.nan
        if len(keys) != 1 or not math.isfinite(grade):
            what = "several texts" if keys else "no text that can be scored"
            why = f"it names {what}." if len(keys) != 1 else f"{row['grade']!r} is not a number."
            raise BundleError(f"{path.name} can't be imported", f"line {line}: {why}", _HINT)
        grades[keys.pop()] = grade
    if grades:
        save_grades(store, gathered.audit.bundle, grades, lead, now=now)
    return ImportedGrades(grades=len(grades))


def _matches(row: Mapping[str, str], text: WrittenText) -> bool:
    """Return whether the columns that are filled name a text; white space of the text does not count."""
    named = (("task", text.task), ("where", text.where), ("question", text.question), ("rater", text.rater))
    return all(row.get(name, "") in ("", value) for name, value in named) and row.get("text", "").split() in (
        [],
        text.text.split(),
    )


def _rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    data = read_small_text(path, LIMITS.line_bytes)
    head = data.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=head.count)
    rows: Iterable[tuple[int, list[str]]] = cells_of([data.encode()], delimiter, LIMITS)
    names: list[str] = []
    try:
        for line, cells in rows:
            if not names:
                names = [cell.strip() for cell in cells]
                if not {"task", "grade"} <= set(names) or not {"text", "rater"} & set(names):
                    raise BundleError(f"{path.name} holds no grades", "A column is missing.", _HINT)
                continue
            if len(cells) != len(names):
                raise BundleFault(f"line {line}: it has {len(cells):,} cells, and the first line has {len(names):,}")
            yield line, dict(zip(names, map(restored_cell, cells), strict=True))
    except BundleFault as fault:
        raise BundleError(f"{path.name} can't be imported", f"{fault}.", _HINT) from fault
