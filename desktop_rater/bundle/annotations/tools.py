"""Read the annotations that Argilla, doccano, Potato and Prodigy export."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from desktop_rater.bundle.annotations.annotation import (
    SourceAnnotation,
    SourceAnswer,
    SourceEvidence,
    SourcePlace,
    SourceRatings,
    as_list,
    as_object,
    objects_in,
    shortened,
    source_seconds,
)
from desktop_rater.bundle.annotations.mapped import mark_label, mark_place
from desktop_rater.bundle.annotations.source_files import SourceFile
from desktop_rater.bundle.convert.conversion import OmittedRecord
from desktop_rater.bundle.convert.label_studio import convert_task
from desktop_rater.bundle.convert.source import SourceRecords
from desktop_rater.bundle.errors import BundleFault

ARGILLA, DOCCANO, POTATO, PRODIGY = "argilla", "doccano", "potato", "prodigy"

_NUMBERED = re.compile(r"(.+)_([1-9])")
_DURATION = re.compile(r"(\d+)d (\d+)h (\d+)m (\d+)s")
_UNITS = (86_400, 3_600, 60, 1)
_NO = ("", "false", "0", "no", None, False, 0)
_CONTROLS = ("free_response", "select-one", "slider", "text_box", "textbox_input", "number", "_data", "")
_SPAN_KEY = re.compile(r"(?:[^:]+:)?(.+):([0-9]+):([0-9]+)")


def _task(source: SourceRatings, where: str, key: str, texts: dict[str, Any], names: tuple[str, ...] = ()) -> None:
    """Add a task; its texts are found by the names of their keys, as those of Label Studio's `data`."""
    plain = None
    texts = {name: text for name, text in texts.items() if isinstance(text, str)}
    if texts and key not in source.tasks:
        try:
            converted = convert_task(key, 0, {"data": texts}, where)
        except BundleFault as error:  # it may still be one of the bundle
            source.losses.add("record", str(error))
        else:
            plain = None if isinstance(converted, OmittedRecord) else converted.task
    source.add_task(key, (key, *names), plain)


def _numbered(name: str) -> tuple[str, str]:
    """Return question and response of a name like `accuracy_1`, as this program exports them."""
    match = _NUMBERED.fullmatch(name)
    return (match[1], match[2]) if match else (name, "")


def read_argilla(records: SourceRecords, _files: Mapping[Path, SourceFile]) -> SourceRatings:
    """Return the responses in records of `to_json`, `to_list(flatten=True)`, or of Argilla 1. Raises `BundleError`."""
    source = SourceRatings(ARGILLA)
    for count, (line, plain) in enumerate(records, 1):
        where = f"{records.path.name}, line {line}"
        key = str(plain.get("id") or plain.get("_server_id") or count)
        fields = plain.get("fields")
        metadata = as_object(plain.get("metadata"))
        with records.translate_errors():
            _task(source, where, key, fields if isinstance(fields, dict) else plain)
        ids, raters = (map(str, as_list(metadata.get(name))) for name in ("user_ids", "raters"))
        names = dict(zip(ids, raters, strict=False))
        by_user: dict[str, list[SourceAnswer]] = {}
        discarded: set[str] = set()
        marking: set[str] = set()
        for question, user, status, value in _argilla_responses(plain):
            answers = by_user.setdefault(user, [])
            if status == "discarded":
                discarded.add(user)
            elif status != "draft":
                if isinstance(value, list) and all(isinstance(part, dict) and "start" in part for part in value):
                    marking.add(user)
                answers += _argilla_answers(question, value)
            else:
                source.losses.add("empty", f"{where}: a draft of {user}")
        skipped = set(map(str, as_list(metadata.get("skipped"))))
        for user in dict.fromkeys([*by_user, *(user for user, name in names.items() if name in skipped)]):
            left = user in discarded or names.get(user) in skipped
            source.add(
                SourceAnnotation(
                    where=where,
                    task=key,
                    rater=names.get(user, user),
                    answers=tuple(by_user.get(user, ())),
                    changed=source.time(plain.get("updated_at"), where),
                    marked=user in marking,
                    skipped="" if left else None,
                )
            )
    return source


def _argilla_responses(plain: dict[str, Any]) -> Iterator[tuple[str, str, str, Any]]:
    """Yield question, user, status and value of each response in a record."""
    responses = plain.get("responses")
    if isinstance(responses, dict):
        for question, given in responses.items():
            for part in objects_in(given):
                yield question, str(part.get("user_id") or ""), str(part.get("status")), part.get("value")
    elif isinstance(responses, list):
        for part in objects_in(responses):
            for question, given in as_object(part.get("values")).items():
                value = given.get("value") if isinstance(given, dict) else given
                yield question, str(part.get("user_id") or ""), str(part.get("status")), value
    for name, values in plain.items():
        if name.endswith(".responses") and isinstance(values, list):
            users, states = (as_list(plain.get(f"{name}.{part}")) for part in ("users", "status"))
            for number, value in enumerate(values):
                user = users[number] if number < len(users) else ""
                yield (
                    name.removesuffix(".responses"),
                    str(user),
                    str(states[number]) if number < len(states) else "",
                    value,
                )


