"""Page content from HTML: a scan before parsing, then blocks, metadata and links."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bs4 import NavigableString, Tag

from desktop_rater.model.page import PageLink, PageState
from desktop_rater.web.blocks import FlowReader, HtmlBlock, HtmlTable, TextRun, alternative_text
from desktop_rater.web.decoding import decode_body
from desktop_rater.web.hostnames import LinkResolver, base_url
from desktop_rater.web.html_tree import HtmlTree, parse_html
from desktop_rater.web.main_text import article_parts, count_left_out, count_struck, select_main_text
from desktop_rater.web.metadata import PageMetadata, collapse_line, read_metadata
from desktop_rater.web.reader_process import PageContent, ReadRequest
from desktop_rater.web.render import blocks_to_text, render_page

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
_DOCTYPE = re.compile(r"\A\s*(?:<\?xml[^>]*>\s*)?<!DOCTYPE[^>\[]*\[[^\]]*\]\s*>", re.IGNORECASE)
_SIGN_IN = re.compile(r"(?:log|sign)[-_ ]?(?:in|on)\b|anmelden|einloggen", re.IGNORECASE)


def read_html(ask: ReadRequest) -> PageContent:
    """Read a page from HTML. Never raises for its content, within its limits of time and memory."""
    html = _DOCTYPE.sub("", decode_body(ask.body, ask.content_type).replace("\0", ""), count=1)
    if error := find_html_problem(html, elements=ask.elements, depth=ask.depth):
        return PageContent(state=error[0], why=error[1])
    tree = parse_html(html)
    if tree.depth > ask.depth:
        return PageContent(state="broken", why=too_deep_message(ask.depth))
    bases = [base for tag in tree.all("base") if (base := str(tag.get("href") or ""))]
    hrefs = LinkResolver(base_url(bases[0], ask.final_url) if bases else ask.final_url)
    facts = read_metadata(tree, ask.final_url)
    reader = FlowReader(hrefs)
    whole = [*_frames(tree, hrefs), *reader.read(tree.root)]
    main = select_main_text(_html_without(reader.dialogs, tree) if reader.dialogs else html, whole)
    left_out = {**count_left_out(whole, main), "struck": count_struck(main)}
    return _content(tree, facts, hrefs, whole, main, {kind: count for kind, count in left_out.items() if count})


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
