"""Read the spans of annotated corpora: BRAT's standoff files, and CoNLL files with a token and its labels per line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from desktop_rater.format.bundle_errors import BundleFault
from desktop_rater.format.safe_zip import LIMITS
from desktop_rater.format.strict_json import BOM
from desktop_rater.plugins.convert.annotations.annotation import (
    SourceAnnotation,
    SourceAnswer,
    SourceFile,
    SourcePlace,
    SourceRatings,
    shortened,
)
from desktop_rater.plugins.convert.annotations.inception import decoded_text
from desktop_rater.plugins.convert.maps.record_map import RatingMap
from desktop_rater.plugins.convert.source import SourceRecords, open_text

BRAT, CONLL = "brat", "conll"
DOCSTART = "-DOCSTART-"

_SPAN = re.compile(r"(T\S*)\t(\S+) ([0-9]{1,15} [0-9]{1,15}(?:;[0-9]{1,15} [0-9]{1,15})*)\t(.*)")
_ATTRIBUTE = re.compile(r"[AM]\S*\t(\S+) (\S+)(?: (.*))?")
_NOTE = re.compile(r"#\S*\t\S+ \S+\t?(.*)")
_ANY_SPACE = re.compile(r"\s")
_DOCUMENT = re.compile(rf"{DOCSTART}(?:\s*\((?P<name>.*)\))?.*|#\s*(?:newdoc(?: id)?|id)\s*=\s*(?P<id>.+)")
_TEXT = re.compile(r"#\s*text\s*=\s?(.*)")
_TXT = ".txt"
_NO_LABEL = ("O", "_", "*", "")
_Token = tuple[int, list[str]]  # line and cells
_FIRST, _LAST = ("B", "S", "U"), ("E", "L", "S", "U")
_INSIDE = "I"


def _text_of(path: Path) -> str:
    """Return the text of a file with its own line ends. Raises `BundleFault`."""
    with open_text(path, LIMITS) as file:
        return decoded_text(file.read().removeprefix(BOM))


def read_brat(records: SourceRecords, files: Iterable[SourceFile]) -> SourceRatings:
    """Return the spans of `.ann` files, in a folder for each annotator, each with its text in a `.txt` beside it."""
    source = SourceRatings(BRAT)
    records.on_fault = source.leave_out(records) if records.several else None
    for about, path in zip(files, records.files(), strict=True):
        document = about.rater if about.rater != about.document else path.stem
        with records.record(1):
            beside = path.with_suffix(_TXT)
            if not beside.is_file():
                raise BundleFault(f"Its text is missing: {beside.name} is not beside it")
            lines = _text_of(path).split("\n")
            text, answers = _brat(_text_of(beside), lines, path.name, source)
            notes = [note[1].strip() for line in lines if (note := _NOTE.match(line))]
            plain = {"id": document, "prompt": {"text": ""}, "responses": [{"id": "a", "text": text}]}
            if source.add_task(path.name, document, (document, f"{document}{_TXT}"), plain):
                own = SourceAnnotation(
                    where=path.name,
                    task=document,
                    rater=about.document,
                    answers=answers,
                    marked=True,
                    note="\n".join(notes),
                )
                source.add(own)
    return source


def _brat(text: str, lines: list[str], where: str, source: SourceRatings) -> tuple[str, tuple[SourceAnswer, ...]]:
    """Return the text with the line ends that its offsets count, and the labels and attributes of its spans."""
    spans = {number: span for number, line in enumerate(lines, 1) if (span := _SPAN.match(line.removesuffix("\r")))}
    texts = (text, text.replace("\r\n", "\n"))
    text = max(texts, key=lambda part: sum(_at(part, span) == _plain(span[4]) for span in spans.values()))
    places: dict[str, list[SourcePlace]] = {}
    answers = []
    for number, span in spans.items():
        if _at(text, span) != _plain(span[4]):
            there = f"{span[1]} is {shortened(span[4])!r}, but the text has {shortened(_at(text, span))!r} there"
            source.losses.add("unknown_place", f"{where}, line {number}: {there}")
            continue
        ranges = _ranges(span)
        places[span[1]] = [SourcePlace(start=start, end=end, quote=text[start:end]) for start, end in ranges]
        answers += [SourceAnswer(place, "", span[2]) for place in places[span[1]]]
    for number, line in enumerate(lines, 1):
        attribute = _ATTRIBUTE.match(line.removesuffix("\r"))
        if attribute is not None and attribute[2] in places:
            name, value = ("", attribute[1]) if attribute[3] is None else (attribute[1], attribute[3])
            answers += [SourceAnswer(place, name, value) for place in places[attribute[2]]]
        elif line.strip() and number not in spans and line[:1] != "#":
            source.losses.add("relation" if line[:1] in "RE*" else "other", f"{where}, line {number}")
    return text, tuple(answers)


def _ranges(span: re.Match[str]) -> list[tuple[int, int]]:
    pairs = [part.split() for part in span[3].split(";")]
    return [(int(start), int(end)) for start, end in pairs]


def _at(text: str, span: re.Match[str]) -> str:
    return " ".join(_plain(text[start:end]) for start, end in _ranges(span))


def _plain(text: str) -> str:
    return _ANY_SPACE.sub(" ", text)


def read_conll(records: SourceRecords, files: Iterable[SourceFile], ratings: RatingMap | None) -> SourceRatings:
    """Return the spans of files of one annotator each. Columns are counted from 1; by default the last has the labels.

    `ratings` has the column of labels as `value`, or those of questions in `values`.
    """
    source = SourceRatings(CONLL)
    records.on_fault = source.leave_out(records)
    given = ratings or RatingMap()
    columns = given.values or {"": given.value or "0"}
    for about, path in zip(files, records.files(), strict=True):
        with records.translate_errors():
            documents = list(_documents(_text_of(path)))
        for number, (name, sentences) in enumerate(documents, 1):
            only = len(documents) == 1
            key = about.document if only else f"{about.document}-{number}"
            names = dict.fromkeys(filter(None, (name, key, Path(key).stem if only else "")))
            first = sentences[0][1][0][0]
            with records.record(first):
                text, places = _placed(sentences)
                plain = {"id": name or key, "prompt": {"text": ""}, "responses": [{"id": "a", "text": text}]}
                marks = [mark for question, column in columns.items() for mark in _marks(places, question, column)]
                where = f"{path.name}, line {first}"
                if source.add_task(where, key, tuple(names), plain):
                    own = SourceAnnotation(where=where, task=key, rater=about.rater, answers=tuple(marks), marked=True)
                    source.add(own)
    return source


def _documents(content: str) -> Iterator[tuple[str, list[tuple[str, list[_Token]]]]]:
    """Yield the name of each document, and its sentences: their texts, if the file has them, and tokens."""
    name, sentences = "", [("", list[_Token]())]
    for number, line in enumerate([*content.split("\n"), DOCSTART], 1):
        start, text = _DOCUMENT.fullmatch(line.strip()), _TEXT.fullmatch(line.removesuffix("\r"))
        if start is not None:
            if tokens := [sentence for sentence in sentences if sentence[1]]:
                yield name, tokens
            name, sentences = (start["name"] or start["id"] or "").strip(), [("", [])]
        elif text is not None:
            sentences.append((text[1], []))
        elif not line.strip():
            sentences.append(("", []))
        elif len(cells := line.removesuffix("\r").split("\t" if "\t" in line else None)) > 1:
            sentences[-1][1].append((number, cells))


def _placed(sentences: list[tuple[str, list[_Token]]]) -> tuple[str, list[list[tuple[_Token, int, int]]]]:
    """Return the text of a document, and its tokens with their offsets in it. Raises `BundleFault` if one has none."""
    rows = [cells for _, part in sentences for _, cells in part]
    form = int(all(cells[0].isdigit() for cells in rows) and len(rows[0]) > 2)  # after a column of numbers
    text, places = "", []
    for given, part in sentences:
        end = len(text) + bool(text)
        text += ("\n" if text else "") + (given or " ".join(cells[form] for _, cells in part))
        places.append([])
        for token in part:
            word = token[1][form]
            start = text.find(word, end)
            if start < 0 or text[end:start].strip():
                raise BundleFault(f"line {token[0]}: the token {word!r} is not in the text {shortened(text[end:])!r}")
            end = start + len(word)
            places[-1].append((token, start, end))
    return text, places


def _marks(sentences: list[list[tuple[_Token, int, int]]], question: str, column: str) -> Iterator[SourceAnswer]:
    """Yield the spans of a column of labels in any variant of BIO, or of bare labels. Raises `BundleFault`."""
    index = int(column) - 1 if column.isdecimal() else -2
    for sentence in sentences:
        spans: list[tuple[str, int, int]] = []
        open_label: str | None = None
        for (line, cells), start, end in sentence:
            if not -2 < index < len(cells):
                raise BundleFault(f"line {line}: it has {len(cells)} columns, but no column {column}")
            sign, label = _label(cells[index])
            if label is not None and label == open_label and sign not in _FIRST:
                spans[-1] = (label, spans[-1][1], end)
            elif label is not None:
                spans.append((label, start, end))
            open_label = None if sign in _LAST else label
        for label, start, end in spans:
            yield SourceAnswer(SourcePlace(start=start, end=end), question, label or None)


def _label(cell: str) -> tuple[str, str | None]:
    """Return the sign and the label in a cell: `None` outside of spans, "" for a span without a label."""
    sign, dash, label = cell.partition("-")
    if cell in _NO_LABEL:
        return "O", None
    return (sign, label) if sign in (*_FIRST, *_LAST, _INSIDE) and (dash or not label) else (_INSIDE, cell)
