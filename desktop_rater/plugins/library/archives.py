"""Web archives of any program, WARC and WACZ, as documents: the pages in them, each opened by its position.

A damaged archive is read on after the damage. A WACZ is a zip with WARC files in it.
"""

import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError, bundle_errors
from desktop_rater.format.safe_zip import GIB, MIB, Limits, SafeZip
from desktop_rater.pages.decoding import media_kind
from desktop_rater.pages.response import WebResponse
from desktop_rater.pages.warc import (
    MAX_RECORD_BYTES,
    WARC_LIMITS,
    WarcLimits,
    WarcPosition,
    WarcRecord,
    WarcStream,
    broken_snapshot,
    decode_stored_body,
    read_stored_head,
)
from desktop_rater.text.urls import page_key

ARCHIVES = (".warc", ".warc.gz", ".wacz")
_HINT = "Unpack it, and add the WARC files in its folder `archive`."
_ZIP_LIMITS = Limits(
    zip_bytes=4 * GIB, directory_bytes=64 * MIB, inflated_bytes=16 * GIB, other_bytes=4 * GIB, manifest_bytes=4 * GIB
)
_LEAST_BUDGET, _RATIO = GIB, 100  # bytes that an archive may inflate to, and times its own
_RECORDS = 10_000_000
_PIECE = 256 * 1024
_MOST_FAULTS, _MOST_EXAMPLES = 1_000, 5
_START = re.compile(rb"\x1f\x8b\x08|(?<=\n)WARC/[01]\.")  # a gzip member, or a record without compression
_HEAD = 4096  # bytes of a member that are enough to see what it begins with
_PLACE = re.compile(r"(.+?\.wacz(?=#archive/)|.+?)(?:#(archive/.+))?#([0-9]{1,15})(?:\+([0-9]{1,15}))?", re.IGNORECASE)
_NO_PAGES = ("text/css", "text/javascript", "text/vtt", "text/xml")


class ArchivedPage(NamedTuple):
    """A page in an archive: its place, address and time, and what changes when it is another version of the page."""

    place: str
    url: str
    fetched: str
    stamp: str


def list_archives(paths: Iterable[Path], progress: Progress) -> tuple[list[ArchivedPage], list[str], list[str]]:
    """Return the newest version of each page of web archives, and sentences on what is left out or can't be read.

    What is damaged in an archive is a fault, and the rest is read. Raises `Cancelled`.
    """
    reading = _Reading(progress)
    for path in paths:
        try:
            reading.read(path)
        except RaterError as error:
            reading.faults.append(f"{path.name}: {error.message} {error.hint}".strip())
    pages = sorted(reading.newest.values(), key=lambda page: page.url)
    return pages, list(reading.left_out()), reading.faults


def archive_date(paths: Iterable[Path]) -> str:
    """Return the day of the latest first record of web archives; empty if none can be read."""
    days = [""]
    for path in paths:
        with suppress(RaterError):
            for part in _parts(path)[0]:
                records = WarcStream(part.pieces(0), _limits(_LEAST_BUDGET)).records()
                days += [record.time[:10] for record in islice(records, 1)]
    return max(days)


def read_archived(place: str) -> WebResponse:
    """Read a page of an archive at its place. Raises `RaterError`."""
    match = _PLACE.fullmatch(place)
    if match is None:
        raise broken_snapshot(f"{place} is not a place in a web archive")
    path, name, offset, skipped = match.groups(default="")
    part, start, before = _Part(Path(path), name, 0), int(offset), int(skipped or 0)

    def records() -> Iterator[WarcRecord]:
        return WarcStream(part.pieces(start), _limits(before + 2 * MAX_RECORD_BYTES), start).records(before)

    head = next((read_stored_head(record, WARC_LIMITS) for record in records()), None)
    record = next(records(), None)
    if head is None or record is None or record.left > MAX_RECORD_BYTES:
        raise broken_snapshot(f"{part.path.name} has no page at byte {start:,}, or one that is too large")
    record.read(head.length)
    raw, body = decode_stored_body(head, record.read(record.left))
    return WebResponse(
        url=head.url,
        final_url=head.url,
        status=head.status,
        reason=head.reason,
        headers=head.headers,
        raw=raw,
        body=body,
        fetched=record.time,
        cut=bool(record.header("warc-truncated")),
    )


