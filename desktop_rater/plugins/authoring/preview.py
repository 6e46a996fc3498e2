"""Preview a rubric in a temporary store with generated tasks and answers, updated after each change of its file."""

import math
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from desktop_rater.format import edit
from desktop_rater.format.change import Progress
from desktop_rater.format.rating import CONTRADICTING, SUPPORTING, Claim, Evidence, Rating, Stance
from desktop_rater.format.rubric import Question, Scope
from desktop_rater.format.strict_json import OpenStruct, canonical_json, to_plain
from desktop_rater.format.task import Document, Prompt, Response, Target, Task, ToolCall, Turn
from desktop_rater.format.values import TASK_PLACE, Place, format_time
from desktop_rater.operations import rubrics
from desktop_rater.operations.bundles.import_bundle import ImportedBundle, import_bundle
from desktop_rater.operations.bundles.make import BundleOptions, build_bundle
from desktop_rater.operations.rating.open_task import bundle_rubric, open_task, task_list_page
from desktop_rater.operations.rating.rater_state import RememberedSpot, save_place
from desktop_rater.operations.rating.save import FROM_FILE_ACTION, rate_from_file
from desktop_rater.rubric import CheckOutcome, Rubric, check_rating
from desktop_rater.rubric.condition import ChoicesDomain, ListDomain, NumberDomain, ScaleDomain
from desktop_rater.rubric.validate import ValueAssignment, tests_of, ways_to_ask
from desktop_rater.store import bundles
from desktop_rater.store.open_store import open_writer
from desktop_rater.store.ratings import rating_history
from desktop_rater.store.store import Store

_MOST_WAYS, _MOST_ROUNDS = 60, 40
_WORDS = "A few words of the rater’s own."
_PAGES: dict[str, tuple[Stance, str]] = {
    "supporting": (SUPPORTING, "https://garden.example/for"),
    "contradicting": (CONTRADICTING, "https://garden.example/against"),
}


def sample_rating(rubric: Rubric, task: Task, seen: set[str]) -> Rating:
    """Return a rating that asks as many questions outside `seen` as possible, and add them to it.

    The last of several targets or responses is left open.
    """
    sample_rater = _SampleRater(rubric, task, seen)
    sample_rater.go_round()
    return sample_rater.rating


