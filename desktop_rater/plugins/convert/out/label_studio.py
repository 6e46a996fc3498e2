"""Export results as tasks with annotations and a labelling configuration for Label Studio."""

import json
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, Literal
from xml.etree import ElementTree as ET

from msgspec.structs import replace

from desktop_rater.format.rating import Evidence, Rating
from desktop_rater.format.rubric import Question
from desktop_rater.format.strict_json import canonical_json, sha256, to_plain
from desktop_rater.format.task import Task
from desktop_rater.operations.results_tables import ResultsFormat
from desktop_rater.operations.results_tables.tables import ExportUnit, RatedTask, export_units
from desktop_rater.rubric import Rubric
from desktop_rater.rubric.load import format_answer
from desktop_rater.rubric.suggest import usable_suggestions

TARGET, CLAIM = "target", "claim"

Control = Literal["choices", "rating", "number", "textarea"]

_STARS = 10
_OWN = re.compile(r"prompt|reference|context|history|rater|note|skip_reason|(?:response|spans|evidence)_[0-9]+")
# Characters not allowed in XML 1.0.
_UNFIT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xml_text(text: str) -> str:
    """Replace characters that XML does not allow."""
    return _UNFIT.sub("\ufffd", text)


def response_name(number: int) -> str:
    """Return the name of the object showing a response, which is also the key of its text; counted from 1."""
    return f"response_{number}"


def spans_name(number: int) -> str:
    """Return the name of the control that marks the targets and claims of a response."""
    return f"spans_{number}"


def evidence_name(number: int) -> str:
    """Return the name of the control with the evidence of a response."""
    return f"evidence_{number}"


def question_name(question: Question, number: int) -> str:
    """Return the name of a question's control for a response; a question of the task has only one.

    Names of questions always contain a full stop if they could clash with the other names.
    """
    name = xml_text(question.id)
    if question.per == "task":
        return f"task.{name}" if _OWN.fullmatch(name) or "." in name else name
    return f"{number}.{name}"


def control_of(question: Question) -> Control:
    """Return the kind of control for the question's answers. Stars count from 1 in whole steps."""
    match question.kind:
        case "choice" | "choices":
            return "choices"
        case "scale":
            stars = question.min == 1 and question.step in (None, 1) and question.max in range(2, _STARS + 1)
            return "rating" if stars else "number"
        case "number":
            return "number"
    return "textarea"


_PER_REGION = {"perRegion": "true"}
_CAPTIONS = {"history": "Before", "prompt": "Prompt", "context": "Context", "reference": "Reference"}


def configuration(rubric: Rubric, responses: int, texts: Collection[str]) -> bytes:
    """Return the XML for the project's settings or its API.

    `responses`: the maximum number of responses of a task; `texts`: names of the other texts that tasks have.
    """
    view = ET.Element("View")
    for name, caption in _CAPTIONS.items():
        if name in texts:
            _header(view, caption)
            _text(view, name)
    for number in range(1, responses + 1):
        _header(view, f"Response {number}" if responses > 1 else "Response")
        _add_response(view, rubric, number)
    for asking in rubric.questions_by_scope["task"]:
        _add_question(view, asking.question, 1)
    for name, caption in (("note", "Note"), ("skip_reason", "Why it was skipped"), ("rater", "Rater")):
        _header(view, caption)
        _text_area(view, name, 1, {})
    ET.indent(view)
    return ET.tostring(view, encoding="utf-8") + b"\n"


def attribute_text(text: str) -> str:
    """Escape a text for an attribute: Label Studio would take text after a dollar sign for the name of a key."""
    return xml_text(text).replace("$", "\uff04")


def choice_values(question: Question) -> list[tuple[str, str]]:
    """Return (text shown, text stored) of each choice; if two texts are equal, all show their ids as well."""
    labelled = [(attribute_text(choice.label), attribute_text(choice.id)) for choice in question.choices]
    alike = len({label.strip() for label, _ in labelled}) < len(labelled)
    return [(f"{label} [{stored}]" if alike else label, stored) for label, stored in labelled]


