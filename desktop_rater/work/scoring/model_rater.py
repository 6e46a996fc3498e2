"""Let a language model rate a bundle in rounds of questions, and write its results as a model-marked rater's."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from desktop_rater.bundle.errors import bundle_errors
from desktop_rater.bundle.read import OpenBundle, open_bundle
from desktop_rater.bundle.results import ResultLines, ResultsDraft, write_results
from desktop_rater.bundle.write import HINT_UNCHANGED, Spool
from desktop_rater.files import check_destination
from desktop_rater.model import edit
from desktop_rater.model.change import Progress
from desktop_rater.model.manifests import BundleManifest, Counts, HistoryLine, ModelSource
from desktop_rater.model.rating import Rating
from desktop_rater.model.rubric import Question
from desktop_rater.model.strict_json import canonical_json, to_plain
from desktop_rater.model.task import Task
from desktop_rater.model.values import TASK_PLACE, Place, format_time
from desktop_rater.oracle.errors import Cost, Prices
from desktop_rater.oracle.judge import MOST_STEPS, JudgeQuestion, JudgeTask, answer_texts, judge_answers, judge_request
from desktop_rater.oracle.prompts import OraclePrompt, OracleRequest
from desktop_rater.oracle.session import OracleSession
from desktop_rater.rubric import Rubric, check_rating, exported_form, exported_sha256
from desktop_rater.rubric.condition import ScaleDomain
from desktop_rater.rubric.suggestions import count_suggestions
from desktop_rater.work.bundles.import_bundle import LeftOut, bundle_lines, bundle_ref, refuse_empty, rubric_of_bundle
from desktop_rater.work.output_files import refuse_same_file
from desktop_rater.work.rating.save import evaluated_rating

MAX_QUESTION_ROUNDS = 6


class JudgedTask(msgspec.Struct, frozen=True, kw_only=True):
    """A model's rating. `why`: reason why there is no valid answer. `shortened`: the task was sent truncated."""

    rating: Rating
    why: str = ""
    shortened: bool = False


def rate_tasks_by_model(
    rubric: Rubric, tasks: Sequence[Task], asking: OracleSession, progress: Progress
) -> list[JudgedTask]:
    """Ask about the questions per task and per response; those per target are not asked.

    Raises what `asking` raises.
    """
    dialogs = [_TaskDialog(rubric, task) for task in tasks]
    for _ in range(MAX_QUESTION_ROUNDS):
        open_now = [(dialog, judging) for dialog in dialogs for judging in dialog.open()]
        if not open_now:
            break
        requests = [judge_request(judging) for _, judging in open_now]
        answers = asking.ask([request for request, _ in requests], progress)
        for (dialog, judging), (_, is_cut), answer in zip(open_now, requests, answers, strict=True):
            dialog.shortened = dialog.shortened or is_cut
            if answer.value is None:
                dialog.why = dialog.why or f"{_place_label(judging)}: {answer.why}"
            else:
                dialog.record(judging, judge_answers(judging, answer.value))
    return [JudgedTask(rating=dialog.rating, why=dialog.why, shortened=dialog.shortened) for dialog in dialogs]


def judge_requests(rubric: Rubric, task: Task, asking: OracleSession) -> Iterator[OracleRequest]:
    """Yield the requests for a task without sending them; stored replies lead to their follow-up questions.

    For each unanswered question one more is assumed if an answer can lead to a text question.
    """
    text_scopes = {dialog.question.per for dialog in rubric.questions.values() if dialog.question.kind == "text"}
    dialog = _TaskDialog(rubric, task)
    for _ in range(MAX_QUESTION_ROUNDS):
        for judging in dialog.open():
            request, _ = judge_request(judging)
            yield request
            value = asking.cached_answer(request)
            if value is not None:
                dialog.record(judging, judge_answers(judging, value))
            elif not asking.has_reply(request) and ("task" if judging.response is None else "response") in text_scopes:
                again = JudgeTask(judging.task, judging.response, judging.questions, {"so far": "x" * 200})
                yield judge_request(again)[0]


class _TaskDialog:
    def __init__(self, rubric: Rubric, task: Task) -> None:
        self._rubric = rubric
        self._task = task
        self._tried: set[tuple[str, str]] = set()
        self.rating = Rating(task=task.id)
        self.shortened = False
        self.why = ""

    def open(self) -> list[JudgeTask]:
        """Return the unanswered questions that were not asked before; none after a failed answer."""
        if self.why:
            return []
        outcome = check_rating(self._rubric, self._task, self.rating)
        judgings = []
        for place in (*(Place(response=entry.id) for entry in self._task.responses), TASK_PLACE):
            where = "task" if place.response is None else f"responses/{place.response}"
            entries = outcome.asked.get(where, ())
            open_here = [
                JudgeQuestion(entry.question, values)
                for entry in entries
                if entry.value is None and (where, entry.question.id) not in self._tried
                for values in [self._values(entry.question)]
                if values or (entry.question.kind == "text" and entry.required)
            ]
            if not open_here:
                continue
            self._tried |= {(where, entry.question.id) for entry in open_here}
            answers = {entry.question.id: entry.value for entry in entries if entry.value is not None}
            so_far = answer_texts([entry.question for entry in entries], answers)
            judgings.append(JudgeTask(self._task, place.response, tuple(open_here), so_far))
        return judgings

    def record(self, judging: JudgeTask, answers: dict[str, Any]) -> None:
        place = TASK_PLACE if judging.response is None else Place(response=judging.response)
        for name, value in answers.items():
            self.rating = edit.with_answer(self.rating, place, name, value)

    def _values(self, question: Question) -> tuple[Any, ...]:
        """Return the values a question offers, empty if it has no list."""
        if question.kind in ("choice", "choices"):
            return tuple(choice.id for choice in question.choices)
        domain = self._rubric.questions[question.id].domain
        if question.kind == "scale" and isinstance(domain, ScaleDomain):
            steps = domain.all()
            return tuple(steps) if len(steps) <= MOST_STEPS else ()
        return ()


