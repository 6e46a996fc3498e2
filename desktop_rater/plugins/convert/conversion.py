"""Parts of converters: results, duplicates, evidence, location of marked texts, and rows of tables."""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from desktop_rater.format.errors import BundleFault
from desktop_rater.format.jsonl import cells_of
from desktop_rater.format.rating import Evidence, Rating, Stance
from desktop_rater.format.rubric import Scope
from desktop_rater.format.safe_zip import Limits
from desktop_rater.format.strict_json import StrictJsonError, prepared_type, read_json_value
from desktop_rater.format.targets import MOST_CLOSE_WORK, RelocatedTarget, UnplacedTarget, target_at
from desktop_rater.format.task import Target
from desktop_rater.format.values import Answers
from desktop_rater.rubric import Rubric
from desktop_rater.rubric.compiled import CompiledQuestion
from desktop_rater.text.quotes import QuotePlace, find_similar_place, similarity_of
from desktop_rater.text.urls import find_links, page_key


class SeenRecords:
    """Records seen so far, by SHA-256, with their locations."""

    def __init__(self) -> None:
        self._places: dict[bytes, str] = {}

    def before(self, file: str, line: int, *texts: str) -> str:
        """Return the location of an earlier record with these texts, like "line 3 of val.jsonl"; "" for the first."""
        digest = hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).digest()
        place = f"line {line} of {file}"
        first_place = self._places.setdefault(digest, place)
        return "" if first_place is place else first_place


_ENDS = " \t\r\n.,;:…"


class TargetPlacer:
    """Locator of texts in the order of their occurrence.

    The search for a text begins after the previous one, so that repeated texts get their own places. A place further up
    is used only if there is none below and no other text has it. `lenient`: ignore case, white space and final full
    stops.
    """

    def __init__(self, text: str, response: str, *, lenient: bool = False) -> None:
        self.targets: list[Target] = []
        self.unplaced: list[UnplacedTarget] = []
        self.aligned: list[RelocatedTarget] = []
        self.text = text
        self._response = response
        self._find = locate_mark if lenient else _find
        self._end = 0
        self._used_places: list[QuotePlace] = []

    def next(self, id_: str, quote: str) -> Target | None:
        """Return the next text as a target, or `None` if it cannot be located."""
        quote = quote.strip()
        place = self._place(quote) if quote else None
        if place is None:
            why = "it is nowhere in the response, nor 95 % of it" if quote else "it is empty"
            self.unplaced.append(UnplacedTarget(target=id_, quote=quote, why=why))
            return None
        self._used_places.append(place)
        self._end = max(self._end, place.end)
        target = target_at(Target(id=id_, response=self._response), self.text, place)
        self.targets.append(target)
        if place.how == "close":
            self.aligned.append(
                RelocatedTarget(
                    target=id_, how=place.how, quote=quote, found=target.quote or "", similarity=place.similarity
                )
            )
        return target

    def at(self, id_: str, offsets: tuple[int, int] | None, quote: str | None) -> Target | None:
        """Return the text between two offsets as a target; if that is not the quote, the place of the quote."""
        marked = self.text[slice(*offsets)] if offsets is not None else ""
        if offsets is None or (quote is not None and quote.strip() != marked.strip()):
            if quote:
                return self.next(id_, quote)
            self.unplaced.append(UnplacedTarget(target=id_, quote="", why="its offsets are not in the response"))
            return None
        target = target_at(Target(id=id_, response=self._response), self.text, QuotePlace(*offsets, "offsets"))
        self.targets.append(target)
        return target

    def _place(self, quote: str) -> QuotePlace | None:
        place = self._find(self.text[self._end :], quote)
        if place is not None:
            return QuotePlace(place.start + self._end, place.end + self._end, place.how, place.similarity)
        place = self._find(self.text, quote)
        return None if place is None or any(_same_text(place, other) for other in self._used_places) else place


def unplaced_texts(unplaced: Iterable[UnplacedTarget]) -> list[dict[str, str]]:
    """Return the texts without a place as the `meta` of a task has them."""
    return [{"id": lost.target, "text": lost.quote} for lost in unplaced]


