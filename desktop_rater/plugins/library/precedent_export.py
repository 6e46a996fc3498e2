"""Export of the final labels of a bundle as precedents, without the names of raters, and its command."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from desktop_rater.audit.adjudication import AdjudicatedValue, adjudicated_values, fit_label_rule
from desktop_rater.audit.questions import JudgedQuestion, LabelMethod, judged_questions
from desktop_rater.audit.results import Audit, Caution, open_cautions
from desktop_rater.cli.audit import open_results_store
from desktop_rater.cli.output import (
    EXIT_ATTENTION,
    EXIT_OK,
    FILE,
    ID,
    json_option,
    pick,
    print_always,
    print_result,
    terminal_progress,
)
from desktop_rater.cli.summaries import caution_lines
from desktop_rater.files import replaced_file
from desktop_rater.format.change import Progress
from desktop_rater.format.edit import parse_place
from desktop_rater.format.errors import RaterError, bundle_errors
from desktop_rater.format.jsonl import structs_of_lines
from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import canonical_json, read_json_object, read_struct, to_plain
from desktop_rater.format.task import Task
from desktop_rater.format.write import HINT_UNCHANGED, refuse_inside_store
from desktop_rater.operations.audit.adjudicate import plain_answer, refuse_disputed
from desktop_rater.operations.audit.load_audit import TargetPlacements, language_of, load_audit, rated_in_audit
from desktop_rater.operations.audit.review import load_reviews
from desktop_rater.plugins.library.precedents import ENDING, CaseEvidence, DecidedClaim
from desktop_rater.store import received
from desktop_rater.store.store import Store

_MOST_EVIDENCE = 10  # of a case
_LONGEST_TITLE = 120
_SHORTEST_NAME = 3  # of a rater, that is looked for in texts
_STEP = 50


class PrecedentsExport(msgspec.Struct, frozen=True, kw_only=True):
    """Result of an export. `written`: decided targets of the bundle; `kept`: those of other bundles in the file.

    `open`: targets without a final label; `elsewhere`: final labels of responses and tasks, which are no claims.
    """

    out: Path
    written: int
    kept: int
    open: int
    elsewhere: int
    by: LabelMethod
    cautions: tuple[Caution, ...] = ()


def export_precedents(store: Store, bundle: str, out: Path, progress: Progress) -> PrecedentsExport:
    """Write the final labels of a bundle's targets to a file, beside those of other bundles in it. Raises `RaterError`.

    Votes decide as the lead has chosen for the bundle.
    """
    if not out.name.endswith(ENDING):
        raise RaterError(f"{out.name} can't be written.", f"A file of precedents ends in {ENDING}.")
    refuse_inside_store(store.folder, out)
    before = [claim for _, claim in structs_of_lines(out, DecidedClaim)] if out.exists() else []
    kept = [claim for claim in before if claim.bundle != bundle]
    audit = load_audit(store, bundle)
    refuse_disputed(audit)
    reviews = load_reviews(store, audit)
    rule = fit_label_rule(audit, reviews.labels.by, reviews.labels.threshold)
    labels = [decision for decision in adjudicated_values(audit, reviews, rule) if decision.label]
    on_targets = [decision for decision in labels if parse_place(decision.where).target is not None]
    final = [decision for decision in on_targets if decision.value is not None]
    claims = list(_Exporter(store, audit).claims(final, progress))
    with bundle_errors(out, "written", HINT_UNCHANGED), replaced_file(out) as part_path, part_path.open("wb") as file:
        for claim in sorted((*kept, *claims), key=lambda claim: claim.place):
            file.write(canonical_json(to_plain(claim)) + b"\n")
    return PrecedentsExport(
        out=out,
        written=len(claims),
        kept=len(kept),
        open=len(on_targets) - len(final),
        elsewhere=len(labels) - len(on_targets),
        by=rule.by,
        cautions=audit.cautions,
    )


class _Exporter:
    """The final labels of a bundle as precedents."""

    def __init__(self, store: Store, audit: Audit) -> None:
        self._store, self._audit = store, audit
        self._questions = {question.id: question for question in judged_questions(audit.rubric)}
        self._sections = {row.id: row.guideline for row in audit.rubric.file.decide}
        names = sorted((name for name in audit.raters if len(name) >= _SHORTEST_NAME), key=len, reverse=True)
        self._names = re.compile(rf"\b({'|'.join(map(re.escape, names))})\b", re.IGNORECASE) if names else None

    def claims(self, decisions: Sequence[AdjudicatedValue], progress: Progress) -> Iterator[DecidedClaim]:
        task: Task | None = None
        ratings: list[tuple[Rating, Mapping[str, Any]]] = []
        for number, decision in enumerate(decisions):
            if number % _STEP == 0:
                progress(number, len(decisions))
            if task is None or task.id != decision.task:
                task, ratings = self._task(decision.task), list(self._ratings(decision.task))
            question = self._questions[decision.question]
            agreeing = [
                rating for rating, values in ratings if question.value(values.get(decision.where, {})) == decision.value
            ]
            yield self._claim(task, decision, question, agreeing)

    def _task(self, name: str) -> Task:
        line = received.task_text(self._store, self._audit.texts[name])
        placements = TargetPlacements(
            read_struct(read_json_object(line), Task), self._audit.rubric, language_of(self._audit)
        )
        return placements.all_for(rated_in_audit(self._audit, name))

    def _ratings(self, task: str) -> Iterator[tuple[Rating, Mapping[str, Any]]]:
        """Yield the complete ratings of a task by people, with their values by place."""
        for rater in self._audit.raters:
            filed = self._audit.ratings.get((task, rater))
            if filed is not None and rater not in self._audit.models and filed.digest.status == "complete":
                yield received.received_with_history(self._store, filed.results, task)[0], filed.digest.values

    def _claim(
        self, task: Task, decision: AdjudicatedValue, question: JudgedQuestion, agreeing: Sequence[Rating]
    ) -> DecidedClaim:
        assert decision.value is not None
        name = parse_place(decision.where).target or ""
        target = task.target(name)
        recorded = next((claims for rating in agreeing if (claims := rating.claims.get(name))), ())
        claims = tuple(claim.text for claim in recorded if claim.text.strip())
        quote = "" if target is None else target.quote or ""
        rows = (rating.decided.get(decision.where, {}).get(question.question) for rating in agreeing)
        sections = (self._sections.get(row.by, "") for row in rows if row is not None)
        asked = self._audit.rubric.questions.get(question.question)
        return DecidedClaim(
            text=claims[0] if len(claims) == 1 else quote,
            bundle=self._audit.bundle,
            task=decision.task,
            where=decision.where,
            rubric=self._audit.rubric.ref,
            question=question.id,
            value=plain_answer(self._audit.rubric, question, decision.value),
            label=question.text_of(decision.value),
            by=decision.by,
            claims=claims if len(claims) > 1 else (),
            votes={question.text_of(value): count for value, count in decision.votes},
            title=_shortened(task.prompt.text),
            reason=self._without_names(decision.comment or self._written(name, agreeing)),
            section=next(filter(None, sections), "" if asked is None else asked.question.section),
            evidence=tuple(_evidence(name, agreeing)),
            decided=max((rating.changed or "" for rating in agreeing), default="")[: len("2026-03-01")],
        )

    def _written(self, target: str, agreeing: Sequence[Rating]) -> str:
        """Return the longest text that raters of the final label wrote at a target."""
        asked = self._audit.rubric.questions
        texts = (
            value
            for rating in agreeing
            for name, value in rating.answers.targets.get(target, {}).items()
            if name in asked and asked[name].question.kind == "text" and isinstance(value, str)
        )
        return max(texts, key=len, default="")

    def _without_names(self, text: str) -> str:
        return self._names.sub("…", text) if self._names is not None else text


def _evidence(target: str, agreeing: Iterable[Rating]) -> Iterator[CaseEvidence]:
    """Yield the first distinct pieces of evidence that speak for or against a target."""
    pieces = {
        (piece.url, piece.quote): piece
        for rating in agreeing
        for piece in rating.evidence
        if piece.target == target and piece.stance in ("supporting", "contradicting") and piece.url
    }
    for piece in list(pieces.values())[:_MOST_EVIDENCE]:
        yield CaseEvidence(url=piece.url, title=piece.title, quote=piece.quote, stance=piece.stance)


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_TITLE else f"{line[: _LONGEST_TITLE - 1]}…"


@click.command()
@click.argument("bundle", type=ID)
@click.option("--out", required=True, type=FILE, help="The file, FILE.precedents.jsonl; other bundles in it stay.")
@json_option
@click.pass_obj
def precedents(folder: Path, bundle: str, out: Path, *, as_json: bool) -> int:
    """Write the final labels of targets with their reasons and evidence, without raters' names.

    `library add` makes a library of the file, which raters see after their own answers, and `library publish` puts it
    on a hub. Exit status 1 while labels are open, or if there are none.
    """
    with open_results_store(folder, bundle) as store:
        export = export_precedents(store, bundle, out, terminal_progress("Writing"))
    counts = pick(export, "written", "kept", "open", "elsewhere")
    line = f"{out}: {export.written:,} precedents of {bundle}, {export.kept:,} of other bundles"
    left_out = [f"Open: {export.open:,}"] if export.open else []
    left_out += [f"Left out, since they are no claims: {export.elsewhere:,}"] if export.elsewhere else []
    result = {"out": str(out), "by": export.by, **counts, "cautions": msgspec.to_builtins(export.cautions)}
    print_result(result, [line, *left_out], as_json=as_json)
    print_always(*caution_lines(export.cautions))
    return EXIT_OK if export.written and not export.open and not open_cautions(export.cautions) else EXIT_ATTENTION
