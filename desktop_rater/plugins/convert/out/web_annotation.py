"""Export results in JSON-LD: Web Annotations of the W3C, and claim reviews of schema.org."""

import json
import re
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import NAMESPACE_URL, UUID, uuid5

from desktop_rater.format.rating import Evidence, SkipReason
from desktop_rater.format.rubric import WRITTEN_KINDS, Question
from desktop_rater.format.strict_json import canonical_json
from desktop_rater.operations.results_tables import ResultsFormat
from desktop_rater.operations.results_tables.tables import ExportUnit, RatedTask, as_text, export_units, value_label
from desktop_rater.rubric.condition import is_number
from desktop_rater.rubric.load import format_answer
from desktop_rater.text.urls import page_key

# iunreserved and sub-delims, ":" and "@"; characters allowed only in a path, query or fragment are added there.
_PLAIN = (
    r"A-Za-z0-9\-._~!$&'()*+,;=:@\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef"
    + "".join(rf"\U{plane:04x}0000-\U{plane:04x}fffd" for plane in range(1, 14))
    + r"\U000e1000-\U000efffd"
)
_PRIVATE = r"\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"
# Bidirectional formatting characters are not allowed either (4.1).
_MARKS = r"(?![\u200e\u200f\u202a-\u202e])"


def _disallowed(besides: str) -> re.Pattern[str]:
    return re.compile(rf"%(?![0-9A-Fa-f]{{2}})|(?!%){_MARKS}[^{_PLAIN}{besides}]|[\u200e\u200f\u202a-\u202e]")


_HOST, _PATH, _QUERY, _FRAGMENT = (
    _disallowed(r"\[\]"),
    _disallowed("/"),
    _disallowed(f"/?{_PRIVATE}"),
    _disallowed("/?"),
)
_PARTS = re.compile(r"([a-z]+)://([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?", re.IGNORECASE | re.ASCII | re.DOTALL)


def to_iri(url: str) -> str:
    """Percent-encode what is not allowed in an IRI; it leads to the same page. `url` is absolute, with a host."""
    parts = _PARTS.fullmatch(url)
    if parts is None:
        return url
    scheme, host, path, query, fragment = parts.groups(default="")
    return (
        f"{scheme}://{_encoded(_HOST, host)}{_encoded(_PATH, path)}"
        f"{query[:1]}{_encoded(_QUERY, query[1:])}{fragment[:1]}{_encoded(_FRAGMENT, fragment[1:])}"
    )


def _encoded(strange: re.Pattern[str], text: str) -> str:
    return strange.sub(lambda match: quote(match[0], safe=""), text)


CONTEXT = "http://www.w3.org/ns/anno.jsonld"

JsonObject = dict[str, Any]

_NAMES = uuid5(NAMESPACE_URL, "https://www.w3.org/TR/annotation-model/ desktop-rater")
_FORMATS = {"plain": "text/plain", "markdown": "text/markdown"}


def write_web_annotation(path: Path, rated: Iterable[RatedTask]) -> None:
    """Write one collection of all annotations. It is named by their hash, so that its name is unique."""
    total = 0
    content = sha256()
    with path.open("x", encoding="utf-8", newline="") as file:
        head = {"@context": CONTEXT, "type": "AnnotationCollection"}
        page = {"type": "AnnotationPage", "startIndex": 0}
        file.write(f'{_json(head)[:-1]},"first":{_json(page)[:-1]},"items":[')
        for rated_task in rated:
            for annotation in annotations_of_rating(rated_task):
                line = _json(annotation)
                content.update(line.encode())
                file.write((",\n" if total else "\n") + line)
                total += 1
        names = _Names(content.hexdigest())
        file.write(f'\n],"id":"{names.of("page")}"}},"id":"{names.of("collection")}","total":{total}}}\n')


def annotations_of_rating(rated: RatedTask) -> Iterator[JsonObject]:
    """Yield all annotations of a rating."""
    return _Annotations(rated).all()


class _Names:
    """UUIDs derived from the identity of things."""

    def __init__(self, *parts: Any) -> None:
        self._space: UUID = uuid5(_NAMES, canonical_json(list(parts)).decode())

    def of(self, *parts: Any) -> str:
        return f"urn:uuid:{uuid5(self._space, canonical_json(list(parts)).decode())}"


