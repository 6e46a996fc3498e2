"""Scoring by the lead: points and answers, in the window or as a form, and grades, blind to scores and authors."""

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from desktop_rater.audit.report_format import place_name
from desktop_rater.audit.results import Audit
from desktop_rater.format.change import Change, Progress
from desktop_rater.format.errors import BundleError, BundleFault, RaterError, bundle_errors
from desktop_rater.format.jsonl import cells_of, read_small_text, struct_of, write_lines
from desktop_rater.format.safe_zip import LIMITS
from desktop_rater.format.strict_json import OpenStruct, canonical_json, sha256, to_plain
from desktop_rater.format.values import Id
from desktop_rater.format.write import NOTHING_WRITTEN
from desktop_rater.operations.audit.load_audit import load_audit
from desktop_rater.operations.audit.report import REPORT_SEED
from desktop_rater.operations.audit.review import Lead, ReviewChange, quotes_in, save_reviews
from desktop_rater.operations.audit.text_scores import StoredScores
from desktop_rater.operations.results_tables import write_csv
from desktop_rater.operations.results_tables.tables import columns_of_kinds
from desktop_rater.plugins.scoring.justifications import (
    ClusterBy,
    JustificationScores,
    JustificationTexts,
    ScoringOptions,
    TextCluster,
    WrittenText,
    gather_justifications,
    save_scores,
    score_justifications,
)
from desktop_rater.plugins.scoring.oracles import HandOracle, OraclePoint
from desktop_rater.stats.scores import PointOpinion
from desktop_rater.store import reviews
from desktop_rater.store.store import Store
from desktop_rater.text.sentences import split_sentences
from desktop_rater.text.untrusted import restored_cell

POINTS_FORMAT = "desktop-rater/points"
Says = Literal["agree", "disagree", "silent", ""]


class FormPoint(OpenStruct, frozen=True, kw_only=True):
    """Statement. `quotes`: passages of the gold texts that support it."""

    topic: str
    text: Id
    quotes: tuple[str, ...] = ()


class FormText(OpenStruct, frozen=True, kw_only=True):
    """Text with its position on each point, in order; an empty position is unanswered.

    The author is left out on purpose. `gold`: it is one of the gold texts.
    """

    text: Id
    gold: bool = False
    says: tuple[Says, ...] = ()


class FormCluster(OpenStruct, frozen=True, kw_only=True):
    """Points of some gold texts, and the texts compared with them."""

    cluster: Id
    points: tuple[FormPoint, ...] = ()
    texts: tuple[FormText, ...] = ()


class PointsForm(OpenStruct, frozen=True, kw_only=True):
    """Complete file."""

    format: Literal["desktop-rater/points"]
    version: Annotated[int, Meta(ge=1, le=1)]
    bundle: Id
    clusters: tuple[FormCluster, ...] = ()


_MOST_SENTENCES = 24
_ANSWER_VALUES: dict[Says, PointOpinion] = {"agree": 1, "disagree": 0, "silent": None}
_ANSWER_NAMES: dict[PointOpinion, Says] = {1: "agree", 0: "disagree", None: "silent"}


class PointsReview(msgspec.Struct, frozen=True):
    """Body of a review ("points", cluster)."""

    points: tuple[OraclePoint, ...]


class AnswersReview(msgspec.Struct, frozen=True):
    """Body of a review ("answers", cluster, SHA-256 of the text).

    `said` is keyed by the points' texts: answers survive changes of other points, and a reworded point is a new
    question. A missing point is unanswered.
    """

    text: str
    said: dict[str, PointOpinion]


class ImportedForm(Change, frozen=True, kw_only=True):
    """Outcome of importing a form: the number of clusters with points, and of texts with answers."""

    points: int
    answers: int
    unanswered: int


def load_points(store: Store, bundle: str) -> dict[str, tuple[OraclePoint, ...]]:
    """Return cluster → the lead's points. Raises `StoreDamaged`."""
    return {
        review.subject[1]: review.read(PointsReview).points
        for review in reviews.latest_reviews(store, bundle, "points")
    }


def load_answers(store: Store, bundle: str) -> dict[tuple[str, str], dict[str, PointOpinion]]:
    """Return (cluster, text) → point text → answer. Raises `StoreDamaged`."""
    by_text = {}
    for review in reviews.latest_reviews(store, bundle, "answers"):
        answers = review.read(AnswersReview)
        by_text[review.subject[1], answers.text] = answers.said
    return by_text


def manual_oracle(store: Store, bundle: str) -> HandOracle:
    """Return the lead's stored answers as an oracle. Raises `StoreDamaged`."""
    return HandOracle(load_points(store, bundle), load_answers(store, bundle))


