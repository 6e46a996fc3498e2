"""Export the final labels of a bundle as a table, as distributions, or as results with whole ratings."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from desktop_rater.audit.adjudication import AdjudicatedValue, adjudicated_values, compose_rating, fit_label_rule
from desktop_rater.audit.digest import make_digest
from desktop_rater.audit.questions import (
    MODEL_METHODS,
    JudgedQuestion,
    LabelMethod,
    Value,
    judged_questions,
    probability_of,
)
from desktop_rater.audit.results import Audit, Caution, ReceivedRating, open_cautions
from desktop_rater.audit.reviews import Reviews, Values
from desktop_rater.files import check_destination, replaced_file
from desktop_rater.format.change import Progress
from desktop_rater.format.edit import parse_place
from desktop_rater.format.errors import RaterError, bundle_errors
from desktop_rater.format.manifests import BundleRef, Counts, HistoryLine
from desktop_rater.format.rating import Rating
from desktop_rater.format.results import ResultLines, ResultsDraft, write_results
from desktop_rater.format.strict_json import canonical_json, read_json_object, read_struct, to_plain
from desktop_rater.format.task import Task
from desktop_rater.format.write import HINT_UNCHANGED, Spool, refuse_inside_store, refuse_unwritable
from desktop_rater.operations import rubrics
from desktop_rater.operations.audit.load_audit import (
    TargetPlacements,
    language_of,
    load_audit,
    rated_in_audit,
)
from desktop_rater.operations.audit.review import load_reviews
from desktop_rater.operations.rating.save import evaluated_rating
from desktop_rater.operations.results_tables import TABLES
from desktop_rater.operations.results_tables.relational import TaskColumns, meta_columns
from desktop_rater.operations.results_tables.tables import ExportColumn, Row
from desktop_rater.rubric import Rubric, check_rating, exported_form, exported_sha256
from desktop_rater.rubric.load import format_answer
from desktop_rater.rubric.suggest import count_suggestions
from desktop_rater.store import received, snapshots
from desktop_rater.store.store import Store

_PLACE_COLUMNS = (
    ExportColumn("bundle"),
    ExportColumn("rubric"),
    ExportColumn("task"),
    ExportColumn("where"),
    ExportColumn("response"),
    ExportColumn("target"),
    ExportColumn("start", "whole"),
    ExportColumn("end", "whole"),
    ExportColumn("text"),
    ExportColumn("question"),
    ExportColumn("value", "any"),
    ExportColumn("label"),
    ExportColumn("is_label", "flag"),
)
FINAL_LABEL_COLUMNS = (
    *_PLACE_COLUMNS,
    ExportColumn("source"),
    ExportColumn("how"),
    ExportColumn("votes_for", "whole"),
    ExportColumn("votes_against", "whole"),
    ExportColumn("lead"),
    ExportColumn("comment"),
    ExportColumn("gold", "any"),
    ExportColumn("posterior", "number"),
    ExportColumn("entropy", "number"),
    ExportColumn("by"),
)
DISTRIBUTION_COLUMNS = (
    *_PLACE_COLUMNS,
    ExportColumn("votes", "whole"),
    ExportColumn("share", "number"),
    ExportColumn("posterior", "number"),
    ExportColumn("final", "flag"),
    ExportColumn("by"),
)


class LabelTables:
    """The rows of the tables on final labels. `meta`: the columns of the tasks' `meta`, which end each row."""

    def __init__(self, store: Store, audit: Audit, reviews: Reviews) -> None:
        self._store, self._audit, self._reviews = store, audit, reviews
        self._language = language_of(audit)
        self._questions = {question.id: question for question in judged_questions(audit.rubric)}
        self._task: Task | None = None
        texts = (received.task_text(store, text) for text in audit.texts.values())
        self.meta = meta_columns((read_json_object(text).get("meta", {}) for text in texts), ())
        self._meta = TaskColumns(meta=self.meta)

    def final_labels(self, decisions: Iterable[AdjudicatedValue]) -> Iterator[Row]:
        """Yield a row per decision. `gold` is informative only and decides nothing.

        Of several gold answers it is the one equal to the decision, otherwise the first.
        """
        for decision in decisions:
            question = self._questions[decision.question]
            all_gold = self._reviews.all_gold(decision.task)
            gold_values = (question.value(values.get(decision.where, {})) for values in all_gold)
            golds = [value for value in gold_values if value is not None]
            gold = decision.value if decision.value in golds else next(iter(golds), None)
            yield {
                **self._place(decision, decision.value),
                "source": decision.source,
                "how": decision.how or None,
                "votes_for": decision.votes_for,
                "votes_against": decision.against,
                "lead": decision.lead or None,
                "comment": decision.comment or None,
                "gold": plain_answer(self._audit.rubric, question, gold),
                "posterior": decision.probability,
                "entropy": decision.entropy,
                "by": decision.by,
            }

    def distributions(self, decisions: Iterable[AdjudicatedValue]) -> Iterator[Row]:
        """Yield a row for each value that was voted for or is probable, the most probable first."""
        for decision in decisions:
            votes = dict(decision.votes)
            decided = () if decision.value is None else (decision.value,)
            values = (*(value for value, _probability in decision.posterior), *votes, *decided)
            for value in dict.fromkeys(values):
                yield {
                    **self._place(decision, value),
                    "votes": votes.get(value, 0),
                    "share": votes.get(value, 0) / sum(votes.values()) if votes else None,
                    "posterior": probability_of(decision.posterior, value),
                    "final": value == decision.value,
                    "by": decision.by,
                }

    def _place(self, decision: AdjudicatedValue, value: Value | None) -> Row:
        """Return the columns on a place, a question there and one of its values."""
        rubric, question = self._audit.rubric, self._questions[decision.question]
        task = self._read(decision.task)
        place = parse_place(decision.where)
        target = task.target(place.target) if place.target is not None else None
        response = place.response if target is None else target.response
        return {
            "bundle": self._audit.bundle,
            "rubric": rubric.ref,
            "task": decision.task,
            "where": decision.where,
            "response": response,
            "target": place.target,
            "start": None if target is None else target.start,
            "end": None if target is None else target.end,
            "text": None if target is None else target.quote,
            "question": decision.question,
            "value": plain_answer(rubric, question, value),
            "label": final_answer_text(rubric, question, value),
            "is_label": decision.label,
            **self._meta.row(task, response),
        }

    def _read(self, name: str) -> Task:
        if self._task is None or self._task.id != name:
            line = received.task_text(self._store, self._audit.texts[name])
            task = read_struct(read_json_object(line), Task)
            placements = TargetPlacements(task, self._audit.rubric, self._language)
            self._task = placements.all_for(rated_in_audit(self._audit, name))
        return self._task