def _add_response(view: ET.Element, rubric: Rubric, number: int) -> None:
    if rubric.per_target:
        labels = ET.SubElement(view, "Labels", name=spans_name(number), toName=response_name(number))
        ET.SubElement(labels, "Label", value=TARGET)
        ET.SubElement(labels, "Label", value=CLAIM)
    _text(view, response_name(number))
    for asking in rubric.questions_by_scope["response"]:
        _add_question(view, asking.question, number)
    regions = ET.SubElement(view, "View", visibleWhen="region-selected")
    for scope in ("target", "claim"):
        for asking in rubric.questions_by_scope[scope]:
            _add_question(regions, asking.question, number)
    if rubric.file.evidence is not None:
        per_region = rubric.file.evidence.per == "target"
        parent = regions if per_region else view
        _header(parent, "Evidence")
        _text_area(parent, evidence_name(number), number, _PER_REGION if per_region else {})
    if len(regions) == 0:
        view.remove(regions)


def _add_question(view: ET.Element, question: Question, number: int) -> None:
    _header(view, question.ask)
    anchors = [f"{_figure(anchor.at)} {anchor.label}" for anchor in question.anchors]
    levels = [f"up to {_figure(level.to)} {level.label}" for level in question.levels]
    if anchors or levels:
        _header(view, " · ".join(anchors or levels), size="6")
    more = _PER_REGION if question.per in ("target", "claim") else {}
    named = {"name": question_name(question, number), "toName": response_name(number), **more}
    match control_of(question):
        case "choices":
            kind = "multiple" if question.kind == "choices" else "single"
            choices = ET.SubElement(view, "Choices", {**named, "choice": kind})
            for label, stored in choice_values(question):
                ET.SubElement(choices, "Choice", value=label, alias=stored)
        case "rating":
            ET.SubElement(view, "Rating", {**named, "maxRating": _figure(question.max or 0)})
        case "number":
            limits = {"min": question.min, "max": question.max, "step": question.step}
            given = {key: _figure(value) for key, value in limits.items() if value is not None}
            ET.SubElement(view, "Number", {**named, **given})
        case _:
            _text_area(view, named["name"], number, more)


def _figure(value: float) -> str:
    """Format a number: whole ones without a decimal point, and without an exponent that loses digits."""
    return f"{value:.15g}"


def _header(view: ET.Element, words: str, size: str = "4") -> None:
    ET.SubElement(view, "Header", value=attribute_text(words), size=size)


def _text(view: ET.Element, name: str) -> None:
    ET.SubElement(view, "Text", name=name, value=f"${name}", valueType="text")


def _text_area(view: ET.Element, name: str, number: int, more: dict[str, str]) -> None:
    named = {"name": name, "toName": response_name(number), "rows": "2", "editable": "true"}
    ET.SubElement(view, "TextArea", {**named, **more})


LabelStudioResult = dict[str, Any]

_ID = 10
_PIECE = ("stance", "reason", "url", "title", "quote", "note", "opened")  # of evidence, to be read again
RATING_FIELDS = ("links_opened", "links_counted", "link_verdicts", "acknowledged", "time")
"""Fields of a rating that no control shows; they are with the rater's name, to be read again."""


def annotation_results(rated: RatedTask) -> list[LabelStudioResult]:
    """Return all results of a rating. A decided label replaces a missing answer."""
    return list(_Results(rated).all())


def suggestion_results(rated: RatedTask) -> list[LabelStudioResult]:
    """Return only the rating's answers, with their spans: for suggestions."""
    results = _Results(rated)
    given = [unit for unit in export_units(rated) if unit.answers]
    return [result for unit in given for result in results.of_unit(unit)]


