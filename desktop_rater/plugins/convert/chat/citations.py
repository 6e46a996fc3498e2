"""Citations in recorded chats: the sources that an answer names, and the places of its text that cite them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from desktop_rater.text.sentences import split_sentences
from desktop_rater.text.urls import page_key

Span = tuple[int, int]


class CitedSource(msgspec.Struct, frozen=True, kw_only=True):
    """Source of a text: a citation of it, or a document that the model was given to read.

    `key` identifies it; `passage` is the cited text, or all of a document. `span`: the place of the turn's text that
    cites it. `kind`: that of a given document, which has its own numbering; `attached`: given in a message.
    """

    key: str
    title: str = ""
    url: str = ""
    passage: str = ""
    span: Span | None = None
    kind: str = ""
    attached: bool = False


class CitedText:
    """Text of a turn with the citations of its sources."""

    def __init__(self) -> None:
        self.text = ""
        self.citations: list[CitedSource] = []


Part = tuple[CitedText, int, str]
"""Text of one part of a message: its turn, the offset in the text of the turn, and the text."""


_TITLES = ("title", "document_title", "filename", "file_name", "name", "displayName")
_URLS = ("url", "uri", "link", "retrievedUrl", "source")
_PASSAGES = ("cited_text", "quote", "snippet", "content", "description")
_INNER = (
    *("url_citation", "file_citation", "container_file_citation", "file_path", "file"),  # OpenAI
    *("web", "retrievedContext", "maps"),  # Gemini
    *("location", "documentChar", "documentPage", "documentChunk", "searchResultLocation"),  # Bedrock
    *("document", "data", "tool_output"),  # Cohere
)
_IDS = ("file_id", "fileId", "id", "sourceId", "placeId")
_NUMBERS = {
    **dict.fromkeys(("document_index", "documentIndex"), "document"),
    **dict.fromkeys(("search_result_index", "searchResultIndex"), "search_result"),
}
_LONGEST_KEY = 200
_STARTS, _ENDS = ("start_index", "startIndex", "start"), ("end_index", "endIndex", "end")


def _levels(entry: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a citation and the objects in it that describe its source, as each maker nests them."""
    levels = [entry]
    for level in levels:
        levels += [level[key] for key in _INNER if isinstance(level.get(key), dict)]
    return levels


def _text_at(levels: list[dict[str, Any]], keys: Iterable[str]) -> str:
    texts = (level[key] for key in keys for level in levels if isinstance(level.get(key), str))
    return next((text for text in texts if text.strip()), "")


def _number_at(levels: list[dict[str, Any]], keys: Iterable[str]) -> int | None:
    numbers = (level[key] for key in keys for level in levels if key in level)
    return next((number for number in numbers if isinstance(number, int) and not isinstance(number, bool)), None)


def source_of(entry: Any, documents: Sequence[CitedSource] = ()) -> CitedSource | None:
    """Return the source that a citation or a search result names, without a span; `None` if it names none."""
    entry = {"url": entry} if isinstance(entry, str) else entry
    if not isinstance(entry, dict):
        return None
    levels = _levels(entry)
    title, url = _text_at(levels, _TITLES), _text_at(levels, _URLS)
    if "://" not in url:
        title, url = title or url, ""
    contents = entry.get("sourceContent")
    listed = [part for part in contents if isinstance(part, dict)] if isinstance(contents, list) else []
    passage = _text_at(levels, _PASSAGES) or _text_at(levels[1:], ("text",))
    passage = "\n".join(_text_at([part], ("text",)) for part in listed) or passage
    ids = [f"{level[name]}" for name in _IDS for level in levels if level.get(name)]
    key = next((document.key for document in documents if document.key in ids), "")
    for name, kind in _NUMBERS.items():
        number, given = _number_at(levels, (name,)), [document for document in documents if document.kind == kind]
        if number is not None:
            key = given[number].key if 0 <= number < len(given) else f"{kind} {number}"
    key = key or (page_key(url) or url) or next(iter(ids), "") or title or passage[:_LONGEST_KEY]
    return CitedSource(key=key, title=title, url=url, passage=passage) if key else None


