"""Base of the parsers of a server's XML lists of files: strict, incremental and with limits."""

from collections.abc import Callable
from xml.parsers import expat

MAX_LISTED_ELEMENTS = 1_000_000
_MOST_TEXT = 8_000  # characters of one value
_DEEPEST = 40  # nested elements
_MOST_PENDING = 256 * 1024  # bytes of one tag or comment: expat parses it again with each further piece


class ListingParser:
    """Parser of a document whose outermost element is `root`. All methods raise `ValueError` for an invalid list.

    `local_name` shortens names, which are given as "namespace|name". Subclasses handle the start and the end of
    elements; at the end, `open` still contains the element.
    """

    def __init__(self, root: str, local_name: Callable[[str], str]) -> None:
        self.open: list[str] = []
        self._root = root
        self._local_name = local_name
        self._parser = expat.ParserCreate(namespace_separator="|")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype
        self._fed = self._elements = self._length = 0
        self._text: list[str] = []

    def feed(self, data: bytes, *, last: bool = False) -> None:
        """Parse the next piece."""
        try:
            self._parser.Parse(data, last)
        except expat.ExpatError as error:
            raise ValueError("its list of files is not valid XML") from error
        self._fed += len(data)
        if not last and self._fed - self._parser.CurrentByteIndex > _MOST_PENDING:
            raise ValueError("a value in its list of files is too long")

    def start_element(self, name: str) -> None:
        """Handle the start of an element."""

    def end_element(self, name: str, text: str) -> None:
        """Handle the end of an element; `text` is that since the last tag."""

    def _start(self, name: str, _attributes: dict[str, str]) -> None:
        name = self._local_name(name)
        if not self.open and name != self._root:
            raise ValueError("its list of files is XML of another kind")
        self.open.append(name)
        self._elements += 1
        if len(self.open) > _DEEPEST or self._elements > MAX_LISTED_ELEMENTS:
            raise ValueError("its list of files is too long or too deeply nested")
        self._text, self._length = [], 0
        self.start_element(name)

    def _characters(self, text: str) -> None:
        self._text.append(text)
        self._length += len(text)
        if self._length > _MOST_TEXT:
            raise ValueError("a value in its list of files is too long")

    def _end(self, _name: str) -> None:
        self.end_element(self.open[-1], "".join(self._text))
        self.open.pop()
        self._text, self._length = [], 0

    def _refuse_doctype(self, *_doctype: object) -> None:
        raise ValueError("its list of files contains a DOCTYPE, which is not allowed")