class _Results:
    def __init__(self, rated: RatedTask) -> None:
        self._rated = rated
        self._numbers = {response.id: number for number, response in enumerate(rated.task.responses, 1)}
        self._spans: dict[str, dict[str, Any]] = {}

    def all(self) -> Iterator[LabelStudioResult]:
        rating = self._rated.rating
        for unit in export_units(self._rated):
            yield from self.of_unit(unit)
        for piece in rating.evidence:
            yield from self._pieces(piece)
        plain = to_plain(rating)
        more = {key: plain[key] for key in RATING_FIELDS if plain.get(key)}
        yield {**self._text("rater", rating.rater), "meta": {"rating": more}}
        if rating.note:
            yield self._text("note", rating.note)
        if rating.skipped is not None:
            words = ": ".join(part for part in (rating.skipped.reason, rating.skipped.comment) if part)
            yield self._text("skip_reason", words)

    def of_unit(self, unit: ExportUnit) -> Iterator[LabelStudioResult]:
        number = self._numbers.get(unit.response or "", 1)
        for region in self._regions(unit, number):
            self._spans.setdefault(unit.where, region["value"])
            yield region
        for name, value in self._rated.labels(unit.where, unit.answers).items():
            question = self._rated.rubric.questions[name].question
            yield self._answer(unit, question, value, number)

    def _regions(self, unit: ExportUnit, number: int) -> Iterator[LabelStudioResult]:
        """Yield the span of a target, or those of a claim. A claim without offsets uses the span of its target."""
        if unit.scope not in ("target", "claim"):
            return
        parent = self._spans.get(f"targets/{unit.target}", {})
        spans = [(span.start, span.end, span.quote) for span in unit.spans] or [(unit.start, unit.end, unit.text)]
        for index, (start, end, text) in enumerate(spans, 1):
            if start is None or end is None:
                start, end, text = parent.get("start"), parent.get("end"), parent.get("text")  # noqa: PLW2901
            result = {
                "id": self._id(unit.where if index == 1 else f"{unit.where} {index}"),
                "from_name": spans_name(number),
                "to_name": response_name(number),
                "type": "labels",
                "value": {"start": start, "end": end, "text": text, "labels": [TARGET]},
            }
            if unit.scope == "claim":
                result["value"]["labels"] = [CLAIM]
                result["parentID"] = self._id(f"targets/{unit.target}")
                result["meta"] = {"text": [unit.text or ""]}
            yield result

    def _answer(self, unit: ExportUnit, question: Question, value: Any, number: int) -> LabelStudioResult:
        control = control_of(question)
        match control:
            case "choices":
                parts = value if isinstance(value, list | tuple) else [value]
                content: Any = {"choices": [attribute_text(str(part)) for part in parts]}
            case "textarea":
                content = {"text": [format_answer(question, value)]}
            case "rating":
                content = {"rating": int(value)}
            case _:
                content = {"number": value}
        return self._result(unit.where, question_name(question, number), control, content, number)

    def _pieces(self, piece: Evidence) -> Iterator[LabelStudioResult]:
        """Yield the evidence for each claim that it speaks of."""
        places = [f"responses/{piece.response}"]
        number = self._numbers.get(piece.response or "", 1)
        if piece.target is not None:
            claims = (f"targets/{piece.target}/claims/{name}" for name in piece.claim_ids)
            places = [claim for claim in claims if claim in self._spans] or [f"targets/{piece.target}"]
            target = self._rated.task.target(piece.target)
            number = self._numbers[target.response] if target is not None else 1
        stance = f"{piece.stance} ({piece.reason})" if piece.reason else piece.stance
        head = " ".join(part for part in (stance, piece.url) if part)
        words = "\n".join(part for part in (head, piece.title, piece.quote, piece.note) if part)
        plain = {key: value for key, value in to_plain(piece).items() if key in _PIECE and value}
        for where in places:
            result = self._result(where, evidence_name(number), "textarea", {"text": [words]}, number)
            yield {**result, "meta": {"evidence": plain}}

    def _text(self, name: str, words: str) -> LabelStudioResult:
        return self._result("task", name, "textarea", {"text": [words]}, 1)

    def _result(self, where: str, name: str, kind: str, content: dict[str, Any], number: int) -> LabelStudioResult:
        span = self._spans.get(where)
        place = {"start": span["start"], "end": span["end"]} if span else {}
        return {
            "id": self._id(where) if span else self._id(f"{where} {name}"),
            "from_name": name,
            "to_name": response_name(number),
            "type": kind,
            "value": {**place, **content},
        }

    def _id(self, where: str) -> str:
        """Return an id: results of one span share it, and equal ratings have equal ids."""
        return sha256(canonical_json([self._rated.task.id, self._rated.rating.rater, where]))[:_ID]


_GAP = "\n\n"


