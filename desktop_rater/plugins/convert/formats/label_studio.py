"""Convert Label Studio tasks, in their import or export format, with the marked spans."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from desktop_rater.format.errors import BundleFault
from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import json_type, to_plain
from desktop_rater.format.targets import UnplacedTarget, target_at
from desktop_rater.format.task import Target
from desktop_rater.format.values import Answers
from desktop_rater.plugins.convert.conversion import ConvertedRecord, OmittedRecord, unplaced_texts
from desktop_rater.plugins.convert.formats.azure_records import Documents
from desktop_rater.plugins.convert.source import SourceRecords
from desktop_rater.text.quotes import QuotePlace, place_at_offsets, place_quote
from desktop_rater.text.spans import Utf16Map

LABEL_KINDS = ("labels", "hypertextlabels", "paragraphlabels")
_NUMBERED = re.compile(r"\D*?([1-9])")
_OUR_NAME = re.compile(r"(?:[1-9]|task)\.(.+)", re.DOTALL)
_OUR_CLAIM = ["claim"]
_LETTERS = "abcdefghi"


LabelStudioAnswers = dict[str, dict[str, Any]]
"""Answers by the names of their controls: `task`, `responses` and `targets` as in a rating."""


class LabelStudioSpans:
    """Spans of all annotations and predictions of one task; two at the same place are one target."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.targets: list[Target] = []
        self.unplaced: list[UnplacedTarget] = []
        self.labels: dict[str, list[str]] = {}
        self._texts = texts
        self._units = {id_: Utf16Map(text) for id_, text in texts.items()}
        self._at: dict[tuple[str, int, int], str] = {}

    def add(self, results: list[Any]) -> LabelStudioAnswers:
        """Add a list of results; return its answers, with the targets that they belong to."""
        regions: dict[str, str] = {}
        for result in filter(is_span, results):
            name = self._span(result)
            if name is not None and isinstance(result.get("id"), str):
                regions[result["id"]] = name
        answered: LabelStudioAnswers = {"task": {}, "responses": {}, "targets": {}}
        for result in results:
            answer = answer_of(result)
            if answer is None:
                continue
            question, value = answer
            target = regions.get(str(result.get("id", "")))
            if target is not None:
                answered["targets"].setdefault(target, {})[question] = value
            elif "start" not in result["value"]:  # otherwise it belongs to a span that was not placed
                answered["task"][question] = value
                answered["responses"].setdefault(self._response(result) or "a", {})[question] = value
        return answered

    def _span(self, result: dict[str, Any]) -> str | None:
        value = result["value"]
        if result.get("parentID") and value.get("labels") == _OUR_CLAIM:  # claims are not targets
            return None
        lists = (value.get(kind) for kind in LABEL_KINDS)
        labels = [label for values in lists if isinstance(values, list) for label in values if isinstance(label, str)]
        response, place = located(result, self._units)
        quote = value.get("text") if isinstance(value.get("text"), str) else ""
        if response is None or place is None:
            name = f"u{len(self.unplaced) + 1}"
            why = "no response has it at its offsets, and it does not occur exactly once elsewhere"
            self.unplaced.append(UnplacedTarget(target=name, quote=quote or "", why=why))
            return None
        name = self._at.setdefault((response, place.start, place.end), f"s{len(self.targets) + 1}")
        if len(self._at) > len(self.targets):
            self.targets.append(target_at(Target(id=name, response=response), self._texts[response], place))
        target_labels = self.labels.setdefault(name, [])
        target_labels += [label for label in labels if label not in target_labels]
        return name

    def _response(self, result: dict[str, Any]) -> str | None:
        return named_response(result, self._texts)


def named_response(result: dict[str, Any], responses: Collection[str]) -> str | None:
    """Return the response that a result names by number, or the only one."""
    if len(responses) == 1:
        return next(iter(responses))
    number = _NUMBERED.fullmatch(str(result.get("to_name", "")))
    letter = _LETTERS[int(number[1]) - 1] if number else str(result.get("to_name", ""))[-1:].lower()
    return letter if letter in responses else None


def located(result: dict[str, Any], texts: Mapping[str, Utf16Map]) -> tuple[str | None, QuotePlace | None]:
    """Return the response that a span is in, and its place there; without a place, the response that it names."""
    wanted = named_response(result, texts)
    for response in [wanted] if wanted is not None else texts:
        place = place_in_text(texts[response], result["value"])
        if place is not None:
            return response, place
    return wanted, None


def is_span(result: Any) -> bool:
    """Return whether a result marks a span with labels."""
    if not isinstance(result, dict) or not isinstance(result.get("value"), dict):
        return False
    value = result["value"]
    return "start" in value and any(isinstance(value.get(kind), list) for kind in LABEL_KINDS)