def locate_mark(text: str, quote: str) -> QuotePlace | None:
    """Locate a text marked by a person and written down with another case, spacing or full stop.

    Marks may overlap, so all places are free. Return the first exact occurrence, otherwise the first with only such
    differences, otherwise a close match.
    """
    start = text.find(quote)
    if start >= 0:
        return QuotePlace(start, start + len(quote), "exact")
    words = quote.strip(_ENDS).split()
    if words:
        match = re.search(r"\s+".join(map(re.escape, words)), text, re.IGNORECASE)
        if match:
            start, end = match.span()
            return QuotePlace(start, end, "close", similarity_of(quote, text[start:end]))
    return _find(text, quote)


def _same_text(first: QuotePlace, second: QuotePlace) -> bool:
    """Return whether either place covers at least half of the other. Neighbours may share a few words."""
    shared = min(first.end, second.end) - max(first.start, second.start)
    return 2 * shared >= min(first.end - first.start, second.end - second.start)


def _find(text: str, quote: str) -> QuotePlace | None:
    start = text.find(quote)
    if start >= 0:
        return QuotePlace(start, start + len(quote), "exact")
    return find_similar_place(text, quote, near=0) if len(text) * len(quote) <= MOST_CLOSE_WORK else None


S = TypeVar("S")


def to_struct(plain: Any, shape: type[S], where: str) -> S:
    """Convert to the struct; unknown keys are ignored. Raises `BundleFault` with `where`, the field and the reason."""
    try:
        return msgspec.convert(plain, prepared_type(shape))
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at ")
        field = path.strip("`").removeprefix("$").removeprefix(".")
        words = f"{message[:1].lower()}{message[1:]}"
        raise BundleFault(f"{where}: `{field}`: {words}" if field else f"{where}: {words}") from error


def nesting_depth(value: Any) -> int:
    """Return the nesting depth of lists and objects, plus one for the innermost value."""
    deepest = 0
    level = [value]
    while level:
        deepest += 1
        level = [
            part
            for container in level
            for part in (
                container.values() if isinstance(container, dict) else container if isinstance(container, list) else ()
            )
        ]
    return deepest


def put_member(plain: dict[str, Any], key: str, value: Any, line: int) -> None:
    """Add a member to an object. Raises `BundleFault` if it exists with another value."""
    if plain.setdefault(key, value) != value:
        raise BundleFault(f"line {line}: `{key}` occurs twice, with different values")


def parsed_json_text(value: Any) -> Any:
    """Parse a text that is a JSON list or object; return anything else, or beyond the limits, unchanged."""
    if not isinstance(value, str) or value.lstrip()[:1] not in {"[", "{"}:
        return value
    try:
        return read_json_value(value.encode())
    except (StrictJsonError, UnicodeEncodeError):
        return value


class ConvertedRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Task as plain JSON, with the rating in the source, and counts of what was changed or left out.

    `unplaced` is also in the task's `meta.unplaced`. `marks`: located texts of the source that are not targets, such as
    an expert's marks, which go to `meta.marks`. `surplus`: list entries without a partner in another list, left out.
    `merged`: pieces of evidence on a page that exists already, appended to its note. `called`: the kind of the
    `unplaced` texts. `cut`: texts that were already truncated in the source. `loose`: answers and suggestions use the
    names of the source, and count if they fit the bundle's rubric. `others`: ratings of further people. `counts`:
    further counts by name.
    """

    line: int
    task: dict[str, Any]
    rating: Rating | None = None
    others: tuple[Rating, ...] = ()
    called: str = "target"
    unplaced: tuple[UnplacedTarget, ...] = ()
    aligned: tuple[RelocatedTarget, ...] = ()
    marks: int = 0
    surplus: int = 0
    merged: int = 0
    cut: int = 0
    loose: bool = False
    counts: dict[str, int] = {}


class OmittedRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Record that does not become a task, since it has nothing to rate, and the reason."""

    line: int
    why: str
    name: str = ""
    counts: dict[str, int] = {}


def fit_to_rubric(converted: ConvertedRecord, rubric: Rubric) -> ConvertedRecord:
    """Keep the suggestions and answers that fit; drop ratings without any."""
    task = {key: value for key, value in converted.task.items() if key != "suggestions"}
    given_suggestions = converted.task.get("suggestions") or {}
    suggestions = _fitting(given_suggestions, rubric)
    if given_suggestions.get("claims"):
        suggestions["claims"] = given_suggestions["claims"]
    if suggestions:
        task["suggestions"] = suggestions
    ratings = [
        _fitting_rating(rating, rubric) for rating in (converted.rating, *converted.others) if rating is not None
    ]
    first, *others = [rating for rating in ratings if rating is not None] or [None]
    return replace(converted, task=task, rating=first, others=tuple(filter(None, others)))


