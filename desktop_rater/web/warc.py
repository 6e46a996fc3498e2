"""A server's answer as a WARC file, one gzip member a record, and back.

A file of another program may hold many answers. Then the page is the first one that shows something, with the redirects
that led to it.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from typing import TYPE_CHECKING

import msgspec

from desktop_rater import __version__
from desktop_rater.model.canonical import canonical, sha256
from desktop_rater.model.limits import parse_time
from desktop_rater.text.pages import page_of
from desktop_rater.web.answer import Answer, Hop
from desktop_rater.web.http_record import MOST, Head, body_of, head_of
from desktop_rater.web.locations import redirected
from desktop_rater.web.media import kind_of
from desktop_rater.web.records import LIMITS, WarcLimits, broken, records

if TYPE_CHECKING:
    from pathlib import Path

_OURS = "Desktop Rater "
_TIME = 19  # characters of a time without fractions and zone
_HOPS = 20
_SHOWN = frozenset({"html", "pdf", "text"})
_FIELDS = 4096  # bytes of a warcinfo record that are looked at


class Outline(msgspec.Struct, frozen=True, kw_only=True):
    """What a file says of its page without its content. The fields are those of `Answer`."""

    url: str
    final_url: str
    fetched: str
    status: int
    media_type: str


class _Found(msgspec.Struct, frozen=True):
    """An answer in a file: where, which, and when it came. `page` is the key of its URL."""

    number: int
    head: Head
    page: str
    date: str


def write(answer: Answer) -> bytes:
    """The answer and the redirects before it, as they came without cookies. The same answer gives the same bytes."""
    from desktop_rater.web.warc_writer import pack  # noqa: PLC0415 - warcio comes with the first page, not at the start

    last = Hop(url=answer.final_url, status=answer.status, reason=answer.reason, headers=answer.headers)
    exchanges = [*((hop, b"") for hop in answer.hops), (last, answer.raw)]
    name = sha256(canonical([content_of(answer), answer.fetched]))
    return pack(name, f"{_OURS}{__version__}", answer.fetched, exchanges)


def read(path: Path, limits: WarcLimits = LIMITS) -> Answer:
    """The answer that a file holds. Raises `WebError` of the state `broken`, whatever the file holds."""
    way = _way(path, limits)
    *before, last = way
    raw, body = body_of(last.head, _block(path, last, limits))
    return Answer(
        url=way[0].head.url,
        final_url=last.head.url,
        status=last.head.status,
        reason=last.head.reason,
        headers=last.head.headers,
        hops=tuple(
            Hop(url=one.head.url, status=one.head.status, reason=one.head.reason, headers=one.head.headers)
            for one in before
        ),
        raw=raw,
        body=body,
        fetched=last.date,
    )


def outline(path: Path, limits: WarcLimits = LIMITS) -> Outline:
    """As `read`, without the content: it is passed over."""
    way = _way(path, limits)
    head = way[-1].head
    return Outline(
        url=way[0].head.url,
        final_url=head.url,
        fetched=way[-1].date,
        status=head.status,
        media_type=head.media_type,
    )


def content_of(answer: Answer) -> str:
    """Equal for two answers that showed the same by the same way, whenever they came."""
    hops = [[_key(hop.url), hop.status] for hop in answer.hops]
    payload = hashlib.sha256(answer.body).hexdigest()
    return sha256(canonical([_key(answer.url), hops, _key(answer.final_url), answer.status, payload]))


def _key(url: str) -> str:
    return page_of(url) or url


def _way(path: Path, limits: WarcLimits) -> list[_Found]:
    """The redirects and the page behind them."""
    ours, found = _answers(path, limits)
    if not found:
        raise broken("It holds no answer of a web server")
    if ours:
        return found[: _HOPS + 1]
    by_page: dict[str, list[_Found]] = {}
    for one in found:
        by_page.setdefault(one.page, []).append(one)
    ways = (_from(start, by_page) for start in found)
    return next((way for way in ways if _shows(way[-1].head)), _from(found[0], by_page))


def _answers(path: Path, limits: WarcLimits) -> tuple[bool, list[_Found]]:
    """Whether we wrote the file, and the answers in it, in order."""
    ours = False
    found = []
    for number, record in enumerate(records(path, limits)):
        if record.kind == "warcinfo":
            ours = ours or f"software: {_OURS}".encode() in record.read(_FIELDS)
        head = head_of(record, limits)
        page = page_of(head.url) if head else None
        if head is not None and page is not None:
            found.append(_Found(number, head, page, _time(record.header("warc-date"))))
    return ours, found


def _from(start: _Found, by_page: dict[str, list[_Found]]) -> list[_Found]:
    """`start` and what its redirects lead to, as far as the file holds it: each page at its first answer behind."""
    way = [start]
    while len(way) <= _HOPS and (target := _target(way[-1].head)) is not None:
        leads = by_page.get(target, [])
        behind = bisect_right(leads, way[-1].number, key=lambda one: one.number)
        following = leads[behind] if behind < len(leads) else (leads or [start])[0]
        if following in way:
            break
        way.append(following)
    return way


def _target(head: Head) -> str | None:
    """The page that a redirect leads to."""
    if not (300 <= head.status < 400 and head.location):
        return None
    return page_of(redirected(head.url, head.location))


def _shows(head: Head) -> bool:
    return head.status == 200 and kind_of(head.media_type) in _SHOWN and not head.url.endswith("/robots.txt")


def _time(said: str) -> str:
    """A time of the formats: those of WARC may have fractions of a second."""
    time = f"{said[:_TIME]}Z"
    try:
        parse_time(time)
    except ValueError:
        raise broken("It does not say when it was fetched") from None
    return time


def _block(path: Path, wanted: _Found, limits: WarcLimits) -> bytes:
    """The block of a record behind its HTTP head."""
    for number, record in enumerate(records(path, limits)):
        if number == wanted.number:
            record.read(wanted.head.length)
            if record.left > MOST:
                raise broken(f"It is larger than {MOST:,} bytes")
            return record.read(record.left)
    raise broken("It was altered while it was read")
