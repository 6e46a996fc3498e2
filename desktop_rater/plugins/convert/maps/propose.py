"""Propose a map from the first records of a source."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from desktop_rater.plugins.convert.conversion import parsed_json_text
from desktop_rater.plugins.convert.maps.mapped_task import MappedTask, apply_map
from desktop_rater.plugins.convert.maps.record_map import (
    LabelMap,
    RecordMap,
    Scope,
    child_path,
    label_text,
    matches,
    quoted_key,
)

_NAMES = {
    "id": ("id", "task_id", "question_id", "sample_id", "example_id", "uid", "uuid", "index", "doc_id"),
    "messages": ("messages", "conversation", "conversations", "traj", "trajectory"),
    "prompt": (
        *("prompt", "question", "query", "user_query", "instruction", "input", "input_text", "user_input"),
        *("problem", "model_input", "topic", "user", "request", "title"),
    ),
    "response": (
        *("response", "answer", "output", "completion", "generation", "generated_text", "model_output", "output_text"),
        *("model_output_text", "chatgpt_response", "prediction", "summary", "text", "content"),
    ),
    "reference": (
        *("reference", "ground_truth", "reference_answer", "gold_answer", "gold", "expected", "expected_output"),
        *("ref_answer", "best_answer", "target"),
    ),
    "context": (
        "context",
        "contexts",
        "documents",
        "passages",
        "knowledge",
        "sources",
        "document",
        "article",
    ),
    "tools": ("tool_calls", "tools_called", "function_calls"),
    "lang": ("lang", "language"),
}
_PAIRS = (("response_a", "response_b"), ("response_1", "response_2"), ("chosen", "rejected"), ("answer_a", "answer_b"))
_SEVERAL = (*(f"{name}s" for name in _NAMES["response"]), "candidates", "choices")
_NO_RESPONSES = re.compile(
    r"prompt|instruct|system|reason|explan|comment|note|critique|url|link|source|path|model$|categor|topic|time|date"
    r"|truth|gold|reference|_id$"
)
_TEXTS = ("text", "quote", "sentence", "segment", "content", "claim", "fact", "triplet")
_LISTS_OF_CLAIMS = re.compile(r"claim|fact|triple|statement|_kg$", re.IGNORECASE)
_LABELS = re.compile(r"label|verdict|annotation|factual|hallucinat|accura|correct|rating|score", re.IGNORECASE)
_OFFSETS = (("start", "end"), ("start_offset", "end_offset"), ("begin", "end"))
_MOST_LABELS = 12
_LONGEST_LABEL = 40
_DEEPEST = 3
_SHORTEST_ANSWER = 12  # a key of shorter texts is a response only if no other is
_SHORTEST = 6  # shorter texts are more likely tokens than targets
_ANSWERS: dict[str, Any] = {
    **dict.fromkeys(("true", "s", "supported", "support", "supports", "entailment", "correct", "accurate"), "accurate"),
    **dict.fromkeys(("factual", "faithful"), "accurate"),
    **dict.fromkeys(("false", "refuted", "refutes", "contradiction", "contradicted", "incorrect"), "inaccurate"),
    **dict.fromkeys(("inaccurate", "nonfactual", "wrong"), "inaccurate"),
    **dict.fromkeys(("ns", "not_supported", "not supported", "unsupported", "neutral", "nei"), "unsupported"),
    **dict.fromkeys(("not_enough_info", "not enough info", "unverifiable"), "unsupported"),
    **{label: {"factual": "no"} for label in ("no_claim", "no claim", "not_factual", "opinion")},
}
_QUESTION = "accuracy"
_OPTIONAL = ("reference", "context", "tools", "lang")


def propose_map(sample: Sequence[dict[str, Any]]) -> RecordMap:
    """Return a map for records like these, as complete as their names and values allow.

    Fields that were not recognised are missing; a field of `prompt` or `response` may be an empty path.
    """
    records_path, records = _records_in(sample)
    fields: dict[str, str] = {}
    _propose_fields(records, fields)
    for outcome in [outcome for mapped in _applied(fields, records) for outcome in mapped.outcomes if outcome.fault]:
        if outcome.field in _OPTIONAL:
            fields.pop(outcome.field, None)
    tasks = [mapped.task or {"responses": []} for mapped in _applied(fields, records)]
    texts = ["\n".join(response["text"] for response in task["responses"]) for task in tasks]
    labels = _propose_marks(records, fields, texts) if any(texts) else ()
    return RecordMap(fields=fields, records=records_path, labels=labels)


def _applied(fields: dict[str, str], records: list[dict[str, Any]]) -> list[MappedTask]:
    """Return the tasks of records without marks and labels, and with any prompt."""
    unmarked = RecordMap(fields={"prompt": "=", **fields} if "messages" not in fields else dict(fields), rest=False)
    return [apply_map(unmarked, record) for record in records]


def _records_in(sample: Sequence[dict[str, Any]]) -> tuple[str, list[dict[str, Any]]]:
    """Return the path of the records, and the records: those in a list of a single object that is no record itself."""
    whole = "", list(sample)
    lists = [path for path, keys in _lists(sample) if keys] if len(sample) == 1 else []
    inner = [(f"{path}[*]", [match.value for match in matches(sample[0], f"{path}[*]")]) for path in lists]
    unwrapped = [
        (f"{path}.row", [part["row"] for part in records])
        for path, records in inner
        if all(isinstance(part.get("row"), dict) for part in records)
    ]
    found = [whole, *unwrapped, *inner]
    is_complete = any(name in sample[0] for name in (*_NAMES["messages"], *_NAMES["response"])) if sample else True
    return next((each for each in found if _is_complete(each[1])), whole if is_complete else (found[1:] or found)[0])


def _is_complete(records: list[dict[str, Any]]) -> bool:
    """Return whether the records have both texts of a task."""
    fields: dict[str, str] = {}
    _propose_fields(records, fields)
    return "messages" in fields or ("prompt" in fields and any(field.startswith("response") for field in fields))


def _propose_fields(records: list[dict[str, Any]], fields: dict[str, str]) -> None:
    texts = [path for path in _paths(records) if _are_texts(records, path)]
    every = list(_paths(records))
    talks = [path for path in every if _name(path) in _NAMES["messages"] and _all(records, path, _is_conversation)]
    if talks:
        fields["messages"] = talks[0]
    id_ = _best(every, _NAMES["id"])
    if id_ and _distinct(records, id_):
        fields["id"] = id_
    pair = next((pair for pair in _PAIRS if all(any(path == name for path in texts) for name in pair)), None)
    if pair is not None:
        fields["response.a"], fields["response.b"] = pair
    for field in ("prompt", "response"):
        if "messages" not in fields and not (pair and field == "response"):
            free = [path for path in texts if path not in fields.values()]
            long = [path for path in free if _longest(records, path) >= _SHORTEST_ANSWER]
            path = _best(long if field == "response" else free, _NAMES[field]) or _best(free, _NAMES[field])
            if path:
                fields[field] = path
    for field in ("reference", "context", "tools", "lang"):
        path = _best([path for path in every if path not in fields.values()], _NAMES[field])
        if path and (field != "tools" or "messages" not in fields):
            fields[field] = path
    if "messages" not in fields and not any(field.startswith("response") for field in fields):
        found = _responses(records, fields)
        fields |= zip(
            [f"response.{id_}" for id_ in "abcdefgh"] if len(found) > 1 else ["response"], found, strict=False
        )


def _responses(records: list[dict[str, Any]], fields: dict[str, str]) -> list[str]:
    """Return the paths of responses in a list, in keys called so in part, or in the only two keys of long texts."""
    for path, keys in _lists(records):
        key = next((key for key in keys if key.lower() in (*_TEXTS, *_NAMES["response"])), None)
        if _name(path) in _SEVERAL and (key or _all(records, f"{path}[*]", lambda value: isinstance(value, str))):
            is_pair = _all(records, path, lambda value: len(value) == len("ab"))
            text = f".{quoted_key(key)}" if key else ""
            return [f"{path}{place}{text}" for place in (("[0]", "[1]") if is_pair else ("[*]",))]
    unused = texts_without_field(records, fields)
    called = [path for path in unused if set(_name(path).split("_")) & set(_NAMES["response"])]
    return called or (unused if len(unused) == len("ab") else [])


def texts_without_field(records: Sequence[dict[str, Any]], fields: dict[str, str]) -> list[str]:
    """Return the paths of the texts that may be responses and have no field: long ones that differ by record."""
    paths = [path for path in _paths(records) if path not in fields.values() and not _NO_RESPONSES.search(_name(path))]
    long = [path for path in paths if _are_texts(records, path) and _longest(records, path) >= _SHORTEST_ANSWER]
    return [path for path in long if len(set(map(label_text, values := _values(records, path)))) == len(values)]


def _paths(records: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield the paths of keys, the shallow ones first."""
    level = [("", record) for record in records]
    seen: set[str] = set()
    for _ in range(_DEEPEST):
        deeper = []
        for before, value in level:
            for key, part in value.items():
                path = child_path(before, key)
                if path not in seen:
                    seen.add(path)
                    yield path
                if isinstance(part, dict):
                    deeper.append((path, part))
        level = deeper