def _fitting_rating(rating: Rating, rubric: Rubric) -> Rating | None:
    """Return the rating with the answers that fit; `None` if there are none."""
    given = rating.answers
    answers = _fitting({"task": given.task, "responses": given.responses, "targets": given.targets}, rubric)
    claims = {
        id_: tuple(replace(claim, answers=_fitting_answers(claim.answers, rubric, ("claim",))) for claim in group)
        for id_, group in rating.claims.items()
    }
    speaks = answers or any(claim.answers for group in claims.values() for claim in group)
    return replace(rating, rubric=rubric.ref, answers=Answers(**answers), claims=claims) if speaks else None


def _fitting(given: Mapping[str, Any], rubric: Rubric) -> dict[str, Any]:
    scopes: dict[str, tuple[Scope, ...]] = {"responses": ("response",), "targets": ("target", "claim")}
    fitting: dict[str, Any] = {"task": _fitting_answers(given.get("task", {}), rubric, ("task",))}
    for name, scopes_of_part in scopes.items():
        fitting[name] = {
            id_: fits
            for id_, answers in given.get(name, {}).items()
            if (fits := _fitting_answers(answers, rubric, scopes_of_part))
        }
    return {name: part for name, part in fitting.items() if part}


def _fitting_answers(answers: Mapping[str, Any], rubric: Rubric, scopes: tuple[Scope, ...]) -> dict[str, Any]:
    fitting = {}
    for name, value in answers.items():
        asking = rubric.questions.get(name)
        if asking is not None and asking.question.per in scopes:
            fitting_value = _value(asking, value)
            if fitting_value is not None:
                fitting[name] = fitting_value
    return fitting


def _value(asking: CompiledQuestion, value: Any) -> Any:
    """Return the value as offered: choices may be given by their labels, and a list of one as a single value."""
    ids = {choice.label: choice.id for choice in asking.question.choices}
    several = value if isinstance(value, list) else [value]
    named = [ids.get(part, part) if isinstance(part, str) else part for part in several]
    for candidate in (named, *named[: len(named) == 1]):
        if asking.domain.offers(candidate):
            return candidate
    return None


_LABEL = re.compile(r"(?:link|url|source|according to)\s*:\s*$", re.IGNORECASE)


class EvidenceCollector:
    """Evidence of one rating, from e1; a further passage of a page goes to the note of its evidence (`merged`)."""

    def __init__(self) -> None:
        self.merged = 0
        self._pieces: dict[tuple[str, str | None, Stance | None, str], Evidence] = {}

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        return tuple(self._pieces.values())

    def add(self, target: str, claim: str | None, stance: Stance | None, url: str, quote: str) -> None:
        """Add a page on a target or a claim of it, with a passage."""
        key = target, claim, stance, page_key(url) or url
        claims = (claim,) if claim is not None else ()
        piece = self._existing(key, Evidence(id="", target=target, claims=claims, stance=stance, url=url, quote=quote))
        if piece is None:
            return
        if not piece.quote:
            self._pieces[key] = replace(piece, quote=quote)
        elif quote and quote not in (piece.quote, *piece.note.split("\n\n")):
            self._pieces[key] = replace(piece, note=f"{piece.note}\n\n{quote}" if piece.note else quote)

    def add_to_response(self, response: str, stance: Stance | None, url: str, note: str) -> None:
        """Add a page named in a person's text on a response; the text becomes its note."""
        key = response, None, stance, page_key(url) or url
        piece = self._existing(key, Evidence(id="", response=response, stance=stance, url=url, note=note))
        if piece is not None and note not in piece.note.split("\n\n"):
            self._pieces[key] = replace(piece, note=f"{piece.note}\n\n{note}")

    def _existing(self, key: tuple[str, str | None, Stance | None, str], new: Evidence) -> Evidence | None:
        """Return the evidence on that page, which is then merged with the new one; `None` if that was added."""
        piece = self._pieces.get(key)
        if piece is None:
            self._pieces[key] = replace(new, id=f"e{len(self._pieces) + 1}")
        else:
            self.merged += 1
        return piece

    def add_text(self, target: str, claim: str | None, stance: Stance | None, text: str) -> None:
        """Add a person's text: its first link is the page, the rest the passage. Ignored without a link."""
        links = find_links(text)
        if links:
            before, _, after = text.partition(links[0])
            before = _LABEL.sub("", before.strip()).strip()
            self.add(target, claim, stance, links[0], "\n".join(part for part in (before, after.strip()) if part))


