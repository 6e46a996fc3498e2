"""The links that stand in a text or in a tool's output."""

import re
from typing import Any

_LINK = re.compile(r'https?://[^\s<>"]+')
_SCHEME = re.compile(r"https?://")
_TRAILING = frozenset(".,;:!?'*`")
_OPENING = {")": "(", "]": "[", "}": "{"}


def links_in(text: str) -> list[str]:
    """The links in `text`, in order of appearance, repeated ones included; in linear time.

    A link is `http://` or `https://` (lower case) up to white space, `<`, `>` or `"`, less trailing `.,;:!?'*`,
    back-ticks and closing brackets that have no partner inside the link. A scheme with nothing after it is no link.
    """
    return [link for link in map(_trimmed, _LINK.findall(text)) if not _SCHEME.fullmatch(link)]


def links_in_json(value: Any) -> list[str]:
    """The links in every string of a JSON value at any depth, keys included, in order of appearance.

    Shape: None, bool, int, float, str, and lists and dicts of these; what is something else holds no links.
    """
    links: list[str] = []
    # A stack and not recursion: a tool's output may be nested as deeply as its author pleases.
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str(text):
                links.extend(links_in(text))
            case list(values) | tuple(values):
                waiting.extend(reversed(values))
            case dict(entries):
                waiting.extend(part for entry in reversed(entries.items()) for part in reversed(entry))
    return links


def _trimmed(link: str) -> str:
    end = len(link)
    unmatched = _unmatched(link)
    while link[end - 1] in _TRAILING or unmatched[end - 1]:
        end -= 1
    return link[:end]


def _unmatched(link: str) -> bytearray:
    """One byte a character: 1 where a closing bracket has no partner before it.

    A partner always stands before, so cutting the end of a link changes none of it: one pass is enough.
    """
    flags = bytearray(len(link))
    waiting = dict.fromkeys(_OPENING.values(), 0)
    for index, character in enumerate(link):
        if character in waiting:
            waiting[character] += 1
        elif opening := _OPENING.get(character):
            flags[index] = not waiting[opening]
            waiting[opening] -= not flags[index]
    return flags