def given_document(block: dict[str, Any], text: str, number: int, *, attached: bool) -> CitedSource:
    """Return the document of a block in a message or in the output of a tool; `number`: its own among its kind."""
    kind = str(block.get("type", "document"))
    source = source_of({key: part for key, part in block.items() if key not in ("content", "text")})
    key = block.get("id") or f"{kind} {number}"
    title, url = (source.title, source.url) if source is not None else ("", "")
    return CitedSource(key=str(key), kind=kind, title=title, url=url, passage=text, attached=attached)


def listed_citations(block: Any) -> Iterator[tuple[str, Any]]:
    """Yield the citations that a block or a message lists, with the key of the list; one for each of its sources."""
    for fields in (block, block.get("text")) if isinstance(block, dict) else ():
        for key in ("citations", "annotations"):
            listed = fields.get(key) if isinstance(fields, dict) else None
            for entry in listed if isinstance(listed, list) else ():
                sources = entry.get("sources") if isinstance(entry, dict) else None
                for source in sources if isinstance(sources, list) and sources else ({},):
                    yield key, {**entry, **source} if isinstance(entry, dict) and isinstance(source, dict) else entry


def cite(
    listed: Iterable[tuple[str, Any]], parts: Sequence[Part], documents: Sequence[CitedSource], *, whole: bool = False
) -> int:
    """Add citations to the turns of the text parts that they are about, and return their number.

    `whole`: `citations` without offsets are about the first part as a whole, as Anthropic and Bedrock write them.
    """
    count = 0
    for key, entry in listed:
        source = source_of(entry, documents)
        if source is not None and parts:
            fields = entry if isinstance(entry, dict) else {}
            turn, span = _place(fields, source.url, parts, whole=whole and key == "citations")
            turn.citations.append(msgspec.structs.replace(source, span=span))
            count += 1
    return count


def _place(entry: dict[str, Any], url: str, parts: Sequence[Part], *, whole: bool) -> tuple[CitedText, Span | None]:
    """Return the turn that a citation is about, and its span there, without white space at its ends."""
    levels = [entry, *(entry[key] for key in ("url_citation", "file_citation") if isinstance(entry.get(key), dict))]
    number = _number_at(levels, ("content_index", "partIndex"))
    spoken = [part for part in parts if part[2]] or parts
    home = parts[number] if number is not None and 0 <= number < len(parts) else spoken[0]
    start, end, index = (_number_at(levels, keys) for keys in (_STARTS, _ENDS, ("index",)))
    quote = _text_at(levels[:1], ("text",))
    turn, begin, text = home
    span = None
    if end is not None:
        unit = _BYTES if entry.get(_BYTES) else ""
        span = _span(text, start or 0, end, quote or url, unit, exact=bool(quote))
    elif index is not None and "file_citation" in (entry.get("type"), *entry):
        span = _sentence_before(text, index)
    elif whole:
        span = 0, len(text)
    if span is None and quote:
        turn, begin, text = next((part for part in (home, *parts) if quote in part[2]), home)
        span = (text.index(quote), text.index(quote) + len(quote)) if quote in text else None
    marked = text[slice(*span)] if span is not None else ""
    if span is None or not marked.strip():
        return turn, None
    start = begin + span[0] + len(marked) - len(marked.lstrip())
    return turn, (start, start + len(marked.strip()))


_BYTES = "utf-8"


def _span(text: str, start: int, end: int, words: str, unit: str, *, exact: bool) -> Span | None:
    """Return a span in code points. Its unit is the one in which it holds the words: code points, bytes or UTF-16.

    A span that is off by one may hold a URL, too; then a bracket of the link is outside.
    """
    units = {"": (start, end)}
    for encoding, size in ((_BYTES, 1), ("utf-16-le", 2)):
        data = text.encode(encoding, "surrogatepass")
        first, last = (len(data[: size * offset].decode(encoding, "ignore")) for offset in (start, end))
        units[encoding] = first, last
    if exact:
        return next((span for span in units.values() if text[slice(*span)] == words), None)
    fitting = [span for span in units.values() if words and words in text[slice(*span)]]
    closed = [span for span in fitting if text.count("(", *span) == text.count(")", *span)]
    return next(iter([*closed, *fitting, *([units[unit]] if 0 <= start < end <= len(text.encode()) else [])]), None)


