"""Documents as passages of 60 to 120 words, and the words of a query."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from typing import Literal, NamedTuple

from desktop_rater.format.page import Page
from desktop_rater.text.quotes import UNSPACED
from desktop_rater.text.sentences import split_sentences
from desktop_rater.text.urls import without_links

TokenTable = Literal["words", "grams"]  # of an index: by words, or by groups of characters
MOST_WORDS, LEAST_WORDS = 120, 60
_TOKEN = re.compile(rf"[{UNSPACED}]|[^\W_{UNSPACED}]+")
_WORD = re.compile(rf"[{UNSPACED}]+|[^\W_{UNSPACED}]+")
_IS_UNSPACED = re.compile(f"[{UNSPACED}]")
_UNSPACED_SHARE = 0.3  # of the letters of a text that is indexed by its characters
_HEADING = re.compile(r"<h[1-6]>(.*?)</h[1-6]>", re.DOTALL)
_MARKDOWN_HEADING = re.compile(r"^#{1,6} +(.+?)[ #]*$", re.MULTILINE)
_TAG = re.compile(r"<[^>]*>")
_REFERENCE = re.compile(r"\[\d{1,3}\]")  # of a claim to the sources of its response
_EXACT = re.compile('["\u201c\u201e\u00ab]([^"\u201c\u201d\u201e\u00ab\u00bb]+)["\u201c\u201d\u00bb]')

# Left out of queries, without accents. Numbers and negations are not among them.
_STOP_WORDS = {
    "en": """
    a about above after again against all also am an and any are as at be because been before being below between both
    but by can could did do does doing down during each few for from further had has have having he her here hers
    herself him himself his how i if in into is it its itself just me more most my myself of off on once only or other
    our ours ourselves out over own s same she should so some such t than that the their theirs them themselves then
    there these they this those through to too under until up very was we were what when where which while who whom
    why will with would you your yours yourself yourselves
    """,
    "de": """
    aber als also am an auch auf aus bei bin bis bist da damit dann das dass dem den denn der des die dies diese diesem
    diesen dieser dieses doch du durch ein eine einem einen einer eines er es fur hat hatte hatten ich ihr ihre im in
    ins ist ja kann konnte man mehr mit nach noch nun nur ob oder sehr sein seine sich sie sind so um und uns unter vom
    von vor war waren was weil wenn wer wie wir wird wurde wurden zu zum zur
    """,
    "fr": """
    a au aussi aux avec c ce ces cet cette d dans de des du elle elles en est et etait ete etre eu il ils j je l la le
    les leur leurs lui m ma mais me meme mes mon n nos notre nous on ont ou par pas pour plus qu que qui s sa se ses si
    son sont sur t ta te tes toi ton tres tu un une vos votre vous y
    """,
    "es": """
    a al algo como con cual cuando de del desde donde e el ella ellas ellos en entre era es esta estaba estan este esto
    fue fueron ha han hay la las le les lo los mas me mi mientras muy o para pero por porque que quien se ser si sin
    sobre son su sus tambien te tiene tu un una uno unos y ya yo
    """,
    "it": """
    a ad agli ai al alla alle anche che chi ci come con cui da dagli dai dal dalla dalle de degli dei del della delle di
    dove e ed era erano essere fu gli ha hanno i il in io la le lei lo loro lui ma mi ne negli nei nel nella nelle noi o
    per perche piu quale quando quello questo se si sia sono sua sui sul sulla suo tra tu un una uno vi voi
    """,
    "pt": """
    a ao aos as ate com como da das de dela dele do dos e ela elas ele eles em entre era essa esse esta este eu foi
    foram ha isso isto ja lhe mais mas me mesmo meu minha muito na nas no nos o os ou para pela pelas pelo pelos por
    qual quando que quem se sem ser seu seus so sua suas sao tambem te tem um uma voce
    """,
    "nl": """
    aan al als bij dan dat de der die dit door een en er had heb heeft het hij hoe hun ik in is je kan maar me meer men
    met mijn na naar nog nu of om onder ons ook op over te tot u uit van veel voor want was wat we werd wezen wie wij
    wordt worden ze zich zij zijn zo zou
    """,
    "ru": """
    а бы был была были было быть в вам вас во вот все всех вы где да для до его ее если есть еще же за и из или им их
    к как когда кто ли между меня мне мы на над него нее них но о об он она они оно от по под при с со так также там
    то тоже тот только ты у уже чем что чтобы эта эти это этот я
    """,
}
_STOP_WORDS_OF = {language: frozenset(words.split()) for language, words in _STOP_WORDS.items()}


class LibraryDocument(NamedTuple):
    """A document of a library.

    `place` identifies it in the library: the path of a file, a URL, the path of an article. `url`: valid, for evidence.
    `text` has a block a line; `headings`: offset of a line that is a heading → its text.
    """

    place: str
    url: str
    title: str
    text: str
    lang: str = ""
    headings: Mapping[int, str] = {}


class Passage(NamedTuple):
    """A part of a document's text, from `start` to `end` in code points, below a heading."""

    start: int
    end: int
    heading: str = ""


