"""Read INCEpTION's exports: UIMA CAS JSON 0.4 and WebAnno TSV 3, a file for each document and annotator."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from desktop_rater.format.bundle_errors import BundleFault
from desktop_rater.format.strict_json import BOM
from desktop_rater.plugins.convert.annotations.annotation import (
    SourceAnnotation,
    SourceAnswer,
    SourceFile,
    SourcePlace,
    SourceRatings,
)
from desktop_rater.plugins.convert.source import SourceRecords
from desktop_rater.text.spans import Utf16Map

INCEPTION = "inception"
TSV_HEAD = b"#FORMAT=WebAnno TSV 3"

_SYSTEM = ("uima.", "de.tudarmstadt.ukp.", "org.apache.uima.", "de.averbis.")
_ROW = re.compile(r"([0-9]+-[0-9]+(?:\.[0-9]+)?)\t([0-9]{1,15})-([0-9]{1,15})\t(.*)")
_SLOT = re.compile(r"\[([0-9]+)\]$")
_WIDEST_GAPS = 2_000_000  # between all sentences, in bytes
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"t": "\t", "n": "\n", "r": "\r"}


class _Mark(NamedTuple):
    start: int
    end: int
    feature: str
    value: Any


def read_inception(records: SourceRecords, files: Iterable[SourceFile]) -> SourceRatings:
    """Return the spans of files, each of one annotator. Raises `BundleError`."""
    source = SourceRatings(INCEPTION)
    records.on_fault = source.leave_out(records) if records.several else None
    for about, pieces in zip(files, records.pieces(), strict=True):
        data = b"".join(pieces).removeprefix(BOM)
        where = records.path.name
        with records.record(1):
            text, marks, relations = _tsv(decoded_text(data)) if data.startswith(TSV_HEAD) else _cas(records, data)
            source.losses.add("relation", where, relations)
            plain = {"id": about.document, "prompt": {"text": ""}, "responses": [{"id": "a", "text": text}]}
            if source.add_task(where, about.document, (about.document, Path(about.document).stem), plain):
                answers = tuple(
                    SourceAnswer(
                        place=SourcePlace(start=mark.start, end=mark.end, quote=text[mark.start : mark.end]),
                        question=mark.feature,
                        value=mark.value,
                    )
                    for mark in dict.fromkeys(marks)
                )
                task = about.document
                source.add(SourceAnnotation(where=where, task=task, rater=about.rater, answers=answers, marked=True))
    return source


def decoded_text(data: bytes) -> str:
    """Return the text of a file. Raises `BundleFault` if it is not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BundleFault(f"line {line}: not UTF-8") from error


def _cas(records: SourceRecords, data: bytes) -> tuple[str, list[_Mark], int]:
    """Return text, spans and the number of relations of a CAS. Offsets are UTF-16, as the specification says."""
    plain = records.parse_object(data)
    structures = plain.get("%FEATURE_STRUCTURES")
    if isinstance(structures, dict):
        structures = list(structures.values())
    if not isinstance(structures, list):
        raise BundleFault("It has no %FEATURE_STRUCTURES")
    parts = [part for part in structures if isinstance(part, dict)]
    text = next((part["sofaString"] for part in parts if isinstance(part.get("sofaString"), str)), "")
    if not text:
        raise BundleFault("It has no text")
    units = Utf16Map(text)
    marks = []
    relations = 0
    for part in parts:
        begin, end = part.get("begin"), part.get("end")
        if not _is_annotated(str(part.get("%TYPE", ""))) or type(begin) is not int or type(end) is not int:
            continue
        if "@Governor" in part or "@Dependent" in part:
            relations += 1
            continue
        if not 0 <= begin <= end <= units.units:
            raise BundleFault(f"The span {begin}-{end} is not in the text")
        features = {key: value for key, value in part.items() if key[:1] not in "%@^" and key not in ("begin", "end")}
        given = [(key, value) for key, value in features.items() if isinstance(value, str | int | float)]
        start, stop = units.to_code_point(begin), units.to_code_point(end)
        marks += [_Mark(start, stop, key, value) for key, value in given or [("", None)]]
    return text, marks, relations


