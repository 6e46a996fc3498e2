"""Comparison of two texts sentence by sentence, and of a response with the output of tools."""

import json
import re
import unicodedata
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import islice
from typing import Any, Literal

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel

from desktop_rater.text.sentences import split_sentences
from desktop_rater.text.urls import LINK_ENDS, find_links, page_key

Span = tuple[int, int]
SentenceKind = Literal["same", "similar", "only"]

MAX_COMPARED_CHARACTERS = 60_000  # of each text; the rest is not compared
MAX_SENTENCE_LETTERS = 1_000  # of a sentence, when computing similarity
MAX_SENTENCE_WORDS = 600  # of a sentence whose words are compared
MAX_SENTENCE_PAIRS = 40_000
MIN_SENTENCE_SIMILARITY = 55.0
# Words with their accents and vowel signs, whole numbers such as 09:40 and 1,200.50; scripts without blanks letter by
# letter; every other character by itself, except the marks of Markdown.
_LETTER = r"[\w\u0300-\u036f\u0900-\u0dff]"
_WORD = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
    rf"|{_LETTER}+(?:[.,:'\u2019/-]{_LETTER}+)*|[^\w\s*`#]"
)
_MARKS = re.compile(r"[*`]+|^[#_]+|_+$")


@dataclass(frozen=True)
class ComparedSentence:
    """A sentence. `span` and `words` (the differing ones) are code points; `partner` is its index in the other text."""

    span: Span
    kind: SentenceKind
    words: tuple[Span, ...] = ()
    partner: int | None = None


@dataclass(frozen=True)
class SentenceComparison:
    """The sentences of both texts, each in order."""

    first: tuple[ComparedSentence, ...]
    second: tuple[ComparedSentence, ...]
    whole: bool  # whether both texts were compared to their ends


def compare_sentences(
    first: str, second: str, *, lang: str = "en", markdown: tuple[bool, bool] = (False, False)
) -> SentenceComparison:
    """Classify the sentences of two texts as same, similar or only in one."""
    cuts = [
        split_sentences(text[:MAX_COMPARED_CHARACTERS], lang, markdown[index])
        for index, text in enumerate((first, second))
    ]
    left = [_plain(first[start:end]) for start, end in cuts[0]]
    right = [_plain(second[start:end]) for start, end in cuts[1]]
    same = dict(_same(left, right))
    similar = _similar(left, right, same)
    reversed_pairs = {b: a for a, b in same.items()}, {b: a for a, b in similar.items()}
    return SentenceComparison(
        tuple(_sentences((first, second), cuts, same, similar)),
        tuple(_sentences((second, first), (cuts[1], cuts[0]), *reversed_pairs)),
        whole=max(len(first), len(second)) <= MAX_COMPARED_CHARACTERS,
    )


def match_sentences(first: Sequence[str], second: Sequence[str]) -> dict[int, int]:
    """Return the partner of each sentence that is the same or similar in the other text, by their indices."""
    left, right = [_plain(sentence) for sentence in first], [_plain(sentence) for sentence in second]
    same = dict(_same(left, right))
    return {**same, **_similar(left, right, same)}


def _plain(sentence: str) -> str:
    """Remove irrelevant differences: composition of letters, amount of white space, marks of Markdown."""
    return " ".join(_MARKS.sub("", unicodedata.normalize("NFC", sentence)).split())


