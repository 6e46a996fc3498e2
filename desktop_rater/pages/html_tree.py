"""Trees of HTML, and the blocks of text in them."""

import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from bs4 import BeautifulSoup, Comment, NavigableString, Tag, XMLParsedAsHTMLWarning

from desktop_rater.pages.decoding import strip_invisible
from desktop_rater.pages.guard import LinkResolver
from desktop_rater.text.quotes import CELL_SEPARATOR, raised_text


@dataclass(frozen=True)
class HtmlTree:
    """A parsed page. `depth` is its actual depth, which no scan can tell beforehand."""

    root: BeautifulSoup
    depth: int
    elements: dict[str, list[Tag]]

    def all(self, *names: str) -> list[Tag]:
        """Return the elements of these names; those of one name in document order."""
        return [tag for name in names for tag in self.elements.get(name, ())]

    def first(self, name: str) -> Tag | None:
        return next(iter(self.elements.get(name, ())), None)


def parse_html(html: str) -> HtmlTree:
    """Parse with lxml. Its HTML parser expands no custom entities, and opens no files."""
    with warnings.catch_warnings():
        # XHTML is read as HTML on purpose, see above.
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
        root = BeautifulSoup(html, "lxml")
    elements: dict[str, list[Tag]] = {}
    deepest = 0
    stack: list[tuple[Tag, int]] = [(root, 0)]
    while stack:
        tag, depth = stack.pop()
        deepest = max(deepest, depth)
        elements.setdefault(tag.name, []).append(tag)
        stack += [(child, depth + 1) for child in reversed(tag.contents) if isinstance(child, Tag)]
    return HtmlTree(root, deepest, elements)


# Not the head itself: in a page without <body>, lxml leaves <article> and <main> in it.
_SKIPPED_NAMES = """
script style template noscript iframe object applet audio video canvas svg select datalist button input textarea
title meta link base map noframes rt rp annotation annotation-xml mphantom
"""
_SKIPPED = frozenset(_SKIPPED_NAMES.split())
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_BLOCK_NAMES = """
address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer
form frameset header hgroup hr legend li main menu nav ol p pre search section summary table tbody td tfoot th
thead tr ul
"""
_BLOCKS = HEADINGS | frozenset(_BLOCK_NAMES.split())
_MARKS = {
    "b": "b", "strong": "b", "i": "i", "em": "i", "cite": "i", "var": "i", "dfn": "i", "code": "code", "kbd": "code",
    "samp": "code", "tt": "code", "sup": "sup", "sub": "sub", "s": "s", "del": "s", "strike": "s", "u": "u", "ins": "u",
}  # fmt: skip
STRUCK = "s"  # mark of runs that only the HTML has: the page withdraws them
ADDED = "added"  # mark of runs that only the plain text has: what a row or item needs to be read by itself
_BESIDE = frozenset({"nav", "footer", "aside"})
_BESIDE_ROLES = frozenset({"navigation", "contentinfo", "complementary", "banner", "search"})
# Names of what asks for consent, and of the element that holds it.
_CONSENT = re.compile(
    "cookie|consent|gdpr|onetrust|didomi|usercentrics|qc-cmp|sp_message|truste|iubenda|klaro|borlabs", re.IGNORECASE
)
_OVERLAY = re.compile(
    r"banner|notice|notif|bar\b|popup|modal|dialog|overlay|layer|wall|message|bubble|prompt|root|wrapper|container|-sdk",
    re.IGNORECASE,
)
_LONGEST_CONSENT = 6_000
_LISTS = {"ul": "ul", "ol": "ol", "menu": "ul", "dir": "ul"}
_INVISIBLE = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_LINE_THROUGH = re.compile(r"text-decoration(?:-line)?\s*:[^;]*line-through", re.IGNORECASE)
_ALIGNED = re.compile(r"vertical-align\s*:\s*(super|sub)\b", re.IGNORECASE)
_STRUCK_CLASSES = frozenset({"line-through", "strikethrough", "text-decoration-line-through"})
_NOTE_CLASSES = re.compile(r"\b(?:reference|footnote|noteref|fnref|citation)", re.IGNORECASE)
_DISPLAY_STYLE = re.compile(r"^\{\\(?:display|text)style\s*(.*)\}$", re.DOTALL)
_WHITE = re.compile(r"\s+")
_LETTER = re.compile(r"\w")
_LONGEST_ALT = 300
_WIDEST_CELL, _HIGHEST_CELL = 20, 999
_INTEGER = re.compile(r"\s*([+-]?\d{1,9})")
_LONGEST_LABEL = 80
_FEWEST_ROWS = 2


