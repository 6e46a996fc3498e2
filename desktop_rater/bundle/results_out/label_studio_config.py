"""The labelling configuration that a Label Studio project needs to show what is exported to it."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import msgspec

from desktop_rater.bundle.results_out.label_studio_names import (
    CLAIM,
    TARGET,
    control_of,
    evidence_name,
    fit,
    question_name,
    response_name,
    spans_name,
)

if TYPE_CHECKING:
    from desktop_rater.model.rubric import Question
    from desktop_rater.rubric import Rubric

_PER_REGION = {"perRegion": "true"}
_CAPTIONS = {"history": "Before", "prompt": "Prompt", "context": "Context", "reference": "Reference"}


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """What the tasks of a project have: how many responses at most, and which of the other texts."""

    responses: int = 1
    texts: frozenset[str] = frozenset()


def configuration(rubric: Rubric, shown: Shown) -> bytes:
    """The XML, for the project's settings or its API."""
    view = ET.Element("View")
    for name, caption in _CAPTIONS.items():
        if name in shown.texts:
            _header(view, caption)
            _text(view, name)
    for number in range(1, shown.responses + 1):
        _header(view, f"Response {number}" if shown.responses > 1 else "Response")
        _add_response(view, rubric, number)
    for asking in rubric.asking["task"]:
        _add_question(view, asking.question, 1)
    for name, caption in (("note", "Note"), ("skip_reason", "Why it was skipped"), ("rater", "Rater")):
        _header(view, caption)
        _text_area(view, name, 1, {})
    ET.indent(view)
    return ET.tostring(view, encoding="utf-8") + b"\n"


def plain(text: str) -> str:
    """Words for an attribute: Label Studio would take what follows a dollar for the name of a key."""
    return fit(text).replace("$", "\uff04")


def choice_values(question: Question) -> list[tuple[str, str]]:
    """(what is shown, what is stored) of each choice; where two would look alike, all show their ids as well."""
    shown = [(plain(choice.label), plain(choice.id)) for choice in question.choices]
    alike = len({label.strip() for label, _ in shown}) < len(shown)
    return [(f"{label} [{stored}]" if alike else label, stored) for label, stored in shown]


def _add_response(view: ET.Element, rubric: Rubric, number: int) -> None:
    if rubric.per_target:
        labels = ET.SubElement(view, "Labels", name=spans_name(number), toName=response_name(number))
        ET.SubElement(labels, "Label", value=TARGET)
        ET.SubElement(labels, "Label", value=CLAIM)
    _text(view, response_name(number))
    for asking in rubric.asking["response"]:
        _add_question(view, asking.question, number)
    regions = ET.SubElement(view, "View", visibleWhen="region-selected")
    for scope in ("target", "claim"):
        for asking in rubric.asking[scope]:
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
    """A number, whole ones without a full stop and none with an exponent that figures are lost in."""
    return f"{value:.15g}"


def _header(view: ET.Element, words: str, size: str = "4") -> None:
    ET.SubElement(view, "Header", value=plain(words), size=size)


def _text(view: ET.Element, name: str) -> None:
    ET.SubElement(view, "Text", name=name, value=f"${name}", valueType="text")


def _text_area(view: ET.Element, name: str, number: int, more: dict[str, str]) -> None:
    named = {"name": name, "toName": response_name(number), "rows": "2", "editable": "true"}
    ET.SubElement(view, "TextArea", {**named, **more})