class _Annotations:
    def __init__(self, rated: RatedTask) -> None:
        self._rated = rated
        self._task = _Names(rated.bundle, rated.task.id)
        self._own = _Names(rated.bundle, rated.task.id, rated.rating.rater)
        self._units: dict[str, ExportUnit] = {}

    def all(self) -> Iterator[JsonObject]:
        rating = self._rated.rating
        for unit in export_units(self._rated):
            self._units[unit.where] = unit
            bodies = list(self._bodies(unit))
            if bodies:
                yield self._annotation("assessing", unit.where, bodies)
        for piece in rating.evidence:
            yield self._piece(piece)
        yield from self._links()
        if rating.status == "skipped":
            skipped = rating.skipped or SkipReason()
            words = ": ".join(part for part in (skipped.reason, skipped.comment) if part)
            yield self._annotation(
                "commenting", "task", [_text(words or "skipped", "commenting", "skipped")], "skipped"
            )
        if rating.note:
            yield self._annotation("commenting", "task", [_text(rating.note, "commenting", "note")], "note")

    def _bodies(self, unit: ExportUnit) -> Iterator[JsonObject]:
        if unit.scope == "claim":
            yield _text(unit.text or "", "describing", "claim")
        for name, value in self._rated.labels(unit.where, unit.answers).items():
            question = self._rated.rubric.questions[name].question
            if question.kind in WRITTEN_KINDS:
                yield _text(format_answer(question, value), "commenting", name)
                continue
            label = value_label(question, value)
            for part in value if isinstance(value, list | tuple) else [value]:
                words = value_label(question, part)
                body = _text(as_text(part), "classifying", name)
                yield {**body, "rdfs:label": words} if label and words else body

    def _piece(self, piece: Evidence) -> JsonObject:
        places = [f"responses/{piece.response}"]
        if piece.target is not None:
            claims = (f"targets/{piece.target}/claims/{name}" for name in piece.claim_ids)
            places = [claim for claim in claims if claim in self._units] or [f"targets/{piece.target}"]
        bodies = [_text(piece.stance, "classifying", "stance")] if piece.stance else []
        if piece.reason:
            bodies.append(_text(piece.reason, "classifying", "reason"))
        bodies.append(_page(piece))
        if piece.note:
            bodies.append(_text(piece.note, "commenting", "note"))
        annotation = self._annotation("linking", places[0], bodies, "evidence", piece.id)
        return {**annotation, "target": self._target(*places)}

    def _links(self) -> Iterator[JsonObject]:
        """Yield an annotation for each link that was judged, or only counted as opened."""
        rating = self._rated.rating
        judged = [(url, "verdict", verdict) for url, verdict in rating.link_verdicts.items()]
        counted = [(url, "opened", "counted, not opened") for url in rating.links_counted]
        for url, about, value in (*judged, *counted):
            if page_key(url) is not None:
                bodies = [_text(value, "classifying", about), _link(url)]
                yield self._annotation("assessing", "task", bodies, about, url)

    def _annotation(self, motivation: str, where: str, bodies: list[JsonObject], *more: str) -> JsonObject:
        rating = self._rated.rating
        return {
            "id": self._own.of(where, *more),
            "type": "Annotation",
            "motivation": motivation,
            "creator": {"type": "Person", "nickname": rating.rater},
            **({"modified": rating.changed} if rating.changed else {}),
            "generator": {"type": "Software", "name": "Desktop Rater"},
            "body": bodies,
            "target": self._target(where),
        }

    def _target(self, *places: str) -> JsonObject | list[JsonObject]:
        """Return what an annotation is about: a list if it is several spans."""
        targets = [target for where in places for target in self._targets(where)]
        return targets if len(targets) > 1 else targets[0]

    def _targets(self, where: str) -> list[JsonObject]:
        unit = self._units.get(where)
        if unit is None or unit.response is None:
            parts = [self._task.of("response", response.id) for response in self._rated.task.responses]
            name = {"dcterms:identifier": self._rated.task.id, "dcterms:hasPart": [{"id": part} for part in parts]}
            return [{"id": self._task.of("task"), "type": "Dataset", **name}]
        source = self._response(unit.response)
        if unit.scope == "response":
            return [source]
        target = self._rated.task.target(unit.target or "")
        response = self._rated.task.response(target.response) if target is not None else None
        spans = [(span.start, span.end) for span in unit.spans]
        if not spans:  # a target, or a claim without offsets
            unit = self._units.get(f"targets/{unit.target}", unit)
            spans = [(unit.start or 0, unit.end or 0)]
        text = response.text if response is not None else ""
        return [{"type": "SpecificResource", "source": source, "selector": _selectors(*span, text)} for span in spans]

    def _response(self, name: str) -> JsonObject:
        response = self._rated.task.response(name)
        lang = self._rated.task.prompt.lang
        return {
            "id": self._task.of("response", name),
            "type": "Text",
            "format": _FORMATS[response.format] if response is not None else "text/plain",
            **({"language": lang} if lang else {}),
            "dcterms:identifier": f"{self._rated.task.id}/{name}",
        }


