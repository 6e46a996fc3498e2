"""Read the annotations that Argilla, doccano, Label Studio, Langfuse, Opik, Potato and Prodigy export."""

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import chain, repeat
from typing import Any

from msgspec.structs import replace

from desktop_rater.format.errors import BundleFault
from desktop_rater.plugins.convert.annotations.annotation import (
    SourceAnnotation,
    SourceAnswer,
    SourceClaim,
    SourceEvidence,
    SourcePlace,
    SourceRatings,
    SourceRecord,
    as_list,
    as_object,
    mark_label,
    mark_place,
    objects_in,
    shortened,
    source_seconds,
    span_answers,
)
from desktop_rater.plugins.convert.chat import task_of_trace
from desktop_rater.plugins.convert.conversion import OmittedRecord
from desktop_rater.plugins.convert.formats.label_studio import (
    LABEL_KINDS,
    LabelStudioFields,
    annotator_of,
    answer_of,
    convert_task,
    is_span,
    located,
    named_response,
    own_text,
)
from desktop_rater.plugins.convert.out.label_studio import CLAIM, RATING_FIELDS, TARGET
from desktop_rater.text.spans import Utf16Map

_OURS = ([TARGET], [CLAIM])
_OWN_TEXTS = ("rater", "note", "skip_reason")
_EVIDENCE = re.compile(r"evidence_[0-9]+")
_HEAD = re.compile(r"(?:(?P<stance>supporting|contradicting|neutral)(?: \((?P<reason>\w+)\))? )?(?P<url>\S+)")


def read_label_studio(source: SourceRatings, record: SourceRecord) -> None:
    """Read the annotations of all annotators of a task. Raises `BundleFault`."""
    where, plain = record.where, record.plain
    data = plain.get("data")
    if not isinstance(data, dict):
        raise BundleFault(f"line {record.line}: it has no `data`; give the format JSON, or read it as a table")
    key = f"ls-{plain['id'] if isinstance(plain.get('id'), int) else f'r{record.number:04}'}"
    names = [data.get("task"), as_object(plain.get("meta")).get("task"), data.get("id"), data.get("task_id")]
    ids = (*(str(name) for name in names if isinstance(name, str | int) and str(name)), key)
    converted = convert_task(key, 0, {"data": data}, where)
    omitted = isinstance(converted, OmittedRecord)
    if omitted:
        source.losses.add("record", f"{where}: {converted.why}")
    if not source.add_task(where, key, ids, None if omitted else {**converted.task, "id": ids[0]}):
        return
    responses = LabelStudioFields(data, where).responses
    annotations = _Annotations(source, key, {id_: Utf16Map(text) for id_, (_, text) in responses.items()})
    for number, entry in enumerate(objects_in(plain.get("annotations")), 1):
        annotations.add(f"{where}, annotation {number}", entry)
    source.losses.add("prediction", where, len(as_list(plain.get("predictions"))))


