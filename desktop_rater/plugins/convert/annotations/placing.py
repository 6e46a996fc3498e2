"""Make ratings of annotations: answers at the places of a bundle's tasks, by the questions of its rubric."""

import string
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from msgspec.structs import replace

from desktop_rater.format import edit
from desktop_rater.format.rating import Claim, Evidence, Rating
from desktop_rater.format.strict_json import StrictJsonError, read_struct
from desktop_rater.format.task import Target, Task
from desktop_rater.format.values import Answers, Place
from desktop_rater.plugins.convert.annotations.annotation import (
    ImportLosses,
    SourceAnnotation,
    SourceAnswer,
    SourcePlace,
    shortened,
)
from desktop_rater.plugins.convert.conversion import parsed_json_text
from desktop_rater.plugins.convert.maps.record_map import RatingMap, label_text
from desktop_rater.rubric import Rubric
from desktop_rater.rubric.compiled import CompiledQuestion
from desktop_rater.text.quotes import place_quote

_LETTERS = string.ascii_lowercase  # of responses, which may also be numbered
_SEPARATORS = (";", "|", ",")


RatingVersion = tuple[Rating, str]
"""A rating as it was at one time, and that time; "" if the source has no times."""


class TaskPlaces:
    """Texts and targets of a task, by id."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.texts = {response.id: response.text for response in task.responses}
        self.targets = {target.id: target for target in task.targets or ()}

    def target_of(self, name: str, response: str | None = None) -> Target | None:
        """Return the target with an id, else the only one with exactly that text; of a response, if it is named."""
        if name in self.targets:
            return self.targets[name]
        own = [target for target in self.targets.values() if response in {None, target.response}]
        same = [target for target in own if self.texts[target.response][target.start : target.end] == name]
        return same[0] if len(same) == 1 else None


class RatingPlacer:
    """Places annotations in tasks; what can't be placed is counted in `losses`. `answers` counts what was placed."""

    def __init__(self, rubric: Rubric, ratings: RatingMap, losses: ImportLosses) -> None:
        self.losses = losses
        self.answers = 0
        self.rubric = rubric
        self.map = ratings
        self.labels = choice_labels(rubric)

    def states(self, places: TaskPlaces, annotations: Iterable[SourceAnnotation]) -> list[RatingVersion]:
        """Return what one rater's annotations of a task say: a state for each change of an answer, the last one last.

        Annotations count in the order of their times; those without a time in the order of the source.
        """
        states: list[RatingVersion] = []
        draft = _Draft(places.task.id)
        for number, annotation in enumerate(sorted(annotations, key=lambda given: given.changed)):
            placed = _PlacedAnnotation(self, places, annotation)
            before = draft.given
            differs = any(key in before and before[key] != value for key, value in placed.given.items())
            if number and (annotation.whole or differs):
                if annotation.changed != draft.changed:
                    states.append((draft.rating(), draft.changed))
                else:
                    self.losses.add("repeated", f"{annotation.where}: {annotation.rater}")
            draft.add(placed, annotation)
            self.answers += len(placed.given)
        return [*states, (draft.rating(), draft.changed)]


class _Draft:
    """Rating that annotations are added to; `given` are its answers."""

    def __init__(self, task: str) -> None:
        self.changed = ""
        self.given: dict[tuple[Place, str], Any] = {}
        self._seconds = 0.0
        self._skipped: str | None = None
        self._rating = Rating(task=task)

    def add(self, placed: "_PlacedAnnotation", annotation: SourceAnnotation) -> None:
        before, whole = self._rating, annotation.whole
        self.given = placed.given if whole else self.given | placed.given
        self._seconds += annotation.seconds
        self._skipped = annotation.skipped
        self.changed = annotation.changed
        evidence = () if whole else before.evidence
        for piece in placed.evidence:
            if not any(replace(piece, id=held.id) == held for held in evidence):
                evidence = (*evidence, replace(piece, id=edit.new_id("e", [held.id for held in evidence])))
        self._rating = replace(
            placed.base,
            claims=placed.claims if whole or placed.claims else before.claims,
            evidence=evidence,
            note=annotation.note if whole else "\n".join(dict.fromkeys(filter(None, (before.note, annotation.note)))),
        )

    def rating(self) -> Rating:
        answers: dict[str, dict[str, Any]] = {"task": {}, "responses": {}, "targets": {}}
        for (place, question), value in self.given.items():
            kind, name = ("responses", place.response) if place.target is None else ("targets", place.target)
            (answers["task"] if name is None else answers[kind].setdefault(name, {}))[question] = value
        spent = replace(self._rating.time, active_seconds=round(self._seconds, 3))
        rating = replace(self._rating, answers=Answers(**answers), time=spent)
        return rating if self._skipped is None else edit.with_skip(rating, *_skip_reason(self._skipped))


