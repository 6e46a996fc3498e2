"""Which of the keys of a Label Studio task is the prompt, which the responses, and which the rest.

A project names its keys as it likes; these are the names that are common, and those that we export.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from desktop_rater.bundle.convert.azure_fields import Documents
from desktop_rater.bundle.trouble import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

_PROMPTS = ("prompt", "question", "query", "instruction", "input", "title")
_RESPONSES = ("response", "answer", "output", "completion", "generation", "generated_text")
_TEXTS = ("text", "document", "content", "body", "article", "html")
_REFERENCES = ("reference", "ground_truth", "reference_answer", "truth")
_CONTEXTS = ("context", "contexts", "documents")
_ONE_OF_SEVERAL = re.compile(rf"(?:{'|'.join(_RESPONSES)}|text)[_ .-]?([1-9]|[a-d])", re.IGNORECASE)
_LETTERS = "abcdefghi"


class Fields:
    """The parts of one task. `responses`: id → (key, text), in order; `rest`: what nothing is made of.

    Without responses where the key is there and holds nothing.
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
    several = dict(_numbered(texts))
    if several:
        return {id_: several[id_] for id_ in sorted(several)}
    known = {key.lower(): key for key in reversed(texts)}
    for names in (_RESPONSES, _TEXTS):
        key = next((known[name] for name in names if name in known), None)
        if key is not None:
            return {"a": (key, texts[key])}
    if any(key.lower() in (*_RESPONSES, *_TEXTS) or _ONE_OF_SEVERAL.fullmatch(key) for key in data):
        return {}
    others = [key for key in texts if key.lower() not in (*_PROMPTS, *_REFERENCES, *_CONTEXTS)]
    if len(others) == 1:
        return {"a": (others[0], texts[others[0]])}
    said = ", ".join(f"`{key}`" for key in data) or "none"
    raise Fault(f"{where}: none of its keys is known to be the response; it has {said}", _WAY_OUT)


_WAY_OUT = "Call the key of the response `response`, or `response_1` and `response_2`, then try again."


def _numbered(texts: dict[str, str]) -> Iterator[tuple[str, tuple[str, str]]]:
    """The responses that are counted, by number or letter: id → (key, text)."""
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
    known = {key.lower(): key for key in reversed(data)}
    key = next((known[name] for name in names if isinstance(data.get(known.get(name, "")), str)), None)
    return (data.pop(key) or None) if key is not None else None
