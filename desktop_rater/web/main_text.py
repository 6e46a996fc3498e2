"""Main text of a page: trafilatura selects it, the blocks are the page's own."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import Any

import trafilatura

from desktop_rater.text.superscripts import without_notation
from desktop_rater.web.blocks import HEADINGS, STRUCK, HtmlBlock, HtmlTable
from desktop_rater.web.decoding import strip_invisible
from desktop_rater.web.render import blocks_to_text, iter_blocks

_PICTURE = re.compile(r"\[[^\]]*\]")
_NO_LETTERS = re.compile(r"[\W_]+")
# trafilatura's names, after TEI.
_BLOCKS = frozenset({"body", "p", "head", "list", "item", "table", "row", "cell", "quote", "code", "div", "graphic"})
_ITEMS = frozenset({"li", "dt", "dd"})
_KINDS = {**dict.fromkeys(_ITEMS, "list_items"), "figcaption": "captions", "table": "tables"}
_WHOLE = frozenset({"figcaption", "table", "pre", "dt", "dd"})
_SENTENCE_ENDS = tuple(".!?:;\u2026\u3002\uff01\uff1f\u061f\u06d4\u0964\u201d\u00bb")
_LONGEST_GAP = 2_000
_LONG_PART = 300  # characters of a part that is more than a note or a footer
_NEAR = 400
_LONG = 40
_PIECE = 20
_ENOUGH = 200
_SHARE = 0.02
_PLACED = 0.6


def select_main_text(html: str, whole: Sequence[HtmlBlock | HtmlTable]) -> list[HtmlBlock | HtmlTable]:
    """Return the blocks of `whole` that trafilatura selects as the main text, with the captions, items and rows beside.

    If it finds implausibly little, or text that can't be located in the page: all blocks outside navigation and the
    like.
    """
    lines = _extracted(html)
    size = sum(map(len, lines))
    if size >= _ENOUGH and size >= _SHARE * len(blocks_to_text(whole)):
        chosen = _with_neighbours(whole, _BlockSelection(lines).of(whole))
        if len(_letters(blocks_to_text(chosen))) >= _PLACED * size:
            return chosen
    rest = [part for part in whole if not part.beside]
    return rest if blocks_to_text(rest) else list(whole)


def _extracted(html: str) -> list[str]:
    """Return trafilatura's text, a block a line, reduced to letters and digits."""
    try:
        document = trafilatura.bare_extraction(html, include_tables=True)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - if its heuristics fail, the whole page is shown
        return []
    body = getattr(document, "body", None)
    lines = (_letters(line) for line in _lines(body)) if body is not None else ()
    return [line for line in lines if line]


def _letters(text: str) -> str:
    """Return letters and digits only: punctuation and notations are not the same in both."""
    return _NO_LETTERS.sub("", text if text.isascii() else without_notation(strip_invisible(text)))


def _lines(element: Any) -> Iterator[str]:
    """Yield the blocks of one of lxml's elements."""
    held: list[str] = []
    stack: list[tuple[Any, bool]] = [(element, False)]
    while stack:
        tag, is_over = stack.pop()
        if tag.tag in _BLOCKS:
            yield "".join(held)
            held = []
        if is_over:
            held.append(tag.tail or "")
            continue
        held.append(tag.text or "")
        stack.append((tag, True))
        stack += [(child, False) for child in reversed(tag)]
    yield "".join(held)


def _with_neighbours(whole: Sequence[HtmlBlock | HtmlTable], chosen: list[bool]) -> list[HtmlBlock | HtmlTable]:
    """Return the chosen parts with what belongs to them: gaps between them, the rest of their lists, their headings."""
    places = [index for index, is_chosen in enumerate(chosen) if is_chosen]
    for before, after in pairwise(places):
        gap = range(before + 1, after)
        if sum(len(_shown(whole[index])) for index in gap) <= _LONGEST_GAP:
            for index in gap:
                is_next = _is_of_list(whole[index - 1], whole[index]) and chosen[index - 1]
                is_next = is_next or (_is_of_list(whole[index], whole[index + 1]) and chosen[index + 1])
                chosen[index] = _is_content(whole[index], is_next=is_next)
    for edge, step in ((places[0], -1), (places[-1], 1)) if places else ():
        index = edge + step
        while 0 <= index < len(whole) and _continues(whole[index], whole[index - step]):
            chosen[index] = True
            index += step
    for index in reversed(range(len(whole) - 1)):
        if chosen[index + 1] and _tag(whole[index]) in HEADINGS and not whole[index].beside:
            chosen[index] = True
    return [part for part, is_chosen in zip(whole, chosen, strict=True) if is_chosen]


def _continues(part: HtmlBlock | HtmlTable, neighbour: HtmlBlock | HtmlTable) -> bool:
    """Return whether a part at an end of the text belongs to it: a caption, or an item of the same list."""
    is_next = _is_of_list(part, neighbour)
    return (is_next or _tag(part) == "figcaption") and _is_content(part, is_next=is_next)