def _same(left: Sequence[str], right: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield pairs of equal sentences; repeated ones are paired in order."""
    positions: dict[str, deque[int]] = defaultdict(deque)
    for index, sentence in enumerate(right):
        positions[sentence].append(index)
    for index, sentence in enumerate(left):
        if positions.get(sentence):
            yield index, positions[sentence].popleft()


def _similar(left: Sequence[str], right: Sequence[str], same: dict[int, int]) -> dict[int, int]:
    """Return pairs of similar sentences, chosen by similarity; each sentence is in one pair at most."""
    used_right = set(same.values())
    left_rows = [row for row in range(len(left)) if row not in same]
    right_rows = [row for row in range(len(right)) if row not in used_right]
    candidates: list[tuple[float, int, int, int]] = []
    for row, other in _candidates(left_rows, right_rows):
        a, b = left[row][:MAX_SENTENCE_LETTERS], right[other][:MAX_SENTENCE_LETTERS]
        alike = fuzz.ratio(a, b, score_cutoff=MIN_SENTENCE_SIMILARITY)
        if alike:
            candidates.append((-alike, abs(row - other), row, other))
    pairs: dict[int, int] = {}
    used: set[int] = set()
    # Of equally good pairs the nearer, then the one nearer to the start: symmetric in both texts.
    for _alike, _far, row, other in sorted(
        candidates, key=lambda candidate: (candidate[0], candidate[1], candidate[2] + candidate[3], min(candidate[2:]))
    ):
        if row not in pairs and other not in used:
            pairs[row] = other
            used.add(other)
    return pairs


def _candidates(left_rows: Sequence[int], right_rows: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield every sentence with every other; if those are too many, only those at a similar position."""
    if len(left_rows) * len(right_rows) <= MAX_SENTENCE_PAIRS:
        yield from ((row_left, other) for row_left in left_rows for other in right_rows)
        return
    reach = max(1, MAX_SENTENCE_PAIRS // (2 * max(len(left_rows), len(right_rows))))
    for row, row_left in enumerate(left_rows):
        middle = row * len(right_rows) // len(left_rows)
        yield from ((row_left, other) for other in right_rows[max(0, middle - reach) : middle + reach])


def _sentences(
    texts: tuple[str, str], cuts: Sequence[Sequence[Span]], same: dict[int, int], similar: dict[int, int]
) -> Iterator[ComparedSentence]:
    for index, span in enumerate(cuts[0]):
        if index in same:
            yield ComparedSentence(span, "same", partner=same[index])
        elif index in similar:
            other = cuts[1][similar[index]]
            yield ComparedSentence(
                span, "similar", tuple(differing_words(texts[0], span, texts[1], other)), similar[index]
            )
        else:
            yield ComparedSentence(span, "only")


def differing_words(text: str, span: Span, other: str, other_span: Span) -> Iterator[Span]:
    """Yield the spans of a sentence's words that its partner does not have in their place."""
    mine = [match.span() for match in _WORD.finditer(text, *span)]
    theirs = [unicodedata.normalize("NFC", match.group()) for match in _WORD.finditer(other, *other_span)]
    if max(len(mine), len(theirs)) > MAX_SENTENCE_WORDS:
        yield span
        return
    words = [unicodedata.normalize("NFC", text[start:end]) for start, end in mine]
    for step in Indel.opcodes(words, theirs):
        if step.tag in ("delete", "replace"):
            yield mine[step.src_start][0], mine[step.src_end - 1][1]


MIN_CLAIM_SIMILARITY = 90.0
_NEGATION = re.compile(
    r"not|no|nor|never|none|neither|without|cannot|\w+n[’']t|nicht|nie|kein\w*|ohne|ne|pas|sans|sin|nunca|non|mai"
)


def is_nearly_same(claim: str, other: str) -> bool:
    """Return whether two claims have nearly the same words, and the same numbers, names and negations in their order.

    A capitalised word counts as a name, as does each word of a script without capitals.
    """
    first, second = _plain(claim), _plain(other)
    alike = fuzz.ratio(first.casefold(), second.casefold(), score_cutoff=MIN_CLAIM_SIMILARITY)
    return alike > 0 and [*filter(_is_decisive, _WORD.findall(first))] == [*filter(_is_decisive, _WORD.findall(second))]


def _is_decisive(word: str) -> bool:
    small = word.lower()
    names_something = word != small or (small == word.upper() and any(map(str.isalnum, word)))
    return (names_something and small not in _OPENING_WORDS) or bool(_NEGATION.fullmatch(small))


ValueKind = Literal["link", "price", "date", "time", "number", "name"]
Finding = Literal["found", "differs", "absent"]
Key = tuple[Any, ...]

MAX_CHARACTERS = 60_000  # of the response, and of the texts of the output
MAX_LEAVES = 20_000  # values of the output
MAX_VALUES = 2_000  # of the response
MAX_ENTRIES, MAX_NAMES = 300, 8  # entries of the output that a sentence may name, and names of each
MIN_NAME_LENGTH, MAX_NAME_LENGTH = 4, 80  # of a text that names an entry of the output
MAX_NUMBER = 10**15
MIN_COUNTED_NUMBER = 10  # smaller whole numbers are mostly counts
CURRENCIES = {"$": "USD", "US$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR"}
PRICE_WORDS = ("price", "cost", "fare", "amount", "total", "rate")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")

_CURRENCY = r"US\$|[$€£¥₹]|\b(?:USD|EUR|GBP|JPY|INR|CHF|CAD|AUD)\b"
_AMOUNT = r"\d{1,3}(?:\.\d{3})+,\d{1,2}|\d{1,3}(?:,\d{3})+(?:\.\d{1,6})?|\d{1,15}(?:\.\d{1,6})?"
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)\b"
)
_DAY = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_HALF = r"[AaPp][Mm]\b|[AaPp]\.[Mm]\."
_CAPITALISED = r"[A-Z][\w’'-]{0,40}"
_VALUE = re.compile(
    rf"""
    (?P<link>https?://[^{LINK_ENDS}]+)
    | (?P<before>{_CURRENCY})[ ]?(?P<price>{_AMOUNT})(?![\w,]*\d)
    | (?<![\w.,])(?P<price_after>{_AMOUNT})[ ]?(?P<after>{_CURRENCY})
    | (?<![\w.-])(?P<iso>\d{{4}}-\d\d-\d\d)(?=T\d\d:|\b)T?
    | \b(?P<month>{_MONTH})\.?[ ](?P<day>{_DAY})\b(?:,?[ ](?P<year>\d{{4}})\b)?
    | \b(?P<day_first>{_DAY})[ ](?P<month_after>{_MONTH})(?:,?[ ](?P<year_after>\d{{4}})\b)?
    | (?<![\d:.])(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)(?::[0-5]\d)?(?![\d:])(?:[ ]?(?P<half>{_HALF}))?
    | (?<![\w.:])(?P<hour_only>1[0-2]|[1-9])[ ]?(?P<half_only>{_HALF})
    | (?<![\w.,:/-])(?P<number>{_AMOUNT})(?![\w/:-]|[.,]\d)
    | \b(?P<name>{_CAPITALISED}(?:[ ](?:(?:de|of|the|la|du|von|van)[ ])?{_CAPITALISED}){{1,5}})
    """,
    re.VERBOSE,
)
_MONTH_AND_YEAR = re.compile(rf"\b(?P<month>{_MONTH})\.?,?[ ](?P<year>\d{{4}})\b")
MOST_YEARS_AHEAD = 20  # a larger number is no year that a text speaks of
_NO_WORD = re.compile(r"[^\w’'-]+")
_SENTENCE_END = re.compile(r"[.!?](?=\s)|\n")
_OPENING_WORDS = {"a", "an", "and", "at", "but", "for", "from", "if", "in", "it", "on", "or", "the", "to", "with"}


