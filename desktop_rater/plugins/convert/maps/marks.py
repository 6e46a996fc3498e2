"""Targets and claims that a record marks, and its labels as answers."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import msgspec

from desktop_rater.format.errors import BundleFault
from desktop_rater.format.rating import Claim, ClaimSpan, Rating
from desktop_rater.format.strict_json import json_type, to_plain
from desktop_rater.format.targets import MOST_TARGETS, RelocatedTarget, UnplacedTarget, target_at
from desktop_rater.format.task import Target
from desktop_rater.format.values import Answers
from desktop_rater.plugins.convert.conversion import TargetPlacer, parsed_json_text
from desktop_rater.plugins.convert.maps.record_map import (
    LabelMap,
    OffsetUnit,
    PathMatch,
    RecordMap,
    is_many,
    label_text,
    matches,
    response_number,
)
from desktop_rater.text.quotes import QuotePlace
from desktop_rater.text.sentences import split_sentences
from desktop_rater.text.spans import Utf16Map, trim_span

_QUOTES = ("text", "quote", "content", "sentence", "claim", "segment", "value")
_STARTS = ("start", "begin", "start_offset", "startOffset")
_ENDS = ("end", "stop", "end_offset", "endOffset")
_OFFSETS = 2
_UNKNOWN = object()

Indexes = tuple[int, ...]


class TaskMarks(msgspec.Struct, kw_only=True):
    """Targets and suggested claims of a task as plain JSON, and the labels of the source as a rating."""

    plain: dict[str, Any] = {}
    rating: Rating | None = None
    unplaced: list[UnplacedTarget] = []
    aligned: list[RelocatedTarget] = []
    labels: Counter[str] = msgspec.field(default_factory=Counter)
    unknown_labels: Counter[str] = msgspec.field(default_factory=Counter)


def mark_task(record_map: RecordMap, record: dict[str, Any], plain: dict[str, Any]) -> TaskMarks:
    """Return the targets, claims and labels of a record. Raises `BundleFault` for a target of the wrong kind."""
    return _Marking(record_map, record, plain).marks()


class _Marking:
    """Targets and claims of one task by the indexes of their values, which labels are aligned by."""

    def __init__(self, record_map: RecordMap, record: dict[str, Any], plain: dict[str, Any]) -> None:
        self._map = record_map
        self._record = record
        self._plain = plain
        self._marks = TaskMarks()
        self._texts = {response["id"]: response["text"] for response in plain["responses"]}
        self._placers = {id_: TargetPlacer(text, id_) for id_, text in self._texts.items()}
        self._targets: dict[Indexes, list[Target]] = {}
        self._sentences: list[Target] = []
        self._claims: dict[Indexes, tuple[str, Claim]] = {}

    def marks(self) -> TaskMarks:
        self._place_targets()
        self._add_claims()
        marks = self._marks
        targets = self._sentences or [target for group in self._targets.values() for target in group]
        if targets:
            marks.plain["targets"] = [to_plain(target) for target in targets]
        claims: dict[str, list[Claim]] = defaultdict(list)
        for target, claim in self._claims.values():
            claims[target].append(claim)
        if claims:
            marks.plain["suggestions"] = {"claims": {id_: [to_plain(claim) for claim in claims[id_]] for id_ in claims}}
        answers: dict[str, dict[str, dict[str, Any]]] = {"targets": {}, "responses": {}, "claims": {}, "task": {}}
        for label in self._map.labels:
            for place, given in self._answers(label).items():
                answers[label.of].setdefault(place, {}).update(given)
        if any(answers.values()):
            marks.rating = Rating(
                task=self._plain["id"],
                rater=self._map.title or "source",
                rubric=self._map.default_rubric,
                answers=Answers(
                    task=answers["task"].get("", {}), responses=answers["responses"], targets=answers["targets"]
                ),
                claims={
                    id_: tuple(
                        msgspec.structs.replace(claim, answers=answers["claims"].get(f"{id_} {claim.id}", {}))
                        for claim in group
                    )
                    for id_, group in claims.items()
                },
            )
        for placer in self._placers.values():
            marks.unplaced += placer.unplaced
            marks.aligned += placer.aligned
        return marks

    def _entries(self, field: str) -> dict[Indexes, Any]:
        """Return the values of a field by their indexes; a list at a path to one value counts as its entries."""
        path = self._map.fields.get(field)
        return {match.indexes: match.value for match in _entries(self._record, path)} if path else {}

    def _place_targets(self) -> None:
        values, starts = self._entries("targets"), self._entries("targets.start")
        ends, ids, responses = (self._entries(f"targets.{name}") for name in ("end", "id", "response"))
        if max(len(values), len(starts)) > MOST_TARGETS:
            raise BundleFault(f"it has more than {MOST_TARGETS:,} targets")
        first = next(iter(self._texts))
        used: set[str] = set()
        for number, indexes in enumerate(dict.fromkeys([*values, *starts]), 1):
            quote, start, end = _mark(values.get(indexes), self._map.fields.get("targets", ""))
            start, end = starts.get(indexes, start), ends.get(indexes, end)
            if quote is None and start is None:
                continue
            id_ = label_text(_aligned(ids, indexes, "")).strip() or f"s{number}"
            response = label_text(_aligned(responses, indexes, first))
            if response not in self._placers:
                raise BundleFault(
                    f"target {number}: no response is called {response!r}; there are {', '.join(self._texts)}"
                )
            if id_ in used:
                raise BundleFault(f"target {number}: the id {id_!r} is used twice")
            used.add(id_)
            placer, text = self._placers[response], self._texts[response]
            place = _offsets(text, start, end, self._map.unit)
            target = placer.at(id_, place, quote) if start is not None else placer.next(id_, quote or "")
            if target is not None:
                self._targets[indexes] = [target]
        if self._map.sentences:
            self._widen()

    def _widen(self) -> None:
        """Replace the targets by all sentences of the responses; a mark stands for the sentences that it touches."""
        lang = self._plain["prompt"].get("lang") or "en"
        sentences: list[Target] = []
        for response in self._plain["responses"]:
            text = response["text"]
            for start, end in split_sentences(text, lang, markdown=response.get("format") == "markdown"):
                target = Target(id=f"s{len(sentences) + 1}", response=response["id"])
                sentences.append(target_at(target, text, QuotePlace(start, end, "offsets")))
        self._targets = {
            indexes: [sentence for sentence in sentences if any(_overlap(sentence, mark) for mark in group)]
            for indexes, group in self._targets.items()
        }
        self._sentences = sentences

    def _add_claims(self) -> None:
        path = self._map.fields.get("claims")
        if path is None:
            return
        counts: Counter[str] = Counter()
        for number, match in enumerate(_entries(self._record, path)):
            if number == MOST_TARGETS:
                raise BundleFault(f"it has more than {MOST_TARGETS:,} claims")
            text = _claim_text(match.value)
            if not text:
                continue
            at = _longest_start(match.indexes, self._targets)
            group = [] if at is None else self._targets[at]
            if not group and "targets" not in self._map.fields and "targets.start" not in self._map.fields:
                group = self._whole_response()
            if not group:
                id_ = f"claim {len(self._marks.unplaced) + 1}"
                why = "the target that it belongs to has no place"
                self._marks.unplaced.append(UnplacedTarget(target=id_, quote=text, why=why))
                continue
            target = group[0]
            counts[target.id] += 1
            offset = (target.quote or "").find(text)
            start = (target.start or 0) + offset
            spans = (ClaimSpan(start=start, end=start + len(text), quote=text),) if offset >= 0 else ()
            self._claims[match.indexes] = target.id, Claim(id=f"c{counts[target.id]}", text=text, spans=spans)

    def _whole_response(self) -> list[Target]:
        if () not in self._targets:
            response, text = next(iter(self._texts.items()))
            start, end = trim_span(text, 0, len(text))
            place = QuotePlace(start, end, "offsets")
            self._targets[()] = [target_at(Target(id="s1", response=response), text, place)]
        return self._targets[()]

    def _answers(self, label: LabelMap) -> dict[str, dict[str, Any]]:
        """Return place → answers by one list of labels; labels of one place that disagree give no answer."""
        given: dict[str, dict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))
        marked = self._places(label)
        below: dict[Indexes, list[str]] = defaultdict(list)
        for at, places in marked.items():
            for end in range(len(at) + 1):
                below[at[:end]] += places
        for match in _entries(self._record, label.path):
            answer = self._answer(label, match.value)
            at = _longest_start(match.indexes, marked)
            for place in below.get(match.indexes) or ([] if at is None else marked[at]):
                for question, value in answer.items():
                    given[place][question].append(value)
        return {
            place: agreed
            for place, by_question in given.items()
            if (
                agreed := {
                    question: values[0]
                    for question, values in by_question.items()
                    if all(value == values[0] for value in values)
                }
            )
        }

    def _places(self, label: LabelMap) -> dict[Indexes, list[str]]:
        """Return what the labels are about, by the indexes of its values."""
        if label.of == "task":
            return {(): [""]}
        if label.of == "responses":
            if not is_many(label.path) or not is_many(self._map.fields.get("response", "=")):
                return {(): [id_ for id_ in (label.response,) if id_ in self._texts]}
            return {(response_number(id_),): [id_] for id_ in self._texts}
        if label.of == "claims":
            return {at: [f"{target} {claim.id}"] for at, (target, claim) in self._claims.items()}
        return {at: [target.id for target in group] for at, group in self._targets.items()}

    def _answer(self, label: LabelMap, value: Any) -> dict[str, Any]:
        name = label_text(value)
        if not label.answers:
            return {label.question: value} if label.question and value is not None else {}
        table = label.answers
        answer = table.get(name, table.get(name.strip(), table.get("*", _UNKNOWN)))
        if answer is _UNKNOWN:
            if value is not None:
                self._marks.unknown_labels[name] += 1
            return {}
        self._marks.labels[name] += 1
        if isinstance(answer, dict):
            return answer
        return {} if answer == "" else {label.question: answer}


def _entries(record: dict[str, Any], path: str) -> Iterator[PathMatch]:
    for match in matches(record, path):
        value = match.value if is_many(path) else parsed_json_text(match.value)
        if isinstance(value, list) and not is_many(path):
            yield from (PathMatch((*match.indexes, number), part) for number, part in enumerate(value))
        else:
            yield PathMatch(match.indexes, value)


def _longest_start(indexes: Indexes, values: dict[Indexes, Any]) -> Indexes | None:
    """Return the longest part from the start of the indexes that has a value."""
    return next((indexes[:end] for end in range(len(indexes), -1, -1) if indexes[:end] in values), None)


def _aligned(values: dict[Indexes, Any], indexes: Indexes, default: Any) -> Any:
    at = _longest_start(indexes, values)
    return default if at is None else values[at]


def _mark(value: Any, path: str) -> tuple[str | None, Any, Any]:
    """Return quote, start and end of a marked text: a text, an object, or a list that begins with two offsets."""
    match value:
        case None:
            return None, None, None
        case str():
            return value, None, None
        case dict():
            quote = next((value[key] for key in _QUOTES if isinstance(value.get(key), str)), None)
            start, end = (next((value[key] for key in keys if key in value), None) for keys in (_STARTS, _ENDS))
            if quote is not None or start is not None:
                return quote, start, end
        case [int() as start, int() as end, *_]:
            return None, start, end
    raise BundleFault(f'path "{path}" holds {json_type(value)}, not a text, a pair of offsets or an object with these')


def _offsets(text: str, start: Any, end: Any, unit: OffsetUnit) -> tuple[int, int] | None:
    """Return offsets in code points; `None` if they are no place in the text."""
    numbers = [int(value) for value in (start, end) if _is_whole(value)]
    if len(numbers) < _OFFSETS or not 0 <= numbers[0] < numbers[1]:
        return None
    if unit == "utf-16":
        units = Utf16Map(text)
        return (units.to_code_point(numbers[0]), units.to_code_point(numbers[1])) if numbers[1] <= units.units else None
    if unit == "bytes":
        data = text.encode("utf-8", "surrogatepass")
        first, last = (len(data[:number].decode(errors="ignore")) for number in numbers)
        return (first, last) if numbers[1] <= len(data) else None
    return (numbers[0], numbers[1]) if numbers[1] <= len(text) else None


def _is_whole(value: Any) -> bool:
    if isinstance(value, str):
        return value.strip().isdecimal() and value.isascii() and len(value) < len("1000000000")
    return (isinstance(value, int) and not isinstance(value, bool)) or (isinstance(value, float) and value.is_integer())


def _overlap(first: Target, second: Target) -> bool:
    same = first.response == second.response
    return same and max(first.start or 0, second.start or 0) < min(first.end or 0, second.end or 0)


def _claim_text(value: Any) -> str:
    """Return the statement of a claim: a text, an object with one or its parts, or the parts of a triplet."""
    if isinstance(value, dict):
        value = next((value[key] for key in ("claim", *_QUOTES) if value.get(key)), value)
    if isinstance(value, dict):  # a statement in parts, such as a calculation; flags are its labels
        parts = {key: part for key, part in value.items() if part is not None and not isinstance(part, bool)}
        return "; ".join(f"{key}: {label_text(part)}" for key, part in parts.items())
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return " ".join(value).strip()
    return value.strip() if isinstance(value, str) else ""
