"""Metadata that a page declares: title, site, author, date, language. Unverified, and never markup."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from desktop_rater.pages.decoding import strip_invisible
from desktop_rater.pages.html_tree import HtmlTree
from desktop_rater.text.urls import host_of

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


class PageMetadata(msgspec.Struct, frozen=True, kw_only=True):
    """Declared metadata; empty texts if missing."""

    title: str = ""
    site: str = ""
    author: str = ""
    published: str = ""
    lang: str = ""
    is_free: bool = True


def read_metadata(tree: HtmlTree, final_url: str) -> PageMetadata:
    """Read metadata from the head, and from JSON-LD if the head has none."""
    meta = _meta_contents(tree)
    things = _things(tree)
    site = _first(meta, _SITES) or _in_things(things, "publisher")
    return PageMetadata(
        title=_title(tree, meta, site),
        site=site or site_name(final_url),
        author=_author(meta) or _in_things(things, "author"),
        published=iso_date(_first(meta, _DATES) or _in_things(things, "datePublished") or _time(tree)),
        lang=_language(tree, meta),
        is_free=not any(str(thing.get("isAccessibleForFree")).strip().lower() == "false" for thing in things),
    )


def collapse_line(text: str) -> str:
    """Return at most 300 characters without line ends or invisible characters."""
    line = _WHITE.sub(" ", strip_invisible(text)).strip()
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1].rstrip() + "…"


def site_name(url: str) -> str:
    """Return the name for a site that declares none."""
    return host_of(url).removeprefix("www.")


def iso_date(text: str) -> str:
    """Return the day of a date in ISO format, as far as it is given; an empty text if unrecognised."""
    match = _DATE.match(text.strip())
    if match is None:
        return ""
    year, month, day = (int(part) if part else 0 for part in match.groups())
    if not 1400 <= year <= 2200 or month > 12 or day > 31:
        return ""
    return "-".join([f"{year:04}", *(f"{part:02}" for part in (month, day) if part)])


def _meta_contents(tree: HtmlTree) -> dict[str, list[str]]:
    """Return the contents of the meta elements, by name in lower case."""
    contents: dict[str, list[str]] = {}
    for meta in tree.all("meta")[:_MOST_PARTS]:
        name = meta.get("property") or meta.get("name") or meta.get("itemprop") or meta.get("http-equiv")
        content = collapse_line(str(meta.get("content") or ""))
        if name and content:
            contents.setdefault(str(name).lower(), []).append(content)
    return contents


def _first(meta: dict[str, list[str]], names: Iterable[str]) -> str:
    return next((meta[name][0] for name in names if name in meta), "")


def _title(tree: HtmlTree, meta: dict[str, list[str]], site: str) -> str:
    own = (collapse_line(tag.get_text(" ")) for tag in (tree.first("title"), tree.first("h1")) if tag)
    title = _first(meta, _TITLES) or next(filter(None, own), "")
    for between in (" | ", " - ", " – ", " — ", " :: ", " · "):
        if site and title.casefold().endswith((between + site).casefold()):
            title = title[: -len(between + site)].strip() or title
    return title


def _author(meta: dict[str, list[str]]) -> str:
    authors = next((meta[name] for name in _AUTHORS if name in meta), [])
    names = [name for name in dict.fromkeys(authors) if not name.startswith(("http:", "https:"))]
    return collapse_line("; ".join(names[:5]))


def _time(tree: HtmlTree) -> str:
    """Return the first time that the page marks as its own."""
    for tag in tree.all("time"):
        if tag.get("itemprop") == "datePublished" or tag.get("pubdate") is not None or tag.find_parent("article"):
            return str(tag.get("datetime") or "")
    return ""


def _language(tree: HtmlTree, meta: dict[str, list[str]]) -> str:
    root = tree.first("html")
    lang = str((root.get("lang") or root.get("xml:lang") or "") if root else "") or _first(meta, ("content-language",))
    match = _LANGUAGE.fullmatch(lang.strip())
    return match[0].replace("_", "-") if match else ""


def _things(tree: HtmlTree) -> list[dict[str, Any]]:
    """Return the JSON-LD objects about an article, at any depth; invalid JSON is ignored."""
    things: list[dict[str, Any]] = []
    for script in tree.all("script"):
        text = script.get_text()
        if script.get("type") != "application/ld+json" or len(text) > _LONGEST_JSON:
            continue
        try:
            value = msgspec.json.decode(text.strip().encode("utf-8", "replace"))
        except (msgspec.DecodeError, RecursionError):
            continue
        for part in _parts(value):
            kinds = part.get("@type")
            names = kinds if isinstance(kinds, list) else [kinds]
            if any(isinstance(name, str) and name.endswith(_ARTICLES) for name in names):
                things.append(part)
    return things


def _parts(value: Any) -> Iterator[dict[str, Any]]:
    queue = [value]
    for _ in range(_MOST_PARTS):
        if not queue:
            return
        part = queue.pop(0)
        if isinstance(part, dict):
            yield part
            queue += part.values()
        elif isinstance(part, list):
            queue += part


def _in_things(things: Iterable[dict[str, Any]], key: str) -> str:
    for thing in things:
        value = thing.get(key)
        value = value[0] if isinstance(value, list) and value else value
        value = value.get("name") if isinstance(value, dict) else value
        if isinstance(value, str) and value.strip() and not value.startswith(("http:", "https:")):
            return collapse_line(value)
    return ""