@dataclass(frozen=True, slots=True)
class TextRun:
    """A run of text in a block; a lone line feed is a line break."""

    text: str
    href: str = ""
    marks: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class HtmlBlock:
    """A paragraph, heading, list item (within `lists`, outermost first), line of code or cell.

    `tag` is p, h1 to h6, li, pre, dt, dd, td, th, caption or figcaption. `beside` is "dialog" in a dialog, "navigation"
    if the page marks the block as navigation, a footer or a banner. A cell extends over `columns` and `rows`.
    """

    tag: str
    runs: tuple[TextRun, ...]
    lists: tuple[str, ...] = ()
    quoted: int = 0
    columns: int = 1
    rows: int = 1
    beside: str = ""

    @property
    def text(self) -> str:
        """Return the plain text, see `plain_text`."""
        return plain_text(self.runs)[0]

    @property
    def shown(self) -> str:
        """Return the text as it is shown: with struck parts, and without what is added to rows of tables."""
        return _WHITE.sub(" ", "".join(run.text for run in self.runs if ADDED not in run.marks)).strip()


@dataclass(frozen=True, slots=True)
class HtmlTable:
    """Rows of cells; a row with a single `caption` comes first."""

    rows: tuple[tuple[HtmlBlock, ...], ...]
    beside: str = ""


def plain_text(runs: Iterable[TextRun]) -> tuple[str, list[tuple[int, int]]]:
    """Return the text without struck runs, with white space collapsed to blanks, and the spans of added runs."""
    text, added, follows_struck = "", [], False
    for run in runs:
        if STRUCK in run.marks:
            follows_struck = True
            continue
        piece = _WHITE.sub(" ", run.text)
        if text.endswith(" ") or not text:
            piece = piece.lstrip(" ")
        is_after_added = bool(added) and added[-1][1] == len(text)  # whose span keeps its length
        if follows_struck and not is_after_added and piece[:1] in tuple(",.;:!?)"):
            text = text.rstrip(" ")
        if ADDED in run.marks:
            added.append((len(text), len(text) + len(piece)))
        text, follows_struck = text + piece, follows_struck and not piece
    return text.rstrip(" "), added


@dataclass(frozen=True)
class FlowContext:
    """Properties that apply to everything inside an element."""

    href: str = ""
    marks: frozenset[str] = frozenset()
    lists: tuple[str, ...] = ()
    quoted: int = 0
    tag: str = "p"
    beside: str = ""
    is_code: bool = False


