"""Made-up tasks with answers that show each question of a rubric once: for looking at its form."""

from __future__ import annotations

import math
from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.model.rating import Rating
from desktop_rater.model.task import Document, Prompt, Response, Target, Task, ToolCall, Turn
from desktop_rater.rubric.worlds import tests_of
from desktop_rater.work.sample_answers import answered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_rater.rubric import Rubric

MOST_TASKS, MOST_OF_A_KIND = 8, 6
_PROMPT = "When should I plant garlic, and how deep?"
_SENTENCES = (
    "Plant garlic in autumn, some weeks before the ground freezes.",
    "Put each clove five centimetres deep, with the tip upwards.",
    "Garlic came to Europe with the first railways.",
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
_AT = "2026-11-20T08:00:00Z"
_FACTS = ("context", "history", "reference", "responses", "better", "tools_not_ok", "links_unopened")


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """A made-up task, and a rating of it that leaves something open."""

    task: Task
    rating: Rating


def sample_tasks(rubric: Rubric) -> tuple[Sample, ...]:
    """As few tasks as show every question that can be asked; the last one is not answered."""
    seen: set[str] = set()
    samples: list[Sample] = []
    for full in (True, False):
        while len(samples) < MOST_TASKS:
            task = _task(rubric, f"sample-{len(samples) + 1}", full=full)
            before = len(seen)
            rating = answered(rubric, task, seen)
            if len(seen) == before and (samples or not full):
                break
            samples.append(Sample(task=task, rating=rating))
    task = _task(rubric, f"sample-{len(samples) + 1}", full=True)
    return (*samples, Sample(task=task, rating=Rating(task=task.id)))


def _task(rubric: Rubric, name: str, *, full: bool) -> Task:
    """With all that the rubric's facts count, or with none of it."""
    counts = {fact: _wanted(rubric, fact) if full else 0 for fact in _FACTS}
    pairs = counts["responses"] or counts["better"] or rubric.file.compare is not None
    responses = max(2 * bool(pairs), counts["responses"]) if full else 1
    texts = (_SENTENCES, _OTHER)
    made = [_response(rubric, index, texts[index % 2], counts) for index in range(max(responses, 1))]
    targets = [one for response in made for one in _targets(response)] if rubric.per_target else None
    return Task(
        id=name,
        prompt=Prompt(text=_PROMPT, lang="en"),
        history=tuple(_history(counts["history"])),
        responses=tuple(made),
        targets=tuple(targets) if targets is not None else None,
        context=tuple(_documents(counts["context"])),
        reference=" ".join((_SENTENCES[0], _SENTENCES[1])) if counts["reference"] else None,
    )


def _wanted(rubric: Rubric, fact: str) -> int:
    """How many of it the rubric looks for: none where nothing does."""
    tests = tests_of(rubric, fact)
    numbers = [value for test in tests for value in (test.low, *(test.like or ()), *test.unlike)]
    most = max((math.ceil(one) for one in numbers if isinstance(one, int | float) and one < MOST_OF_A_KIND), default=1)
    return max(most, 1) if tests else 0


def _response(rubric: Rubric, index: int, sentences: tuple[str, ...], counts: dict[str, int]) -> Response:
    links = [f"{_PAGE}-{number}" for number in range(1, counts["links_unopened"] + 1)] if index == 0 else []
    text = " ".join([*sentences[: _sentences(rubric)], *(f"See {link}." for link in links)])
    return Response(id=chr(ord("a") + index), text=text, tools=tuple(_calls(index, counts["tools_not_ok"])))


def _sentences(rubric: Rubric) -> int:
    """A target for each way that the questions per target and claim can go, as far as there are sentences."""
    if not rubric.per_target:
        return len(_SENTENCES)
    return min(len(_SENTENCES), 2 + len(rubric.asking["target"]) + len(rubric.asking["claim"]))


def _calls(index: int, failed: int) -> Iterator[ToolCall]:
    if not failed:
        return
    yield ToolCall(name="search", input={"query": "garlic"}, output={"pages": [f"{_PAGE}-soil"]}, at=_AT)
    for _ in range(failed if index == 0 else 0):
        yield ToolCall(name="weather", status="error", input={"days": 30}, output="Service not available.", at=_AT)


def _targets(response: Response) -> Iterator[Target]:
    start = 0
    for number, sentence in enumerate(response.text.split(". "), 1):
        quote = sentence if sentence.endswith(".") else f"{sentence}."
        name = f"{response.id}{number}"
        yield Target(id=name, response=response.id, start=start, end=start + len(quote), quote=quote)
        start += len(quote) + 1


def _history(turns: int) -> Iterator[Turn]:
    said = ("I have a small garden.", "What would you like to grow in it?")
    for index in range(turns):
        yield Turn(role=("user", "assistant")[index % 2], text=said[index % 2])


def _documents(count: int) -> Iterator[Document]:
    for number in range(1, count + 1):
        text = " ".join(islice(_SENTENCES, 2))
        yield Document(id=f"doc{number}", title=f"Growing garlic, part {number}", text=text, url=f"{_PAGE}-{number}")