class _SampleRater:
    def __init__(self, rubric: Rubric, task: Task, seen: set[str]) -> None:
        self.rubric = rubric
        self.task = task
        self.seen = seen
        self.rating = Rating(task=task.id)
        self._turn = 0

    def go_round(self) -> None:
        responses = [Place(response=entry.id) for entry in self.task.responses]
        targets = [Place(response=entry.response, target=entry.id) for entry in self.task.targets or ()]
        for places, scopes in (([TASK_PLACE], ("task",)), (responses, ("response",)), (targets, ("target", "claim"))):
            goals = [entry.question for scope in scopes for entry in self.rubric.questions_by_scope[scope]]
            for place in (places[:-1] or places) if goals else ():
                self._answer(place, goals)
                self._turn += 1
        self._mark_seen()

    def _answer(self, place: Place, goals: list[Question]) -> None:
        goal = self._reach(place, goals)
        if self.rubric.file.evidence is not None and self._turn % 2 == 0 and goal is None:
            self._add_evidence(place, "supporting", 1)
        self._fill(place, goal)

    def _reach(self, place: Place, goals: list[Question]) -> Question | None:
        """Reach the first unseen question that can be asked, by one of the ways to it."""
        for goal in goals:
            if goal.id in self.seen:
                continue
            for assignment in islice(ways_to_ask(self.rubric, goal.id), _MOST_WAYS):
                before = self.rating
                self._apply(place, assignment)
                if goal.id in self._asked_ids(place):
                    return goal
                self.rating = before
        return None

    def _apply(self, place: Place, assignment: ValueAssignment) -> None:
        for name, value in assignment.items():
            question = self.rubric.questions.get(name)
            if name in _PAGES and value:
                self._add_evidence(place, name, int(value))
            elif name == "claims" and value and place.target is not None:
                self._record_claims(place.target, int(value))
            elif name == "research_seconds" and value and place.target is not None:
                self.rating = edit.with_seconds(self.rating, place.target, value)
            elif question is not None and value is not None:
                target_place = _enclosing_place(place, question.question.per)
                self.rating = edit.with_answer(self.rating, target_place, name, value)

    def _add_evidence(self, place: Place, side: str, count: int) -> None:
        stance, url = _PAGES[side]
        for number in range(min(count, len("abc"))):
            name = edit.new_id("e", [existing.id for existing in self.rating.evidence])
            piece = Evidence(
                id=name,
                target=place.target,
                response=place.response if place.target is None else None,
                stance=stance,
                url=f"{url}-{number + 1}",
                quote="So it stands there.",
            )
            self.rating = edit.with_evidence(self.rating, piece)

    def _record_claims(self, target: str, count: int) -> None:
        span = self.task.target(target)
        text = (span.quote or "") if span is not None else ""
        for number in range(1, min(count, 3) + 1):
            self.rating = edit.with_claim(self.rating, target, Claim(id=f"c{number}", text=text))

    def _fill(self, place: Place, goal: Question | None) -> None:
        for _ in range(_MOST_ROUNDS):
            outcome = self._mark_seen()
            open_here = (
                (where, entry.question)
                for where in _places_in(outcome, place)
                for entry in outcome.asked[where]
                if entry.value is None and (entry.required or entry.question == goal)
            )
            first_open = next(open_here, None)
            if first_open is None:
                return
            where, question = first_open
            decided = outcome.decided.get(where, {}).get(question.id)
            value = decided.value if decided is not None else self._pick(question)
            self.rating = edit.with_answer(self.rating, outcome.places[where], question.id, value)

    def _pick(self, question: Question) -> Any:
        """Return a different answer at each turn, so that places look different."""
        domain = self.rubric.questions[question.id].domain
        if isinstance(domain, ScaleDomain):
            steps = domain.all()
            return steps[(self.rubric.order[question.id] + self._turn) % len(steps)]
        if isinstance(domain, ChoicesDomain):
            return list(domain.values[: 1 + self._turn % len(domain.values)])
        if isinstance(domain, ListDomain):
            choice = {"choice": domain.values[self._turn % len(domain.values)]} if domain.values else {}
            documents = {"documents": [1]} if choice.get("choice") in domain.documents else {}
            return [{"text": _WORDS, **choice, **documents}] * domain.fewest
        if isinstance(domain, NumberDomain):
            return next(iter(domain.witnesses(())), 0)
        return question.choices[self._turn % len(question.choices)].id if question.choices else _WORDS

    def _asked_ids(self, place: Place) -> set[str]:
        outcome = check_rating(self.rubric, self.task, self.rating)
        return {entry.question.id for where in _places_in(outcome, place) for entry in outcome.asked[where]}

    def _mark_seen(self) -> CheckOutcome:
        outcome = check_rating(self.rubric, self.task, self.rating)
        self.seen.update(entry.question.id for questions in outcome.asked.values() for entry in questions)
        return outcome


def _places_in(outcome: CheckOutcome, place: Place) -> list[str]:
    if place.target is not None:
        return [where for where in outcome.asked if outcome.places[where].target == place.target]
    return [where for where in outcome.asked if outcome.places[where] == place]


def _enclosing_place(place: Place, scope: Scope) -> Place:
    if scope == "task":
        return TASK_PLACE
    return Place(response=place.response) if scope == "response" else place


MAX_SAMPLE_TASKS, MAX_FACT_COUNT = 8, 6
_PROMPT = "When should I plant garlic, and how deep?"
_SENTENCES = (
    "Plant garlic in autumn, some weeks before the ground freezes.",
    "Put each clove five centimetres deep, with the tip upwards.",
    "The oldest garlic garden was planted in 1352 by monks from Bruges.",
    "I find that it smells wonderful.",
    "A row needs about fifteen centimetres to the next one.",
    "Cloves from the supermarket never sprout.",
)
_OTHER = (
    "Any time will do.",
    "Press the cloves just under the surface.",
    "They need water every day in winter.",
    "Harvest when half of the leaves are yellow.",
    "Dry the bulbs in the shade.",
    "Keep the largest ones for the next year.",
)
_PAGE = "https://garden.example/garlic"
_TIME = "2026-11-20T08:00:00Z"
_FACTS = ("context", "history", "reference", "meta_attack", "responses", "better", "tools_not_ok", "links_unopened")