@dataclass
class FlowReader:
    """Collects the blocks of an element whose nesting depth has been checked."""

    hrefs: LinkResolver
    found: list[HtmlBlock | HtmlTable] = field(default_factory=list)
    dialogs: list[Tag] = field(default_factory=list)
    _runs: list[TextRun] = field(default_factory=list)
    _numbers: dict[int, int] = field(default_factory=dict)  # of items not counted from 1, by the ids of their tags

    def read(self, element: Tag, inside: FlowContext = FlowContext()) -> list[HtmlBlock | HtmlTable]:
        self._walk(element, inside)
        self._end(inside)
        return self.found

    def _walk(self, element: Tag, inside: FlowContext) -> None:
        for child in element.children:
            if isinstance(child, Tag):
                if not _is_hidden(child):
                    self._element(child, inside)
            elif type(child) is NavigableString and not isinstance(child, Comment):
                self._add(str(child), inside)

    def _element(self, tag: Tag, inside: FlowContext) -> None:
        name = tag.name
        if name == "br":
            self._runs.append(TextRun("\n"))
        elif name == "img":
            if alt := alternative_text(tag):
                self._add(f" [{alt}] ", inside)
        elif name == "math":
            source = _formula_source(str(tag.get("alttext") or ""))
            self._add((source if tag.find("mtable") else "") or _math_text(tag) or source, inside)
        elif name == "table" and (table := _table(tag, self.hrefs, inside)):
            self._end(inside)
            self.found.append(table)
        elif name == "pre" and not inside.is_code:
            self._end(inside)
            self._code(tag, inside)
        elif name in _BLOCKS and not inside.is_code:
            self._block(tag, inside)
        else:
            self._inline(tag, _within(tag, inside, self.hrefs))

    def _inline(self, tag: Tag, within: FlowContext) -> None:
        """Read an inline element whose look is part of its meaning as plain text that says the same."""
        begin, blocks = len(self._runs), len(self.found)
        self._walk(tag, within)
        runs = [run for run in self._runs[begin:] if STRUCK not in run.marks]
        text = "".join(run.text for run in runs)
        if not text.strip() or len(self.found) > blocks:
            return
        spans_lines = within.is_code and text.splitlines() != [text]
        kind = "" if spans_lines else _script_of(tag)
        is_note = bool(kind) and _is_note_mark(tag)
        enclosing = "\u201c\u201d" if tag.name == "q" else ""
        if is_note and text.strip()[0] not in "[(" and _LETTER.search(text):
            enclosing = "[]"
        if enclosing:
            self._runs.insert(begin, replace(runs[0], text=enclosing[0]))
            self._runs.append(replace(runs[-1], text=enclosing[1]))
        elif kind and not is_note:
            before = "".join(run.text for run in self._runs[:begin])[-1:]
            plain = raised_text(text, lowered=kind == "sub", before=before)
            if plain != text:
                struck = (run for run in self._runs[begin:] if STRUCK in run.marks)
                self._runs[begin:] = [*struck, TextRun(plain, runs[0].href, within.marks - {kind})]

    def _block(self, tag: Tag, inside: FlowContext) -> None:
        """Read a block element; inside an item or a cell, a paragraph is only a line break."""
        if tag.name == "ol" and tag.get("type") in (None, "1"):
            numbers = dict(_item_numbers(tag))
            self._numbers |= numbers if [*numbers.values()] != [*range(1, len(numbers) + 1)] else {}
        joins_lines = inside.tag in ("li", "td", "th", "dd", "dt", "caption", *HEADINGS)
        inner = _block_within(tag, inside)
        if inner.beside == "dialog" != inside.beside:
            self.dialogs.append(tag)
        breaks = joins_lines and inner.tag == inside.tag and inner.lists == inside.lists and tag.name != "li"
        self._part(inside, breaks=breaks)
        if id(tag) in self._numbers:
            self._runs.append(TextRun(f"{self._numbers[id(tag)]}. ", marks=frozenset({ADDED})))
        self._walk(tag, inner)
        self._part(inner, breaks=breaks)

    def _part(self, inside: FlowContext, *, breaks: bool) -> None:
        if breaks:
            self._runs.append(TextRun("\n"))
        else:
            self._end(inside)

    def _add(self, text: str, inside: FlowContext) -> None:
        if inside.is_code:
            lines = strip_invisible(text).splitlines(keepends=True)
            self._runs += (TextRun(line.replace("\t", "    "), inside.href, inside.marks) for line in lines)
        elif collapsed := _WHITE.sub(" ", strip_invisible(text)):
            self._runs.append(TextRun(collapsed, inside.href, inside.marks))

    def _code(self, tag: Tag, inside: FlowContext) -> None:
        """Read preformatted text, a block a line."""
        within = replace(inside, marks=_marks_within(tag, inside.marks), is_code=True)
        self._walk(tag, within)
        line: list[TextRun] = []
        for run in (*self._runs, TextRun("\n")):
            code = run.text.rstrip("\r\n\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")
            if code:
                line.append(replace(run, text=code, marks=run.marks - {"code"}))
            if code != run.text:
                runs = tuple(line) if any(part.text.strip() for part in line) else ()
                self.found.append(HtmlBlock("pre", runs, quoted=inside.quoted, beside=inside.beside))
                line = []
        self._runs = []

    def _end(self, inside: FlowContext) -> None:
        """Close the open block, if it is not empty."""
        runs = _tidied(self._runs)
        if any(ADDED not in run.marks for run in runs):
            self.found.append(HtmlBlock(inside.tag, runs, inside.lists, inside.quoted, beside=inside.beside))
        self._runs = []