def _sentence_before(text: str, index: int) -> Span | None:
    """Return the sentence in which, or at whose end, a text has a mark."""
    before = [start for start, _ in split_sentences(text, markdown=True) if start < index]
    return (before[-1], min(index, len(text))) if before else None


_MARK = re.compile(r"\[\[?(?:ref_)?(\d{1,3})\]")


def numbered_citations(sources: Sequence[Any], text: str) -> Iterator[tuple[str, Any]]:
    """Yield a citation for each mark, such as [2], of a numbered source, and one for each source without a mark."""
    marks = [(match.span(), int(match[1])) for match in _MARK.finditer(text)]
    for number, source in enumerate(sources, 1):
        fields = {"url": source} if isinstance(source, str) else source
        if isinstance(fields, dict):
            plain = {key: part for key, part in fields.items() if key not in (*_STARTS, *_ENDS, "text", "index")}
            spans = [span for span, mark in marks if mark == number]
            yield from (("marks", {**plain, "start": start, "end": end}) for start, end in spans)
            if not spans:
                yield "marks", plain


def grounding_citations(grounding: Mapping[str, Any], cited: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the citations of a candidate of Gemini's API: supports with their chunks, and chunks without a support."""
    chunks = _objects(grounding, "groundingChunks")
    used: set[int] = set()
    for support in _objects(grounding, "groundingSupports"):
        segment, indices = support.get("segment"), support.get("groundingChunkIndices")
        fields = segment if isinstance(segment, dict) else {}
        for index in indices if isinstance(indices, list) else ():
            if isinstance(index, int) and 0 <= index < len(chunks):
                used.add(index)
                yield "supports", {**chunks[index], **fields}
    yield from (("chunks", chunk) for index, chunk in enumerate(chunks) if index not in used)
    yield from (
        ("citations", {**entry, _BYTES: True})
        for key in ("citations", "citationSources")
        for entry in _objects(cited, key)
    )


def _objects(fields: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    listed = fields.get(key)
    return [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []


def context_documents(
    turns: Sequence[CitedText], shown: Mapping[int, int], documents: Sequence[CitedSource], response: str
) -> list[dict[str, Any]]:
    """Return the sources of turns as documents of a task, each with the places of the response that cite it.

    `shown`: index of a turn in the response → offset of its text there.
    """
    made: dict[str, dict[str, Any]] = {}
    places: dict[str, dict[tuple[int, int, str], dict[str, Any]]] = {}
    given = {document.key: document for document in reversed(documents)}
    for document in documents:
        if document.attached and (document.passage or document.url):
            made[document.key] = {"title": document.title, "text": document.passage, "url": document.url}
    for index, turn in enumerate(turns):
        for citation in turn.citations:
            known = given.get(citation.key)
            document = made.setdefault(citation.key, {"text": known.passage if known is not None else ""})
            document["title"] = document.get("title") or (known and known.title) or citation.title
            document["url"] = document.get("url") or (known and known.url) or citation.url
            passage = citation.passage.strip()
            if passage not in document["text"]:
                document["text"] = "\n\n".join(filter(None, (document["text"], passage)))
            if citation.span is not None and index in shown:
                start, end = (shown[index] + offset for offset in citation.span)
                quote = turn.text[slice(*citation.span)]
                place = {"response": response, "start": start, "end": end, "quote": quote}
                place |= {"passage": passage} if passage else {}
                places.setdefault(citation.key, {}).setdefault((start, end, passage), place)
    for key, document in made.items():
        if key in places:
            document["cited"] = list(places[key].values())
        if not any(document.get(name) for name in ("title", "text", "url")):
            document["title"] = key
    return list(made.values())