class _Part(NamedTuple):
    """A WARC file, or one that is `name` in a WACZ; `size` in bytes."""

    path: Path
    name: str
    size: int

    def pieces(self, start: int) -> Iterator[bytes]:
        """Yield the bytes from an offset on. Raises `BundleError`."""
        if self.name:
            with _open_wacz(self.path) as archive:
                if self.name in archive:
                    yield from archive.chunks_from(self.name, start)
            return
        with bundle_errors(self.path, "read", ""), self.path.open("rb") as file:
            file.seek(start)
            while piece := file.read(_PIECE):
                yield piece

    def next_start(self, start: int) -> int | None:
        """Return the offset of the next place from `start` on that looks like a record, if there is one."""
        window = b""
        for piece in self.pieces(start):
            window += piece
            for match in _START.finditer(window):
                if _begins_record(window[match.start() : match.start() + _HEAD]):
                    return start + match.start()
            start += max(0, len(window) - _HEAD)
            window = window[-_HEAD:]
        return None

    def place(self, position: WarcPosition) -> str:
        inside = f"+{position.skipped}" if position.skipped else ""
        return "#".join(filter(None, (str(self.path), self.name, f"{position.offset}{inside}")))


class _Reading:
    """The pages that were found so far, by the keys of their addresses."""

    def __init__(self, progress: Progress) -> None:
        self.newest: dict[str, ArchivedPage] = {}
        self.faults: list[str] = []
        self._progress = progress
        self._counts = Counter[str]()
        self._examples = defaultdict[str, list[str]](list)

    def read(self, path: Path) -> None:
        """Read an archive; damage to it as a whole raises `BundleError`."""
        parts, fault = _parts(path)
        self.faults += [fault] if fault else []
        for part in parts:
            self._read_part(part, part.next_start(0) if fault else 0)

    def left_out(self) -> Iterator[str]:
        """Yield a sentence for each reason for which records are no documents."""
        for reason, count in self._counts.items():
            examples = self._examples[reason]
            rest = f" and {count - len(examples):,} more" if count > len(examples) else ""
            yield f"{count:,} {reason}: {', '.join(examples)}{rest}"

    def _read_part(self, part: _Part, start: int | None = 0) -> None:
        budget = max(_LEAST_BUDGET, _RATIO * part.size)
        while start is not None:
            stream = WarcStream(part.pieces(start), _limits(budget), start)
            try:
                self._read_stream(part, stream)
                start = None
            except RaterError as error:
                last = stream.position.offset
                name = f"{part.path.name}, {part.name}" if part.name else part.path.name
                self.faults.append(f"{name}, byte {last:,}: {error.message}")
                start = part.next_start(last + 1)
            budget -= stream.inflated
            if start is not None and (budget <= 0 or len(self.faults) > _MOST_FAULTS):
                self.faults.append(f"{part.path.name}: The rest from byte {start:,} on is not read.")
                return

    def _read_stream(self, part: _Part, stream: WarcStream) -> None:
        """Read records to the end. Raises `RaterError` at one that is damaged, whose position is the stream's then.

        A record counts once the next one begins: only then its length is known to be right.
        """
        held: tuple[WarcPosition, ArchivedPage | None] | None = None
        try:
            for record in stream.records():
                self._progress(min(part.size, stream.position.offset), part.size)
                self._count(held)
                held = None
                held = record.position, self._page(part, record)
        except RaterError:
            if held is not None and self._ends_before(part, stream, held[0]):
                self._count(held)
            elif held is not None:
                stream.position = held[0]
            raise
        self._count(held)

    @staticmethod
    def _ends_before(part: _Part, stream: WarcStream, last: WarcPosition) -> bool:
        """Return whether the record that can't be read is not the last one, and begins where that one should end."""
        failed = stream.position
        apart = not stream.is_plain or part.next_start(last.offset + 1) == failed.offset
        return failed != last and not failed.skipped and apart

    def _page(self, part: _Part, record: WarcRecord) -> ArchivedPage | None:
        """Return the page in a record; of any other it is noted why it is left out."""
        length = record.left
        head = read_stored_head(record, WARC_LIMITS)
        url = record.header("warc-target-uri").strip("<>")
        if record.header("warc-type").strip().lower() == "revisit":
            self._leave_out("revisits of a page that had not changed", url)
        elif record.kind in ("response", "resource"):
            if head is None or page_key(head.url) is None:
                self._leave_out("records without a web page", url)
            elif 300 <= head.status < 400:
                self._leave_out("redirects", url)
            elif head.status != 200:
                self._leave_out("responses with an error", f"{url} ({head.status})")
            elif head.media_type in _NO_PAGES or media_kind(head.media_type) not in ("html", "text", "pdf", "epub"):
                self._leave_out("files that are no pages", f"{url} ({head.media_type or 'no type'})")
            elif length > MAX_RECORD_BYTES:
                self._leave_out("pages that are too large", url)
            else:
                time = record.time
                return ArchivedPage(part.place(record.position), head.url, time, f"{time} {length}")
        return None

    def _leave_out(self, reason: str, example: str) -> None:
        self._counts[reason] += 1
        if len(self._examples[reason]) < _MOST_EXAMPLES:
            self._examples[reason].append(example[:200])

    def _count(self, held: tuple[WarcPosition, ArchivedPage | None] | None) -> None:
        """Add a page to the newest versions, if it is one."""
        page = held[1] if held is not None else None
        if page is None:
            return
        key = page_key(page.url) or page.url
        other = self.newest.get(key)
        if other is not None:
            self._leave_out("older versions of a page", min(page, other, key=lambda version: version.fetched).url)
        if other is None or page.fetched >= other.fetched:
            self.newest[key] = page