def _is_hidden(tag: Tag) -> bool:
    if tag.name in _SKIPPED or tag.get("hidden") is not None:
        return True
    if tag.get("aria-hidden") == "true" and (tag.name == "nobr" or "katex-html" in _classes(tag)):
        return True  # a formula drawn with letters, beside its MathML
    return bool(_INVISIBLE.search(str(tag.get("style") or "")[:1000]))


def _within(tag: Tag, inside: FlowContext, hrefs: LinkResolver) -> FlowContext:
    if tag.name == "a":
        href = hrefs.resolved(tag.get("href"))
        inside = replace(inside, href=href)
    marks = _marks_within(tag, inside.marks)
    return inside if marks == inside.marks else replace(inside, marks=marks)


def _classes(tag: Tag) -> list[str]:
    return str(tag.get("class") and " ".join(tag.get_attribute_list("class"))).split()


def _marks_within(tag: Tag, marks: frozenset[str]) -> frozenset[str]:
    mark = _MARKS.get(tag.name)
    if mark is not None and mark not in marks:
        marks |= {mark}
    if STRUCK not in marks and (
        _LINE_THROUGH.search(str(tag.get("style") or "")[:1000]) or not _STRUCK_CLASSES.isdisjoint(_classes(tag))
    ):
        marks |= {STRUCK}
    return marks


def _script_of(tag: Tag) -> str:
    """Return "sup" or "sub" for a superscript or subscript."""
    aligned = _ALIGNED.search(str(tag.get("style") or "")[:1000])
    return tag.name if tag.name in ("sup", "sub") else aligned[1].lower()[:3] if aligned else ""


def _is_note_mark(tag: Tag) -> bool:
    """Return whether a superscript is the mark of a footnote: a link, in a link of its own, or named so."""
    parent = tag.parent
    alone = parent is not None and parent.name == "a" and parent.get_text().strip() == tag.get_text().strip()
    return alone or tag.find("a") is not None or _NOTE_CLASSES.search(" ".join(_classes(tag))) is not None


def alternative_text(picture: Tag) -> str:
    """Return the words for a picture; none for a decorative one."""
    return _formula_source(_WHITE.sub(" ", str(picture.get("alt") or "")).strip()[:_LONGEST_ALT])


def _formula_source(latex: str) -> str:
    """Return LaTeX without the command around it that only sets its size."""
    return _DISPLAY_STYLE.sub(r"\1", latex.strip())


def _math_text(tag: Tag) -> str:
    """Return MathML on one line, with powers and indices as superscripts and subscripts."""
    parts = [_math_text(child) for child in tag.children if isinstance(child, Tag) and not _is_hidden(child)]
    match tag.name, parts:
        case "mfrac", [above, below]:
            text = f"{_grouped(above)}/{_grouped(below)}"
        case "msqrt", _:
            text = f"\u221a{_grouped(''.join(parts))}"
        case "mroot", [base, degree]:
            text = f"{raised_text(degree, before='x')}\u221a{_grouped(base)}"
        case (("msup" | "mover" | "msub" | "munder" | "msubsup" | "munderover"), [base, *scripts]):
            is_lowered = "sub" in tag.name or "under" in tag.name
            text = base + raised_text(scripts[0], lowered=is_lowered, before="x")
            text += raised_text("".join(scripts[1:]), before="x")
        case "mtr", _:
            text = ", ".join(parts) + "; "
        case _:
            text = "".join(parts) or strip_invisible(tag.get_text()).strip("\r\n\t")
    return text