def _is_annotated(layer: str) -> bool:
    """Return whether people mark spans of this layer, rather than programs, such as tokens."""
    return not layer.startswith(_SYSTEM) or layer.endswith("NamedEntity")


def _tsv(content: str) -> tuple[str, list[_Mark], int]:
    """Return text, spans and the number of relations of WebAnno TSV 3.x, whose offsets are UTF-16."""
    columns: list[str | None] = []
    rows: list[tuple[int, int, str, list[str]]] = []
    linked: list[int] = []  # the columns of relations
    for line in content.split("\n"):
        line = line.removesuffix("\r")  # noqa: PLW2901
        if line.startswith(("#T_SP=", "#T_CH=", "#T_RL=")):
            layer, *features = line[6:].split("|")
            linked += [len(columns)] * line.startswith("#T_RL=")
            marked = line.startswith("#T_SP=") and _is_annotated(layer)
            columns += [name if marked and not name.startswith("ROLE_") else None for name in features or [""]]
        elif (match := _ROW.match(line)) is not None:
            token, *cells = match[4].split("\t")
            rows.append((int(match[2]), int(match[3]), _unescaped(token), cells))
    if not rows:
        raise BundleFault("It has no tokens")
    relations = sum(cells[index] != "_" for *_, cells in rows for index in linked if index < len(cells))
    text = _text_of(content)
    units = Utf16Map(text)
    for start, end, token, _ in rows:
        there = text[units.to_code_point(start) : units.to_code_point(end)] if start <= end <= units.units else ""
        if there != token:
            raise BundleFault(f"The token {token!r} is not at {start}-{end} of the text, which has {there!r} there")
    spans: dict[tuple[int, str, str], list[int]] = {}
    for number, (start, end, _, cells) in enumerate(rows):
        for index, cell in enumerate(cells[: len(columns)]):
            name = columns[index]
            for part, slot in _cell(cell) if name is not None else ():
                key = (index, part, slot or f"row {number}")
                begin, stop = spans.setdefault(key, [start, end])
                spans[key] = [min(begin, start), max(stop, end)]
    marks = []
    for (index, part, _), (start, end) in spans.items():
        if not start <= end <= units.units:
            raise BundleFault(f"The span {start}-{end} is not in the text")
        value = None if part == "*" else part
        marks.append(_Mark(units.to_code_point(start), units.to_code_point(end), columns[index] or "", value))
    valued = {(mark.start, mark.end) for mark in marks if mark.value is not None}
    return text, [mark for mark in marks if mark.value is not None or (mark.start, mark.end) not in valued], relations


def _cell(cell: str) -> Iterator[tuple[str, str]]:
    """Yield value and number of each annotation in a cell; annotations of one number are one span."""
    for part in re.split(r"(?<!\\)\|", cell):
        slot = _SLOT.search(part)
        value = part[: slot.start()] if slot else part
        if value != "_" and value:
            yield _unescaped(value), slot[1] if slot else ""


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda match: _ESCAPED.get(match[1], match[1]), text)


def _text_of(content: str) -> str:
    """Return the text: each sentence so that its first token is at its offset. The file lacks what is between them."""
    data = bytearray()
    sentence: list[str] = []
    for line in content.split("\n"):
        line = line.removesuffix("\r")  # noqa: PLW2901
        row = _ROW.match(line)
        if line.startswith("#Text="):
            sentence.append(_unescaped(line[6:]))
        elif sentence and row is not None:
            written, token = "\n".join(sentence), _unescaped(row[4].partition("\t")[0])
            start = 2 * int(row[2]) - len(written[: max(written.find(token), 0)].encode("utf-16-le", "surrogatepass"))
            if start > 4 * len(content) + _WIDEST_GAPS:
                raise BundleFault(f"The sentence at {row[2]} is too far from the text before it")
            del data[max(start, 0) :]
            data += " ".encode("utf-16-le") * ((start - len(data)) // 2)
            data += written.encode("utf-16-le", "surrogatepass")
            sentence = []
    return data.decode("utf-16-le", "replace")
