"""Write the results of a language model that rated a bundle, marked as a model's."""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from desktop_rater.audit.compute_report import ModelCheck, check_model
from desktop_rater.audit.questions import judged_questions, main_question
from desktop_rater.audit.report import ReportFilter
from desktop_rater.files import check_destination
from desktop_rater.format.archive import OpenBundle, open_bundle
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError, bundle_errors
from desktop_rater.format.jsonl import read_small_text, structs
from desktop_rater.format.manifests import BundleManifest, Counts, HistoryLine, ModelSource
from desktop_rater.format.rating import Rating
from desktop_rater.format.results import ResultLines, ResultsDraft, write_results
from desktop_rater.format.strict_json import canonical_json, prepared_type, sha256, to_plain
from desktop_rater.format.task import Task
from desktop_rater.format.values import format_time
from desktop_rater.format.write import HINT_UNCHANGED, Spool, refuse_same_file
from desktop_rater.operations.audit.load_audit import load_audit
from desktop_rater.operations.audit.report import load_report
from desktop_rater.operations.bundles.import_bundle import (
    LeftOut,
    bundle_lines,
    bundle_ref,
    refuse_empty,
    rubric_of_bundle,
)
from desktop_rater.operations.rating.save import evaluated_rating
from desktop_rater.operations.rubrics import builtin_guidelines
from desktop_rater.paths import resources
from desktop_rater.plugins.scoring.client import Cost, Prices
from desktop_rater.plugins.scoring.judge import (
    JudgedTask,
    JudgeOptions,
    JudgePlan,
    judge_requests,
    plan_judging,
    rate_tasks_by_model,
)
from desktop_rater.plugins.scoring.model_oracle import builtin_prompts
from desktop_rater.plugins.scoring.session import OracleSession
from desktop_rater.rubric import Rubric, check_rating, exported_form, exported_sha256
from desktop_rater.rubric.load import RubricTomlError, parse_toml
from desktop_rater.rubric.suggest import (
    REASONS_KEY,
    count_suggestions,
    rubric_for_model,
    with_questions_before,
    without_research,
)
from desktop_rater.store.store import Store


class MetricPrompt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Instructions for one question; `source` says where they are from."""

    prompt: str
    source: str = ""


def builtin_metric_prompts(rubric: Rubric) -> dict[str, str]:
    """Return the built-in instructions for questions of a rubric, by its id; empty if there are none."""
    path = resources() / "prompts" / "metrics" / f"{rubric.file.id}.toml"
    return read_metric_prompts(path) if path.is_file() else {}


_TEMPLATES = (".prompty", ".md", ".txt")
_FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n.*?^---[ \t]*\r?\n", re.DOTALL | re.MULTILINE)
_ROLE = re.compile(r"^(?:system|user|assistant):[ \t]*\r?$", re.MULTILINE)
_TEMPLATE_PLACE = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
# Name in a template → name of the block that the model gets.
_BLOCKS = {
    "query": "prompt", "question": "prompt", "response": "response", "answer": "response", "context": "document",
    "documents": "document", "ground_truth": "reference", "conversation": "conversation",
    "chat_history": "conversation",
}  # fmt: skip


def prompt_files(path: Path) -> dict[str, str]:
    """Return the SHA-256 of each prompt file by its name: of a folder's templates, or of one file."""
    files = [file for file in sorted(path.iterdir()) if file.suffix in _TEMPLATES] if path.is_dir() else [path]
    return {file.name: sha256(file.read_bytes()) for file in files}


def prompt_of_template(text: str, name: str) -> str:
    """Return the instructions in a prompt template: without front matter and roles, with names of blocks in its places.

    Raises `RaterError` for a place that no block fills.
    """

    def block(match: re.Match[str]) -> str:
        place = match[0].strip("{} \t\r\n")
        if place not in _BLOCKS:
            places = ", ".join(f"{{{{{place}}}}}" for place in _BLOCKS)
            raise RaterError(f"{name}: {match[0]} can't be filled in.", f"A prompt can have {places}.")
        return f'(the block "{_BLOCKS[place]}")'

    return _TEMPLATE_PLACE.sub(block, _ROLE.sub("", _FRONT_MATTER.sub("", text))).strip()


