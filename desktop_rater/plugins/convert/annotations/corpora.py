"""Read the spans of annotated corpora: exports of INCEpTION, BRAT's standoff files, and CoNLL files."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from desktop_rater.format.errors import BundleFault
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
from desktop_rater.plugins.convert.maps.record_map import RatingMap
from desktop_rater.plugins.convert.source import SourceRecords, open_text
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


def _text_of_file(path: Path) -> str:
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
            lines = _text_of_file(path).split("\n")
            text, answers = _brat(_text_of_file(beside), lines, path.name, source)
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
            documents = list(_documents(_text_of_file(path)))
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