def write_points_form(store: Store, bundle: str, clusters: Sequence[TextCluster], out: Path, lang: str) -> int:
    """Write a form to fill in; return its number of texts. Raises `RaterError`.

    Without points of the lead, each sentence of the gold texts is proposed as one.
    """
    points, answers = load_points(store, bundle), load_answers(store, bundle)
    form = PointsForm(
        format=POINTS_FORMAT,
        version=1,
        bundle=bundle,
        clusters=tuple(_cluster_to_fill(points.get(entry.id, ()), answers, entry, lang) for entry in clusters),
    )
    text = json.dumps(to_plain(form), ensure_ascii=False, indent=2)
    with write_lines(out) as write:
        write(text.encode())
    return sum(len(cluster.texts) for cluster in form.clusters)


def import_points_form(store: Store, bundle: str, path: Path, lead: str, *, now: datetime) -> ImportedForm:
    """Import a filled form, all or nothing. Raises `RaterError` naming what is invalid."""
    form = struct_of(path, PointsForm)
    if form.bundle != bundle:
        raise RaterError(
            f"{path.name} belongs to another bundle.", f"It was made for {form.bundle!r}.", "Nothing was changed."
        )
    stored = {review.subject: review.body for review in reviews.latest_reviews(store, bundle, "points")}
    stored |= {review.subject: review.body for review in reviews.latest_reviews(store, bundle, "answers")}
    form_reviews = list(_form_reviews(form, path.name, load_answers(store, bundle)))
    bodies = {review.subject: canonical_json(msgspec.to_builtins(review.body)) for review in form_reviews}
    new_reviews = [review for review in form_reviews if stored.get(review.subject) != bodies[review.subject]]
    if new_reviews:
        reviews.insert_reviews(store, bundle, new_reviews, lead, now=now)
    return ImportedForm(
        audits=frozenset({bundle}) if new_reviews else frozenset(),
        points=sum(new_review.subject[0] == "points" for new_review in form_reviews),
        answers=sum(new_review.subject[0] == "answers" for new_review in form_reviews),
        unanswered=sum(not _answered(text) for cluster in form.clusters for text in cluster.texts),
    )


def _cluster_to_fill(
    own_points: tuple[OraclePoint, ...],
    answers: Mapping[tuple[str, str], dict[str, PointOpinion]],
    cluster: TextCluster,
    lang: str,
) -> FormCluster:
    points = own_points or _sentences(cluster, lang)
    golden = {entry.text for entry in cluster.gold}
    texts = dict.fromkeys([*(entry.text for entry in cluster.gold), *sorted(entry.text for entry in cluster.texts)])
    return FormCluster(
        cluster=cluster.id,
        points=tuple(FormPoint(topic=entry.topic, text=entry.text, quotes=entry.quotes) for entry in points),
        texts=tuple(
            FormText(
                text=text,
                gold=text in golden,
                says=tuple(_ANSWER_NAMES[said[point.text]] if point.text in said else "" for point in points),
            )
            for text, said in ((text, answers.get((cluster.id, text), {})) for text in texts)
        ),
    )


def _sentences(cluster: TextCluster, lang: str) -> tuple[OraclePoint, ...]:
    texts = [
        gold_text.text[start:end] for gold_text in cluster.gold for start, end in split_sentences(gold_text.text, lang)
    ]
    plain = dict.fromkeys(" ".join(sentence.split()) for sentence in texts)
    return tuple(
        OraclePoint(topic="gold", text=sentence, quotes=(sentence,)) for sentence in list(plain)[:_MOST_SENTENCES]
    )


def _form_reviews(
    form: PointsForm, name: str, stored: Mapping[tuple[str, str], dict[str, PointOpinion]]
) -> Iterator[reviews.NewReview]:
    for cluster in form.clusters:
        points = tuple(OraclePoint(topic=entry.topic, text=entry.text, quotes=entry.quotes) for entry in cluster.points)
        yield reviews.NewReview(subject=("points", cluster.cluster), body=PointsReview(points))
        for text in cluster.texts:
            if not _answered(text):
                continue
            if len(text.says) != len(points):
                raise RaterError(
                    f"{name} can't be imported.",
                    f'In the cluster "{cluster.cluster}" a text has {len(text.says)} answers to {len(points)} points: '
                    f'"{text.text[:60]}".',
                    "Nothing was changed. Give each text one answer per point, in order.",
                )
            answers = {point.text: _ANSWER_VALUES[entry] for point, entry in zip(points, text.says, strict=True)}
            body = AnswersReview(text.text, stored.get((cluster.cluster, text.text), {}) | answers)
            yield reviews.NewReview(subject=answers_subject(cluster.cluster, text.text), body=body)


def answers_subject(cluster: str, text: str) -> tuple[str, ...]:
    """Return the review subject of a text's answers."""
    return "answers", cluster, sha256(text.encode("utf-8", "replace"))


def _answered(text: FormText) -> bool:
    return bool(text.says) and "" not in text.says