def page_document(place: str, page: Page, title: str = "") -> LibraryDocument:
    """Return a page that was read as a document, with the offsets of its whole text."""
    text = page.whole_text or page.text
    headings: dict[int, str] = {}
    if page.media_type == "text/markdown":
        headings = {match.start(): match[1] for match in _MARKDOWN_HEADING.finditer(text)}
    lines, offset = f"\n{text}\n", 0
    for match in _HEADING.finditer(page.whole_html):
        heading = " ".join(unescape(_TAG.sub("", match[1])).split())
        found_at = lines.find(f"\n{heading}\n", offset) if heading else -1  # one with a formula is not the same in both
        if found_at >= 0:
            headings[found_at] = heading
            offset = found_at + 1
    return LibraryDocument(place, page.final_url, title or page.title, text, page.lang, headings)


def split_passages(document: LibraryDocument) -> Iterator[Passage]:
    """Yield the passages of a document. They end at lines where possible, otherwise at sentences."""
    start, words, heading, below = 0, 0, "", ""
    for offset, end, count in _pieces(document):
        heading_here = document.headings.get(offset)
        if words and (words + count > MOST_WORDS or (words >= LEAST_WORDS and heading_here is not None)):
            yield _trimmed(document.text, start, offset, below)
            start, words = offset, 0
        heading = heading_here or heading
        if not words:
            start, below = offset, heading
        words += count
        last = end
    if words:
        yield _trimmed(document.text, start, last, below)


def _trimmed(text: str, start: int, end: int, heading: str) -> Passage:
    part = text[start:end]
    return Passage(start + len(part) - len(part.lstrip()), start + len(part.rstrip()), heading)


def _pieces(document: LibraryDocument) -> Iterator[tuple[int, int, int]]:
    """Yield the start, the end and the number of words of each line, or of the parts of a long one."""
    offset = 0
    for line in document.text.split("\n"):
        count = count_words(line)
        if count <= MOST_WORDS:
            yield offset, offset + len(line), count
        else:
            for start, end in split_sentences(line, document.lang or "en"):
                for first, last in _cut(line, start, end):
                    yield offset + first, offset + last, count_words(line[first:last])
        offset += len(line) + 1


def _cut(line: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the parts of a sentence, which are not longer than a passage."""
    most = MOST_WORDS * (2 if is_unspaced(line[start:end]) else 1)
    ends = [match.end() for match in _TOKEN.finditer(line, start, end)][most - 1 :: most]
    for stop in (*(stop for stop in ends if stop < end), end):
        yield start, stop
        start = stop


def count_words(text: str) -> int:
    """Count the words of a text; two characters of a script without blanks count as one."""
    unspaced = 0 if text.isascii() else len(_IS_UNSPACED.findall(text))
    return len(_TOKEN.findall(text)) - unspaced + (unspaced + 1) // 2


def is_unspaced(text: str) -> bool:
    """Return whether a text is in a script that is indexed by its characters, such as Chinese, Japanese or Thai."""
    unspaced = 0 if text.isascii() else len(_IS_UNSPACED.findall(text))
    return unspaced > _UNSPACED_SHARE * len("".join(_WORD.findall(text))) if unspaced else False


def by_table(words: Sequence[str]) -> dict[TokenTable, Sequence[str]]:
    """Return the words of a query by the tables that are searched for them."""
    spaced = [word for word in words if not is_unspaced(word)]
    tables: dict[TokenTable, Sequence[str]] = {"words": spaced, "grams": words if len(spaced) < len(words) else ()}
    return {table: in_table for table, in_table in tables.items() if in_table}


def query_words(query: str, lang: str = "") -> list[str]:
    """Return the words of a query, each once, without the stop words of its language; all words if no other is left.

    `lang` is the language of a query that has too few stop words to tell.
    """
    words = list(dict.fromkeys(_WORD.findall(_REFERENCE.sub(" ", without_links(query)).lower())))
    plain = [_without_accents(word) for word in words]
    stop_words = _STOP_WORDS_OF.get(lang.partition("-")[0].lower() or "en", frozenset())
    stop_words = max(stop_words, *_STOP_WORDS_OF.values(), key=lambda table: max(1, len(table.intersection(plain))))
    return [word for word, folded in zip(words, plain, strict=True) if folded not in stop_words] or words


def query_phrases(query: str) -> list[str]:
    """Return the exact words of a query: those in quotation marks."""
    return [match[1] for match in _EXACT.finditer(query) if len(_WORD.findall(match[1])) > 1]


def _without_accents(word: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFD", word) if not unicodedata.combining(letter))