def _is_of_list(first: HtmlBlock | HtmlTable, second: HtmlBlock | HtmlTable) -> bool:
    return _tag(first) in _ITEMS and _tag(second) in _ITEMS


def _is_content(part: HtmlBlock | HtmlTable, *, is_next: bool) -> bool:
    """Return whether a part reads as text and not as links or labels; `is_next`: to a chosen item of its list."""
    tag, is_sentence = _tag(part), _shown(part).endswith(_SENTENCE_ENDS)
    is_text = is_sentence or is_next or tag in _WHOLE
    return not part.beside and is_text and (_is_worded(part) or (is_sentence and tag in _ITEMS))


def _tag(part: HtmlBlock | HtmlTable) -> str:
    return part.tag if isinstance(part, HtmlBlock) else "table"


def _shown(part: HtmlBlock | HtmlTable) -> str:
    return " ".join(block.shown for block in iter_blocks(part)).strip()


def article_parts(
    whole: Sequence[HtmlBlock | HtmlTable], main: Sequence[HtmlBlock | HtmlTable]
) -> Sequence[HtmlBlock | HtmlTable]:
    """Return the parts of a page from the first to the last of its main text."""
    kept = {id(part) for part in main}
    places = [index for index, part in enumerate(whole) if id(part) in kept]
    return whole[places[0] : places[-1] + 1] if places else ()


def count_left_out(whole: Sequence[HtmlBlock | HtmlTable], main: Sequence[HtmlBlock | HtmlTable]) -> dict[str, int]:
    """Count the parts of the article that its main text lacks, by kind: those within it, and long ones around it.

    Labels, navigation, dialogs, headings and links are none, nor are short texts and lists around the article.
    """
    kept, within = ({id(part) for part in parts} for parts in (main, article_parts(whole, main)))
    left = [part for part in whole if id(part) not in kept and _is_content(part, is_next=False)]
    left = [part for part in left if id(part) in within or _tag(part) == "table" or len(_shown(part)) >= _LONG_PART]
    return dict(Counter(_KINDS.get(_tag(part), "paragraphs") for part in left))


def _is_worded(part: HtmlBlock | HtmlTable) -> bool:
    """Return whether a part has words of its own: more than links, and not only the description of a picture."""
    unlinked = "".join(run.text for block in iter_blocks(part) for run in block.runs if not run.href)
    letters = len(_letters(_PICTURE.sub("", unlinked)))
    return letters > 0 and letters * 2 >= len(_letters(_PICTURE.sub("", _shown(part))))


def count_struck(parts: Sequence[HtmlBlock | HtmlTable]) -> int:
    """Count the struck-out passages, which are no part of the plain text."""
    runs = ([STRUCK in run.marks for run in block.runs] for part in parts for block in iter_blocks(part))
    return sum(sum(1 for is_struck, _ in groupby(marks) if is_struck) for marks in runs)


class _BlockSelection:
    """Selects the page's blocks that are in the extracted text, by a cursor, since both are in the same order."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._text = "\n" + "\n".join(lines) + "\n"
        self._at = 0

    def of(self, whole: Sequence[HtmlBlock | HtmlTable]) -> list[bool]:
        """Return whether each part is in the extracted text."""
        chosen = []
        for part in whole:
            cells = [part] if isinstance(part, HtmlBlock) else [cell for cell in iter_blocks(part) if cell.runs]
            is_found = sum(map(self._finds, cells)) * 2 > len(cells)
            chosen.append(is_found and part.beside != "dialog")
        return chosen

    def _finds(self, block: HtmlBlock) -> bool:
        """Find a block: a short one near the cursor, on a line of its own unless it is code; a long one anywhere."""
        line = _letters(block.shown)
        if not line:
            return block.tag == "pre"
        wanted = line if block.tag == "pre" else f"\n{line}\n"
        position = self._text.find(wanted, self._at, self._at + _NEAR + len(line))
        if position < 0 and len(line) >= _LONG:
            position = self._text.find(line, self._at)
            position = position if position >= 0 else self._text.find(line)
            position = position if position >= 0 else self._find_most(line)
        if position < 0:
            return False
        self._at = max(self._at, position + len(line))
        return True

    def _find_most(self, line: str) -> int:
        """Find a long block of which the extraction lacks some words, such as those of <time>: most of its pieces."""
        pieces = [line[start : start + _PIECE] for start in range(0, len(line) - _PIECE + 1, _PIECE)]
        anchors = (self._text.find(piece, self._at) for piece in (pieces[0], pieces[len(pieces) // 2], pieces[-1]))
        position = next((anchor for anchor in anchors if anchor >= 0), -1)
        first, last = position - len(line), position + len(line)
        found = sum(self._text.find(piece, max(0, first), last) >= 0 for piece in pieces) if position >= 0 else 0
        return position if found * 2 >= len(pieces) else -1