def _name(path: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", path.rsplit(".", 1)[-1].lower()).strip("_")


def _best(paths: list[str], names: tuple[str, ...]) -> str:
    return min((path for path in paths if _name(path) in names), key=lambda path: names.index(_name(path)), default="")


def _values(records: Sequence[dict[str, Any]], path: str) -> list[Any]:
    return [match.value for record in records for match in matches(record, path) if match.value not in (None, "")]


def _are_texts(records: Sequence[dict[str, Any]], path: str) -> bool:
    """Return whether most values at a path are texts; a record with another is named later."""
    values = _values(records, path)
    return 2 * sum(isinstance(value, str) for value in values) > len(values)


def _longest(records: Sequence[dict[str, Any]], path: str) -> int:
    return max(len(value) for value in _values(records, path) if isinstance(value, str))


def _all(records: Sequence[dict[str, Any]], path: str, test: Callable[[Any], bool]) -> bool:
    values = _values(records, path)
    return bool(values) and all(map(test, values))


def _is_conversation(value: Any) -> bool:
    value = parsed_json_text(value)
    return isinstance(value, list) and all(
        isinstance(part, dict) and ("role" in part or "from" in part) for part in value
    )


def _is_offsets(value: Any) -> bool:
    return isinstance(value, list) and [type(part) for part in value[:2]] == [int, int]


def _distinct(records: Sequence[dict[str, Any]], path: str) -> bool:
    values = _values(records, path)
    return len(values) == len(records) and len(set(map(label_text, values))) == len(values)


def _propose_marks(records: list[dict[str, Any]], fields: dict[str, str], texts: list[str]) -> tuple[LabelMap, ...]:
    """Add targets and claims: lists whose texts are in the response, or that are called claims. Return their labels."""
    for path, keys in _lists(records):
        if any(used.startswith(f"{path}[") for field, used in fields.items() if field.startswith("response")):
            continue
        whole = [f"{path}[*].{quoted_key(key)}" for key in keys] or [f"{path}[*]"]
        marked = next((each for each in whole if _in_response(records, each, texts)), "")
        offsets = next((pair for pair in _OFFSETS if set(pair) <= set(keys)), ())
        if not marked and not keys and _all(records, f"{path}[*]", _is_offsets):
            marked = f"{path}[*]"
        if marked or offsets:
            fields |= {"targets": marked} if marked else {}
            fields |= {
                f"targets.{end}": f"{path}[*].{key}" for end, key in zip(("start", "end"), offsets, strict=False)
            }
            labels = _labels(records, path, keys, "targets", fields)
            entries = [entry for entry in _values(records, f"{path}[*]") if isinstance(entry, dict)]
            inner = [(f"{path}[*].{name}", below) for name, below in _lists(entries)]
            return labels + _propose_claims(records, inner, fields)
    return _propose_claims(records, list(_lists(records)), fields)


def _propose_claims(
    records: list[dict[str, Any]], lists: list[tuple[str, list[str]]], fields: dict[str, str]
) -> tuple[LabelMap, ...]:
    """Add the claims of the first list that is called so, if possible one with labels. Return the labels."""
    first = ""
    for path, keys in lists:
        key = next((key for key in keys if key.lower() in _TEXTS), None)
        if _LISTS_OF_CLAIMS.search(path) and (key or not keys):
            claims = f"{path}[*].{quoted_key(key)}" if key else f"{path}[*]"
            labels = _labels(records, path, keys, "claims", fields)
            if labels:
                fields["claims"] = claims
                return labels
            first = first or claims
    if first:
        fields["claims"] = first
    return ()


def _in_response(records: list[dict[str, Any]], path: str, texts: list[str]) -> bool:
    """Return whether most of the texts at a path are in the response of their record, and are parts of it."""
    hits = count = 0
    for record, text in zip(records, texts, strict=True):
        for match in matches(record, path) if text else ():
            if not isinstance(match.value, str):
                return False
            quote = match.value.strip()
            count += 1
            hits += len(quote) >= _SHORTEST and quote != text.strip() and quote in text
    return 2 * hits > count


def _lists(records: Sequence[dict[str, Any]]) -> Iterator[tuple[str, list[str]]]:
    """Yield the paths of lists, with the keys of their objects; none for texts."""
    for path in _paths(records):
        lists = [value for value in _values(records, path) if isinstance(value, list)]
        entries = [entry for value in lists for entry in value]
        if entries and all(isinstance(entry, dict) for entry in entries):
            yield path, list(dict.fromkeys(key for entry in entries for key in entry))
        elif entries:
            yield path, []


def _labels(
    records: list[dict[str, Any]], path: str, keys: list[str], of: Scope, fields: dict[str, str]
) -> tuple[LabelMap, ...]:
    """Return the labels beside the texts of a list, or those in another list of the same length."""
    beside = [f"{path}[*].{quoted_key(key)}" for key in keys]
    parallel = [f"{other}[*]" for other, inner in _lists(records) if other != path and not inner]
    for candidate in (*beside, *parallel):
        flags = _all(records, candidate, lambda value: isinstance(value, bool))
        named = _LABELS.search(candidate.rpartition("[*]")[2] or candidate.removesuffix("[*]"))
        if not flags and not named:
            continue
        values = {label_text(value) for value in _values(records, candidate) if not isinstance(value, (list, dict))}
        same = all(len(matches(record, candidate)) == len(matches(record, f"{path}[*]")) for record in records)
        if values and same and len(values) <= _MOST_LABELS and all(len(value) <= _LONGEST_LABEL for value in values):
            if candidate in fields.values():
                continue
            answers: dict[str, Any] = {
                value: _ANSWERS.get(value.strip().lower(), "") if named else "" for value in sorted(values)
            }
            return (LabelMap(path=candidate, of=of, question=_QUESTION, answers=answers),)
    return ()