def read_metric_prompts(path: Path) -> dict[str, str]:
    """Return question id → instructions: the tables of a TOML file, or the templates of a folder, one file a question.

    Raises `RaterError`.
    """
    if path.is_dir():
        files = {name: path / name for name in prompt_files(path)}
        return {file.stem: prompt_of_template(read_small_text(file), name) for name, file in files.items()}
    if path.suffix in _TEMPLATES:
        return {path.stem: prompt_of_template(read_small_text(path), path.name)}
    try:
        tables = parse_toml(read_small_text(path)).items()
        return {name: msgspec.convert(table, prepared_type(MetricPrompt)).prompt.strip() for name, table in tables}
    except (RubricTomlError, msgspec.ValidationError) as error:
        hint = "It has a table for each question, [groundedness], with `prompt` and, if you like, `source`."
        raise RaterError(f"{path.name} holds no prompts", f"{str(error).rstrip('.')}.", hint) from None


MODEL_RATED_ACTION = "judged by a model"
_BATCH_SIZE = 50  # tasks per batch in memory

RatedByModel = dict[str, Any]
"""Outcome of a run, as `audit judge --json` prints it.

`missing`: tasks that the model could not rate, with the reason; `shortened`: those that were sent truncated.
`questions`: those that the model was asked, `not_asked`: those left to people.
"""


def plan_bundle(path: Path, options: JudgeOptions) -> JudgePlan:
    """Plan the run over a bundle, with its guidelines. Raises `RaterError`; nothing is asked."""
    with open_bundle(path) as bundle:
        rubric = rubric_of_bundle(bundle, path)
        guideline = bundle.guidelines or builtin_guidelines(rubric.file.id)
        unknown = next((name for name in options.prompts if name not in rubric.questions), None)
        if unknown is not None:
            why = f"Questions of {rubric.ref}: {', '.join(rubric.questions)}."
            raise RaterError(f"There is a prompt for {unknown!r}, which is no question.", why)
        if options.one_metric:
            options = replace(options, prompts=builtin_metric_prompts(rubric) | dict(options.prompts))
        return plan_judging(rubric, replace(options, guideline=guideline))


def rate_bundle_by_model(
    path: Path,
    out: Path,
    plan: JudgePlan,
    asking: OracleSession,
    *,
    rater: str,
    model: str,
    now: Callable[[], datetime],
    progress: Progress,
) -> RatedByModel:
    """Ask about every task, and write results. Raises `RaterError`; answers received until then are stored."""

    def rate(tasks: Sequence[Task]) -> list[JudgedTask]:
        return rate_tasks_by_model(plan, tasks, asking, progress)

    def source() -> ModelSource:
        served = next((reply.served for reply in asking.used.values() if reply.served), "")
        prompts, added = builtin_prompts()["judge"].sha256, plan.options.prompts
        prompts = sha256(canonical_json([prompts, added])) if added else prompts
        files = dict(plan.options.prompt_files) or None
        return ModelSource(name=model, prompts=prompts, served=served, prompt_files=files)

    return _rate_bundle(path, out, plan, rate, source, rater=rater, now=now, progress=progress)