class _PlacedAnnotation:
    """One annotation: `given` are its answers at the places of the task."""

    def __init__(self, placer: RatingPlacer, places: TaskPlaces, annotation: SourceAnnotation) -> None:
        self._placer = placer
        self._questions = placer.rubric.questions
        self._map = placer.map
        self._in = places
        self._annotation = annotation
        self._named_claims: dict[str, tuple[str, str]] = {}  # key of the source → target, claim
        self.given: dict[tuple[Place, str], Any] = {}
        for answer in annotation.answers:
            for question, value in self._answers(answer):
                fitting = self._offered(question, value)
                places_of_answer = self._places(question, answer.place) if fitting is not None else ()
                if fitting is not None and not places_of_answer:
                    self._lose("unknown_place", question, *self._words(answer.place))
                self.given.update(dict.fromkeys(((place, question) for place in places_of_answer), fitting))
        if annotation.marked:
            self._add_unmarked()
        self.claims = self._placed_claims()
        self.evidence = tuple(self._placed_evidence())
        self.base = Rating(task=places.task.id)
        if annotation.more:
            try:
                self.base = read_struct({**annotation.more, "task": places.task.id}, Rating)
            except StrictJsonError as error:
                self._lose("other", error)

    def _lose(self, kind: str, *parts: Any) -> None:
        about = ", ".join(shortened(part) for part in parts if part not in (None, ""))
        self._placer.losses.add(kind, f"{self._annotation.where}: {self._annotation.rater}: {about}")

    def _offered(self, question: str, value: Any) -> Any:
        """Return the value as the question offers it; `None`, counted, if it does not, or if there is no question."""
        asking = self._questions.get(question)
        fitting = offered_value(asking, value) if asking is not None else None
        if fitting is None:
            self._lose("wrong_value" if asking is not None else "unknown_question", question, value)
        return fitting

    def _answers(self, answer: SourceAnswer) -> Iterator[tuple[str, Any]]:
        """Yield question and value: by the map's table of labels, by name, or by the label of a choice."""
        name, value = answer.question, answer.value
        if name == "" and value is None:
            if not self._map.marked:
                self._lose("unknown_label", "a span without a label; say in [ratings.marked] what it answers")
            yield from self._known(self._map.marked)
            return
        values = value if isinstance(value, list) and name == "" else [value]
        for part in values:
            table = self._map.answers.get(label_text(part), self._map.answers.get("*"))
            if isinstance(table, dict):
                yield from self._known(table)
            elif table == "":
                continue
            elif name in self._questions:
                yield name, part if table is None else table
            else:
                label = part if table is None else table
                question = self._placer.labels.get(label_text(label).casefold())
                if question is not None:
                    yield question, label
                else:
                    self._lose("unknown_question" if name else "unknown_label", name, part)

    def _known(self, table: dict[str, Any]) -> Iterator[tuple[str, Any]]:
        for question, value in table.items():
            if question in self._questions:
                yield question, value
            else:
                self._lose("unknown_question", question)

    def _places(self, question: str, place: SourcePlace) -> list[Place]:
        per = self._questions[question].question.per
        if per == "task":
            return [Place()] if place.name in ("", "task") else []
        if per == "response":
            response = self._response(place)
            return [] if response is None else [Place(response=response)]
        return [Place(response=target.response, target=target.id) for target in self._targets(place)]

    def _response(self, place: SourcePlace) -> str | None:
        ids = list(self._in.texts)
        kind, _, rest = place.name.partition("/")
        name = rest if kind == "responses" else place.response or place.name
        if kind == "targets" or (name in self._in.targets and name not in ids):
            return None
        if not name:
            return ids[0] if len(ids) == 1 else None
        if name in ids:
            return name
        numbered = {f"{number}": id_ for number, id_ in enumerate(ids, 1)} | dict(zip(_LETTERS, ids, strict=False))
        return numbered.get(name.lower().lstrip("0"))

    def _targets(self, place: SourcePlace) -> list[Target]:
        """Return the targets at a place: with that id, text or offsets, else those that the span touches."""
        everything = list(self._in.targets.values())
        kind, _, rest = place.name.partition("/")
        name = rest if kind == "targets" else place.name
        if name:
            target = self._in.target_of(name, self._response(replace(place, name="")) if place.response else None)
            return [] if target is None else [target]
        if place.start is None or place.end is None:
            return everything if len(everything) == 1 else []
        response = self._response(place)
        text = self._in.texts.get(response or "")
        at = None if text is None else place_quote(text, place.start, place.end, place.quote)
        if at is None:
            return []
        own = [target for target in everything if target.response == response]
        exact = [target for target in own if (target.start, target.end) == (at.start, at.end)]
        return exact or [target for target in own if max(target.start or 0, at.start) < min(target.end or 0, at.end)]

    def _words(self, place: SourcePlace) -> tuple[str, ...]:
        """Return what names a place, or that nothing does."""
        span = f"{place.start}-{place.end}" if place.start is not None else ""
        named = tuple(part for part in (place.response, place.name, span, place.quote) if part)
        if named:
            return "looked for", *named
        return (f"no `place` is given, and the task has {len(self._in.targets):,} targets",)

    def _add_unmarked(self) -> None:
        """Answer for the targets that no span touches."""
        touched = {place.target for place, _ in self.given if place.target is not None}
        for question, value in self._known(self._map.unmarked):
            fitting = offered_value(self._questions[question], value)
            for target in self._in.targets.values():
                if target.id not in touched and fitting is not None:
                    self.given[Place(response=target.response, target=target.id), question] = fitting

    def _placed_claims(self) -> dict[str, tuple[Claim, ...]]:
        claims: dict[str, list[Claim]] = {}
        for given in self._annotation.claims:
            target = next(iter(self._targets(given.target)), None)
            if target is None:
                self._lose("unknown_place", "claim", given.text)
                continue
            group = claims.setdefault(target.id, [])
            text = self._in.texts[target.response]
            spans = [place_quote(text, span.start, span.end, span.quote) for span in given.spans]
            if None in spans:
                self._lose("unknown_place", "words of the claim", given.text)
            ranges = [(span.start, span.end) for span in spans if span is not None]
            answers = {name: self._offered(name, value) for name, value in given.answers.items()}
            claim = replace(
                edit.claim_of_spans(f"c{len(group) + 1}", text, ranges),
                text=given.text,
                answers={name: value for name, value in answers.items() if value is not None},
            )
            group.append(claim)
            self._named_claims[given.key] = target.id, claim.id
        return {target: tuple(group) for target, group in claims.items()}

    def _placed_evidence(self) -> Iterator[Evidence]:
        pieces: dict[str, Evidence] = {}
        for given in self._annotation.evidence:
            target, claim = self._named_claims.get(given.claim, ("", ""))
            target = target or next((part.id for part in self._targets(given.place)), "")
            whole = given.place.start is None and not given.place.name and not given.claim
            place = {"response": self._response(given.place)} if whole else {"target": target}
            if not next(iter(place.values())):
                self._lose("unknown_place", "evidence", given.plain.get("url"))
                continue
            key = label_text([sorted(given.plain.items()), place])
            before = pieces.get(key)
            claims = (*(before.claims if before is not None else ()), *([claim] if claim else ()))
            plain = {name: value for name, value in given.plain.items() if name not in ("target", "response", "claim")}
            try:
                id_ = before.id if before is not None else f"e{len(pieces) + 1}"
                pieces[key] = read_struct({**plain, **place, "id": id_, "claims": list(claims)}, Evidence)
            except StrictJsonError as error:
                self._lose("other", f"evidence: {error}")
        yield from pieces.values()