def _selectors(start: int, end: int, source_text: str) -> list[JsonObject]:
    quote = {
        "type": "TextQuoteSelector",
        "exact": source_text[start:end],
        "prefix": source_text[max(0, start - 32) : start],
        "suffix": source_text[end : end + 32],
    }
    return [quote, {"type": "TextPositionSelector", "start": start, "end": end}]


def _text(value: str, purpose: str, about: str) -> JsonObject:
    return {"type": "TextualBody", "value": value, "format": "text/plain", "purpose": purpose, "dcterms:subject": about}


def _link(url: str) -> JsonObject:
    return {"type": "SpecificResource", "purpose": "linking", "source": {"id": to_iri(url)}}


def _page(piece: Evidence) -> JsonObject:
    """Return the passage of a page; evidence that is not a URL becomes text."""
    if page_key(piece.url) is None:
        return _text("\n".join(part for part in (piece.url, piece.quote) if part), "linking", "evidence")
    source: JsonObject = {"id": to_iri(piece.url)}
    if piece.title:
        source["dcterms:title"] = piece.title
    body: JsonObject = {"type": "SpecificResource", "purpose": "linking", "source": source}
    if piece.quote:
        quote = {"exact": piece.quote, "prefix": piece.prefix, "suffix": piece.suffix}
        body["selector"] = {"type": "TextQuoteSelector", **{key: value for key, value in quote.items() if value}}
    if piece.opened:
        body["state"] = {"type": "TimeState", "sourceDate": piece.opened}
    return body


def _json(plain: Any) -> str:
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def write_claim_reviews(path: Path, rated: Iterable[RatedTask]) -> None:
    """Write a ClaimReview of schema.org for each claim, and for each target without claims, by each rater."""
    with path.open("x", encoding="utf-8", newline="") as file:
        file.write('{"@context":"https://schema.org","@graph":[')
        for number, review in enumerate(review for rated_task in rated for review in _claim_reviews(rated_task)):
            file.write(("," if number else "") + "\n" + _json(review))
        file.write("\n]}\n")


def _claim_reviews(rated: RatedTask) -> Iterator[JsonObject]:
    rating, names = rated.rating, _Names(rated.bundle, rated.task.id, rated.rating.rater)
    for unit in export_units(rated):
        given = rated.labels(unit.where, unit.answers)
        labels = [(rated.rubric.questions[name].question, value) for name, value in given.items()]
        ratings = [_rating_of(question, value) for question, value in labels if question.kind != "text"]
        if unit.target is None or not ratings or (unit.claim is None and rating.claims.get(unit.target)):
            continue
        texts = [str(value) for question, value in labels if question.kind == "text"]
        about = [piece for piece in rating.evidence if piece.target == unit.target and page_key(piece.url) is not None]
        pages = [_cited(piece) for piece in about if not piece.claim_ids or unit.claim in piece.claim_ids]
        response = rated.task.response(unit.response or "")
        place = {"@type": "CreativeWork", "identifier": f"{rated.task.id}/{unit.response}"}
        place |= {"text": response.text} if response is not None else {}
        review = {
            "@type": "ClaimReview",
            "@id": names.of("claim review", unit.where),
            "claimReviewed": unit.text or "",
            "author": {"@type": "Person", "name": rating.rater},
            "datePublished": rating.changed,
            "itemReviewed": {"@type": "Claim", "text": unit.text or "", "appearance": place},
            "reviewRating": ratings if len(ratings) > 1 else ratings[0],
            "reviewBody": "\n".join(texts),
            "citation": pages,
        }
        yield {key: value for key, value in review.items() if value not in (None, "", [])}


def _rating_of(question: Question, value: Any) -> JsonObject:
    """Return an answer as a rating: a number with its range, or the id of a choice, each with its label."""
    plain = {
        "@type": "Rating",
        "reviewAspect": question.id,
        "ratingValue": value if is_number(value) else as_text(value),
        "worstRating": question.min,
        "bestRating": question.max,
        "alternateName": value_label(question, value),
    }
    return {key: part for key, part in plain.items() if part is not None}


def _cited(piece: Evidence) -> JsonObject:
    page = {"url": to_iri(piece.url), "name": piece.title, "text": piece.quote, "description": piece.stance}
    return {"@type": "WebPage", **{key: value for key, value in page.items() if value}}


CLAIM_REVIEW = ResultsFormat(write_claim_reviews)
WEB_ANNOTATION = ResultsFormat(write_web_annotation)