MAX_POINT_CHARACTERS = 2_000  # of a point or topic


class ManualText(msgspec.Struct, frozen=True, kw_only=True):
    """One distinct text. `task`, `where`: its first place; `at`: all of them, as (task, where)."""

    text: str
    gold: bool
    task: str
    where: str
    at: frozenset[tuple[str, str]]

    @property
    def places(self) -> int:
        return len(self.at)


class ManualCluster(msgspec.Struct, frozen=True, kw_only=True):
    """A text question with its texts, gold first; `place` if it has the texts of one place only.

    `said`: text → point text → answer.
    """

    id: str
    ask: str
    place: str = ""
    points: tuple[OraclePoint, ...]
    texts: tuple[ManualText, ...]
    said: dict[str, dict[str, PointOpinion]]


class ManualScoring(msgspec.Struct, frozen=True, kw_only=True):
    """Data of the scoring screen. `last`: oracle of the scores shown in reports, empty if none."""

    bundle: str
    language: str
    clusters: tuple[ManualCluster, ...]
    trusted: tuple[str, ...]
    last: str
    by: ClusterBy = "bundle"


class GoldChoice(msgspec.Struct, frozen=True):
    """Body of the review ("trusted",): raters whose texts also count as gold, and the scope of a set of points."""

    raters: tuple[str, ...] = ()
    by: ClusterBy = "bundle"


class ManualScores(Change, frozen=True, kw_only=True):
    """Outcome of scoring all answered texts."""

    scores: JustificationScores


def load_manual_scoring(store: Store, bundle: str) -> ManualScoring:
    """Load the scoring data. Raises `NoGoldTexts` if nothing can be scored, and `StoreDamaged`."""
    gathered = gather_trusted(store, bundle)
    points, answers = load_points(store, bundle), load_answers(store, bundle)
    last = reviews.newest_review(store, bundle, ("scores",))
    return ManualScoring(
        bundle=bundle,
        language=gathered.language,
        clusters=tuple(
            _cluster(cluster, gathered, points.get(cluster.id, ()), answers) for cluster in gathered.clusters
        ),
        trusted=gold_choice(store, bundle).raters,
        last=last.read(StoredScores).oracle if last is not None else "",
        by=gold_choice(store, bundle).by,
    )


def gather_trusted(store: Store, bundle: str) -> JustificationTexts:
    """Return the texts by the choices of the window. Raises `NoGoldTexts`."""
    return gather_justifications(store, bundle, window_options(store, bundle), Progress())


def window_options(store: Store, bundle: str) -> ScoringOptions:
    """Return the lead's choices: the scope of points, and raters whose texts count as gold."""
    raters, choice = set(load_audit(store, bundle).raters), gold_choice(store, bundle)
    return ScoringOptions(by=choice.by, trusted=tuple(rater for rater in choice.raters if rater in raters))


def gold_choice(store: Store, bundle: str) -> GoldChoice:
    """Return the raters whose texts also count as gold, and the scope of points. Raises `StoreDamaged`."""
    last = reviews.newest_review(store, bundle, ("trusted",))
    return last.read(GoldChoice) if last is not None else GoldChoice()


def save_gold_choice(store: Store, bundle: str, choice: GoldChoice, lead: Lead) -> ReviewChange:
    """Store which raters' texts also count as gold, and the scope of points."""
    return save_reviews(store, bundle, [reviews.NewReview(subject=("trusted",), body=choice)], lead)


def save_points(store: Store, bundle: str, cluster: str, points: tuple[OraclePoint, ...], lead: Lead) -> ReviewChange:
    """Save the points of a cluster. Raises `RaterError` for an invalid one."""
    texts = [point.text for point in points]
    if not all(point.strip() for point in texts) or len(set(texts)) < len(texts):
        raise RaterError("The points were not saved.", "Each point needs a text, and no two may be the same.")
    if any(len(part) > MAX_POINT_CHARACTERS for point in points for part in (point.text, point.topic)):
        raise RaterError("The points were not saved.", f"One has more than {MAX_POINT_CHARACTERS:,} characters.")
    return save_reviews(
        store, bundle, [reviews.NewReview(subject=("points", cluster), body=PointsReview(points))], lead
    )


def save_answers(
    store: Store, bundle: str, cluster: str, text: str, answers: Mapping[str, PointOpinion], lead: Lead
) -> ReviewChange:
    """Save a text's answers to points, as far as given."""
    body = AnswersReview(text, dict(answers))
    return save_reviews(store, bundle, [reviews.NewReview(subject=answers_subject(cluster, text), body=body)], lead)