@dataclass(frozen=True)
class ComparedValue:
    """A value of a response: code points, half open. `other` is the value of the output if it differs."""

    start: int
    end: int
    kind: ValueKind
    finding: Finding
    other: str = ""


@dataclass(frozen=True)
class _TextValue:
    start: int
    end: int
    kind: ValueKind
    key: Key
    text: str


@dataclass
class _OutputEntry:
    """An object of the output: the texts that name it, its currency, and its values with their labels."""

    currency: str | None = None
    names: list[str] = field(default_factory=list)
    values: list[tuple[str, _TextValue]] = field(default_factory=list)


def compare_with_tools(text: str, outputs: Sequence[Any]) -> tuple[ComparedValue, ...]:
    """Return the values of a response in their order, each compared with the tools' outputs. Never raises for JSON."""
    output = _Output(outputs)
    text = text[:MAX_CHARACTERS]
    ends = [0, *(match.end() for match in _SENTENCE_END.finditer(text)), len(text)]
    compared, sentence = [], 0
    for value in islice(_values(text), MAX_VALUES):
        while value.start >= ends[sentence + 1]:
            sentence += 1
        finding, other = output.find(value, text[ends[sentence] : ends[sentence + 1]])
        small = value.kind == "number" and value.key[0] < MIN_COUNTED_NUMBER and value.text.isdecimal()
        if finding != "absent" or not small:
            compared.append(ComparedValue(value.start, value.end, value.kind, finding, other))
    return tuple(compared)