def _argilla_answers(name: str, value: Any) -> list[SourceAnswer]:
    question, response = _numbered(name)
    if isinstance(value, list) and all(isinstance(part, dict) and "start" in part for part in value):
        places = [(mark_place(part, response), part.get("label")) for part in value]
        return [SourceAnswer(place=place, question=question, value=label) for place, label in places]
    return [SourceAnswer(place=SourcePlace(response=response), question=question, value=value)]


def read_prodigy(records: SourceRecords, _files: Mapping[Path, SourceFile]) -> SourceRatings:
    """Return the answers of `db-out`, by annotator or named session. Raises `BundleError`."""
    source = SourceRatings(PRODIGY)
    for line, plain in records:
        where = f"{records.path.name}, line {line}"
        own = plain.get("id") or as_object(plain.get("meta")).get("id")
        key = str(own or plain.get("_input_hash") or f"line-{line}")
        texts = {name: text for name, text in plain.items() if name not in ("answer", "label")}
        with records.translate_errors():
            _task(source, where, key, texts)
        spans = plain.get("spans")
        answers = [
            SourceAnswer(place=mark_place(span), question="", value=mark_label(span)) for span in objects_in(spans)
        ]
        whole = list(as_list(plain.get("accept")))
        state = plain.get("answer")
        if isinstance(plain.get("label"), str) and state == "accept":
            whole.append(plain["label"])
        if plain.get("label") and state == "reject":
            source.losses.add("other", f"{where}: rejected: {shortened(plain['label'])}")
        if whole:
            answers.append(SourceAnswer(place=SourcePlace(), question="", value=whole if len(whole) > 1 else whole[0]))
        source.losses.add("relation", where, len(as_list(plain.get("relations"))))
        session = str(plain.get("_annotator_id") or plain.get("_session_id") or "")
        source.add(
            SourceAnnotation(
                where=where,
                task=key,
                rater=session,
                answers=tuple(answers) if state != "reject" else (),
                marked=isinstance(spans, list) and state == "accept",
                changed=source.time(plain.get("_timestamp"), where),
                skipped=state if state in ("ignore", "reject") and not whole else None,
            )
        )
    return source


def read_doccano(records: SourceRecords, files: Mapping[Path, SourceFile]) -> SourceRatings:
    """Return the labels of files named after their annotators, or with `rater` in each line. Raises `BundleError`."""
    source = SourceRatings(DOCCANO)
    for count, (line, plain) in enumerate(records, 1):
        path = records.path
        where = f"{path.name}, line {line}"
        ours = isinstance(plain.get("task"), str) and isinstance(plain.get("response"), str)
        key = str(plain["task"] if ours else plain.get("id", count))
        texts = {name: plain.get(name) for name in ("prompt", "question", "text", "data")}
        with records.translate_errors():
            _task(source, where, key, {} if ours else texts)
        response = plain["response"] if ours else ""
        given = next((plain[name] for name in ("label", "labels", "entities", "cats") if plain.get(name)), [])
        answers = []
        for label in given if isinstance(given, list) else []:
            is_span = isinstance(label, list | dict)
            place = mark_place(label, response) if is_span else SourcePlace()
            question, value = "", mark_label(label) if is_span else label
            if ours and isinstance(value, str) and ": " in value:
                question, value = value.split(": ", 1)
            answers.append(SourceAnswer(place=place, question=question, value=value))
        own = plain.get("answers")
        for name, value in own.items() if ours and isinstance(own, dict) else ():
            answers.append(SourceAnswer(place=SourcePlace(response=response), question=name, value=value))
        pieces = [piece for piece in objects_in(plain.get("evidence")) if ours]
        places = [
            SourcePlace(name=f"targets/{piece['target']}" if piece.get("target") else "", response=response)
            for piece in pieces
        ]
        source.losses.add("relation", where, len(as_list(plain.get("relations"))))
        comments = [str(text) for name in ("Comments", "comments") for text in as_list(plain.get(name))]
        source.add(
            SourceAnnotation(
                where=where,
                task=key,
                rater=str(plain.get("rater") or plain.get("annotator") or files[path].rater or ""),
                answers=tuple(answers),
                marked=isinstance(given, list) and not any(isinstance(label, str) for label in given),
                evidence=tuple(
                    SourceEvidence(place=place, plain=piece) for place, piece in zip(places, pieces, strict=True)
                ),
                whole=not ours,
                note="\n".join(comments),
                skipped="\n".join(comments) if plain.get("status") == "skipped" else None,
            )
        )
    return source


