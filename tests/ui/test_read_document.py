"""Markdown and plain text as they are laid out for reading."""

from itertools import pairwise

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QColor, QFont, QTextDocument

from desktop_rater.ui.widgets.labels import has_no_blanks, has_right_to_left, is_tall, right_to_left
from desktop_rater.ui.widgets.text_document import ReadDocument, Typography, has_bullet, is_code, quote_level
from tests.shown import text_of

LOOK = Typography(15, 27, 12, 20, QColor("blue"), QColor("grey"), QColor("grey"), QColor("red"))
MARKDOWN = """# Head

A **bold** word with `code`, an *other* one and a [link](http://example.org).

> quoted

- one
- two

```
x = 1
y = 2
```

Last.
"""


@pytest.fixture
def read(qapp):
    def fill(text, *, plain=False):
        document = ReadDocument(None, QFont("Inter"), LOOK)
        document.fill(text, plain=plain)
        document.setTextWidth(400)
        document.size()
        return document

    return fill


def blocks(document):
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


def baselines(document):
    """Of each line that holds words."""
    found = []
    for block in blocks(document):
        layout, top = block.layout(), document.documentLayout().blockBoundingRect(block).top()
        lines = [layout.lineAt(number) for number in range(layout.lineCount())]
        found += [round(top + line.y() + line.ascent()) for line in lines if line.textLength()]
    return found


def test_every_line_is_as_high_as_the_next(read):
    gaps = {0, LOOK.gap, LOOK.gap // 6}
    for text in (MARKDOWN, MARKDOWN.replace("word", "漢字 كلمة 😀 word" * 12)):
        lines = baselines(read(text))
        steps = [later - earlier - LOOK.line for earlier, later in pairwise(lines)]
        # A letter of another font may lift its line by a pixel or two.
        assert all(any(abs(step - gap) <= 4 for gap in gaps) for step in steps), steps


def test_emphasis_is_weight(read):
    document = read(MARKDOWN)
    weights = {}
    for block in blocks(document):
        at = block.begin()
        while not at.atEnd():
            weights[at.fragment().text()] = at.fragment().charFormat().fontWeight()
            at += 1
    assert weights["Head"] == weights["bold"] == 600
    assert weights["code"] == weights["link"] == 400


def test_blocks_are_known_by_what_is_painted_beside_them(read):
    kinds = {block.text(): (quote_level(block), has_bullet(block), is_code(block)) for block in blocks(read(MARKDOWN))}
    assert kinds["quoted"] == (1, False, False)
    assert kinds["one"] == (0, True, False)
    assert kinds["x = 1"] == (0, False, True)
    assert kinds["Last."] == (0, False, False)


def test_an_empty_line_is_a_gap_between_paragraphs(read):
    first, second = baselines(read("one\n\ntwo", plain=True))
    assert second - first == LOOK.line + LOOK.gap


def test_nothing_is_ever_loaded(read, tmp_path):
    secret = tmp_path / "secret.html"
    secret.write_text("secret")
    document = read(f"![a cat]({secret}) and <img src='{secret}'>")
    kinds = QTextDocument.ResourceType
    picture = document.resource(int(kinds.ImageResource.value), QUrl.fromLocalFile(str(secret)))
    assert (picture.size().toTuple(), picture.pixelColor(0, 0).alpha()) == ((1, 1), 0), "with none Qt reads the file"
    for kind in (kinds.HtmlResource, kinds.StyleSheetResource, kinds.MarkdownResource):
        assert document.resource(int(kind.value), QUrl.fromLocalFile(str(secret))) is None
    assert text_of(document) == f"a cat and <img src='{secret}'>"


def test_scripts_are_told_apart():
    assert right_to_left("1. שלום and more")
    assert not right_to_left("Hello שלום")
    assert has_right_to_left("Hello שלום")
    assert not has_right_to_left("Grüße 漢字")
    assert is_tall("नमस्ते दुनिया")
    assert not is_tall("One word in Arabic: كلمة")
    assert has_no_blanks("これはテストです。OK")
    assert not has_no_blanks("The word 漢字 is Chinese")