class SampleTask(msgspec.Struct, frozen=True, kw_only=True):
    """A generated task, and an unfinished rating of it."""

    task: Task
    rating: Rating


def sample_tasks(rubric: Rubric) -> tuple[SampleTask, ...]:
    """Return as few tasks as show every question; the last one is unanswered."""
    seen: set[str] = set()
    samples: list[SampleTask] = []
    for without in ((), ("history",), _FACTS):
        while len(samples) < MAX_SAMPLE_TASKS:
            task = _task(rubric, f"sample-{len(samples) + 1}", without)
            before = len(seen)
            rating = sample_rating(rubric, task, seen)
            if len(seen) == before and (samples or without):
                break
            samples.append(SampleTask(task=task, rating=rating))
    task = _task(rubric, f"sample-{len(samples) + 1}")
    return (*samples, SampleTask(task=task, rating=Rating(task=task.id)))


def _task(rubric: Rubric, name: str, without: tuple[str, ...] = ()) -> Task:
    """Return a task with everything that the rubric's facts count or name, but some of them."""
    counts = {fact: 0 if fact in without else _fact_count(rubric, fact) for fact in _FACTS}
    pairs = counts["responses"] or counts["better"] or rubric.file.compare is not None
    responses = 1 if "responses" in without else max(2 * bool(pairs), counts["responses"])
    texts = (_SENTENCES, _OTHER)
    made_responses = [_response(rubric, index, texts[index % 2], counts) for index in range(max(responses, 1))]
    targets = [target for response in made_responses for target in _targets(response)] if rubric.per_target else None
    return Task(
        id=name,
        prompt=Prompt(text=_PROMPT, lang="en"),
        history=tuple(_history(counts["history"])),
        responses=tuple(made_responses),
        targets=tuple(targets) if targets is not None else None,
        context=tuple(
            _documents(
                counts["context"]
                or ("context" not in without and any(item.documents for item in rubric.file.questions))
            )
        ),
        reference=" ".join((_SENTENCES[0], _SENTENCES[1])) if counts["reference"] else None,
        meta={"attack": "sample"} if counts["meta_attack"] else {},
    )


def _fact_count(rubric: Rubric, fact: str) -> int:
    """Return how many of a fact the rubric tests for, 0 if it does not."""
    tests = tests_of(rubric, fact)
    numbers = [value for test in tests for value in (test.low, *(test.like or ()), *test.unlike)]
    most = max(
        (math.ceil(number) for number in numbers if isinstance(number, int | float) and number < MAX_FACT_COUNT),
        default=1,
    )
    return max(most, 1) if tests else 0


def _response(rubric: Rubric, index: int, sentences: tuple[str, ...], counts: dict[str, int]) -> Response:
    links = [f"{_PAGE}-{number}" for number in range(1, counts["links_unopened"] + 1)] if index == 0 else []
    text = " ".join([*sentences[: _sentences(rubric)], *(f"See {link}." for link in links)])
    return Response(id=chr(ord("a") + index), text=text, tools=tuple(_calls(index, counts["tools_not_ok"])))


def _sentences(rubric: Rubric) -> int:
    """Return the number of sentences: one per path through the questions of target and claim, if possible."""
    if not rubric.per_target:
        return len(_SENTENCES)
    return min(len(_SENTENCES), 2 + len(rubric.questions_by_scope["target"]) + len(rubric.questions_by_scope["claim"]))


def _calls(index: int, failed: int) -> Iterator[ToolCall]:
    if not failed:
        return
    yield ToolCall(name="search", input={"query": "garlic"}, output={"pages": [f"{_PAGE}-soil"]}, at=_TIME)
    for _ in range(failed if index == 0 else 0):
        yield ToolCall(name="weather", status="error", input={"days": 30}, output="Service not available.", at=_TIME)


def _targets(response: Response) -> Iterator[Target]:
    start = 0
    for number, sentence in enumerate(response.text.split(". "), 1):
        quote = sentence if sentence.endswith(".") else f"{sentence}."
        name = f"{response.id}{number}"
        yield Target(id=name, response=response.id, start=start, end=start + len(quote), quote=quote)
        start += len(quote) + 1


