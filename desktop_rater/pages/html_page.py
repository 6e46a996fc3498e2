"""Page content from HTML: a scan before parsing, then blocks, metadata and links."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any

import trafilatura
from bs4 import NavigableString, Tag

from desktop_rater.format.page import PageLink, PageState
from desktop_rater.pages.decoding import decode_body, strip_invisible
from desktop_rater.pages.guard import LinkResolver, base_url
from desktop_rater.pages.html_tree import (
    HEADINGS,
    STRUCK,
    FlowReader,
    HtmlBlock,
    HtmlTable,
    HtmlTree,
    TextRun,
    alternative_text,
    parse_html,
)
from desktop_rater.pages.metadata import PageMetadata, collapse_line, read_metadata
from desktop_rater.pages.page_reader import PageContent, ReadRequest
from desktop_rater.pages.render import blocks_to_text, iter_blocks, render_page
from desktop_rater.text.quotes import without_notation

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


_TAG = re.compile(r"<(?:!--|(/?)([a-zA-Z][a-zA-Z0-9:-]{0,30})[^\s/>]*)")
# A name, perhaps with a value; an open quote extends to the end. Never backtracks.
_ATTRIBUTE = re.compile(r"""[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"?|'[^']*+'?|[^\s>"'][^\s>]*+)?)?""")
_TAG_END = re.compile(r"([\s/]*+)>?")
# Pictures inside an attribute (`data:`) may be large.
_LONGEST_TAG = 512 * 1024
# The parser's time is quadratic in it.
_MOST_ATTRIBUTES = 256
# These close themselves when the next one opens, so counting them would make an old page deep. Their containers
# (lists, tables) are counted.
_CLOSE_THEMSELVES = """
a area base basefont bgsound body br col colgroup dd dt embed frame head hr html img input keygen li link meta optgroup
option p param rp rt source tbody td tfoot th thead tr track wbr
"""
_UNCOUNTED = frozenset(_CLOSE_THEMSELVES.split())
# Elements that contain no tags, whatever their text looks like.
_RAW_ENDS = {
    name: re.compile(f"</{name}", re.IGNORECASE) for name in ("script", "style", "textarea", "title", "xmp", "iframe")
}
_COMMENT_END = re.compile("--!?>")


@dataclass(frozen=True, slots=True)
class _ScannedTag:
    name: str
    closes: bool
    attributes: int
    size: int


def find_html_problem(html: str, *, elements: int, depth: int) -> tuple[PageState, str] | None:
    """Return why `html` can't be parsed safely: the state, and a sentence; None if it can."""
    count = nested = 0
    for tag in _tags(html):
        if tag.closes:
            nested -= tag.name not in _UNCOUNTED and nested > 0
            continue
        count += 1
        nested += tag.name not in _UNCOUNTED
        if nested > depth:
            return "broken", too_deep_message(depth)
        if count > elements:
            return "too_large", f"The page has more than {elements:,} elements, which is more than the reader takes."
        if tag.attributes > _MOST_ATTRIBUTES or tag.size > _LONGEST_TAG:
            why = f"A tag of the page has {tag.attributes:,} attributes in {tag.size:,} characters, too many to read."
            return "broken", why
    return None


def too_deep_message(depth: int) -> str:
    """Return the sentence about a page that nests more than `depth`."""
    return f"The page nests its elements more than {depth} deep, which no page for people does."


def _tags(html: str) -> Iterator[_ScannedTag]:
    """Yield the tags of `html`; a self-closing one twice."""
    start = _TAG.search(html)
    while start:
        after = start.end()
        if start[2]:
            tag, after, is_empty = _read(html, start)
            yield tag
            if is_empty and not tag.closes:
                yield _ScannedTag(tag.name, closes=True, attributes=0, size=0)
            raw = None if tag.closes or is_empty else _RAW_ENDS.get(tag.name)
        else:
            raw = _COMMENT_END
        if raw is not None:
            end = raw.search(html, after)
            if end is None:
                return
            after = end.start() if start[2] else end.end()
        start = _TAG.search(html, after)


def _read(html: str, start: re.Match[str]) -> tuple[_ScannedTag, int, bool]:
    """Return the tag that begins at `start`, its end, and whether it closes itself."""
    attributes, position = 0, start.end()
    while match := _ATTRIBUTE.match(html, position):
        attributes += 1
        position = match.end()
    end = _TAG_END.match(html, position)
    assert end is not None, "the pattern matches the empty text"
    tag = _ScannedTag(start[2].lower(), closes=bool(start[1]), attributes=attributes, size=end.end() - start.start())
    return tag, end.end(), end[1].endswith("/")


_MOST_LINKS = 1_000
_MOST_FRAMES = 50
_LITTLE = 500
_NOTHING = 60
_REFRESH = re.compile(r"\s*\d{0,9}\s*[;,]\s*url\s*=\s*['\"]?([^'\"]+)", re.IGNORECASE)
# With its own entities, which an HTML parser takes for text.
DOCTYPE = re.compile(r"\A\s*(?:<\?xml[^>]*>\s*)?<!DOCTYPE[^>\[]*\[[^\]]*\]\s*>", re.IGNORECASE)
_SIGN_IN = re.compile(r"(?:log|sign)[-_ ]?(?:in|on)\b|anmelden|einloggen", re.IGNORECASE)


def read_html(ask: ReadRequest) -> PageContent:
    """Read a page from HTML. Never raises for its content, within its limits of time and memory."""
    html = DOCTYPE.sub("", decode_body(ask.body, ask.content_type).replace("\0", ""), count=1)
    tree = parse_within_limits(html, ask)
    if isinstance(tree, PageContent):
        return tree
    bases = [base for tag in tree.all("base") if (base := str(tag.get("href") or ""))]
    hrefs = LinkResolver(base_url(bases[0], ask.final_url) if bases else ask.final_url)
    facts = read_metadata(tree, ask.final_url)
    reader = FlowReader(hrefs)
    whole = [*_frames(tree, hrefs), *reader.read(tree.root)]
    main = select_main_text(_html_without(reader.dialogs, tree) if reader.dialogs else html, whole)
    left_out = {**count_left_out(whole, main), "struck": count_struck(main)}
    return _content(tree, facts, hrefs, whole, main, {kind: count for kind, count in left_out.items() if count})


def parse_within_limits(html: str, ask: ReadRequest) -> HtmlTree | PageContent:
    """Return the tree of a page; a page without content that says why, if it exceeds the limits."""
    if error := find_html_problem(html, elements=ask.elements, depth=ask.depth):
        return PageContent(state=error[0], why=error[1])
    tree = parse_html(html)
    return tree if tree.depth <= ask.depth else PageContent(state="broken", why=too_deep_message(ask.depth))


def _html_without(elements: Sequence[Tag], tree: HtmlTree) -> str:
    """Return the page as HTML without some elements, which stay in the tree."""
    places = [(element, NavigableString("")) for element in elements]
    for element, place in places:
        element.replace_with(place)
    html = str(tree.root)
    for element, place in places:
        place.replace_with(element)
    return html


def _content(
    tree: HtmlTree,
    facts: PageMetadata,
    hrefs: LinkResolver,
    whole: Sequence[HtmlBlock | HtmlTable],
    main: Sequence[HtmlBlock | HtmlTable],
    left_out: dict[str, int],
) -> PageContent:
    main_shown, whole_shown = render_page(main), render_page(whole)
    article = blocks_to_text(article_parts(whole, main))
    if not facts.is_free:
        state, why = "login", "The site marks this page as not free: possibly only the beginning is shown."
    elif _is_login(tree, facts, main_shown.text):
        state, why = "login", "The site asks to sign in."
    else:
        state, why = "ok", _missing_reason(tree, whole_shown.text, hrefs) or main_shown.why
    return PageContent(
        state=state,
        why=why,
        title=facts.title,
        site=facts.site,
        author=facts.author,
        published=facts.published,
        lang=facts.lang,
        html=main_shown.html,
        whole_html=whole_shown.html,
        text=main_shown.text,
        whole_text=whole_shown.text,
        unshown=main_shown.unshown,
        whole_unshown=whole_shown.unshown,
        left_out=left_out,
        links=_links(tree, hrefs),
        images=sum(f"[{alt}]" in article for alt in map(alternative_text, tree.all("img")) if alt),
    )


def _links(tree: HtmlTree, hrefs: LinkResolver) -> tuple[PageLink, ...]:
    """Return each linked page once, with the first text of a link to it."""
    links: dict[str, str] = {}
    for tag in tree.all("a", "area", "frame"):
        url = hrefs.resolved(tag.get("href") or tag.get("src"))
        if url and not links.get(url):
            links[url] = collapse_line(tag.get_text(" ") or str(tag.get("title") or tag.get("alt") or ""))
        if len(links) == _MOST_LINKS:
            break
    if onwards := _refresh_target(tree, hrefs):
        links.setdefault(onwards, "")
    return tuple(PageLink(text=text, url=url) for url, text in links.items())


def _refresh_target(tree: HtmlTree, hrefs: LinkResolver) -> str:
    """Return the target of the page's refresh; it is not followed automatically."""
    for tag in tree.all("meta"):
        refresh = _REFRESH.match(str(tag.get("content") or ""))
        if refresh and str(tag.get("http-equiv")).strip().lower() == "refresh":
            return hrefs.resolved(refresh[1])
    return ""


def _frames(tree: HtmlTree, hrefs: LinkResolver) -> list[HtmlBlock]:
    """Return the frames of an old page as links: they are pages of their own."""
    frames = [(tag, hrefs.resolved(tag.get("src"))) for tag in tree.all("frame")[:_MOST_FRAMES]]
    return [
        HtmlBlock("p", (TextRun(collapse_line(str(tag.get("title") or tag.get("name") or url)), url),))
        for tag, url in frames
        if url
    ]


def _is_login(tree: HtmlTree, facts: PageMetadata, text: str) -> bool:
    """Return whether the page is a login form; a password field alone is not enough, many pages have one."""
    if not any(str(tag.get("type")).lower() == "password" for tag in tree.all("input")):
        return False
    return len(text) < _LITTLE or bool(_SIGN_IN.search(facts.title))


def _missing_reason(tree: HtmlTree, text: str, hrefs: LinkResolver) -> str:
    """Return why a page shows hardly any text, or an empty text."""
    if len(text) >= _LITTLE:
        return ""
    if onwards := _refresh_target(tree, hrefs):
        return f"This page only redirects to {onwards}."
    if _needs_a_script(tree, text):
        return "This page needs JavaScript, which the reader does not run. The live view can."
    if tree.first("frameset"):
        return "This page consists of frames. Open them from its links."
    return "" if text else "This page holds no text."


def _needs_a_script(tree: HtmlTree, text: str) -> bool:
    """Return whether the page says so itself, or holds scripts and next to nothing else."""
    if any("javascript" in tag.get_text().casefold() for tag in tree.all("noscript")):
        return True
    return len(text) < _NOTHING and any("json" not in str(tag.get("type") or "") for tag in tree.all("script"))