def _limits(inflated: int) -> WarcLimits:
    return WarcLimits(inflated=inflated, records=_RECORDS, members=_RECORDS)


def _parts(path: Path) -> tuple[list[_Part], str]:
    """Return the WARC files of an archive, and what is wrong with it as a whole. Raises `BundleError`."""
    with bundle_errors(path, "read", ""):
        whole = [_Part(path, "", path.stat().st_size)]
    if path.suffix.lower() != ".wacz":
        return whole, ""
    if _is_cut_zip(path):
        return whole, f"{path.name}: It is cut off. Its pages up to there are read."
    with _open_wacz(path) as archive:
        names = [name for name in archive.names if name.startswith("archive/") and name.endswith((".warc", ".warc.gz"))]
        parts = [_Part(path, name, archive.size(name)) for name in names]
    return parts, "" if parts else f"{path.name}: It holds no WARC file in a folder `archive`."


def _open_wacz(path: Path) -> SafeZip:
    return SafeZip(path, [".*"], _ZIP_LIMITS, _HINT)


def _is_cut_zip(path: Path) -> bool:
    """Return whether a zip has lost its end, where its entries are listed."""
    with bundle_errors(path, "read", ""), path.open("rb") as file:
        begins = file.read(4) == b"PK\x03\x04"
        file.seek(max(0, path.stat().st_size - _PIECE))
        tail = file.read()
    end = tail.rfind(b"PK\x05\x06")
    return begins and (end < 0 or len(tail) < end + 22 + int.from_bytes(tail[end + 20 : end + 22], "little"))


def _begins_record(packed: bytes) -> bool:
    """Return whether a gzip member begins as a record does, or is one without compression."""
    if packed.startswith(b"WARC/"):
        return True
    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(packed, 5).startswith(b"WARC/")
    except zlib.error:
        return False