def write_label_studio(path: Path, rated: Iterable[RatedTask], rubric: Rubric) -> bytes:
    """Write the list of tasks and return the labelling configuration for their project."""
    with TemporaryFile(dir=path.parent) as file:
        waiting = _TaskBuffer(file)
        for rated_task in rated:
            waiting.add(rated_task)
        with path.open("xb") as out:
            for number, task in enumerate(waiting.tasks()):
                out.write((b",\n" if number else b"[\n") + _json(task))
            out.write(b"\n]\n" if waiting.any else b"[]\n")
        return configuration(rubric, waiting.responses, waiting.texts)


class _TaskBuffer:
    """Buffer of tasks in order of arrival, each with its annotations."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.responses = 1
        self.texts: set[str] = set()
        self._places: dict[str, list[tuple[int, int]]] = {}

    @property
    def any(self) -> bool:
        return bool(self._places)

    def add(self, rated: RatedTask) -> None:
        data = _data(rated.task)
        self.responses = max(self.responses, len(rated.task.responses))
        self.texts |= {name for name in ("prompt", "history", "context", "reference") if name in data}
        key = sha256(canonical_json([rated.task.id, data]))
        if key not in self._places:
            meta = {"bundle": rated.bundle, "rubric": rated.rubric.ref, "task": rated.task.id}
            task = {"data": data, "predictions": _predictions(rated), "meta": meta}
            self._places[key] = [self._store(task)]
        self._places[key].append(self._store(_annotation(rated)))

    def tasks(self) -> Iterator[dict[str, Any]]:
        """Yield each task, with all the keys named in the configuration."""
        empty = {response_name(number): "" for number in range(1, self.responses + 1)}
        empty |= dict.fromkeys(sorted(self.texts), "")
        for first, *others in self._places.values():
            task = self._load(first)
            yield {**task, "data": {**empty, **task["data"]}, "annotations": [self._load(place) for place in others]}

    def _store(self, plain: dict[str, Any]) -> tuple[int, int]:
        raw = _json(plain)
        position = self._file.seek(0, 2)
        self._file.write(raw)
        return position, len(raw)

    def _load(self, place: tuple[int, int]) -> dict[str, Any]:
        position, size = place
        self._file.seek(position)
        return json.loads(self._file.read(size))


def _data(task: Task) -> dict[str, Any]:
    data: dict[str, Any] = {"task": task.id}
    if task.history:
        data["history"] = _GAP.join(f"{turn.role}: {turn.text}" for turn in task.history)
    data["prompt"] = task.prompt.text
    for number, response in enumerate(task.responses, 1):
        data[response_name(number)] = response.text
    if task.context:
        parts = ((document.title, document.url, document.text) for document in task.context)
        data["context"] = _GAP.join("\n".join(filter(None, part)) for part in parts)
    if task.reference is not None:
        data["reference"] = task.reference
    return data


def _annotation(rated: RatedTask) -> dict[str, Any]:
    rating = rated.rating
    return {
        "result": annotation_results(rated),
        "was_cancelled": rating.status == "skipped",
        "ground_truth": False,
        "lead_time": rating.time.active_seconds,
        **({"updated_at": rating.changed} if rating.changed else {}),
    }


def _predictions(rated: RatedTask) -> list[dict[str, Any]]:
    """Return the bundle's suggestions that the rubric offers."""
    given: dict[str, dict[str, dict[str, Any]]] = {"task": {}, "responses": {}, "targets": {}}
    task: dict[str, Any] = {}
    for place, question, value in usable_suggestions(rated.rubric, rated.task):
        if place.target is not None:
            given["targets"].setdefault(place.target, {})[question] = value
        elif place.response is not None:
            given["responses"].setdefault(place.response, {})[question] = value
        else:
            task[question] = value
    answers = replace(Rating(task="t").answers, task=task, responses=given["responses"], targets=given["targets"])
    results = suggestion_results(replace(rated, rating=Rating(task=rated.task.id, answers=answers)))
    return [{"model_version": "suggestions", "result": results}] if results else []


def _json(plain: Any) -> bytes:
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


LABEL_STUDIO = ResultsFormat(write_label_studio, ".config.xml")
