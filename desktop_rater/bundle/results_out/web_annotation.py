"""Results as W3C Web Annotations, in JSON-LD: https://www.w3.org/TR/annotation-model/.

One collection with one page. A judgement is an annotation of the span, the response or the task that it is given to,
and a piece of evidence links that to the passage of the page. Selectors count code points, as the model asks.
Things that have no address are named by a UUID that is made of what they are, so the same results give the same names.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_URL, UUID, uuid5

from desktop_rater.bundle.results_out.columns import as_text
from desktop_rater.bundle.results_out.iri import iri
from desktop_rater.bundle.results_out.rows import label_of
from desktop_rater.bundle.results_out.units import Unit, units
from desktop_rater.model.canonical import canonical
from desktop_rater.model.rating import Skipped
from desktop_rater.text.pages import page_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from desktop_rater.bundle.results_out.rated import Rated
    from desktop_rater.model.rating import Evidence

CONTEXT = "http://www.w3.org/ns/anno.jsonld"

Plain = dict[str, Any]

_NAMES = uuid5(NAMESPACE_URL, "https://www.w3.org/TR/annotation-model/ desktop-rater")
_FORMATS = {"plain": "text/plain", "markdown": "text/markdown"}


def write_web_annotation(path: Path, rated: Iterable[Rated]) -> None:
    """Write one collection of all annotations. Their hash names it, so that no other collection has that name."""
    total = 0
    content = sha256()
    with path.open("x", encoding="utf-8", newline="") as file:
        head = {"@context": CONTEXT, "type": "AnnotationCollection"}
        page = {"type": "AnnotationPage", "startIndex": 0}
        file.write(f'{_json(head)[:-1]},"first":{_json(page)[:-1]},"items":[')
        for one in rated:
            for annotation in annotations(one):
                line = _json(annotation)
                content.update(line.encode())
                file.write((",\n" if total else "\n") + line)
                total += 1
        names = _Names(content.hexdigest())
        file.write(f'\n],"id":"{names.of("page")}"}},"id":"{names.of("collection")}","total":{total}}}\n')


def annotations(rated: Rated) -> Iterator[Plain]:
    """All that a rating says of its task."""
    return _Annotations(rated).all()


class _Names:
    """UUIDs by what a thing is."""

    def __init__(self, *parts: Any) -> None:
        self._space: UUID = uuid5(_NAMES, canonical(list(parts)).decode())

    def of(self, *parts: Any) -> str:
        return f"urn:uuid:{uuid5(self._space, canonical(list(parts)).decode())}"


class _Annotations:
    def __init__(self, rated: Rated) -> None:
        self._rated = rated
        self._task = _Names(rated.bundle, rated.task.id)
        self._own = _Names(rated.bundle, rated.task.id, rated.rating.rater)
        self._units: dict[str, Unit] = {}

    def all(self) -> Iterator[Plain]:
        rating = self._rated.rating
        for unit in units(self._rated):
            self._units[unit.where] = unit
            bodies = list(self._bodies(unit))
            if bodies:
                yield self._annotation("assessing", unit.where, bodies)
        for piece in rating.evidence:
            yield self._piece(piece)
        if rating.status == "skipped":
            skipped = rating.skipped or Skipped()
            words = ": ".join(part for part in (skipped.reason, skipped.comment) if part)
            yield self._annotation(
                "commenting", "task", [_text(words or "skipped", "commenting", "skipped")], "skipped"
            )
        if rating.note:
            yield self._annotation("commenting", "task", [_text(rating.note, "commenting", "note")], "note")

    def _bodies(self, unit: Unit) -> Iterator[Plain]:
        """A body for each label: what was answered, else what was decided."""
        if unit.scope == "claim":
            yield _text(unit.text or "", "describing", "claim")
        for name, value in self._rated.labels(unit.where, unit.answers).items():
            question = self._rated.rubric.questions[name].question
            if question.kind == "text":
                yield _text(str(value), "commenting", name)
                continue
            label = label_of(question, value)
            for part in value if isinstance(value, list | tuple) else [value]:
                words = label_of(question, part)
                body = _text(as_text(part), "classifying", name)
                yield {**body, "rdfs:label": words} if label and words else body

    def _piece(self, piece: Evidence) -> Plain:
        where = f"responses/{piece.response}"
        if piece.target is not None:
            claim = f"targets/{piece.target}/claims/{piece.claim}"
            where = claim if claim in self._units else f"targets/{piece.target}"
        bodies = [_text(piece.stance, "classifying", "stance")] if piece.stance else []
        bodies.append(_page(piece))
        if piece.note:
            bodies.append(_text(piece.note, "commenting", "note"))
        return self._annotation("linking", where, bodies, "evidence", piece.id)

    def _annotation(self, motivation: str, where: str, bodies: list[Plain], *more: str) -> Plain:
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

    def _target(self, where: str) -> Plain:
        unit = self._units.get(where)
        if unit is None or unit.response is None:
            parts = [self._task.of("response", response.id) for response in self._rated.task.responses]
            name = {"dcterms:identifier": self._rated.task.id, "dcterms:hasPart": [{"id": one} for one in parts]}
            return {"id": self._task.of("task"), "type": "Dataset", **name}
        source = self._response(unit.response)
        if unit.scope == "response":
            return source
        target = self._rated.task.target(unit.target or "")
        if unit.start is None or unit.end is None:  # a claim that has no place of its own
            unit = self._units.get(f"targets/{unit.target}", unit)
        return {
            "type": "SpecificResource",
            "source": source,
            "selector": _selectors(unit, source_text=self._text_of(target)),
        }

    def _text_of(self, target: Any) -> str:
        response = self._rated.task.response(target.response) if target is not None else None
        return response.text if response is not None else ""

    def _response(self, name: str) -> Plain:
        response = self._rated.task.response(name)
        lang = self._rated.task.prompt.lang
        return {
            "id": self._task.of("response", name),
            "type": "Text",
            "format": _FORMATS[response.format] if response is not None else "text/plain",
            **({"language": lang} if lang else {}),
            "dcterms:identifier": f"{self._rated.task.id}/{name}",
        }


def _selectors(unit: Unit, source_text: str) -> list[Plain]:
    start, end = unit.start or 0, unit.end or 0
    quote = {
        "type": "TextQuoteSelector",
        "exact": source_text[start:end],
        "prefix": source_text[max(0, start - 32) : start],
        "suffix": source_text[end : end + 32],
    }
    return [quote, {"type": "TextPositionSelector", "start": start, "end": end}]


def _text(value: str, purpose: str, about: str) -> Plain:
    return {"type": "TextualBody", "value": value, "format": "text/plain", "purpose": purpose, "dcterms:subject": about}


def _page(piece: Evidence) -> Plain:
    """The passage of a page. What is no address can't be linked to, and stands as words."""
    if page_of(piece.url) is None:
        return _text("\n".join(part for part in (piece.url, piece.quote) if part), "linking", "evidence")
    source: Plain = {"id": iri(piece.url)}
    if piece.title:
        source["dcterms:title"] = piece.title
    body: Plain = {"type": "SpecificResource", "purpose": "linking", "source": source}
    if piece.quote:
        quote = {"exact": piece.quote, "prefix": piece.prefix, "suffix": piece.suffix}
        body["selector"] = {"type": "TextQuoteSelector", **{key: value for key, value in quote.items() if value}}
    if piece.opened:
        body["state"] = {"type": "TimeState", "sourceDate": piece.opened}
    return body


def _json(plain: Any) -> str:
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