def plain_answer(rubric: Rubric, question: JudgedQuestion, value: Value | None) -> Any:
    """Return a value in answer form: a list for several choices, an `int` for whole numbers."""
    if isinstance(value, str):
        return msgspec.json.decode(value) if _is_several(rubric, question) else value
    return int(value) if isinstance(value, float) and value.is_integer() else value


def final_answer_text(rubric: Rubric, question: JudgedQuestion, value: Value | None) -> str | None:
    """Return a value as display text."""
    if value is None:
        return None
    if _is_several(rubric, question):
        return format_answer(rubric.questions[question.question].question, plain_answer(rubric, question, value))
    return question.text_of(value)


def _is_several(rubric: Rubric, question: JudgedQuestion) -> bool:
    return rubric.questions[question.question].question.kind == "choices"


ADJUDICATED_KEY = "adjudicated"
"""Key of a rating that records the source of each final value."""

_OWN = ""  # stands for the lead's own rating among rater names


class AdjudicatedRating(NamedTuple):
    """A rating as exported, the task line it rates, and the time of the latest revision it is based on."""

    rating: Rating
    line: bytes
    changed: str


class RatingComposer:
    """Compose the adjudicated rating of each task. `rater`: the name the ratings are attributed to."""

    def __init__(
        self, store: Store, audit: Audit, reviews: Reviews, questions: Sequence[JudgedQuestion], rater: str
    ) -> None:
        self._store = store
        self._audit = audit
        self._reviews = reviews
        self._questions = {question.id: question for question in questions}
        self._rater = rater
        self._language = language_of(audit)

    def of(self, task: str, decisions: Sequence[AdjudicatedValue]) -> AdjudicatedRating | None:
        """Return the rating of a task without open decisions; `None` if no composition is valid."""
        candidates = self._candidates(task)
        if not decisions:
            return self._skipped(task)
        by_place: dict[str, list[AdjudicatedValue]] = defaultdict(list)
        for decision in decisions:
            by_place[decision.where].append(decision)
        agreeing = {
            where: [name for name, values in candidates.items() if self._agrees(values, place_decisions)]
            for where, place_decisions in by_place.items()
        }
        for name in candidates:
            if all(name in names for names in agreeing.values()):
                rating = self._composed(task, dict.fromkeys(by_place, name), by_place)
                if rating is not None:
                    return rating
        if not all(agreeing.values()):
            return None
        agreement_counts = {name: sum(name in names for names in agreeing.values()) for name in candidates}
        base = max(candidates, key=lambda name: agreement_counts[name])
        parts = {where: base if base in names else names[0] for where, names in agreeing.items()}
        return self._composed(task, parts, by_place)

    def _candidates(self, task: str) -> dict[str, Values]:
        """Return the candidates' values, in order of preference."""
        own = self._reviews.owns.get(task)
        people = [filed for filed in self._people(task) if filed.digest.status == "complete"]
        people.sort(key=lambda filed: (len(filed.digest.warnings), filed.rater))
        return ({} if own is None else {_OWN: own.values}) | {filed.rater: filed.digest.values for filed in people}

    def _people(self, task: str) -> list[ReceivedRating]:
        ratings = (self._audit.ratings.get((task, name)) for name in self._audit.raters)
        return [rating for rating in ratings if rating is not None and rating.rater not in self._audit.models]

    def _agrees(self, values: Values, decisions: Sequence[AdjudicatedValue]) -> bool:
        binding = (decision for decision in decisions if decision.decisive or decision.label)
        return all(
            self._questions[decision.question].value(values.get(decision.where, {})) == decision.value
            for decision in binding
        )

    def _skipped(self, task: str) -> AdjudicatedRating | None:
        people = self._people(task)
        if not people or any(filed.digest.status != "skipped" for filed in people):
            return None
        return self._composed(task, {"task": people[0].rater}, {})

    def _composed(
        self, task: str, parts: Mapping[str, str], decisions: Mapping[str, Sequence[AdjudicatedValue]]
    ) -> AdjudicatedRating | None:
        """Return the rating composed of `parts` (place → rater) if it is valid and matches the decisions."""
        line = received.task_text(self._store, self._audit.texts[task])
        sources = {name: self._load(task, name) for name in dict.fromkeys(parts.values())}
        base = max(sources, key=lambda name: (sum(source == name for source in parts.values()), name == _OWN))
        rating = compose_rating(sources[base][0], {where: sources[name][0] for where, name in parts.items()})
        placed = TargetPlacements(read_struct(read_json_object(line), Task), self._audit.rubric, self._language).of(
            rating
        )
        rubric = self._audit.rubric
        origins = {where: self._provenance(place_decisions, parts) for where, place_decisions in decisions.items()}
        extra = {ADJUDICATED_KEY: origins} if origins else {}
        rating = replace(
            rating, rater=self._rater, rubric=rubric.ref, revision=1, note="", display_order=None, unknown=extra
        )
        outcome = check_rating(rubric, placed, rating)
        values = make_digest(rating, outcome, ()).values
        if outcome.blocking or not all(self._agrees(values, place_decisions) for place_decisions in decisions.values()):
            return None
        rating = replace(rating, suggestions=count_suggestions(rubric, placed, rating, outcome))
        changed = max(changed for _, changed in sources.values())
        exported = exported_form(evaluated_rating(replace(rating, changed=changed), outcome, as_complete=True), outcome)
        return AdjudicatedRating(rating=exported, line=line, changed=changed)

    def _load(self, task: str, name: str) -> tuple[Rating, str]:
        if name == _OWN:
            own = self._reviews.owns[task].own
            assert own.rating is not None, "a withdrawn rating does not count"
            return own.rating, own.changed
        results = self._audit.ratings[task, name].results
        rating, history = received.received_with_history(self._store, results, task)
        return rating, history[-1].changed

    def _provenance(self, decisions: Sequence[AdjudicatedValue], parts: Mapping[str, str]) -> dict[str, Any]:
        """Return the record, stored in the rating, of how a place was decided."""
        labels = {}
        for decision in decisions:
            if decision.value is not None:
                how = {"how": decision.how, "lead": decision.lead} if decision.source == "lead" else {}
                if decision.source in MODEL_METHODS:
                    how = {"probability": round(decision.probability or 0, 6)}
                counts = {"for": decision.votes_for, "against": decision.against}
                value = plain_answer(self._audit.rubric, self._questions[decision.question], decision.value)
                labels[decision.question] = {"is": value, "source": decision.source, **how, **counts}
        return {"from": parts[decisions[0].where] or self._rater, "labels": labels}