class _Annotations:
    """Annotations of one task, with the texts that their spans are placed in."""

    def __init__(self, source: SourceRatings, key: str, texts: dict[str, Utf16Map]) -> None:
        self._source = source
        self._key = key
        self._texts = texts

    def add(self, where: str, entry: dict[str, Any]) -> None:
        results = objects_in(entry.get("result"))
        texts = {name: own_text(results, name) for name in _OWN_TEXTS}
        regions = {str(part.get("id")): self._place(part) for part in results if is_span(part)}
        claims = self._claims(results, regions)
        answers: list[SourceAnswer] = []
        evidence: list[SourceEvidence] = []
        claim_answers: dict[str, dict[str, Any]] = defaultdict(dict)
        for part in results:
            id_, name = str(part.get("id")), str(part.get("from_name"))
            place = regions.get(id_)
            if is_span(part):
                labels = [label for kind in LABEL_KINDS for label in as_list(part["value"].get(kind))]
                if id_ not in claims and labels not in _OURS:
                    answers += [SourceAnswer(self._place(part), "", label) for label in labels]
            elif _EVIDENCE.fullmatch(name):
                at, claim = place or self._response(part), id_ if id_ in claims else ""
                evidence += [SourceEvidence(at, plain, claim) for plain in _evidence(part)]
            elif part.get("type") == "relation":
                self._source.losses.add("relation", where)
            elif name not in _OWN_TEXTS:
                answer = answer_of(part)
                if answer is None:
                    self._source.losses.add("other", f"{where}: {shortened(part.get('type') or name)}")
                elif id_ in claims:
                    claim_answers[id_][answer[0]] = answer[1]
                else:
                    answers.append(SourceAnswer(place or self._response(part), *answer))
        self._source.add(
            SourceAnnotation(
                where=where,
                task=self._key,
                rater=annotator_of(entry),
                answers=tuple(answers),
                claims=tuple(replace(claim, answers=claim_answers[claim.key]) for claim in claims.values()),
                evidence=tuple(evidence),
                marked=any(is_span(part) for part in results) or not results,
                changed=self._source.time(entry.get("updated_at") or entry.get("created_at"), where),
                seconds=source_seconds(entry.get("lead_time")),
                note=texts["note"],
                skipped=texts["skip_reason"] if entry.get("was_cancelled") else None,
                more=_more(results),
            )
        )

    def _place(self, result: dict[str, Any]) -> SourcePlace:
        """Return the place of a span, with offsets in code points."""
        response, place = located(result, self._texts)
        text = result["value"].get("text")
        start, end = (place.start, place.end) if place is not None else (-1, -1)
        return SourcePlace(response=response or "", start=start, end=end, quote=text if isinstance(text, str) else "")

    def _response(self, result: dict[str, Any]) -> SourcePlace:
        return SourcePlace(response=named_response(result, self._texts) or "")

    def _claims(self, results: list[dict[str, Any]], regions: dict[str, SourcePlace]) -> dict[str, SourceClaim]:
        """Return the claims that this program exported, by the id of their first region."""
        claims: dict[tuple[str, str], SourceClaim] = {}
        for part in results:
            parent = str(part.get("parentID"))
            if not is_span(part) or parent not in regions or part["value"].get("labels") != [CLAIM]:
                continue
            text = "\n".join(map(str, as_list(as_object(part.get("meta")).get("text"))))
            claim = SourceClaim(key=str(part.get("id")), target=regions[parent], text=text)
            claim = claims.setdefault((parent, text), claim)
            place = regions[str(part.get("id"))]
            if (place.start, place.end) != (claim.target.start, claim.target.end):
                claims[parent, text] = replace(claim, spans=(*claim.spans, place))
        return {claim.key: claim for claim in claims.values()}