def take_model_answers(
    path: Path,
    answers: Path,
    out: Path,
    *,
    rater: str,
    model: str,
    now: Callable[[], datetime],
    progress: Progress,
) -> RatedByModel:
    """Write the ratings of a file as a model's results: its answers to questions that it answers at all, with reasons.

    Raises `RaterError`.
    """
    refuse_same_file(out, answers)
    given = {
        rating.task: Rating(
            task=rating.task,
            answers=rating.answers,
            unknown={key: value for key, value in rating.unknown.items() if key == REASONS_KEY},
        )
        for _, rating in structs(answers, Rating)
    }
    with open_bundle(path) as bundle:
        rubric = rubric_of_bundle(bundle, path)
    all_answers = [rating.answers for rating in given.values()]
    parts = (part for own in all_answers for part in (own.task, *own.responses.values(), *own.targets.values()))
    chosen = with_questions_before(rubric, {name for part in parts for name in part})
    questions = tuple(name for name in without_research(rubric) if name in chosen)
    if not questions:
        why = f"None of its answers is to a question of {rubric.ref} that needs no opened pages."
        raise RaterError(f"{answers.name} holds no answers of a model.", why)
    left_out = tuple(name for name in rubric.questions if name not in questions)
    plan = JudgePlan(rubric=rubric_for_model(rubric, questions), questions=questions, left_out=left_out)

    def rate(tasks: Sequence[Task]) -> list[JudgedTask]:
        return [
            JudgedTask(rating=given[task.id])
            if task.id in given
            else JudgedTask(rating=Rating(task=task.id), why=f"{answers.name} has no rating of it")
            for task in tasks
        ]

    def source() -> ModelSource:
        return ModelSource(name=model, prompts=sha256(answers.read_bytes()))

    return _rate_bundle(path, out, plan, rate, source, rater=rater, now=now, progress=progress)


def _rate_bundle(
    path: Path,
    out: Path,
    plan: JudgePlan,
    rate: Callable[[Sequence[Task]], list[JudgedTask]],
    source: Callable[[], ModelSource],
    *,
    rater: str,
    now: Callable[[], datetime],
    progress: Progress,
) -> RatedByModel:
    refuse_same_file(out, path)
    with open_bundle(path) as bundle, bundle_errors(out, "written", HINT_UNCHANGED):
        rubric = rubric_of_bundle(bundle, path)
        with Spool(check_destination(out)) as spool:
            model_results = _ModelResults(bundle, plan, rater, ResultLines(spool), format_time(now()))
            total = bundle.manifest.tasks
            tasks = _tasks(bundle, rubric, model_results.left_out)
            while batch := list(islice(tasks, _BATCH_SIZE)):
                progress(model_results.seen, total)
                judged_tasks = rate([task for task, _ in batch])
                for (task, raw), judged_task in zip(batch, judged_tasks, strict=True):
                    model_results.add(task, raw, judged_task)
            refuse_empty(path, model_results.seen, model_results.left_out)
            bundle.verify_rest()
            whole = plan.rubric.file == rubric.file
            return model_results.write(out, replace(source(), questions=None if whole else plan.questions))


def bundle_id_of(path: Path) -> str:
    """Return the id of a bundle. Raises `BundleError`."""
    with open_bundle(path) as bundle:
        return bundle.manifest.id


def model_rating_cost(path: Path, plan: JudgePlan, asking: OracleSession, prices: Prices) -> Cost:
    """Return the maximum cost of a run, with the follow-up questions that answers can lead to."""
    with open_bundle(path) as bundle:
        rubric = rubric_of_bundle(bundle, path)
        tasks = (task for task, _ in _tasks(bundle, rubric, []))
        return asking.estimate((request for task in tasks for request in judge_requests(plan, task, asking)), prices)