def score_by_hand(store: Store, bundle: str, lead: Lead) -> ManualScores:
    """Score the answered texts, and save the scores for reports. Raises `NoGoldTexts`."""
    gathered = gather_trusted(store, bundle)
    oracle = manual_oracle(store, bundle)
    scores = score_justifications(gathered, oracle, "hand", seed=REPORT_SEED, progress=Progress())
    change = save_scores(store, gathered.audit, scores, "", lead.name, now=lead.now())
    return ManualScores(audits=change.audits, scores=scores)


def place_text(store: Store, audit: Audit, task: str, where: str, language: str) -> str:
    """Return the text rated at a place, as context. Raises `StoreDamaged`."""
    return quotes_in(store, audit, task, language).get(where, "") if task in audit.texts else ""


def _cluster(
    cluster: TextCluster,
    gathered: JustificationTexts,
    points: tuple[OraclePoint, ...],
    answers: Mapping[tuple[str, str], dict[str, PointOpinion]],
) -> ManualCluster:
    """Return the cluster; raters' texts are sorted by place and text, so that the order reveals no names."""
    rater_texts = sorted(cluster.texts, key=lambda entry: (entry.task, entry.where, entry.text))
    places: dict[str, list[WrittenText]] = {}
    for entry in (*cluster.gold, *rater_texts):
        places.setdefault(entry.text, []).append(entry)
    golden = {entry.text for entry in cluster.gold}
    question = gathered.audit.rubric.questions.get(cluster.question)
    return ManualCluster(
        id=cluster.id,
        ask=question.question.ask if question is not None else cluster.question,
        place=place_name(cluster.gold[0].task, cluster.gold[0].where) if cluster.id != cluster.question else "",
        points=points,
        texts=tuple(
            ManualText(
                text=text,
                gold=text in golden,
                task=texts[0].task,
                where=texts[0].where,
                at=frozenset((entry.task, entry.where) for entry in texts),
            )
            for text, texts in places.items()
        ),
        said={text: text_answers for (name, text), text_answers in answers.items() if name == cluster.id},
    )


GradeKey = tuple[str, str, str, str]
"""Task, place, question and text: equal texts at one place have one grade."""
Grades = Mapping[GradeKey, tuple[float, str]]
"""Grades, each with the lead who gave it."""


class TextGrade(msgspec.Struct, frozen=True):
    """Body of the review ("grade", task, place, question, SHA-256 of the text). Without a grade it is withdrawn."""

    text: str
    grade: float | None


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


def load_grades(store: Store, bundle: str) -> Grades:
    """Return the grades given. Raises `StoreDamaged`."""
    grades: dict[GradeKey, tuple[float, str]] = {}
    for review in reviews.latest_reviews(store, bundle, "grade"):
        body = review.read(TextGrade)
        if body.grade is not None:
            _kind, task, where, question, _sha256 = review.subject
            grades[task, where, question, body.text] = body.grade, review.lead
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


def texts_to_grade(gathered: JustificationTexts, grades: Grades) -> tuple[TextToGrade, ...]:
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
                grade=given[0] if given is not None else None,
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
    for line, row in _rows(path, "grades", ({"task", "grade"}, {"text", "rater"}), _HINT):
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


def read_criterion(path: Path) -> dict[str, float]:
    """Read a table of raters' values: an exam, tenure, the result of an audit. Raises `BundleError`."""
    hint = f"{_NOTHING_CHANGED} The columns are rater and value, with one row for each rater."
    values: dict[str, float] = {}
    for line, row in _rows(path, "values of raters", ({"rater", "value"},), hint):
        rater = row["rater"].strip()
        try:
            value = float(row["value"])
        except ValueError:
            value = math.nan
        if not rater or rater in values or not math.isfinite(value):
            why = f"{rater!r} stands there twice" if rater in values else f"{row['value']!r} is not a number"
            why = why if rater else "no rater is named"
            raise BundleError(f"{path.name} can't be read", f"line {line}: {why}.", hint)
        values[rater] = value
    return values


def _rows(path: Path, content: str, needed: Iterable[set[str]], hint: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the number and cells of each line. `needed`: of each set of columns one must be there, of the first all."""
    data = read_small_text(path, LIMITS.line_bytes)
    head = data.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=head.count)
    rows: Iterable[tuple[int, list[str]]] = cells_of([data.encode()], delimiter, LIMITS)
    names: list[str] = []
    try:
        for line, cells in rows:
            if not names:
                names = [cell.strip() for cell in cells]
                first, *others = needed
                if not first <= set(names) or not all(columns & set(names) for columns in others):
                    raise BundleError(f"{path.name} holds no {content}", "A column is missing.", hint)
                continue
            if len(cells) != len(names):
                raise BundleFault(f"line {line}: it has {len(cells):,} cells, and the first line has {len(names):,}")
            yield line, dict(zip(names, map(restored_cell, cells), strict=True))
    except BundleFault as fault:
        raise BundleError(f"{path.name} can't be read", f"{fault}.", hint) from fault
