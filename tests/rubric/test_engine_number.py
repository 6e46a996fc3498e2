"""Stores trust what was checked by the same engine, so an engine that judges otherwise has to have another number."""

import random
from typing import Any

from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import canonical_json, read_struct, sha256, to_plain
from desktop_rater.format.task import Task
from desktop_rater.operations.rubrics import builtin_rubric
from desktop_rater.rubric import Rubric, check_rating, exported_form
from desktop_rater.rubric.compiled import ENGINE

from .conftest import BUILT_IN

# What each engine made of a thousand ratings. Where this test fails after a change of the engine, of a built-in rubric
# or of what counts as a page: raise `ENGINE` unless nothing but a rubric has changed, and write the new hash here.
JUDGED = (4, "4e23dc507aaf5c0a043cf5e85a5f73a8a07812ff6ff94fab052a513d179dc6f4")

ODD = (None, "", "  ", "\u200b\u3164", True, 0, 1, -7, 2.5, [], ["yes"])
URLS = (
    "https://a.example/x",
    "https://A.example:443/%78/#top",
    "https://b.example",
    "ftp://c.example",
    "not a url",
    "",
)
TARGETS = ("s1", "s2", "gone")


class Cases:
    """Ratings of all kinds, the same ones each time."""

    def __init__(self) -> None:
        self.chance = random.Random(7)

    def value(self, rubric: Rubric, name: str) -> Any:
        asked = rubric.questions[name].question
        if self.chance.random() < 0.1:
            return self.chance.choice(ODD)
        if asked.kind == "choice":
            return self.chance.choice(asked.choices).id
        if asked.kind == "scale":
            return self.chance.randint(int(asked.min or 0), int(asked.max or 0))
        return self.chance.choice(("", "searched three indexes"))

    def answers(self, rubric: Rubric, *scopes: str) -> dict[str, Any]:
        names = [name for name, one in rubric.questions.items() if one.question.per in scopes]
        return {name: self.value(rubric, name) for name in names if self.chance.random() < 0.75}

    def task(self) -> Task:
        chance = self.chance
        text = "The hut was built in 1352 by monks. See https://a.example/x and (https://b.example). Or not."
        status = chance.choice(("ok", "error", "empty", "not_recorded"))
        tools = [{"name": "n", "status": status, "output": {"u": chance.choice(([], ["http://d.example"]))}}]
        ends = {TARGETS[0]: text.index(".") + 1, TARGETS[1]: 3}
        plain = {
            "id": "t",
            "prompt": {"text": "?"},
            "responses": [{"id": name, "text": text, "tools": tools} for name in chance.choice(("a", "ab"))],
            "targets": [
                {"id": name, "response": "a", "start": 0, "end": end, "quote": text[:end]} for name, end in ends.items()
            ],
            "reference": chance.choice((None, " ", "the reference")),
        }
        return read_struct(plain, Task)

    def piece(self, index: int) -> dict[str, Any]:
        chance = self.chance
        return {
            "id": f"e{index}",
            chance.choice(("target", "target", "response")): chance.choice((*TARGETS, "a", "b")),
            "claim": chance.choice((None, "c0", "c1", "c9")),
            "stance": chance.choice((None, "supporting", "contradicting")),
            "url": chance.choice(URLS),
            "quote": chance.choice(("", "So it is.")),
        }

    def rating(self, rubric: Rubric) -> Rating:
        chance = self.chance
        plain = {
            "task": "t",
            "status": chance.choice(("complete", "complete", "complete", "incomplete", "skipped")),
            "answers": {
                "task": self.answers(rubric, "task"),
                "responses": {name: self.answers(rubric, "response") for name in "ab"},
                "targets": {name: self.answers(rubric, "target", "claim") for name in TARGETS},
            },
            "claims": {
                name: [{"id": f"c{index}", "answers": self.answers(rubric, "claim")} for index in range(2)]
                for name in TARGETS
                if chance.random() < 0.3
            },
            "evidence": [self.piece(index) for index in range(chance.randint(0, 4))],
            "time": {"targets": {"s1": chance.randint(0, 1_200)}},
            "links_opened": chance.sample(URLS, 2),
        }
        return read_struct(plain, Rating)


def test_an_engine_that_judges_otherwise_has_another_number():
    cases = Cases()
    rubrics = [builtin_rubric(name) for name in BUILT_IN[:4]]  # those that the hash was computed with
    told = []
    for number in range(999):
        rubric = rubrics[number % len(rubrics)]
        task, rating = cases.task(), cases.rating(rubric)
        outcome = check_rating(rubric, task, rating)
        told.append(to_plain(exported_form(rating, outcome)))
    assert (ENGINE, sha256(canonical_json(told))) == JUDGED