class _ModelResults:
    def __init__(self, bundle: OpenBundle, plan: JudgePlan, rater: str, lines: ResultLines, moment: str) -> None:
        self._manifest: BundleManifest = bundle.manifest
        self._rubric_toml = bundle.rubric_toml
        self._plan = plan
        self._rubric = plan.rubric
        self._rater = rater
        self._lines = lines
        self._moment = moment
        self._complete = 0
        self._missing: list[dict[str, str]] = []
        self._shortened: list[str] = []
        self.seen = 0
        self.left_out: list[LeftOut] = []

    def add(self, task: Task, raw: bytes, judged_task: JudgedTask) -> None:
        self.seen += 1
        rating = replace(
            judged_task.rating, rater=self._rater, rubric=self._manifest.rubric, revision=1, changed=self._moment
        )
        outcome = check_rating(self._rubric, task, rating)
        if judged_task.why or outcome.blocking:
            problems = (problem for problem in outcome.problems if problem.level == "block")
            blocking = ", ".join(f"{problem.rule} at {problem.where}" for problem in problems)
            self._missing.append({"task": task.id, "why": judged_task.why or f"unresolved: {blocking}"})
            return
        rating = evaluated_rating(rating, outcome, as_complete=True)
        rating = replace(rating, suggestions=count_suggestions(self._rubric, task, rating, outcome))
        form = exported_form(rating, outcome)
        line = HistoryLine(
            task=task.id, revision=1, changed=self._moment, done=MODEL_RATED_ACTION, sha256=exported_sha256(form)
        )
        self._lines.add([canonical_json(to_plain(form))], [raw], [line])
        self._complete += 1
        if judged_task.shortened:
            self._shortened.append(task.id)

    def write(self, out: Path, source: ModelSource) -> RatedByModel:
        manifest = self._manifest
        result: RatedByModel = {
            "bundle": manifest.id,
            "out": str(out),
            "written": self._complete > 0,
            "rater": self._rater,
            "complete": self._complete,
            "missing": self._missing,
            "left_out": self.left_out,
            "shortened": self._shortened,
            "questions": self._plan.questions,
            "not_asked": self._plan.left_out,
            "prompt_files": dict(self._plan.options.prompt_files),
            "sha256": "",
        }
        if not self._complete:
            return result
        new = ResultsDraft(
            bundle=bundle_ref(manifest),
            rater=self._rater,
            rubric=manifest.rubric,
            counts=Counts(tasks=self.seen, complete=self._complete, skipped=0),
            moment=self._moment,
            partial=self._complete < self.seen,
            model=source,
            rubric_toml=self._rubric_toml,
        )
        return {**result, "sha256": write_results(out, new, self._lines)}


def _tasks(bundle: OpenBundle, rubric: Rubric, left_out: list[LeftOut]) -> Iterator[tuple[Task, bytes]]:
    for line in bundle_lines(bundle.tasks(), rubric, lang=bundle.manifest.language):
        left_out += line.left_out
        if line.task is not None:
            yield line.task, line.raw


def load_model_checks(
    store: Store, bundle: str, *, models: tuple[str, ...], question: str, epsilon: float, seed: int, now: datetime
) -> tuple[ModelCheck, ...]:
    """Compare models, all if none is named, with the people on a question, by default the label.

    Raises `NotInStore`, `StoreDamaged`, or `RaterError` for names that are not in the results.
    """
    with store.snapshot_isolation():
        audit = load_audit(store, bundle)
        questions = {item.id: item for item in judged_questions(audit.rubric)}
        chosen = questions.get(question) if question else main_question(audit.rubric)
        if chosen is None:
            raise RaterError(f"There is no question {question!r}.", f"Questions: {', '.join(questions)}.")
        counting = sorted(audit.models.intersection(audit.raters))  # those whose results wait are in no figure
        present = ", ".join(counting) or "none; `audit judge` lets a model rate"
        unknown = next((name for name in models if name not in counting), None)
        if unknown is not None or not counting:
            title = f"There are no results of a model{'' if unknown is None else f' {unknown!r}'}."
            raise RaterError(title, f"Models with results: {present}.")
        checks = []
        for name in models or counting:
            wanted = ReportFilter(raters=(name,))
            report = load_report(store, bundle, seed=seed, now=now, wanted=wanted)
            checks.append(check_model(audit, report, name, chosen, epsilon=epsilon, seed=seed))
        return tuple(checks)