class _Output:
    """The values of the outputs, for looking them up."""

    def __init__(self, outputs: Sequence[Any]) -> None:
        self._keys: set[tuple[ValueKind, Key]] = set()
        self._currencies: dict[Decimal, set[str | None]] = {}  # of each amount; None: it is a number without currency
        self._entries: list[_OutputEntry] = []
        self._texts: list[str] = []
        self._named: dict[str, list[_OutputEntry]] = {}  # by sentence
        self._read(outputs)
        self._words = _bare(" ".join(self._texts))
        self._dates = [key for kind, key in self._keys if kind == "date"]

    def _read(self, outputs: Sequence[Any]) -> None:
        # A stack instead of recursion: an output may be nested arbitrarily deep.
        stack: list[tuple[str, Any, _OutputEntry | None]] = [("", _parsed(output), None) for output in outputs]
        leaves, left = 0, MAX_CHARACTERS
        while stack and leaves < MAX_LEAVES and left > 0:
            label, value, entry = stack.pop()
            leaves += 1
            if isinstance(value, Mapping):
                if entry is None:
                    entry = _OutputEntry()
                    self._entries.append(entry)
                for name, part in value.items():
                    if name.casefold().endswith("currency") and isinstance(part, str):
                        entry.currency = CURRENCIES.get(part, part.upper())
                stack.extend((name.casefold(), part, entry) for name, part in value.items())
            elif isinstance(value, list | tuple):
                stack.extend((label, part, None) for part in value)
            else:
                left -= len(value) if isinstance(value, str) else 1
                self._add(label, value, entry or _OutputEntry())

    def _add(self, label: str, value: Any, entry: _OutputEntry) -> None:
        for leaf in _leaf_values(label, value, entry.currency):
            self._keys.add((leaf.kind, leaf.key))
            if leaf.kind in {"price", "number"}:
                currency = leaf.key[0] if leaf.kind == "price" else None
                self._currencies.setdefault(leaf.key[-1], set()).add(currency)
            entry.values.append((label, leaf))
        if isinstance(value, str):
            self._texts.append(value[:MAX_CHARACTERS])
            is_name = value[:1].isupper() and MIN_NAME_LENGTH <= len(value) <= MAX_NAME_LENGTH
            if is_name and len(entry.names) < MAX_NAMES:
                entry.names.append(_bare(value))

    def find(self, value: _TextValue, sentence: str) -> tuple[Finding, str]:
        """Return whether the outputs have a value, and the other value if it differs."""
        if self._has(value):
            return "found", ""
        if value.kind in {"link", "name"}:
            return "absent", ""
        if sentence not in self._named:
            words = _bare(sentence)
            entries = self._entries[:MAX_ENTRIES]
            self._named[sentence] = [entry for entry in entries if any(name in words for name in entry.names)]
        named = self._named[sentence]
        others = {
            other.key: other.text
            for entry in named
            for label, other in entry.values
            if other.kind == value.kind and (value.kind != "number" or _is_named(label, sentence))
        }
        return ("differs", next(iter(others.values()))) if len(named) == len(others) == 1 else ("absent", "")

    def _has(self, value: _TextValue) -> bool:
        match value.kind:
            case "name":
                return value.key[0] in self._words
            case "price":
                return not {None, value.key[0]}.isdisjoint(self._currencies.get(value.key[1], ()))
            case "number":
                return value.key[0] in self._currencies or any(value.key[0] == date[0] for date in self._dates)
            case "date":
                year, *day = value.key
                same_day = (date[0] for date in self._dates if [*date[1:]] == day)
                return any(other is None or year is None or other == year for other in same_day)
        return (value.kind, value.key) in self._keys


def later_than(text: str, day: str) -> str | None:
    """Return the first day, month or year in a text that is later than a day, YYYY-MM-DD; none if it is empty."""
    if not day:
        return None
    limit = tuple(map(int, day.split("-")))
    moments = [(value.start, value.text, _moment(value)) for value in _values(text[:MAX_CHARACTERS])]
    for match in _MONTH_AND_YEAR.finditer(text[:MAX_CHARACTERS]):
        month = _MONTHS.index(match["month"][:3].lower()) + 1
        moments.append((match.start(), match.group(), (int(match["year"]), month)))
    for _start, written, moment in sorted(moments):
        if moment > limit[: len(moment)] and moment[0] <= limit[0] + MOST_YEARS_AHEAD:
            return written
    return None


