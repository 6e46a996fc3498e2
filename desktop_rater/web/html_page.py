"""A page from its HTML: what stands in it, what it says of itself, where it leads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from desktop_rater.model.page import PageLink
from desktop_rater.web.charset import decoded
from desktop_rater.web.flow import Block, Flow, Run
from desktop_rater.web.hrefs import Hrefs, base_of
from desktop_rater.web.html_scan import too_deep, trouble_in
from desktop_rater.web.main_text import main_of
from desktop_rater.web.page_facts import Facts, facts_of, one_line
from desktop_rater.web.reading import Ask, Reading
from desktop_rater.web.shown import shown_of
from desktop_rater.web.tree import parsed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rater.web.flow import Table
    from desktop_rater.web.tree import Tree

_MOST_LINKS = 1_000
_MOST_FRAMES = 50
_LITTLE = 500
_NOTHING = 60
_REFRESH = re.compile(r"\s*\d{0,9}\s*[;,]\s*url\s*=\s*['\"]?([^'\"]+)", re.IGNORECASE)
# With entities of its own, which an HTML parser takes for text.
_DOCTYPE = re.compile(r"\A\s*(?:<\?xml[^>]*>\s*)?<!DOCTYPE[^>\[]*\[[^\]]*\]\s*>", re.IGNORECASE)
_SIGN_IN = re.compile(r"(?:log|sign)[-_ ]?(?:in|on)\b|anmelden|einloggen", re.IGNORECASE)


def read_html(ask: Ask) -> Reading:
    """Never raises for what a page holds, as long as time and memory last."""
    html = _DOCTYPE.sub("", decoded(ask.body, ask.content_type).replace("\0", ""), count=1)
    if trouble := trouble_in(html, elements=ask.elements, depth=ask.depth):
        return Reading(state=trouble[0], why=trouble[1])
    tree = parsed(html)
    if tree.depth > ask.depth:
        return Reading(state="broken", why=too_deep(ask.depth))
    named = [base for tag in tree.all("base") if (base := str(tag.get("href") or ""))]
    hrefs = Hrefs(base_of(named[0], ask.final_url) if named else ask.final_url)
    facts = facts_of(tree, ask.final_url)
    whole = [*_frames(tree, hrefs), *Flow(hrefs).read(tree.root)]
    return _reading(tree, facts, hrefs, whole, main_of(html, whole))


def _reading(
    tree: Tree, facts: Facts, hrefs: Hrefs, whole: Sequence[Block | Table], main: Sequence[Block | Table]
) -> Reading:
    shown, whole_shown = shown_of(main), shown_of(whole)
    if not facts.is_free:
        state, why = "login", "The site says that this page is not free: it may show only the beginning."
    elif _asks_for_a_password(tree, facts, shown.text):
        state, why = "login", "The site asks to sign in."
    else:
        state, why = "ok", _missing(tree, whole_shown.text, hrefs) or shown.why
    return Reading(
        state=state,
        why=why,
        title=facts.title,
        site=facts.site,
        author=facts.author,
        published=facts.published,
        lang=facts.lang,
        html=shown.html,
        whole_html=whole_shown.html,
        text=shown.text,
        whole_text=whole_shown.text,
        links=_links(tree, hrefs),
        images=len(tree.all("img")),
    )


def _links(tree: Tree, hrefs: Hrefs) -> tuple[PageLink, ...]:
    """Each page that is linked, once, with the first words that lead to it."""
    links: dict[str, str] = {}
    for tag in tree.all("a", "area", "frame"):
        url = hrefs.resolved(tag.get("href") or tag.get("src"))
        if url and not links.get(url):
            links[url] = one_line(tag.get_text(" ") or str(tag.get("title") or tag.get("alt") or ""))
        if len(links) == _MOST_LINKS:
            break
    if onwards := _onwards(tree, hrefs):
        links.setdefault(onwards, "")
    return tuple(PageLink(text=text, url=url) for url, text in links.items())


def _onwards(tree: Tree, hrefs: Hrefs) -> str:
    """Where the page sends a browser by itself; nobody goes there unasked."""
    for tag in tree.all("meta"):
        refresh = _REFRESH.match(str(tag.get("content") or ""))
        if refresh and str(tag.get("http-equiv")).strip().lower() == "refresh":
            return hrefs.resolved(refresh[1])
    return ""


def _frames(tree: Tree, hrefs: Hrefs) -> list[Block]:
    """The frames of an old page as links: they are pages of their own."""
    frames = [(tag, hrefs.resolved(tag.get("src"))) for tag in tree.all("frame")[:_MOST_FRAMES]]
    return [
        Block("p", (Run(one_line(str(tag.get("title") or tag.get("name") or url)), url),)) for tag, url in frames if url
    ]


def _asks_for_a_password(tree: Tree, facts: Facts, text: str) -> bool:
    """A password field alone tells little: many pages have one in a corner."""
    if not any(str(tag.get("type")).lower() == "password" for tag in tree.all("input")):
        return False
    return len(text) < _LITTLE or bool(_SIGN_IN.search(facts.title))


def _missing(tree: Tree, text: str, hrefs: Hrefs) -> str:
    """Why a page shows hardly anything, where it does."""
    if len(text) >= _LITTLE:
        return ""
    if onwards := _onwards(tree, hrefs):
        return f"This page only sends on to {onwards}."
    if _needs_a_script(tree, text):
        return "This page needs JavaScript, which the reader does not run. The live view can."
    if tree.first("frameset"):
        return "This page is made of frames, which are pages of their own."
    return "" if text else "This page holds no text."


def _needs_a_script(tree: Tree, text: str) -> bool:
    """The page says so itself, or holds scripts and next to nothing else."""
    if any("javascript" in tag.get_text().casefold() for tag in tree.all("noscript")):
        return True
    return len(text) < _NOTHING and any("json" not in str(tag.get("type") or "") for tag in tree.all("script"))