def _history(turns: int) -> Iterator[Turn]:
    texts = ("I have a small garden.", "What would you like to grow in it?")
    for index in range(turns):
        yield Turn(role=("user", "assistant")[index % 2], text=texts[index % 2])


def _documents(count: int) -> Iterator[Document]:
    for number in range(1, count + 1):
        text = " ".join(islice(_SENTENCES, 2))
        yield Document(id=f"doc{number}", title=f"Growing garlic, part {number}", text=text, url=f"{_PAGE}-{number}")


PREVIEW_BUNDLE, PREVIEW_RATER = "rubric-preview", "preview"
_MAX_EXAMINED = 50


class PreviewSource(msgspec.Struct, frozen=True, kw_only=True):
    """A preview: a TOML file or a built-in id, and optionally the engineer's own tasks and ratings.

    `folder` is temporary and contains the store and all generated files.
    """

    rubric: str
    folder: Path
    tasks: Path | None = None
    ratings: Path | None = None
    guidelines: Path | None = None

    @property
    def store(self) -> Path:
        return self.folder / "store"

    @property
    def file(self) -> Path | None:
        """Return the file to watch for changes; a built-in rubric has none."""
        return rubrics.custom_rubric_file(self.rubric)


def begin_preview(previewed: PreviewSource, *, now: Callable[[], datetime]) -> None:
    """Create the store. Raises `RaterError`, first for a rubric that can't be loaded."""
    rubrics.find_rubric(previewed.rubric)
    with open_writer(previewed.store, command="rubric preview") as store:
        renew_preview(store, previewed, now=now)
        if previewed.ratings is not None:
            rate_from_file(store, PREVIEW_BUNDLE, previewed.ratings, PREVIEW_RATER, progress=Progress(), now=now)
        save_place(store, PREVIEW_RATER, PREVIEW_BUNDLE, _longest_form(store))


def _longest_form(store: Store) -> RememberedSpot:
    """Return the place with the most questions, which an author wants to see first."""
    rubric = bundle_rubric(store, PREVIEW_BUNDLE)
    longest = (0, RememberedSpot(task=""))
    for row in task_list_page(store, PREVIEW_BUNDLE, PREVIEW_RATER, limit=_MAX_EXAMINED).rows:
        opened = open_task(store, PREVIEW_BUNDLE, row.id, PREVIEW_RATER)
        outcome = check_rating(rubric, opened.task, opened.rating)
        for where, questions in outcome.asked.items():
            if len(questions) > longest[0]:
                longest = len(questions), RememberedSpot(task=row.id, place=outcome.places[where])
    return longest[1]


def renew_preview(store: Store, previewed: PreviewSource, *, now: Callable[[], datetime]) -> ImportedBundle:
    """Import the current rubric, keeping manual answers. Raises `RaterError`; nothing changes then."""
    rubric = rubrics.find_rubric(previewed.rubric)
    samples = sample_tasks(rubric) if previewed.tasks is None else ()
    tasks = previewed.tasks or _written(previewed.folder / "tasks.jsonl", [sample.task for sample in samples])
    stored = bundles.find_bundle(store, PREVIEW_BUNDLE)
    options = BundleOptions(
        rubric=previewed.rubric,
        id=PREVIEW_BUNDLE,
        revision=1 if stored is None else stored.revision + 1,
        title=rubric.file.title or rubric.ref,
        created=format_time(now()),
        guidelines=previewed.guidelines,
    )
    path = previewed.folder / f"{PREVIEW_BUNDLE}.zip"
    build_bundle(path, tasks, options, Progress())
    imported = import_bundle(store, path, progress=Progress(), now=now, replace=True)
    new_ratings = [sample.rating for sample in samples if _is_untouched(store, sample.task.id)]
    if new_ratings:
        ratings = _written(previewed.folder / "ratings.jsonl", new_ratings)
        rate_from_file(store, PREVIEW_BUNDLE, ratings, PREVIEW_RATER, progress=Progress(), now=now)
    return imported


def _is_untouched(store: Store, task: str) -> bool:
    return all(row.done == FROM_FILE_ACTION for row in rating_history(store, PREVIEW_BUNDLE, task, PREVIEW_RATER))


def _written(path: Path, items: Iterable[OpenStruct]) -> Path:
    path.write_bytes(b"".join(canonical_json(to_plain(item)) + b"\n" for item in items))
    return path
