"""A document for reading: plain text or Markdown, with space between its lines. It never loads anything.

Nothing in the text is hidden: a box stands for each character that can't be seen, and lines below the text name these
characters and list the parts of a Markdown source that are not rendered.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from msgspec import Struct, field
from PySide6.QtCore import QCoreApplication, QObject, QPointF, Qt, QTimerEvent, QUrl
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QGuiApplication,
    QImage,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextListFormat,
    QTextOption,
    QTextTable,
)

from desktop_rater.text.markdown import (
    OBJECT,
    ProtectedMarkdown,
    RenderedMap,
    align_markdown,
    protect_markdown,
    unrendered_parts,
)
from desktop_rater.text.spans import Utf16Map, WidgetTextMap
from desktop_rater.text.untrusted import BOX, boxed, hidden_characters, is_heavy_markdown
from desktop_rater.ui.widgets.formatting import number
from desktop_rater.ui.widgets.labels import select_range, set_markdown, visible
from desktop_rater.ui.widgets.list_view import TableColumns
from desktop_rater.ui.widgets.rich_content import (
    PREFIX,
    code_spans,
    draw_formulas,
    formula_format,
    formula_image,
    is_web_picture,
    picture_format,
    picture_label,
    placeholder,
    with_places,
)
from desktop_rater.ui.widgets.theme import font_of

translate = QCoreApplication.translate

MAX_LISTED, MAX_PART_LENGTH = 20, 300  # of the parts that are not rendered
# Boxes in rendered Markdown, beyond which the source is shown, and runs of boxes with a colour: each takes time.
MAX_BOXES, MAX_COLORED = 200, 100
SEMIBOLD = 600
BULLET_STYLES = {QTextListFormat.Style.ListDisc, QTextListFormat.Style.ListCircle, QTextListFormat.Style.ListSquare}
LAYOUT_STEP = 20_000  # characters: a step of a few milliseconds
FIXED = QTextBlockFormat.LineHeightTypes.FixedHeight.value
MINIMUM = QTextBlockFormat.LineHeightTypes.MinimumHeight.value
IMAGE = QTextDocument.ResourceType.ImageResource.value


def _empty_picture() -> QImage:
    picture = QImage(1, 1, QImage.Format.Format_ARGB32)
    picture.fill(Qt.GlobalColor.transparent)
    return picture


class Typography(Struct, frozen=True):
    """Typography in pixels: font size, line height, paragraph gap, indent; and colours."""

    size: int
    line: int
    gap: int
    indent: int
    link: QColor
    edge: QColor
    soft: QColor
    warn: QColor
    backwards: bool = False
    ink: QColor = field(default_factory=lambda: QColor("black"))  # of formulas
    code: Mapping[str, QColor] = {}  # by the kind of token


class DocumentSource(NamedTuple):
    """All that a document is made from: documents with equal sources are alike."""

    text: str
    plain: bool
    wanted: tuple[tuple[int, int], ...]
    font: QFont
    look: Typography
    known_pictures: Collection[str]
    images: Mapping[str, QImage | str] | None


class ReadDocument(QTextDocument):
    """A document that maps its characters to the source text."""

    source: DocumentSource | None = None

    def __init__(self, parent: QObject | None, font: QFont, look: Typography, *, hide_points: bool = True) -> None:
        super().__init__(parent)
        self.look = look
        self._hide_points = hide_points
        self.map: WidgetTextMap | RenderedMap = WidgetTextMap("")
        self.hidden: tuple[tuple[int, str], ...] = ()  # position and name of each character that can't be seen
        self._text_end = 0
        self.table_columns: TableColumns | None = None
        self.setUndoRedoEnabled(False)
        self.setDocumentMargin(0)
        self.setIndentWidth(look.indent)
        own = font_of(font, pixels=look.size)
        self.own_font = own
        self.pictures: list[tuple[QTextCursor, str]] = []  # their positions and names
        self.placeholders: list[tuple[int, str]] = []  # positions and addresses of pictures of the web
        self._images: Mapping[str, QImage | str] | None = None
        self._widest = 0.0
        self._layout_timer = self._laid_out = 0
        self.setDefaultFont(own)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        direction = Qt.LayoutDirection.RightToLeft if look.backwards else Qt.LayoutDirection.LeftToRight
        option.setTextDirection(direction)
        self.setDefaultTextOption(option)

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Load nothing. Pictures get an empty image: without one, Qt reads the file itself."""
        del name
        return _empty_picture() if kind == IMAGE else None

    def fill(
        self,
        text: str,
        *,
        plain: bool = True,
        wanted: Sequence[tuple[int, int]] = (),
        known_pictures: Collection[str] = (),
        images: Mapping[str, QImage | str] | None = None,
        widest: float = 0,
    ) -> None:
        """Show a text: Markdown rendered, unless a stretch in `wanted` would not be visible then.

        `known_pictures`: names of the pictures that the view shows. `images`: pictures by their addresses, or what is
        said in their place, at most `widest` pixels wide; without them a picture is its words alone.
        """
        self._images, self._widest = images, widest
        if plain or is_heavy_markdown(text) or not self._fill_rendered(text, wanted):
            self.pictures, self.placeholders = [], []
            self.map = WidgetTextMap(text)
            shown = self.map.shown
            hidden = hidden_characters(shown)
            self.hidden = _placed(hidden, shown)
            self.setPlainText(boxed(shown, (offset for offset, _name in hidden)) if hidden else shown)
            self._space_plain_lines()
            self._color_boxes()
        self._text_end = self.characterCount() - 1
        self._write_notes(known_pictures)

    def lay_out_in_steps(self) -> None:
        """Lay out a long text while the event loop is idle.

        Qt does so too, but each of its steps is twice as long as the one before, up to 200,000 characters.
        """
        if not self._layout_timer and self.characterCount() > LAYOUT_STEP:
            self._layout_timer = self.startTimer(0)

    def timerEvent(self, event: QTimerEvent) -> None:
        if event.timerId() != self._layout_timer:
            super().timerEvent(event)
            return
        self._laid_out = min(self._laid_out + LAYOUT_STEP, self.characterCount() - 1)
        self.documentLayout().blockBoundingRect(self.findBlock(self._laid_out))
        if self._laid_out == self.characterCount() - 1:
            self.killTimer(self._layout_timer)
            self._layout_timer = self._laid_out = 0

    def in_text(self, position: int) -> int:
        """Return a position, or the end of the text for one in the lines below it."""
        return min(position, self._text_end)

    @property
    def is_rendered(self) -> bool:
        return isinstance(self.map, RenderedMap)

    def _fill_rendered(self, text: str, wanted: Sequence[tuple[int, int]]) -> bool:
        protected = protect_markdown(text)
        set_markdown(self, WidgetTextMap(protected.text).shown)
        if "![" in text:
            self._name_pictures()
        rendered_map = align_markdown(protected.text, self.toRawText())
        if rendered_map is not None and protected.parts:
            rendered_map = self._place_formulas(protected, rendered_map)
        if rendered_map is not None and self.pictures and self._images is not None:
            rendered_map = self._place_pictures(rendered_map, self._images)
        if rendered_map is None or any(rendered_map.shown_span(*span) is None for span in wanted):
            return False
        # Qt's own separators, between paragraphs, are not characters of the text.
        hidden = [place for place in hidden_characters(rendered_map.rendered) if not rendered_map.is_break(place[0])]
        if len(hidden) > MAX_BOXES:
            return False
        self.map = rendered_map
        self._space_rendered_blocks()
        self._format_characters()
        self._color_code()
        self._format_lists_and_tables()
        self.box_hidden(hidden)
        return True

    def box_hidden(self, hidden: Sequence[tuple[int, str]]) -> None:
        """Replace hidden characters of the document by boxes; they are given as offsets in its raw text."""
        raw = self.toRawText() if hidden else ""
        self.hidden = _placed(hidden, raw)
        cursor = QTextCursor(self)
        for (offset, _name), (position, _same) in zip(hidden, self.hidden, strict=True):
            if (box := boxed(raw[offset], [0])) != raw[offset]:
                select_range(cursor, position, position + len(box))
                cursor.insertText(box)
        self._color_boxes()

    def _color_boxes(self) -> None:
        form = QTextCharFormat()
        form.setForeground(self.look.warn)
        cursor = QTextCursor(self)
        runs: list[tuple[int, int]] = []
        for position, _name in self.hidden:
            if runs and position == runs[-1][1]:
                runs[-1] = runs[-1][0], position + 1
            elif len(runs) < MAX_COLORED:
                runs.append((position, position + 1))
        for first, last in runs:
            select_range(cursor, first, last)
            cursor.mergeCharFormat(form)

    def _write_notes(self, known_pictures: Collection[str]) -> None:
        """Write lines below the text: what is not rendered, and which characters can't be seen."""
        notes, parts = [], unrendered_parts(self.map) if isinstance(self.map, RenderedMap) else []
        if parts := [part for part in parts if part not in known_pictures]:
            shown = [visible(part[:MAX_PART_LENGTH]) for part in parts[:MAX_LISTED]]
            if len(parts) > MAX_LISTED or any(len(part) > MAX_PART_LENGTH for part in parts):
                shown.append("…")
            notes.append(translate("Text", "Only in the source: {parts}").format(parts=" · ".join(shown)))
        if self.hidden:
            counts = Counter(name for _position, name in self.hidden)
            names = [f"{name} ({number(count)})" if count > 1 else name for name, count in counts.items()]
            names[MAX_LISTED:] = ["…"] if len(names) > MAX_LISTED else []
            text = translate("Text", "{box} marks characters that can’t be seen: {names}")
            notes.append(text.format(box=BOX, names=", ".join(names)))
        form, letters = _spaced(self.look.line), QTextCharFormat()
        letters.setProperty(QTextFormat.Property.FontPixelSize, round(self.look.size * 13 / 15))
        letters.setForeground(self.look.soft)
        for note in notes:
            cursor = QTextCursor(self)
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertBlock(form, letters)
            cursor.insertText(note, letters)

    def _name_pictures(self) -> None:
        """Replace each picture by its alternative text, and note where it was."""
        pictures = [(position, form) for position, _length, form in fragments(self) if form.isImageFormat()]
        following = (-1, "")
        for position, form in reversed(pictures):
            cursor = select_range(QTextCursor(self), position, position + 1)
            alt_text = form.stringProperty(QTextFormat.Property.ImageAltText)
            cursor.insertText(alt_text.replace(OBJECT, ""), QTextCharFormat())
            name = form.stringProperty(QTextFormat.Property.ImageName)
            # Words in different fonts are pictures of their own to Qt.
            if following != (position + 1, name):
                self.pictures.append((cursor, name))
            following = position, name

    def _place_formulas(self, protected: ProtectedMarkdown, rendered: RenderedMap) -> RenderedMap | None:
        """Put formulas, or their source, in place of their marks; `None` if the rendering lost one."""
        code: list[bool] = []
        for position, length, form in fragments(self):
            if protected.mark in form.anchorHref():
                return None
            marks = self._text_at(position, length).count(protected.mark)
            code += [form.fontFixedPitch() or is_code(self.findBlock(position))] * marks
        drawn = draw_formulas(protected.formulas)
        joined = protected.join(rendered, [formula is not None for formula in drawn], code)
        if joined is None:
            return None
        joined_map, replacements = joined
        pictures = iter([formula for formula in drawn if formula is not None][::-1])
        ratio = _pixel_ratio()
        cursor = QTextCursor(self)
        cursor.beginEditBlock()
        for index, (first, last, text) in reversed(list(enumerate(replacements))):
            select_range(cursor, first, last)
            if text != OBJECT:
                cursor.insertText(text)
                continue
            formula = next(pictures)
            self.addResource(
                IMAGE,
                QUrl(f"formula:{index}"),
                formula_image(formula, self.look.size, self.look.ink, ratio),
            )
            cursor.insertImage(formula_format(formula, f"formula:{index}", self.own_font, self.look.size))
        cursor.endEditBlock()
        return joined_map if joined_map.rendered == self.toRawText() else None

    def _place_pictures(self, rendered: RenderedMap, images: Mapping[str, QImage | str]) -> RenderedMap:
        """Put each picture of the web, or a frame with its host, behind its words."""
        places = sorted((cursor.position(), name) for cursor, name in self.pictures if is_web_picture(name))
        if not places:
            return rendered
        placed_map = with_places(rendered, [position for position, _name in places])
        labels = {name: label for name, label in images.items() if isinstance(label, str)}
        look, ratio = self.look, _pixel_ratio()
        cursor = QTextCursor(self)
        for index, (position, name) in reversed(list(enumerate(places))):
            image = images.get(name)
            if not isinstance(image, QImage):
                label = picture_label(name, labels)
                image = placeholder(label, self.own_font, look.size, look.link, look.edge, ratio)
            self.addResource(IMAGE, QUrl(f"{PREFIX}{index}"), image)
            cursor.setPosition(position)
            cursor.insertImage(picture_format(image, f"{PREFIX}{index}", self.own_font, self._widest))
        self.placeholders = [(position + index, name) for index, (position, name) in enumerate(places)]
        return placed_map

    def _text_at(self, position: int, length: int) -> str:
        return select_range(QTextCursor(self), position, position + length).selectedText()

    def source_of_object(self, position: int) -> str:
        """Return the source of the formula, or the address of the picture, at a position; "" if there is none."""
        cursor = QTextCursor(self)
        cursor.setPosition(min(position + 1, self.characterCount() - 1))
        form = cursor.charFormat()
        if not form.isImageFormat() or form.toImageFormat().name().startswith(PREFIX):
            return next((f"({url})" for at, url in self.placeholders if at == position), "")
        start, end = self.map.source_span(position, position + 1)
        return self.map.source[start:end]

    def selected_text(self, first: int, last: int) -> str:
        """Return the text between two positions, formulas as their source."""
        text = self._text_at(first, last - first).replace("\u2029", "\n")
        if OBJECT not in text:
            return text
        units = Utf16Map(text)
        return "".join(
            self.source_of_object(first + units.to_utf16(index)) or letter if letter == OBJECT else letter
            for index, letter in enumerate(text)
        )

    def _space_plain_lines(self) -> None:
        cursor = QTextCursor(self)
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(_spaced(self.look.line))
        # An empty line is a gap between paragraphs, not a full line.
        for block in [block for block in _blocks(self) if block.length() == 1]:
            QTextCursor(block).mergeBlockFormat(_spaced(self.look.gap))

    def _space_rendered_blocks(self) -> None:
        for block in list(_blocks(self)):
            QTextCursor(block).setBlockFormat(self._block_format(block))

    def _block_format(self, block: QTextBlock) -> QTextBlockFormat:
        look, form = self.look, QTextBlockFormat(block.blockFormat())
        following = block.next()
        ruler = form.hasProperty(QTextFormat.Property.BlockTrailingHorizontalRulerWidth)
        form.setLineHeight(look.gap if ruler else look.line, MINIMUM if _has_tall_object(block, look.line) else FIXED)
        form.setNonBreakableLines(False)
        form.setTopMargin(0)
        together = following.isValid() and is_code(block) and is_code(following)
        together = together and _code_language(block) == _code_language(following)
        close = block.textList() is not None and following.isValid() and following.textList() is not None
        form.setBottomMargin(0 if together else look.gap / 6 if close else look.gap)
        inset = look.indent * (quote_level(block) + int(is_code(block)))
        form.setLeftMargin(0 if look.backwards else inset)
        form.setRightMargin(inset if look.backwards else 0)
        return form

    def _format_characters(self) -> None:
        """Format emphasis as weight; only headings differ in size, and every line keeps its height."""
        formats = [
            (position, length, self._character_format(form, position))
            for position, length, form in list(fragments(self))
        ]
        cursor = QTextCursor(self)
        cursor.beginEditBlock()
        for position, length, form in formats:
            if form is not None:
                select_range(cursor, position, position + length)
                cursor.setCharFormat(form)
        cursor.endEditBlock()

    def indent_text(self, width: float) -> None:
        """Begin text in right-to-left paragraphs at the same place, with more space after it; not that in tables."""
        cursor = QTextCursor(self)
        cursor.beginEditBlock()
        parts = self.rootFrame().begin()
        while not parts.atEnd():
            block = parts.currentBlock()
            if block.isValid() and block.blockFormat().leftMargin() != width:
                form = QTextBlockFormat(block.blockFormat())
                form.setLeftMargin(width)
                cursor.setPosition(block.position())
                cursor.setBlockFormat(form)
            parts += 1
        cursor.endEditBlock()

    def _color_code(self) -> None:
        """Colour the code of fences that name their language."""
        cursor = QTextCursor(self)
        cursor.beginEditBlock()
        for language, lines in groupby(_blocks(self), _code_language):
            blocks = list(lines) if language and self.look.code else []
            if not blocks:
                continue
            text = "\n".join(block.text() for block in blocks)
            units = Utf16Map(text)
            for start, end, kind in code_spans(text, language):
                form = QTextCharFormat()
                form.setForeground(self.look.code[kind])
                select_range(
                    cursor, blocks[0].position() + units.to_utf16(start), blocks[0].position() + units.to_utf16(end)
                )
                cursor.mergeCharFormat(form)
        cursor.endEditBlock()

    def _format_lists_and_tables(self) -> None:
        for block in _blocks(self):
            text_list = block.textList()
            hidden = self._hide_points and text_list is not None and text_list.format().style() in BULLET_STYLES
            has_box = block.blockFormat().marker() != QTextBlockFormat.MarkerType.NoMarker
            if hidden and text_list is not None and not has_box:
                form = text_list.format()
                form.setStyle(QTextListFormat.Style.ListStyleUndefined)
                text_list.setFormat(form)
        for frame in self.rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                form = frame.format().toTableFormat()
                form.setTopMargin(self.look.gap / 3)
                form.setBottomMargin(self.look.gap)
                form.setCellPadding(self.look.gap / 2)
                form.setBorderBrush(self.look.edge)
                form.setBorderCollapse(True)
                form.setBorder(1)
                frame.setFormat(form)
        self.table_columns = TableColumns(self)

    def _character_format(self, before: QTextCharFormat, position: int) -> QTextCharFormat | None:
        if before.isImageFormat():
            return None
        heading = self.findBlock(position).blockFormat().headingLevel()
        bold = heading > 0 or before.fontWeight() > QFont.Weight.Medium
        if not (bold or before.fontItalic() or before.fontStrikeOut() or before.fontFixedPitch() or before.isAnchor()):
            return None
        form = QTextCharFormat()
        if bold:
            form.setFontWeight(SEMIBOLD)
        if heading == 1:
            form.setProperty(QTextFormat.Property.FontPixelSize, round(self.look.size * 19 / 15))
        form.setFontItalic(before.fontItalic())
        form.setFontStrikeOut(before.fontStrikeOut())
        if before.fontFixedPitch():
            form.setFontFamilies([QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()])
            form.setFontFixedPitch(True)
            size = self.look.size * (19 / 15 if heading == 1 else 1)
            form.setProperty(QTextFormat.Property.FontPixelSize, round(size * 0.93))
        if before.isAnchor():
            form.setAnchor(True)
            form.setAnchorHref(before.anchorHref())
            form.setForeground(self.look.link)
            form.setFontUnderline(True)
        return form