def read_potato(records: SourceRecords, files: Mapping[Path, SourceFile]) -> SourceRatings:
    """Return the labels and spans of `annotated_instances.jsonl` and `user_state.json`. Raises `BundleError`.

    Older exports name the annotator by the folder only.
    """
    source = SourceRatings(POTATO)
    for path in records.files():
        whole: dict[str, Any] = {}
        for line, name, value in records.members_of(path):
            where = f"{path.name}, line {line}"
            if name is not None:
                whole[name] = value
                continue
            key = str(value.get("instance_id") or value.get("id") or "")
            text = value.get("displayed_text") or value.get("text")
            _task(source, where, key, {"text": text} if isinstance(text, str) else {})
            rater = str(value.get("user_id") or value.get("user") or files[path].rater or "")
            labels, spans = (
                next((value[name] for name in names if value.get(name) is not None), None)
                for names in (("label_annotations", "annotations", "labels"), ("span_annotations", "spans"))
            )
            _add_potato(source, where, key, rater, labels, spans, value.get("behavioral_data"))
        behaviour = as_object(whole.get("instance_id_to_behavioral_data"))
        labels, spans = (as_object(whole.get(f"instance_id_to_{kind}_to_value")) for kind in ("label", "span"))
        rater = str(whole.get("user_id") or files[path].rater or "")
        for key in dict.fromkeys([*labels, *spans]):
            where = f"{path.name}, {key}"
            source.add_task(key, (key,))
            _add_potato(source, where, key, rater, labels.get(key), spans.get(key), behaviour.get(key))
    return source


def _add_potato(source: SourceRatings, where: str, key: str, rater: str, labels: Any, spans: Any, about: Any) -> None:
    about = as_object(about)
    by_schema: dict[str, list[tuple[str, Any]]] = {}
    for schema, name, value in _potato_labels(labels):
        by_schema.setdefault(schema, []).append((name, value))
    answers = []
    for schema, given in by_schema.items():
        chosen = [_potato_value(name, value) for name, value in given if value not in _NO]
        if chosen:
            value = chosen[0] if len(chosen) == 1 else chosen
            answers.append(SourceAnswer(place=SourcePlace(), question=schema, value=value))
    marks = list(_potato_spans(spans))
    answers += [SourceAnswer(place=mark_place(mark), question="", value=mark_label(mark)) for mark in marks]
    duration = _DURATION.search(str(about.get("time_string", "")))
    seconds = sum(int(part) * unit for part, unit in zip(duration.groups(), _UNITS, strict=True)) if duration else 0
    changes = objects_in(about.get("annotation_changes"))
    moments = [change["timestamp"] for change in changes if isinstance(change.get("timestamp"), int | float)]
    moment = max(moments, default=None) or about.get("timestamp") or about.get("last_save_time")
    source.add(
        SourceAnnotation(
            where=where,
            task=key,
            rater=rater,
            answers=tuple(answers),
            marked=bool(marks) or spans is not None,
            changed=source.time(moment, where),
            seconds=seconds
            or source_seconds(about.get("time_spent"))
            or source_seconds(about.get("total_time_ms")) / 1000,
        )
    )


def _potato_labels(given: Any) -> Iterator[tuple[str, str, Any]]:
    """Yield schema, name and value: of nested objects, of pairs, or of keys like `schema:name`."""
    if isinstance(given, dict):
        for schema, part in given.items():
            if isinstance(part, dict):
                yield from ((schema, str(name), value) for name, value in part.items())
            else:
                before, _, name = schema.partition(":")
                yield before, name.lstrip(":") or str(part), part
    for entry in given if isinstance(given, list) else ():
        if isinstance(entry, list | tuple) and len(entry) > 1 and isinstance(entry[0], dict):
            yield str(entry[0].get("schema", "")), str(entry[0].get("name", "")), entry[1]


def _potato_value(name: str, value: Any) -> Any:
    """Return the chosen label, or what was typed or set in a control that has one name only."""
    if name in _CONTROLS or not isinstance(value, str) or name.endswith(f"_{value}"):
        return value if name in _CONTROLS or isinstance(value, str) else name
    return name if value in ("true", "True", name) or value.isdigit() else value


def _potato_spans(given: Any) -> Iterator[dict[str, Any]]:
    """Yield spans: of a list, of lists by schema or label, of pairs, or of keys like `schema:label:start:end`."""
    if isinstance(given, dict):
        for key in given:
            match = _SPAN_KEY.fullmatch(key)
            if match:
                yield {"label": match[1], "start": int(match[2]), "end": int(match[3])}
        given = [part for group in given.values() for part in (group if isinstance(group, list) else [group])]
    for part in given if isinstance(given, list) else []:
        plain = part[0] if isinstance(part, list) and part and isinstance(part[0], dict) else part
        if isinstance(plain, dict) and mark_place(plain).start is not None:
            yield {**plain, "label": plain.get("label") or plain.get("name") or plain.get("annotation")}