ANOTHER = "Nothing was written. Name another column in --columns."
DELIMITERS = (",", ";", "\t", "|")
_MOST_NAMES, _LONGEST = 30, 60
_DELIMITER_LINE = re.compile(rb"(?:\xef\xbb\xbf)?sep=([^\r\n])\r?\n", re.IGNORECASE)  # Excel's delimiter line


def rows_by_column(
    pieces: Iterable[bytes],
    delimiter: str | None,
    wanted: Iterable[str],
    limits: Limits,
    hint: str = ANOTHER,
    on_fault: Callable[[int, str], None] | None = None,
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows as column → cell, each with the number of the line where it begins.

    The first row names the columns. Without a delimiter the one is used with which all `wanted` columns exist,
    otherwise the one with the most columns. Empty cells after the last named column are ignored. Raises
    `BundleFault`, naming the line; `hint` is used if a column is missing. Rows with a wrong number of cells go to
    `on_fault` if it is given.
    """
    rest = iter(pieces)
    start = next(rest, b"")
    declared = _DELIMITER_LINE.match(start)
    if delimiter is None:
        delimiter = declared[1].decode("latin-1") if declared else _detect_delimiter(start, set(wanted), limits)
    rows = cells_of(chain([start], rest), delimiter, limits)
    if declared:
        next(rows, None)
    line, names = next(rows, (1, []))
    names = _named_columns(line, names)
    missing = sorted(set(wanted) - set(names))
    if missing:
        raise BundleFault(
            f"line {line}: no column is called {quote_names(missing)}; there are {quote_names(names)}", hint
        )
    for number, cells in rows:
        if len(cells) < len(names) or any(cells[len(names) :]):
            only = "only" if len(cells) < len(names) else "it has"
            why = f"{only} {len(cells):,} cells instead of {len(names):,}"
            if on_fault is None:
                raise BundleFault(f"line {number}: {why}")
            on_fault(number, why)
        elif any(cells):
            yield number, dict(zip(names, cells, strict=False))


def columns_in(pieces: Iterable[bytes], delimiter: str | None, limits: Limits) -> list[str]:
    """Return the names of the columns. Raises `BundleFault`."""
    start = next(iter(pieces), b"")
    declared = _DELIMITER_LINE.match(start)
    if delimiter is None:
        delimiter = declared[1].decode("latin-1") if declared else _detect_delimiter(start, set(), limits)
    rows = cells_of([start], delimiter, limits)
    if declared:
        next(rows, None)
    return _named_columns(*next(rows, (1, [])))


def quote_names(names: Iterable[str]) -> str:
    """Quote names for a message: the first of them, shortened if long."""
    names = list(names)
    more = len(names) - _MOST_NAMES
    text = ", ".join(f'"{name[:_LONGEST]}"' for name in names[:_MOST_NAMES])
    return f"{text} and {more:,} more" if more > 0 else text


def _detect_delimiter(start: bytes, wanted: set[str], limits: Limits) -> str:
    names: dict[str, list[str]] = {delimiter: [] for delimiter in DELIMITERS}
    for delimiter in DELIMITERS:
        with suppress(BundleFault):  # it may be a row with another delimiter
            names[delimiter] = next(cells_of([start], delimiter, limits), (1, []))[1]
    return max(DELIMITERS, key=lambda delimiter: (wanted <= set(names[delimiter]), len(names[delimiter])))


def _named_columns(line: int, names: list[str]) -> list[str]:
    while names and not names[-1].strip():
        names = names[:-1]
    if not names:
        raise BundleFault(f"line {line}: it names no columns")
    names = [name if name.strip() else f"column {number}" for number, name in enumerate(names, 1)]
    repeated = next((name for index, name in enumerate(names) if name in names[:index]), None)
    if repeated is not None:
        raise BundleFault(f'line {line}: two columns are named "{repeated[:_LONGEST]}"')
    return names