ADJUDICATED_RESULTS = "results"
ADJUDICATION_FORMATS = (ADJUDICATED_RESULTS, *sorted(TABLES))
_HISTORY_ACTION = "adjudicated"
_STEP = 50


class AdjudicationOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Options of an export: the format, the rater the results are attributed to, and how labels are chosen.

    With `partial`, decided answers are exported while other questions are still open. A label less probable than
    `threshold` is left open. `soft`: a table of the distributions of all answers instead of their final values.
    """

    to: str
    rater: str = ""
    partial: bool = False
    by: LabelMethod = "majority"
    threshold: float = 0.0
    soft: bool = False
    bom: bool = False


class AdjudicationExport(msgspec.Struct, frozen=True, kw_only=True):
    """Outcome of an export. `open`: decisions left to the lead. `stays`: decided tasks without a valid whole rating.

    `written` is false and no file exists if something is open without `partial`, or if there is nothing to export.
    `cautions`: what keeps the decisions from being final.
    """

    out: Path
    written: bool
    decided: int
    open: tuple[AdjudicatedValue, ...] = ()
    stays: tuple[str, ...] = ()
    ratings: int = 0
    sha256: str = ""
    by: LabelMethod = "majority"
    cautions: tuple[Caution, ...] = ()

    @property
    def is_open(self) -> bool:
        """Tell if something waits for the lead, so that the decisions are not final."""
        return bool(open_cautions(self.cautions))


def adjudicate_results(
    store: Store, bundle: str, out: Path, options: AdjudicationOptions, progress: Progress
) -> AdjudicationExport:
    """Write the decisions of a bundle to `out`. Raises `RaterError`; an existing file is then unchanged.

    The same results and reviews give the same bytes.
    """
    refuse_inside_store(store.folder, out)
    refuse_unwritable(out)
    audit = load_audit(store, bundle)
    refuse_disputed(audit)
    reviews = load_reviews(store, audit)
    rule = fit_label_rule(audit, options.by, options.threshold)
    decisions = list(adjudicated_values(audit, reviews, rule))
    if options.to == ADJUDICATED_RESULTS:
        decisions = [replace(each, value=None, source="open") if _is_between(each) else each for each in decisions]
    open_decisions = tuple(decision for decision in decisions if decision.is_open and not options.soft)
    final = [decision for decision in decisions if decision.value is not None]
    export = AdjudicationExport(
        out=out, written=False, decided=len(final), open=open_decisions, by=options.by, cautions=audit.cautions
    )
    if open_decisions and not options.partial:
        return export
    if options.to == ADJUDICATED_RESULTS:
        return _Results(store, audit, reviews, options, progress).write(decisions, export)
    listed = decisions if options.soft or options.partial else final
    if not listed:
        return export
    tables = LabelTables(store, audit, reviews)
    columns, rows = (
        (DISTRIBUTION_COLUMNS, tables.distributions(listed))
        if options.soft
        else (FINAL_LABEL_COLUMNS, tables.final_labels(listed))
    )
    with bundle_errors(out, "written", HINT_UNCHANGED), replaced_file(out) as part_path:
        TABLES[options.to](part_path, (*columns, *tables.meta), rows, bom=options.bom)
    return replace(export, written=True)


def _is_between(decision: AdjudicatedValue) -> bool:
    """Tell if the median lies between the votes: no rating can be composed that has it."""
    return decision.source == "median" and not decision.votes_for


def refuse_disputed(audit: Audit) -> None:
    """Raise `RaterError` if results disagree on a text or the rubric, and the bundle itself is not here."""
    disputed = [caution for caution in audit.cautions if caution.kind == "disputed"]
    if disputed:
        raise RaterError(
            f"Nothing was decided for {audit.bundle}.",
            f"The results of {', '.join(audit.raters)} disagree on a text or the rubric, and the bundle is not here.",
            "Open the bundle itself with `audit open`: it says which of them is right.",
        )


class _Results:
    """Write a results zip in the lead's name with one whole rating per decided task."""

    def __init__(
        self, store: Store, audit: Audit, reviews: Reviews, options: AdjudicationOptions, progress: Progress
    ) -> None:
        self._store = store
        self._audit = audit
        self._rater = options.rater
        self._progress = progress
        self._composer = RatingComposer(store, audit, reviews, judged_questions(audit.rubric), options.rater)

    def write(self, decisions: list[AdjudicatedValue], export: AdjudicationExport) -> AdjudicationExport:
        by_task = {
            task: list(task_decisions) for task, task_decisions in groupby(decisions, lambda decision: decision.task)
        }
        rated = {task for task, _ in self._audit.ratings}
        leaves: list[AdjudicatedRating] = []
        stays: list[str] = []
        with bundle_errors(export.out, "written", HINT_UNCHANGED), Spool(check_destination(export.out)) as spool:
            lines = ResultLines(spool)
            for index, task in enumerate(self._audit.tasks):
                if index % _STEP == 0:
                    self._progress(index, len(self._audit.tasks))
                task_decisions = by_task.get(task, [])
                if task not in rated or any(decision.is_open for decision in task_decisions):
                    continue
                adjudicated = self._composer.of(task, task_decisions)
                if adjudicated is None:
                    stays.append(task)
                    continue
                rating, line, changed = adjudicated
                sha256 = exported_sha256(rating)
                history = HistoryLine(task=task, revision=1, changed=changed, done=_HISTORY_ACTION, sha256=sha256)
                lines.add([canonical_json(to_plain(rating))], [line], [history])
                leaves.append(adjudicated)
            if not leaves:
                return replace(export, stays=tuple(stays))
            digest = write_results(export.out, self._new(leaves), lines, progress=self._progress)
        return replace(export, written=True, stays=tuple(stays), ratings=len(leaves), sha256=digest)

    def _new(self, ratings: list[AdjudicatedRating]) -> ResultsDraft:
        skipped = sum(adjudicated.rating.status == "skipped" for adjudicated in ratings)
        ref, tasks = self._bundle()
        names = {piece.snapshot for adjudicated in ratings for piece in adjudicated.rating.evidence if piece.snapshot}
        pages = {name: snapshots.intact_snapshot(self._store.folder, name) for name in sorted(names)}
        total = max(tasks, len(ratings))
        return ResultsDraft(
            bundle=ref,
            rater=self._rater,
            rubric=self._audit.rubric.ref,
            counts=Counts(tasks=total, complete=len(ratings) - skipped, skipped=skipped),
            moment=max(adjudicated.changed for adjudicated in ratings),
            partial=len(ratings) < total,
            adjudicated=True,
            rubric_toml=self._toml(),
            snapshots={name: path for name, path in pages.items() if path is not None},
        )

    def _bundle(self) -> tuple[BundleRef, int]:
        """Return the audited bundle in the lead's revision, or the highest, and its number of tasks."""
        copy = self._audit.copy
        revision = copy.revision if copy is not None else 0
        newest = max(
            self._audit.received,
            key=lambda entry: (entry.revision == revision, entry.revision, entry.of == entry.bundle, entry.sha256),
        )
        manifest = received.results_manifest(self._store, newest.sha256)
        ref, derived = manifest.bundle, manifest.bundle.derived
        if newest.of == newest.bundle or derived is None:
            return ref, max(manifest.counts.tasks, len(self._audit.tasks))
        (whole,) = derived.bundles
        ref = BundleRef(id=whole.id, revision=whole.revision, sha256=whole.sha256, language=ref.language)
        return ref, len(self._audit.tasks)

    def _toml(self) -> str | None:
        """Return the rubric's own text; `None` for a built-in rubric."""
        rubric_texts = received.rubrics_by_results(self._store, self._audit.bundle).values()
        copy = self._audit.copy
        texts = {rubric_text.toml for rubric_text in rubric_texts if rubric_text.ref == self._audit.rubric.ref}
        texts |= {copy.rubric_toml} if copy is not None and copy.rubric == self._audit.rubric.ref else set()
        return next(
            toml
            for toml in sorted(texts, key=lambda rubric_text: rubric_text or "")
            if rubrics.bundle_rubric_of(self._audit.rubric.ref, toml, self._audit.bundle).file
            == self._audit.rubric.file
        )