def _grouped(formula: str) -> str:
    return formula if formula.isalnum() else f"({formula})"


def _block_within(tag: Tag, inside: FlowContext) -> FlowContext:
    name, lists, quoted, block_tag = tag.name, inside.lists, inside.quoted, inside.tag
    if name in _LISTS:
        lists, block_tag = (*lists, _LISTS[name]), "p"
    elif name == "blockquote":
        quoted, block_tag = quoted + 1, "p"
    elif name == "li":
        lists, block_tag = lists or ("ul",), "li"
    elif name in ("dt", "dd", "figcaption") or name in HEADINGS:
        block_tag = name
    beside = inside.beside or _beside(tag)
    marks = _marks_within(tag, inside.marks)
    return replace(inside, lists=lists, quoted=quoted, tag=block_tag, beside=beside, marks=marks)


def _item_numbers(tag: Tag) -> Iterator[tuple[int, int]]:
    """Yield the id of each item of an ordered list, and its number."""
    items, step = tag.find_all("li", recursive=False), 1 if tag.get("reversed") is None else -1
    start = _INTEGER.match(str(tag.get("start") or ""))
    number = int(start[1]) if start else 1 if step > 0 else len(items)
    for item in items:
        value = _INTEGER.match(str(item.get("value") or "")) if isinstance(item, Tag) else None
        number = int(value[1]) if value else number
        yield id(item), number
        number += step


def _beside(tag: Tag) -> str:
    """Return how an element is marked as no part of the text: a dialog, or navigation and the like."""
    role, names = tag.get("role"), " ".join((str(tag.get("id") or ""), *_classes(tag)))
    asks_consent = _CONSENT.search(names) is not None and _OVERLAY.search(names) is not None
    is_dialog = tag.name == "dialog" or role in ("dialog", "alertdialog") or tag.get("aria-modal") == "true"
    if (is_dialog or (asks_consent and len(tag.get_text()) < _LONGEST_CONSENT)) and not tag.find(
        ["article", "main", "h1"]
    ):
        return "dialog"
    return "navigation" if tag.name in _BESIDE or role in _BESIDE_ROLES else ""


def _table(tag: Tag, hrefs: LinkResolver, inside: FlowContext) -> HtmlTable | None:
    """Return a table of data; None for a layout table, whose cells are read in order instead.

    A text widget creates every cell of the grid, so few cells in many rows and columns would fill memory.
    """
    if tag.find("table") is not None:
        return None
    within = FlowContext(marks=_marks_within(tag, inside.marks))
    rows = [cells for row in tag.find_all("tr") if (cells := tuple(_cells(row, hrefs, within)))]
    widest = max((sum(cell.columns for cell in row) for row in rows), default=0)
    cells = sum(len(row) for row in rows)
    if len(rows) < _FEWEST_ROWS or widest < 2 or widest * len(rows) > 3 * cells:
        return None
    caption = tag.find("caption")
    above = _cell(caption, hrefs, within) if isinstance(caption, Tag) else None
    return HtmlTable((*(((above,),) if above and above.runs else ()), *_readable_rows(rows)), inside.beside)


def _cells(row: Tag, hrefs: LinkResolver, within: FlowContext) -> Iterator[HtmlBlock]:
    within = replace(within, marks=_marks_within(row, within.marks))
    for tag in row.find_all(["td", "th"], recursive=False):
        if isinstance(tag, Tag) and not _is_hidden(tag):
            yield _cell(tag, hrefs, within)


