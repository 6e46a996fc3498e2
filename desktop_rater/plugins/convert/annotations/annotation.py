"""Annotations of people in other tools, by task and rater, and counts of what could not be taken."""

import re
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import msgspec

from desktop_rater.files import temporary_folder
from desktop_rater.format.errors import BundleFault, bundle_errors
from desktop_rater.format.opened_files import SYSTEM_NAMES, ZIPS
from desktop_rater.format.safe_zip import LIMITS, SafeZip
from desktop_rater.format.values import MAX_SECONDS, format_time
from desktop_rater.plugins.convert.maps.record_map import label_text
from desktop_rater.plugins.convert.source import SourceRecords
from desktop_rater.text.untrusted import normalised_name

_EXAMPLES = 5
_DAYS_FIRST = 10**11  # seconds since 1970 are below it for 3,000 years, milliseconds above it since 1973
_OFFSET = re.compile(r"[0-9]{1,15}")
_STARTS, _ENDS = ("start", "begin", "start_offset"), ("end", "stop", "end_offset")
_NUMBER = re.compile(r"[0-9]{9,17}(?:\.[0-9]+)?")
_SHORTENED = 80


class SourceRecord(NamedTuple):
    """Record of a file: `number` counts those of all files, `rater` is the one that the file's name may name."""

    where: str
    line: int
    number: int
    plain: dict[str, Any]
    rater: str