def choice_labels(rubric: Rubric) -> dict[str, str]:
    """Map ids and labels of choices, in lower case, to the only question about targets, else the only one, with it."""
    questions: dict[str, list[str]] = {}
    for name, asking in rubric.questions.items():
        for choice in asking.question.choices:
            for text in {choice.id.casefold(), choice.label.casefold()}:
                questions.setdefault(text, []).append(name)
    chosen = {}
    for text, names in questions.items():
        of_targets = [name for name in names if rubric.questions[name].question.per == "target"]
        if len(names) == 1 or len(of_targets) == 1:
            chosen[text] = (of_targets or names)[0]
    return chosen


def offered_value(asking: CompiledQuestion, value: Any) -> Any:
    """Return the value as the question offers it; `None` if it does not.

    Choices may be given by their labels, in any case, several as a JSON list or separated; numbers as texts.
    """
    if asking.domain.offers(value):
        return value
    ids = {text.casefold(): choice.id for choice in asking.question.choices for text in (choice.label, choice.id)}
    value = parsed_json_text(value)
    if asking.question.kind in ("choice", "choices"):
        parts = value if isinstance(value, list) else [value]
        named = [ids.get(label_text(part).strip().casefold(), part) for part in parts]
        candidates: list[Any] = [named] if asking.question.kind == "choices" else named[:1] if len(named) == 1 else []
        if asking.question.kind == "choices" and isinstance(value, str):
            for separator in _SEPARATORS:
                pieces = [piece.strip() for piece in value.split(separator)]
                candidates.append([ids.get(piece.casefold(), piece) for piece in pieces])
        return next((candidate for candidate in candidates if asking.domain.offers(candidate)), None)
    if asking.question.kind == "text":
        text = label_text(value) if not isinstance(value, list) else "\n".join(map(label_text, value))
        return text if asking.domain.offers(text) else None
    if isinstance(value, str):
        with suppress(ValueError):
            value = float(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if asking.domain.offers(value) else None


def _skip_reason(text: str) -> tuple[str, str]:
    """Return reason and comment of a skipped task, as this program exports them or as a comment."""
    reason, colon, comment = text.partition(": ")
    return (reason, comment) if colon and reason.isidentifier() else ("other", text)