def _pixel_ratio() -> float:
    application = QGuiApplication.instance()
    return application.devicePixelRatio() if isinstance(application, QGuiApplication) else 1.0


def _placed(hidden: Sequence[tuple[int, str]], text: str) -> tuple[tuple[int, str], ...]:
    units = Utf16Map(text)
    return tuple((units.to_utf16(offset), name) for offset, name in hidden)


def height_up_to(document: QTextDocument, most: float) -> float:
    """Return the height of a document, or `most` if it is higher; nothing far below that is laid out."""
    layout = document.documentLayout()
    block = document.findBlock(max(0, layout.hitTest(QPointF(0, most), Qt.HitTestAccuracy.FuzzyHit)))
    while block.isValid():
        if layout.blockBoundingRect(block).bottom() >= most:
            return most
        block = block.next()
    return min(most, document.size().height())


def quote_level(block: QTextBlock) -> int:
    """Return the nesting depth of a block in quotations."""
    level = block.blockFormat().property(QTextFormat.Property.BlockQuoteLevel)
    return level if isinstance(level, int) else 0


def has_bullet(block: QTextBlock) -> bool:
    """Return whether a block begins with a list bullet, which is painted beside it."""
    text_list = block.textList()
    return text_list is not None and text_list.format().style() == QTextListFormat.Style.ListStyleUndefined