def place_in_text(units: Utf16Map, value: dict[str, Any]) -> QuotePlace | None:
    """Locate a span: by its offsets in code points or, in older versions, UTF-16 units; otherwise by its quote."""
    text = units.text
    quote = value.get("text") if isinstance(value.get("text"), str) else None
    start, end = _offset(value.get("start")), _offset(value.get("end"))
    position = place_at_offsets(text, start, end, quote)
    if position is None and start is not None and end is not None and 0 <= start < end <= units.units:
        position = place_at_offsets(text, units.to_code_point(start), units.to_code_point(end), quote)
    return position or place_quote(text, None, None, quote)


def _offset(value: Any) -> int | None:
    whole = isinstance(value, int | float) and not isinstance(value, bool) and value == int(value)
    return int(value) if whole else None


def answer_of(result: Any) -> tuple[str, Any] | None:
    """Return (question, value) of a result that is not a span: choices, stars, a number, text."""
    if not isinstance(result, dict) or not isinstance(result.get("value"), dict) or is_span(result):
        return None
    name, value = result.get("from_name"), _value(result["value"], str(result.get("type")))
    if not isinstance(name, str) or not name or value is None:
        return None
    ours = _OUR_NAME.fullmatch(name)
    return ours[1] if ours else name, value


def _value(value: dict[str, Any], kind: str) -> Any:
    match value:
        case {"choices": [*choices]}:
            return choices[0] if len(choices) == 1 else choices
        case {"rating": int() | float() as stars}:
            return stars
        case {"number": int() | float() as number}:
            return number
        case {"text": [*texts]} if kind == "textarea":
            return "\n".join(str(text) for text in texts)
    return None


_PROMPTS = ("prompt", "question", "query", "instruction", "input", "title")
_RESPONSES = ("response", "answer", "output", "completion", "generation", "generated_text")
_TEXTS = ("text", "document", "content", "body", "article", "html")
_DECISIONS = ("accept", "reject", "ignore")  # Prodigy's key `answer`
_REFERENCES = ("reference", "ground_truth", "reference_answer", "truth")
_CONTEXTS = ("context", "contexts", "documents")
_ONE_OF_SEVERAL = re.compile(rf"(?:{'|'.join(_RESPONSES)}|text)[_ .-]?([1-9]|[a-d])", re.IGNORECASE)


class LabelStudioFields:
    """Fields of one task.

    `responses`: id → (key, text), in order; `rest`: unused fields. There are no responses if the key exists and is
    empty.
    """

    def __init__(self, data: dict[str, Any], where: str) -> None:
        data = dict(data)
        self.responses = _responses(data, where)
        for key, _ in self.responses.values():
            del data[key]
        self.prompt = _take(data, _PROMPTS) or ""
        self.reference = _take(data, _REFERENCES)
        documents = Documents(where)
        for name in _CONTEXTS:
            documents.add(data.pop(name, None), name)
        self.context = documents.plain
        self.rest = {key: value for key, value in data.items() if value not in ("", None)}


def _responses(data: dict[str, Any], where: str) -> dict[str, tuple[str, str]]:
    texts = {key: value for key, value in data.items() if isinstance(value, str) and value.strip()}
    if texts.get("answer") in _DECISIONS and any(key.lower() in _TEXTS for key in texts):
        del texts["answer"]
    several = dict(_numbered({key: value for key, value in data.items() if isinstance(value, str)}))
    if several:
        return {id_: several[id_] for id_ in sorted(several)}
    by_name = {key.lower(): key for key in reversed(texts)}
    for names in (_RESPONSES, _TEXTS):
        key = next((by_name[name] for name in names if name in by_name), None)
        if key is not None:
            return {"a": (key, texts[key])}
    if any(key.lower() in (*_RESPONSES, *_TEXTS) or _ONE_OF_SEVERAL.fullmatch(key) for key in data):
        return {}
    others = [key for key in texts if key.lower() not in (*_PROMPTS, *_REFERENCES, *_CONTEXTS)]
    if len(others) == 1:
        return {"a": (others[0], texts[others[0]])}
    keys = ", ".join(f"`{key}`" for key in data) or "none"
    raise BundleFault(f"{where}: none of its keys is known to be the response; it has {keys}", _WAY_OUT)


_WAY_OUT = "Call the key of the response `response`, or `response_1` and `response_2`, then try again."