class SourcePlace(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Place as a source names it: by the id of a target or response, or by offsets in a response.

    `response` is an id or a number; by default the only response. Nothing at all: the place that the question implies.
    """

    name: str = ""
    response: str = ""
    start: int | None = None
    end: int | None = None
    quote: str = ""


class SourceAnswer(msgspec.Struct, frozen=True):
    """Answer to a question at a place; `question` is "" for a label that no question is named for."""

    place: SourcePlace
    question: str
    value: Any


class SourceClaim(msgspec.Struct, frozen=True, kw_only=True):
    """Claim of a target, with its spans in the response; `key` is what evidence refers to."""

    key: str
    target: SourcePlace
    text: str
    spans: tuple[SourcePlace, ...] = ()
    answers: dict[str, Any] = {}


class SourceEvidence(msgspec.Struct, frozen=True):
    """Evidence at a place, or for a claim; `plain` has the fields of evidence."""

    place: SourcePlace
    plain: dict[str, Any]
    claim: str = ""


class SourceAnnotation(msgspec.Struct, frozen=True, kw_only=True):
    """Answers of one rater about one task, `task` being the key of a `SourceTask`.

    `whole`: it replaces what the rater answered before; otherwise it adds to it. `marked`: the rater marked spans, so
    that what is not marked was left unmarked. `changed` is a time of the formats, or "". `more`: further fields of a
    rating as plain JSON.
    """

    where: str
    task: str
    rater: str
    answers: tuple[SourceAnswer, ...] = ()
    claims: tuple[SourceClaim, ...] = ()
    evidence: tuple[SourceEvidence, ...] = ()
    whole: bool = True
    marked: bool = False
    changed: str = ""
    seconds: float = 0
    note: str = ""
    skipped: str | None = None
    more: dict[str, Any] = {}


class SourceTask(msgspec.Struct, kw_only=True):
    """Task as a source has it. `names`: ids that it may have in a bundle. `texts`: those of its responses.

    `plain` is the task itself, if the source holds its texts.
    """

    names: tuple[str, ...]
    texts: tuple[str, ...] = ()
    plain: dict[str, Any] | None = None


REASONS = {
    "file": "files of a folder that hold no records",
    "record": "records that can't be read",
    "no_rater": "annotations without a rater",
    "no_task": "annotations without a task",
    "unknown_task": "annotations of tasks that the bundle does not have",
    "unknown_question": "answers to questions that the rubric does not have",
    "unknown_label": "labels that are no answer to a question of the rubric",
    "unknown_place": "answers about places that the task does not have",
    "wrong_value": "answers that their question does not offer",
    "not_asked": "answers to questions that the rubric does not ask there",
    "repeated": "answers given again by the same rater at the same time; the last counts",
    "response": "responses without a value, which the new bundle does not have",
    "column": "columns that differ between the raters of a task, which the new bundle does not have",
    "prediction": "predictions of models, which are no ratings",
    "relation": "relations between spans",
    "other": "results of a kind that has no answer",
    "unreadable_time": "times that can't be read",
    "number": "numbers that JSON does not have, or that are too large",
    "empty": "annotations without an answer that could be taken",
}
"""Kind of loss → what was not taken."""


class ImportLosses:
    """Counts of what was not taken, by kind, each with the first examples."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.examples: dict[str, list[str]] = {}

    def add(self, kind: str, example: str, count: int = 1) -> None:
        if not count:
            return
        self.counts[kind] += count
        examples = self.examples.setdefault(kind, [])
        text = example if len(example) <= 3 * _SHORTENED else f"{example[: 3 * _SHORTENED]}…"
        if len(examples) < _EXAMPLES and text not in examples:
            examples.append(text)

    def plain(self) -> dict[str, dict[str, Any]]:
        """Return kind → count, reason and examples, in the order of `REASONS`."""
        return {
            kind: {"count": self.counts[kind], "why": REASONS[kind], "examples": self.examples[kind]}
            for kind in REASONS
            if self.counts[kind]
        }


class SourceRatings:
    """Tasks and annotations of some files, in their order; `losses` counts what a reader could not use.

    `file`: name of the first file.
    """

    def __init__(self, tool: str) -> None:
        self.tool = tool
        self.file = ""
        self.tasks: dict[str, SourceTask] = {}
        self.annotations: list[SourceAnnotation] = []
        self.losses = ImportLosses()
        self.varying: set[str] = set()

    def add_task(self, where: str, key: str, names: tuple[str, ...], plain: dict[str, Any] | None = None) -> bool:
        """Add a task, unless it is there; texts that a later record has are added.

        Return whether the record is of that task: another one of the same id is counted, and not taken. What `meta`
        says otherwise than before belongs to the raters, so that no task of a new bundle has it.
        """
        task = self.tasks.setdefault(key, SourceTask(names=names))
        texts = () if plain is None else tuple(response["text"] for response in plain["responses"])
        if plain is None or (task.plain is not None and not any(texts)):
            return True
        if task.plain is None or not any(task.texts):
            task.plain, task.texts = plain, texts
        if task.texts != texts:
            self.losses.add("record", f"{where}: another text has the id {shortened(names[0])}")
            return False
        before, now = (given.get("meta") or {} for given in (task.plain, plain))
        self.varying.update(name for name in {**before, **now} if before.get(name) != now.get(name))
        return True

    def drop_varying(self) -> None:
        """Take what differs within a task out of all tasks, and count it."""
        for task in self.tasks.values():
            if task.plain is not None and "meta" in task.plain:
                meta = {name: value for name, value in task.plain["meta"].items() if name not in self.varying}
                task.plain = {**task.plain, "meta": meta}
        for name in sorted(self.varying):
            self.losses.add("column", shortened(name))

    def leave_out(self, records: SourceRecords) -> Callable[[int, str], None]:
        """Return a function that counts a wrong record of files with its place and the reason, and leaves it out."""
        return lambda line, why: self.losses.add("record", f"{records.path.name}, line {line}: {why.lstrip(', ')}")

    def add(self, annotation: SourceAnnotation) -> None:
        """Add an annotation if it has a task and a rater."""
        rater = normalised_name(annotation.rater)
        if not rater or not annotation.task:
            self.losses.add("no_task" if rater else "no_rater", annotation.where)
            return
        self.annotations.append(msgspec.structs.replace(annotation, rater=rater))

    def time(self, value: Any, where: str) -> str:
        """Return a time of the formats: of ISO 8601, or of seconds or milliseconds since 1970. "" if there is none.

        A time without a zone counts as UTC.
        """
        if value in (None, ""):
            return ""
        try:
            if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
                value = float(value)
            if isinstance(value, int | float) and not isinstance(value, bool):
                moment = datetime.fromtimestamp(value / 1000 if value >= _DAYS_FIRST else value, UTC)
            else:
                moment = datetime.fromisoformat(str(value).strip())
            return format_time(moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC))
        except (ValueError, OverflowError, OSError):
            self.losses.add("unreadable_time", f"{where}: {shortened(value)}")
            return ""


def source_seconds(value: Any) -> float:
    """Return seconds of a number, or a text of one; 0 for anything else."""
    try:
        seconds = float(value)
    except (TypeError, ValueError):
        return 0
    return round(seconds, 3) if 0 <= seconds <= MAX_SECONDS else 0


def shortened(value: Any) -> str:
    """Return a value as text for an example."""
    text = label_text(value)
    return text if len(text) <= _SHORTENED else f"{text[:_SHORTENED]}…"


def objects_in(value: Any) -> list[dict[str, Any]]:
    """Return the objects of a list; anything else has none."""
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []


def as_object(value: Any) -> dict[str, Any]:
    """Return an object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """Return a list; an empty one for anything else."""
    return value if isinstance(value, list) else []


def span_answers(marks: list[Any], question: str = "", response: str = "") -> list[SourceAnswer]:
    """Return the labels of spans as answers; "" if no question is named for them."""
    return [SourceAnswer(mark_place(mark, response), question, mark_label(mark)) for mark in marks]


def mark_place(mark: Any, response: str = "") -> SourcePlace:
    """Return the place of a span: an object with offsets, or a list that begins with two."""
    if isinstance(mark, list):
        start, end = (*mark, None, None)[:2]
        return SourcePlace(response=response, start=_offset(start), end=_offset(end))
    plain = mark if isinstance(mark, dict) else {}
    start, end = (next((plain[key] for key in keys if key in plain), None) for keys in (_STARTS, _ENDS))
    quote = next((plain[key] for key in ("text", "quote") if isinstance(plain.get(key), str)), "")
    return SourcePlace(response=response, start=_offset(start), end=_offset(end), quote=quote)


def mark_label(mark: Any) -> Any:
    """Return the label of a span; `None` if it has none."""
    if isinstance(mark, list):
        return next(iter(mark[2:]), None)
    plain = mark if isinstance(mark, dict) else {}
    return next((plain[key] for key in ("label", "labels", "name", "value") if plain.get(key)), None)


def _offset(value: Any) -> int:
    """Return an offset, also of a text or a float; -1, which is in no text, if it is none."""
    if isinstance(value, str):
        return int(value) if _OFFSET.fullmatch(value.strip()) else -1
    whole = isinstance(value, int | float) and not isinstance(value, bool) and value == int(value)
    return int(value) if whole else -1


HINT = "Nothing was imported."

ANN = ".ann"
"""Suffix of BRAT's files of spans; their text is beside them."""
CONLL_SUFFIXES = (".conll", ".iob", ".iob2", ".bio")
_TEXTS = (".json", ".jsonl", ".ndjson", ".tsv", ".csv", ANN, *CONLL_SUFFIXES)
_RECORDS = (*_TEXTS, ".parquet", *ZIPS)
_NOT_RATERS = ("all", "admin", "annotated_instances", "user_state", "initial_cas", "annotations")
_ANNOTATION = "annotation"  # the folder of an INCEpTION project with what people marked
_MOST_NESTED = 2
_NOT_IN_A_NAME = re.compile(r"[^\w.-]")
_LONGEST_NAME = 60


class SourceFile(NamedTuple):
    """File with the names in its path, `document/rater.json`, which some tools have only there."""

    path: Path
    document: str
    rater: str


@contextmanager
def source_files(paths: Sequence[Path]) -> Generator[tuple[list[SourceFile], list[str]]]:
    """Yield the files, and the names of others in folders; zips are unpacked for that time. Raises `BundleError`."""
    unpacked: Counter[Path] = Counter()
    with temporary_folder() as folder:
        sources: list[SourceFile] = []
        others: list[str] = []
        for path in paths:
            entries = sorted(path.rglob("*")) if path.is_dir() else [path]
            for entry in entries:
                if entry == path or (entry.is_file() and entry.suffix.lower() in _RECORDS):
                    name = PurePosixPath(path.absolute().parent.name, entry.relative_to(path.parent).as_posix())
                    sources += _sources(entry, name, Path(folder) / f"{len(sources)}", unpacked)
                elif (
                    entry.is_file()
                    and not entry.name.startswith(".")
                    and entry.name not in SYSTEM_NAMES
                    and not entry.with_suffix(ANN).is_file()
                ):
                    others.append(str(entry.relative_to(path)))
        yield sources, others


def _sources(
    path: Path, name: PurePosixPath, folder: Path, unpacked: Counter[Path], depth: int = 0
) -> list[SourceFile]:
    with bundle_errors(path, "read", HINT):
        with path.open("rb") as file:
            packed = file.read(4) == b"PK\3\4" and name.suffix.lower() != ".xlsx" and depth < _MOST_NESTED
        if not packed:
            return [_named(path, name)]
        folder.mkdir()
        sources = []
        with SafeZip(path, (r"[^\0]*",), LIMITS, HINT) as archive:
            entries = [entry for entry in archive.names if entry.lower().endswith((*_TEXTS, *ZIPS))]
            annotated = [entry for entry in entries if PurePosixPath(entry).parts[0] == _ANNOTATION]
            for number, entry in enumerate(annotated or entries):
                inner = folder / f"{number}" / _NOT_IN_A_NAME.sub("_", PurePosixPath(entry).name)[-_LONGEST_NAME:]
                inner.parent.mkdir()
                unpacked[inner] = inner.write_bytes(archive.read(entry))
                beside = f"{entry.removesuffix(ANN)}.txt"
                if entry.endswith(ANN) and beside in archive.names:
                    unpacked[inner] += inner.with_suffix(".txt").write_bytes(archive.read(beside))
                if depth and unpacked.total() > LIMITS.inflated_bytes:
                    raise BundleFault(f"Its zips together hold more than {LIMITS.inflated_bytes:,} bytes")
                sources += _sources(
                    inner, name.parent / PurePosixPath(entry), folder / f"{number}-in", unpacked, depth + 1
                )
        return sources


def _named(path: Path, name: PurePosixPath) -> SourceFile:
    parents = [part for part in name.parent.parts if part != _ANNOTATION]
    document = parents[-1] if parents else name.stem
    return SourceFile(path, document, name.stem if name.stem.lower() not in _NOT_RATERS else document)
