"""Read all annotations of Label Studio tasks, as its JSON export and `results convert` write them."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

from msgspec.structs import replace

from desktop_rater.bundle.annotations.annotation import (
    SourceAnnotation,
    SourceAnswer,
    SourceClaim,
    SourceEvidence,
    SourcePlace,
    SourceRatings,
    SourceRecord,
    as_list,
    as_object,
    objects_in,
    shortened,
    source_seconds,
)
from desktop_rater.bundle.convert.conversion import OmittedRecord
from desktop_rater.bundle.convert.label_studio import (
    LABEL_KINDS,
    LabelStudioFields,
    annotator_of,
    answer_of,
    convert_task,
    is_span,
    named_response,
    own_text,
    place_in_text,
)
from desktop_rater.bundle.errors import BundleFault
from desktop_rater.bundle.results_out.label_studio import RATING_FIELDS
from desktop_rater.text.spans import Utf16Map

_OURS = (["target"], ["claim"])
_CLAIM = ["claim"]
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
        value = result["value"]
        wanted = named_response(result, self._texts)
        quote = value.get("text") if isinstance(value.get("text"), str) else ""
        for response in [wanted] if wanted is not None else self._texts:
            place = place_in_text(self._texts[response], value)
            if place is not None:
                return SourcePlace(response=response, start=place.start, end=place.end, quote=quote)
        return SourcePlace(response=wanted or "", start=-1, end=-1, quote=quote)

    def _response(self, result: dict[str, Any]) -> SourcePlace:
        return SourcePlace(response=named_response(result, self._texts) or "")

    def _claims(self, results: list[dict[str, Any]], regions: dict[str, SourcePlace]) -> dict[str, SourceClaim]:
        """Return the claims that this program exported, by the id of their first region."""
        claims: dict[tuple[str, str], SourceClaim] = {}
        for part in results:
            parent = str(part.get("parentID"))
            if not is_span(part) or parent not in regions or part["value"].get("labels") != _CLAIM:
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