def _moment(value: _TextValue) -> tuple[int, ...]:
    """Return year, month and day of a date with a year, or a number that may be a year; else nothing."""
    if value.kind == "date" and value.key[0] is not None:
        return value.key
    return (int(value.text),) if value.kind == "number" and re.fullmatch("[12][0-9]{3}", value.text) else ()


def _parsed(output: Any) -> Any:
    """Return an output that is JSON in a text as its value."""
    if isinstance(output, str) and output.lstrip()[:1] in {"{", "["}:
        try:
            return json.loads(output[:MAX_CHARACTERS])
        except (ValueError, RecursionError):
            return output
    return output


def _bare(text: str) -> str:
    """Return the words of a text in lower case, with a blank around each."""
    return f" {' '.join(_NO_WORD.sub(' ', text.casefold()).split())} "


def _is_named(label: str, sentence: str) -> bool:
    words = _bare(label.replace("_", " ")).strip()
    return bool(words) and words in _bare(sentence)


def _leaf_values(label: str, value: Any, currency: str | None) -> Iterator[_TextValue]:
    if isinstance(value, str):
        yield from _values(value[:MAX_CHARACTERS])
    elif isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < MAX_NUMBER:
        number = Decimal(str(value)).normalize()
        if any(word in label for word in PRICE_WORDS):
            yield _TextValue(0, 0, "price", (currency, number), " ".join(filter(None, (currency, str(value)))))
        else:
            yield _TextValue(0, 0, "number", (number,), str(value))


def _values(text: str) -> Iterator[_TextValue]:
    for match in _VALUE.finditer(text):
        value = _read_value(match)
        if value is not None:
            yield value


def _read_value(match: re.Match[str]) -> _TextValue | None:
    """Return the value of a match in a form in which equal values are equal."""
    group = match.groupdict()
    start, end = match.span()
    kind: ValueKind
    key: Key
    if group["link"]:
        links = find_links(group["link"])
        page = page_key(links[0]) if links else None
        if page is None:
            return None
        kind, key, end = "link", (page,), start + len(links[0])
    elif group["price"] or group["price_after"]:
        currency = group["before"] or group["after"]
        kind, key = "price", (CURRENCIES.get(currency, currency), _amount(group["price"] or group["price_after"]))
    elif group["iso"]:
        year, month, day = map(int, group["iso"].split("-"))
        kind, key, end = "date", (year, month, day), match.end("iso")
    elif group["month"] or group["month_after"]:
        month = _MONTHS.index((group["month"] or group["month_after"])[:3].lower()) + 1
        day = int(re.sub(r"\D", "", group["day"] or group["day_first"]))
        written = group["year"] or group["year_after"]
        kind, key = "date", (int(written) if written else None, month, day)
    elif group["hour"] or group["hour_only"]:
        kind, key = "time", (_minutes(group["hour"] or group["hour_only"], group["minute"] or "0", group),)
    elif group["number"]:
        kind, key = "number", (_amount(group["number"]),)
    else:
        return _name(match)
    return _TextValue(start, end, kind, key, match.string[start:end])


def _amount(written: str) -> Decimal:
    if re.fullmatch(r"\d{1,3}(?:\.\d{3})+,\d{1,2}", written):
        written = written.replace(".", "").replace(",", ".")
    return Decimal(written.replace(",", "")).normalize()


def _minutes(hour: str, minute: str, group: Mapping[str, str | None]) -> int:
    half = (group["half"] or group["half_only"] or "")[:1].lower()
    hours = int(hour)
    if half and hours <= 12:
        hours = hours % 12 + (12 if half == "p" else 0)
    return hours * 60 + int(minute)


def _name(match: re.Match[str]) -> _TextValue | None:
    """Return a name of at least two words, without the small word that begins its sentence."""
    start, words = match.start(), match["name"].split(" ")
    while words and words[0].lower() in _OPENING_WORDS:
        start += len(words.pop(0)) + 1
    if len(words) < 2:
        return None
    name = " ".join(words)
    return _TextValue(start, match.end(), "name", (_bare(name),), name)
