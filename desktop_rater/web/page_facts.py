"""What a page says of itself: title, site, author, date, language. All of it is hearsay, and none of it is markup."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from desktop_rater.web.charset import readable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from desktop_rater.web.tree import Tree

_TITLES = ("citation_title", "og:title", "twitter:title", "dc.title", "title")
_SITES = ("og:site_name", "citation_journal_title", "citation_conference_title", "application-name")
_AUTHORS = ("citation_author", "author", "article:author", "dc.creator", "parsely-author")
_DATES = (
    "article:published_time",
    "citation_publication_date",
    "citation_date",
    "datepublished",
    "date",
    "dc.date",
    "dc.date.issued",
    "parsely-pub-date",
    "pubdate",
)
_DATE = re.compile(r"(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}")
_WHITE = re.compile(r"\s+")
_LONGEST = 300
_LONGEST_JSON = 200_000
_MOST_PARTS = 2_000
_ARTICLES = ("Article", "BlogPosting", "Posting", "WebPage", "Report", "Recipe", "QAPage", "CreativeWork")


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """Empty texts where a page does not say."""

    title: str = ""
    site: str = ""
    author: str = ""
    published: str = ""
    lang: str = ""
    is_free: bool = True


def facts_of(tree: Tree, final_url: str) -> Facts:
    """Read them off the head, and off JSON-LD where the head is silent."""
    said = _said(tree)
    things = _things(tree)
    site = _first(said, _SITES) or _in_things(things, "publisher")
    return Facts(
        title=_title(tree, said, site),
        site=site or host_of(final_url),
        author=_author(said) or _in_things(things, "author"),
        published=date_in(_first(said, _DATES) or _in_things(things, "datePublished") or _time(tree)),
        lang=_language(tree, said),
        is_free=not any(_is_closed(thing) for thing in things),
    )


def one_line(text: str) -> str:
    """At most 300 characters without line ends or anything that shows nothing."""
    line = _WHITE.sub(" ", readable(text)).strip()
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1].rstrip() + "…"


def host_of(url: str) -> str:
    """The name of a site that says none."""
    return (urlsplit(url).hostname or "").removeprefix("www.")


def date_in(text: str) -> str:
    """The day of a date as ISO writes it, as far as it is told; an empty text where it can't be told."""
    found = _DATE.match(text.strip())
    if found is None:
        return ""
    year, month, day = (int(part) if part else 0 for part in found.groups())
    if not 1400 <= year <= 2200 or month > 12 or day > 31:
        return ""
    return "-".join([f"{year:04}", *(f"{part:02}" for part in (month, day) if part)])


def _said(tree: Tree) -> dict[str, list[str]]:
    """What the meta elements say, by name in lower case."""
    said: dict[str, list[str]] = {}
    for meta in tree.all("meta")[:_MOST_PARTS]:
        name = meta.get("property") or meta.get("name") or meta.get("itemprop") or meta.get("http-equiv")
        content = one_line(str(meta.get("content") or ""))
        if name and content:
            said.setdefault(str(name).lower(), []).append(content)
    return said


def _first(said: dict[str, list[str]], names: Iterable[str]) -> str:
    return next((said[name][0] for name in names if name in said), "")


def _title(tree: Tree, said: dict[str, list[str]], site: str) -> str:
    own = (one_line(tag.get_text(" ")) for tag in (tree.first("title"), tree.first("h1")) if tag)
    title = _first(said, _TITLES) or next(filter(None, own), "")
    for between in (" | ", " - ", " – ", " — ", " :: ", " · "):
        if site and title.casefold().endswith((between + site).casefold()):
            title = title[: -len(between + site)].strip() or title
    return title


def _author(said: dict[str, list[str]]) -> str:
    authors = next((said[name] for name in _AUTHORS if name in said), [])
    names = [name for name in dict.fromkeys(authors) if not name.startswith(("http:", "https:"))]
    return one_line("; ".join(names[:5]))


def _time(tree: Tree) -> str:
    """The first moment that the page marks as that of its own."""
    for tag in tree.all("time"):
        if tag.get("itemprop") == "datePublished" or tag.get("pubdate") is not None or tag.find_parent("article"):
            return str(tag.get("datetime") or "")
    return ""


def _language(tree: Tree, said: dict[str, list[str]]) -> str:
    root = tree.first("html")
    lang = str((root.get("lang") or root.get("xml:lang") or "") if root else "") or _first(said, ("content-language",))
    found = _LANGUAGE.fullmatch(lang.strip())
    return found[0].replace("_", "-") if found else ""


def _things(tree: Tree) -> list[dict[str, Any]]:
    """The objects of JSON-LD that speak of an article, at any depth; what is no JSON says nothing."""
    things: list[dict[str, Any]] = []
    for script in tree.all("script"):
        text = script.get_text()
        if script.get("type") != "application/ld+json" or len(text) > _LONGEST_JSON:
            continue
        try:
            value = msgspec.json.decode(text.strip().encode("utf-8", "replace"))
        except (msgspec.DecodeError, RecursionError):
            continue
        things += [part for part in _parts(value) if _is_article(part)]
    return things


def _parts(value: Any) -> Iterator[dict[str, Any]]:
    waiting = [value]
    for _ in range(_MOST_PARTS):
        if not waiting:
            return
        part = waiting.pop(0)
        if isinstance(part, dict):
            yield part
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part


def _is_article(thing: dict[str, Any]) -> bool:
    kinds = thing.get("@type")
    names = kinds if isinstance(kinds, list) else [kinds]
    return any(isinstance(name, str) and name.endswith(_ARTICLES) for name in names)


def _is_closed(thing: dict[str, Any]) -> bool:
    return str(thing.get("isAccessibleForFree")).strip().lower() == "false"


def _in_things(things: Iterable[dict[str, Any]], key: str) -> str:
    for thing in things:
        value = thing.get(key)
        value = value[0] if isinstance(value, list) and value else value
        value = value.get("name") if isinstance(value, dict) else value
        if isinstance(value, str) and value.strip() and not value.startswith(("http:", "https:")):
            return one_line(value)
    return ""