def _more(results: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the further fields that this program exported with the rater's name."""
    for part in results:
        if part.get("from_name") == "rater":
            exported = as_object(as_object(part.get("meta")).get("rating"))
            return {key: value for key, value in exported.items() if key in RATING_FIELDS}
    return {}


def _evidence(part: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the evidence in a text area: as it was exported, or what its lines say."""
    exported = as_object(part.get("meta")).get("evidence")
    if isinstance(exported, dict):
        return [exported]
    pieces = []
    for text in as_list(as_object(part.get("value")).get("text")):
        head, *lines = str(text).split("\n")
        match = _HEAD.fullmatch(head.strip())
        if match:
            title, quote = (lines[0], lines[1]) if len(lines) > 1 else ("", "".join(lines))
            plain = {**match.groupdict(), "title": title, "quote": quote, "note": "\n".join(lines[2:])}
            pieces.append({key: value for key, value in plain.items() if value})
    return pieces


ARGILLA, DOCCANO, POTATO, PRODIGY = "argilla", "doccano", "potato", "prodigy"
LANGFUSE, OPIK = "langfuse", "opik"

_NUMBERED = re.compile(r"(.+)_([1-9])")  # a question and the number of a response, as this program exports them
_DURATION = re.compile(r"(\d{1,9})d (\d{1,9})h (\d{1,9})m (\d{1,9})s")
_UNITS = (86_400, 3_600, 60, 1)
_NO = ("", "false", "0", "no", None, False, 0)
_CONTROLS = ("free_response", "select-one", "slider", "text_box", "textbox_input", "number", "_data", "")
_SPAN_KEY = re.compile(r"(?:[^:]+:)?(.+):([0-9]{1,15}):([0-9]{1,15})")


def _add_task(source: SourceRatings, where: str, key: str, texts: dict[str, Any]) -> bool:
    """Add a task, as `SourceRatings.add_task` does; texts are found by the names of their keys, as in Label Studio."""
    plain = None
    texts = {name: text for name, text in texts.items() if isinstance(text, str)}
    if texts:
        try:
            converted = convert_task(key, 0, {"data": texts}, where)
        except BundleFault as error:  # it may still be one of the bundle
            if key not in source.tasks:
                source.losses.add("record", str(error))
        else:
            plain = None if isinstance(converted, OmittedRecord) else converted.task
    return source.add_task(where, key, (key,), plain)


def read_argilla(source: SourceRatings, record: SourceRecord) -> None:
    """Read the responses in a record of `to_json`, `to_list(flatten=True)`, or of Argilla 1."""
    where, plain = record.where, record.plain
    key = str(plain.get("id") or plain.get("_server_id") or record.number)
    if not _add_task(source, where, key, plain["fields"] if isinstance(plain.get("fields"), dict) else plain):
        return
    metadata = as_object(plain.get("metadata"))
    users, raters, skipped = (list(map(str, as_list(metadata.get(n)))) for n in ("user_ids", "raters", "skipped"))
    names = dict(zip(users, raters, strict=False))
    discarded = {user for user, name in names.items() if name in skipped}
    marking: set[str] = set()
    answers: dict[str, list[SourceAnswer]] = {user: [] for user in names if user in discarded}
    for question, user, status, value in _argilla_responses(plain):
        own = answers.setdefault(user, [])
        numbered = _NUMBERED.fullmatch(question)
        name, response = numbered.groups() if numbered else (question, "")
        if status == "discarded":
            discarded.add(user)
        elif status == "draft":
            source.losses.add("empty", f"{where}: a draft of {user}")
        elif isinstance(value, list) and all(isinstance(part, dict) and "start" in part for part in value):
            marking.add(user)
            own += span_answers(value, name, response)
        else:
            own.append(SourceAnswer(SourcePlace(response=response), name, value))
    source.losses.add("prediction", where, _argilla_suggestions(plain))
    for user, own in answers.items():
        source.add(
            SourceAnnotation(
                where=where,
                task=key,
                rater=names.get(user, user),
                answers=tuple(own),
                changed=source.time(plain.get("updated_at"), where),
                marked=user in marking,
                skipped="" if user in discarded else None,
            )
        )


def _argilla_responses(plain: dict[str, Any]) -> Iterator[tuple[str, str, str, Any]]:
    """Yield question, user, status and value of each response in a record."""
    responses = plain.get("responses")
    for question, given in as_object(responses).items():
        for part in objects_in(given):
            yield question, str(part.get("user_id") or ""), str(part.get("status")), part.get("value")
    for part in objects_in(responses):
        for question, given in as_object(part.get("values")).items():
            value = given.get("value") if isinstance(given, dict) else given
            yield question, str(part.get("user_id") or ""), str(part.get("status")), value
    for name, values in plain.items():
        if name.endswith(".responses"):
            users, states = (chain(as_list(plain.get(f"{name}.{part}")), repeat("")) for part in ("users", "status"))
            for value, user, status in zip(as_list(values), users, states, strict=False):
                yield name.removesuffix(".responses"), str(user), str(status), value


def _argilla_suggestions(plain: dict[str, Any]) -> int:
    """Count the suggestions in a record, which are by models."""
    given = plain.get("suggestions")
    named = as_object(given).values() if isinstance(given, dict) else objects_in(given)
    flat = (value for name, value in plain.items() if name.endswith(".suggestion"))
    return sum(value is not None for value in (*named, *flat))


def read_prodigy(source: SourceRatings, record: SourceRecord) -> None:
    """Read the answer in a line of `db-out`, by annotator or named session."""
    where, plain = record.where, record.plain
    own = plain.get("id") or as_object(plain.get("meta")).get("id")
    key = str(own or plain.get("_input_hash") or f"line-{record.number}")
    texts = {name: text for name, text in plain.items() if name not in ("answer", "label") and name[:1] != "_"}
    if not _add_task(source, where, key, texts):
        return
    spans, state, label = plain.get("spans"), plain.get("answer"), plain.get("label")
    answers = span_answers(objects_in(spans))
    chosen = list(as_list(plain.get("accept")))
    if isinstance(label, str) and state == "accept":
        chosen.append(label)
    if state == "reject":
        rejected = [*([label] if label else []), *chosen, *(answer.value for answer in answers)]
        for value in rejected:
            source.losses.add("other", f"{where}: rejected: {shortened(value)}")
    if chosen:
        answers.append(SourceAnswer(SourcePlace(), "", chosen if len(chosen) > 1 else chosen[0]))
    source.losses.add("relation", where, len(as_list(plain.get("relations"))))
    source.add(
        SourceAnnotation(
            where=where,
            task=key,
            rater=str(plain.get("_annotator_id") or plain.get("_session_id") or ""),
            answers=tuple(answers) if state != "reject" else (),
            marked=isinstance(spans, list) and state == "accept",
            changed=source.time(plain.get("_timestamp"), where),
            skipped=state if state in ("ignore", "reject") and not chosen else None,
        )
    )


def read_doccano(source: SourceRatings, record: SourceRecord) -> None:
    """Read the labels in a line: of a file named after its annotator, or with `rater` in the line."""
    where, plain = record.where, record.plain
    ours = isinstance(plain.get("task"), str) and isinstance(plain.get("response"), str)
    key = str(plain["task"] if ours else record.number if plain.get("id") is None else plain["id"])
    texts = () if ours else ("prompt", "question", "text", "data")
    if not _add_task(source, where, key, {name: plain.get(name) for name in texts}):
        return
    response = plain["response"] if ours else ""
    given = [plain[name] for name in ("label", "labels", "entities", "cats") if plain.get(name) is not None]
    labels = list(chain.from_iterable(part if isinstance(part, list) else [part] for part in given))
    answers = []
    for label in labels:
        is_span = isinstance(label, list | dict)
        place = mark_place(label, response) if is_span else SourcePlace()
        question, value = "", mark_label(label) if is_span else label
        if ours and isinstance(value, str) and ": " in value:
            question, value = value.split(": ", 1)
        answers.append(SourceAnswer(place, question, value))
    evidence = []
    if ours:
        whole = SourcePlace(response=response)
        answers += [SourceAnswer(whole, name, value) for name, value in as_object(plain.get("answers")).items()]
        for piece in objects_in(plain.get("evidence")):
            name = f"targets/{piece['target']}" if piece.get("target") else ""
            evidence.append(SourceEvidence(SourcePlace(name=name, response=response), piece))
    source.losses.add("relation", where, len(as_list(plain.get("relations"))))
    comments = "\n".join(str(text) for name in ("Comments", "comments") for text in as_list(plain.get(name)))
    source.add(
        SourceAnnotation(
            where=where,
            task=key,
            rater=str(plain.get("rater") or plain.get("annotator") or record.rater),
            answers=tuple(answers),
            marked=isinstance(plain.get("entities"), list) or all(isinstance(label, list | dict) for label in labels),
            evidence=tuple(evidence),
            whole=not ours,
            note=comments,
            skipped=comments if plain.get("status") == "skipped" else None,
        )
    )


def read_potato(source: SourceRatings, record: SourceRecord) -> None:
    """Read the labels and spans of a line of `annotated_instances.jsonl`, or of `user_state.json`.

    Older exports name the annotator by the folder only.
    """
    where, plain = record.where, record.plain
    rater = str(plain.get("user_id") or plain.get("user") or record.rater)
    labels, spans, behaviour = (
        plain.get(f"instance_id_to_{kind}") for kind in ("label_to_value", "span_to_value", "behavioral_data")
    )
    if labels is not None or spans is not None:
        labels, spans, behaviour = as_object(labels), as_object(spans), as_object(behaviour)
        for key in dict.fromkeys([*labels, *spans]):
            source.add_task(where, key, (key,))
            given = labels.get(key), spans.get(key), behaviour.get(key)
            _add_potato(source, f"{where}, {key}", key, rater, *given)
        return
    key = str(plain.get("instance_id") or plain.get("id") or "")
    text = plain.get("displayed_text") or plain.get("text")
    if not _add_task(source, where, key, {"text": text}):
        return
    labels, spans = (
        next((plain[name] for name in names if plain.get(name) is not None), None)
        for names in (("label_annotations", "annotations", "labels"), ("span_annotations", "spans"))
    )
    _add_potato(source, where, key, rater, labels, spans, plain.get("behavioral_data"))


def _add_potato(source: SourceRatings, where: str, key: str, rater: str, labels: Any, spans: Any, about: Any) -> None:
    about = as_object(about)
    chosen: dict[str, list[Any]] = {}
    for schema, name, value in _potato_labels(labels):
        if _is_chosen(name, value):
            chosen.setdefault(schema, []).append(_potato_value(name, value))
    answers = [
        SourceAnswer(SourcePlace(), schema, values if len(values) > 1 else values[0])
        for schema, values in chosen.items()
    ]
    marks = list(_potato_spans(spans))
    duration = _DURATION.search(str(about.get("time_string", "")))
    seconds = sum(int(part) * unit for part, unit in zip(duration.groups(), _UNITS, strict=True)) if duration else 0
    changes = [change.get("timestamp") for change in objects_in(about.get("annotation_changes"))]
    moment = max((time for time in changes if isinstance(time, int | float)), default=None)
    source.add(
        SourceAnnotation(
            where=where,
            task=key,
            rater=rater,
            answers=(*answers, *span_answers(marks)),
            marked=bool(marks) or spans is not None,
            changed=source.time(moment or about.get("timestamp") or about.get("last_save_time"), where),
            seconds=source_seconds(seconds)
            or source_seconds(about.get("time_spent"))
            or source_seconds(about.get("total_time_ms")) / 1000,
        )
    )


def _potato_labels(given: Any) -> Iterator[tuple[str, str, Any]]:
    """Yield schema, name and value: of nested objects, of pairs, or of keys like `schema:name`."""
    for schema, part in as_object(given).items():
        if isinstance(part, dict):
            yield from ((schema, str(name), value) for name, value in part.items())
        else:
            before, _, name = schema.partition(":")
            yield before, name.lstrip(":") or str(part), part
    for entry in as_list(given):
        if isinstance(entry, list) and len(entry) > 1 and isinstance(entry[0], dict):
            yield str(entry[0].get("schema", "")), str(entry[0].get("name", "")), entry[1]


def _is_chosen(name: str, value: Any) -> bool:
    """Return whether a label is chosen; a control with one name has what was typed or set, which may be 0 or "no"."""
    if name in _CONTROLS or name == value:
        return value is not None and value is not False and value != ""
    return value not in _NO


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
    for part in as_list(given):
        plain = part[0] if isinstance(part, list) and part and isinstance(part[0], dict) else part
        if isinstance(plain, dict) and mark_place(plain) != mark_place({}):
            yield {**plain, "label": plain.get("label") or plain.get("name") or plain.get("annotation")}


_COMMENT, _REASON = "comment", ".reason"
_BY_PEOPLE = ("ANNOTATION", "ui")
_OF_ITEMS = ("input", "output", "metadata")


def read_langfuse(source: SourceRatings, record: SourceRecord) -> None:
    """Read the scores that people gave to a trace, or one score of an export of scores, or a page of either."""
    pages = objects_in(record.plain.get("data"))
    for page in pages:
        read_langfuse(source, record._replace(plain=page))
    if pages:
        return
    single = "dataType" in record.plain or "data_type" in record.plain
    scores = [record.plain] if single else objects_in(record.plain.get("scores"))
    trace = record.plain.get("trace") if isinstance(record.plain.get("trace"), dict) else record.plain
    key = str((record.plain.get("traceId") if single else as_object(trace).get("id")) or "")
    given = [
        {
            "rater": score.get("authorUserId") or score.get("authorUserName"),
            "question": score.get("name"),
            "value": score.get("stringValue") or score.get("value"),
            "note": score.get(_COMMENT),
            "by": score.get("source"),
            "time": score.get("updatedAt") or score.get("timestamp"),
        }
        for score in scores
    ]
    _add_scores(source, record, key, given)


def read_opik(source: SourceRatings, record: SourceRecord) -> None:
    """Read the scores of a trace by each author, or those of an item of a queue, which names its annotators."""
    trace = as_object(record.plain.get("trace")) or record.plain
    given = []
    for score in objects_in(trace.get("feedback_scores")):
        authors = as_object(score.get("value_by_author")) or {str(score.get("last_updated_by") or ""): score}
        for author, entry in authors.items():
            part = {**score, **as_object(entry)}
            value = part.get("category_name") or part.get("value")
            about = {"note": part.get("reason"), "by": part.get("source"), "time": part.get("last_updated_at")}
            given.append({"rater": part.get("author") or author, "question": part.get("name"), "value": value, **about})
    for rater, answers in record.plain.items() if "feedback_scores" not in trace else ():
        for name, value in as_object(answers).items() if rater not in _OF_ITEMS else ():
            if not name.endswith(_REASON):
                note = value if name == _COMMENT else as_object(answers).get(f"{name}{_REASON}")
                answer = {"question": name, "value": None if name == _COMMENT else value, "note": note}
                given.append({"rater": rater, "by": _BY_PEOPLE[0], "time": None, **answer})
    _add_scores(source, record, str(trace.get("id") or ""), given)


def _add_scores(source: SourceRatings, record: SourceRecord, key: str, given: list[dict[str, Any]]) -> None:
    """Add a task, with its texts if the record is a trace, and its scores; those that no person gave are counted."""
    where = record.where
    task = task_of_trace(record.plain, key, where) if key else None
    plain = {name: task[name] for name in ("id", "prompt", "history", "responses") if name in task} if task else None
    if not key or not source.add_task(where, key, (key,), plain and {**plain, "id": key}):
        source.losses.add("no_task", where, not key)
        return
    for score in given:
        if score["by"] not in _BY_PEOPLE:
            source.losses.add("prediction", where)
            continue
        about = [score["question"]] if score["value"] is not None else []
        source.add(
            SourceAnnotation(
                where=where,
                task=key,
                rater=str(score["rater"] or ""),
                answers=tuple(SourceAnswer(SourcePlace(), str(name), score["value"]) for name in about),
                whole=False,
                changed=source.time(score["time"], where),
                note=": ".join(map(str, [*about, score["note"]])) if score["note"] else "",
            )
        )