def is_code(block: QTextBlock) -> bool:
    """Return whether a block is a line of code."""
    form = block.blockFormat()
    fence, language = QTextFormat.Property.BlockCodeFence, QTextFormat.Property.BlockCodeLanguage
    return form.hasProperty(fence) or form.hasProperty(language)


def _code_language(block: QTextBlock) -> str:
    language = block.blockFormat().property(QTextFormat.Property.BlockCodeLanguage)
    return language.strip().partition(" ")[0].lower() if isinstance(language, str) else ""


def _spaced(line: int) -> QTextBlockFormat:
    form = QTextBlockFormat()
    form.setLineHeight(line, FIXED)
    return form


def _has_tall_object(block: QTextBlock, line: int) -> bool:
    """Return whether a block has a picture that needs more space than a line."""
    if OBJECT not in block.text():
        return False
    pictures = (form.toImageFormat() for _position, _length, form in _runs(block) if form.isImageFormat())
    return any(picture.height() > line * 0.75 for picture in pictures)


def _blocks(document: QTextDocument) -> Iterator[QTextBlock]:
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


def fragments(document: QTextDocument) -> Iterator[tuple[int, int, QTextCharFormat]]:
    """Yield position, length and format of each run of one format."""
    for block in _blocks(document):
        yield from _runs(block)


def _runs(block: QTextBlock) -> Iterator[tuple[int, int, QTextCharFormat]]:
    fragments = block.begin()
    while not fragments.atEnd():
        fragment = fragments.fragment()
        yield fragment.position(), fragment.length(), fragment.charFormat()
        fragments += 1