def _cell(tag: Tag, hrefs: LinkResolver, within: FlowContext) -> HtmlBlock:
    runs: list[TextRun] = []
    for part in FlowReader(hrefs).read(tag, replace(within, marks=_marks_within(tag, within.marks))):
        rows = part.rows if isinstance(part, HtmlTable) else ((part,),)
        for block in (cell for row in rows for cell in row):
            runs += [TextRun("\n"), *block.runs] if runs else block.runs
    is_heading = tag.parent is not None and tag.parent.parent is not None and tag.parent.parent.name == "thead"
    name = "th" if is_heading and tag.name == "td" else tag.name
    return HtmlBlock(
        name, tuple(runs), columns=_span(tag, "colspan", _WIDEST_CELL), rows=_span(tag, "rowspan", _HIGHEST_CELL)
    )


def _span(tag: Tag, name: str, most: int) -> int:
    value = str(tag.get(name) or "1").strip()
    return min(max(int(value), 1), most) if value.isascii() and value.isdigit() and len(value) < 4 else 1


def _readable_rows(rows: list[tuple[HtmlBlock, ...]]) -> Iterator[tuple[HtmlBlock, ...]]:
    """Yield the rows so that the plain text of each can be read by itself: "City: Tokyo | Country: Japan".

    The headings of its columns, separators, and cells that extend from above are added runs.
    """
    headings: dict[int, str] = {}
    covering: dict[int, tuple[int, HtmlBlock]] = {}  # column → row in which the cell that covers it ends
    is_heading = False
    for number, row in enumerate(rows):
        covered = {column: cell for column, (end, cell) in covering.items() if end > number}
        follows_heading, is_heading = is_heading, all(cell.tag == "th" for cell in row) and (len(row) > 1 or is_heading)
        if is_heading and not follows_heading:
            headings = {}
        lead = "" if is_heading else "".join(_extending(covered, headings))
        cells: list[HtmlBlock] = []
        column = 0
        for cell in row:
            while column in covered:
                column += 1
            height = min(cell.rows, len(rows) - number)
            spanned = range(column, column + cell.columns)
            covering |= dict.fromkeys(spanned, (number + height, cell))
            if is_heading:
                headings |= {place: f"{headings.get(place, '')} {cell.text}".strip() for place in spanned}
            is_named = not is_heading and len({headings.get(place) for place in spanned}) == 1
            added = (lead, _label(headings, column) if is_named else "") if cell.text else ()
            runs = (TextRun(text, marks=frozenset({ADDED})) for text in added if text)
            cells.append(replace(cell, rows=height, runs=(*runs, *cell.runs)))
            lead = CELL_SEPARATOR if cell.text else lead
            column += cell.columns
        yield tuple(cells)


def _extending(covered: dict[int, HtmlBlock], headings: dict[int, str]) -> Iterator[str]:
    """Yield the texts of cells that extend into a row from above, each with the separator after it."""
    for column, cell in covered.items():
        if cell.text and cell is not covered.get(column - 1):
            yield f"{_label(headings, column)}{cell.text}{CELL_SEPARATOR}"


def _label(headings: dict[int, str], column: int) -> str:
    heading = headings.get(column, "")
    return f"{heading}: " if 0 < len(heading) <= _LONGEST_LABEL else ""


def _tidied(runs: list[TextRun]) -> tuple[TextRun, ...]:
    """Return `runs` without white space at the ends, next to line breaks, and repeated."""
    tidy: list[TextRun] = []
    for run in runs:
        before = tidy[-1].text if tidy else "\n"
        if run.text == "\n":
            if tidy and before != "\n" and ADDED not in tidy[-1].marks:
                tidy[-1] = TextRun(before.rstrip(" "), tidy[-1].href, tidy[-1].marks)
                tidy.append(run)
            continue
        text = run.text.lstrip(" ") if before.endswith((" ", "\n")) else run.text
        if text:
            tidy.append(TextRun(text, run.href, run.marks))
    while tidy and not tidy[-1].text.strip():
        tidy.pop()
    if tidy:
        tidy[-1] = TextRun(tidy[-1].text.rstrip(" "), tidy[-1].href, tidy[-1].marks)
    return tuple(run for run in tidy if run.text)