def _numbered(texts: dict[str, str]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the responses numbered by digit or letter: id → (key, text)."""
    seen: set[str] = set()
    for key, text in texts.items():
        match = _ONE_OF_SEVERAL.fullmatch(key)
        if match:
            id_ = match[1].lower()
            id_ = _LETTERS[int(id_) - 1] if id_.isdigit() else id_
            if id_ not in seen:
                seen.add(id_)
                yield id_, (key, text)


def _take(data: dict[str, Any], names: tuple[str, ...]) -> str | None:
    by_name = {key.lower(): key for key in reversed(data)}
    key = next((by_name[name] for name in names if isinstance(data.get(by_name.get(name, "")), str)), None)
    return (data.pop(key) or None) if key is not None else None


NAME = "label-studio"
RUBRIC = "span-factuality@3"

# Keys of a flat export that do not belong to the project.
_OF_AN_EXPORT = frozenset(
    {"id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time", "annotations", "predictions"}
)


def convert(records: SourceRecords) -> Iterator[ConvertedRecord | OmittedRecord]:
    """Yield a task for each record: with `data`, as tasks are imported and exported, or flat.

    Raises `BundleError` for a record of another shape, and if none of its keys is known to be the response.
    """
    seen: set[str] = set()
    for count, (line, plain) in enumerate(records, 1):
        with records.record(line):
            number = plain.get("id")
            is_number = isinstance(number, int) and not isinstance(number, bool)
            name = f"ls-{number}" if is_number else f"ls-r{count:04}"
            if name in seen:
                yield OmittedRecord(line=line, name=name, why="an earlier task has the same id")
                continue
            seen.add(name)
            yield convert_task(name, line, plain)


def convert_task(name: str, line: int, plain: dict[str, Any], where: str = "") -> ConvertedRecord | OmittedRecord:
    """Return the task of a record, with the ratings of all its annotations. Raises `BundleFault`."""
    where = where or f"line {line}"
    data = plain.get("data")
    if "data" in plain and not isinstance(data, dict):
        raise BundleFault(f"{where}: `data` is {json_type(data)}, not an object")
    flat = data is None
    fields = LabelStudioFields(
        {key: value for key, value in plain.items() if key not in _OF_AN_EXPORT} if flat else data, where
    )
    if not fields.responses:
        return OmittedRecord(line=line, name=name, why="its response is empty, so there is nothing to rate")
    spans = LabelStudioSpans({id_: text for id_, (_, text) in fields.responses.items()})
    annotated = [(annotator_of(entry), spans.add(results)) for entry, results in _entries(plain, "annotations", where)]
    predicted = [spans.add(results) for _, results in _entries(plain, "predictions", where)]
    if flat:
        spans.add(_flat_spans(fields.rest))
    task = _task(name, line, fields, spans)
    if predicted:
        task["suggestions"] = predicted[0]
    first, *others = _ratings(name, annotated) or [None]
    return ConvertedRecord(
        line=line,
        task=task,
        rating=first,
        others=tuple(filter(None, others)),
        called="span",
        unplaced=tuple(spans.unplaced),
        loose=True,
    )


def _task(name: str, line: int, fields: LabelStudioFields, spans: LabelStudioSpans) -> dict[str, Any]:
    meta: dict[str, Any] = {"source": NAME, "line": line}
    if fields.rest:
        meta["data"] = fields.rest
    if any(spans.labels.values()):
        meta["labels"] = spans.labels
    if spans.unplaced:
        meta["unplaced"] = unplaced_texts(spans.unplaced)
    task: dict[str, Any] = {
        "id": name,
        "prompt": {"text": fields.prompt},
        "responses": [{"id": id_, "text": text} for id_, (_, text) in fields.responses.items()],
        "context": fields.context,
        "reference": fields.reference,
        "meta": meta,
        "targets": [to_plain(target) for target in spans.targets],  # without targets the import splits the responses
    }
    return {key: value for key, value in task.items() if value not in (None, [])}


def _entries(plain: dict[str, Any], kind: str, where: str) -> Iterator[tuple[dict[str, Any], list[Any]]]:
    """Yield each annotation or prediction that was not cancelled, with its results."""
    given = plain.get(kind) or []
    if not isinstance(given, list):
        raise BundleFault(f"{where}: `{kind}` is {json_type(given)}, not a list")
    for entry in given:
        if isinstance(entry, dict) and not entry.get("was_cancelled"):
            results = entry.get("result", [])
            if not isinstance(results, list):
                raise BundleFault(f"{where}: `result` of one of its `{kind}` is {json_type(results)}, not a list")
            yield entry, results


def annotator_of(entry: dict[str, Any]) -> str:
    """Return who made an annotation: by the field of this program's configuration, else the user of Label Studio."""
    user = entry.get("completed_by")
    if isinstance(user, dict):
        user = next((user[key] for key in ("email", "username", "id") if user.get(key)), None)
    named = f"user-{user}" if isinstance(user, int) else str(user or "")
    results = entry.get("result")
    return own_text(results if isinstance(results, list) else [], "rater") or named


def own_text(results: list[Any], name: str) -> str:
    """Return the text of a control that this program's configuration has."""
    for part in results:
        if isinstance(part, dict) and part.get("from_name") == name and isinstance(part.get("value"), dict):
            text = part["value"].get("text")
            return "\n".join(map(str, text)) if isinstance(text, list) else ""
    return ""


def _flat_spans(rest: dict[str, Any]) -> list[Any]:
    """Return the spans of a flat export: they are under the name of their control, without a source."""
    return [
        {"id": f"{name} {number}", "value": value}
        for name, values in rest.items()
        if isinstance(values, list)
        for number, value in enumerate(values)
        if isinstance(value, dict)
    ]


def _ratings(name: str, annotated: list[tuple[str, LabelStudioAnswers]]) -> list[Rating]:
    return [Rating(task=name, rater=annotator or NAME, answers=Answers(**answers)) for annotator, answers in annotated]