def _place_label(judging: JudgeTask) -> str:
    return "the task" if judging.response is None else f"response {judging.response}"


MODEL_RATED_ACTION = "judged by a model"
_BATCH_SIZE = 50  # tasks per batch in memory


class UnratedTask(msgspec.Struct, frozen=True, kw_only=True):
    """A task that the model could not rate, with the reason."""

    task: str
    why: str


class ModelRatedBundle(msgspec.Struct, frozen=True, kw_only=True):
    """Outcome of a run. `shortened`: tasks that were sent truncated."""

    bundle: str
    out: Path
    written: bool
    rater: str
    complete: int
    missing: tuple[UnratedTask, ...]
    left_out: tuple[LeftOut, ...] = ()
    shortened: tuple[str, ...] = ()
    sha256: str = ""


def rate_bundle_by_model(
    path: Path,
    out: Path,
    asking: OracleSession,
    *,
    model: str,
    rater: str,
    prompt: OraclePrompt,
    now: Callable[[], datetime],
    progress: Progress,
) -> ModelRatedBundle:
    """Ask about every task, and write results. Raises `RaterError`; answers received until then are stored."""
    refuse_same_file(out, path)
    with open_bundle(path) as bundle, bundle_errors(out, "written", HINT_UNCHANGED):
        rubric = rubric_of_bundle(bundle, path)
        with Spool(check_destination(out)) as spool:
            model_results = _ModelResults(bundle, rubric, rater, ResultLines(spool), format_time(now()))
            total = bundle.manifest.tasks
            tasks = _tasks(bundle, rubric, model_results.left_out)
            while batch := list(islice(tasks, _BATCH_SIZE)):
                progress(model_results.seen, total)
                judged_tasks = rate_tasks_by_model(rubric, [task for task, _ in batch], asking, progress)
                for (task, raw), judged_task in zip(batch, judged_tasks, strict=True):
                    model_results.add(task, raw, judged_task)
            refuse_empty(path, model_results.seen, model_results.left_out)
            bundle.verify_rest()
            served = next((judged_task.served for judged_task in asking.used.values() if judged_task.served), "")
            return model_results.write(out, ModelSource(name=model, prompts=prompt.sha256, served=served))


def bundle_id_of(path: Path) -> str:
    """Return the id of a bundle. Raises `BundleError`."""
    with open_bundle(path) as bundle:
        return bundle.manifest.id


def model_rating_cost(path: Path, asking: OracleSession, prices: Prices) -> Cost:
    """Return the maximum cost of a run, assuming at most one round of follow-up questions per answer."""
    with open_bundle(path) as bundle:
        rubric = rubric_of_bundle(bundle, path)
        tasks = (task for task, _ in _tasks(bundle, rubric, []))
        return asking.estimate((request for task in tasks for request in judge_requests(rubric, task, asking)), prices)


class _ModelResults:
    def __init__(self, bundle: OpenBundle, rubric: Rubric, rater: str, lines: ResultLines, moment: str) -> None:
        self._manifest: BundleManifest = bundle.manifest
        self._rubric_toml = bundle.rubric_toml
        self._rubric = rubric
        self._rater = rater
        self._lines = lines
        self._moment = moment
        self._complete = 0
        self._missing: list[UnratedTask] = []
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
            self._missing.append(UnratedTask(task=task.id, why=judged_task.why or f"unresolved: {blocking}"))
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

    def write(self, out: Path, source: ModelSource) -> ModelRatedBundle:
        manifest = self._manifest
        result = ModelRatedBundle(
            bundle=manifest.id,
            out=out,
            written=self._complete > 0,
            rater=self._rater,
            complete=self._complete,
            missing=tuple(self._missing),
            left_out=tuple(self.left_out),
            shortened=tuple(self._shortened),
        )
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
        return replace(result, sha256=write_results(out, new, self._lines))


def _tasks(bundle: OpenBundle, rubric: Rubric, left_out: list[LeftOut]) -> Iterator[tuple[Task, bytes]]:
    for line in bundle_lines(bundle.tasks(), rubric, lang=bundle.manifest.language):
        left_out += line.left_out
        if line.task is not None:
            yield line.task, line.raw
