"""A rater sees the pictures of the guidelines, as wide as the pane has space, and nothing from elsewhere."""

import pytest

from desktop_rater.ui.rating import guidelines
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.theme_tokens import PANE
from tests.operations.bundles import make, task, write
from tests.pictures import JPEG, LOSSY_WEBP, huge_png, png
from tests.ui.rooms import press

TEXT = """# Accuracy

{long}

The steps: ![a wide picture](guidelines/wide.png) and more

![small](guidelines/small.webp)
"""
BLUE = (26, 90, 200)


@pytest.fixture
def room(rooms, tmp_path):
    (tmp_path / "guidelines").mkdir()
    (tmp_path / "guidelines/wide.png").write_bytes(png(2_000, 100, BLUE))
    (tmp_path / "guidelines/small.webp").write_bytes(LOSSY_WEBP)
    guide = write(tmp_path / "how-to.md", TEXT.format(long="Look first. " * 20))
    tasks = [task("t1", "One.", "Two."), task("t2")]
    return rooms.with_bundle(make(tmp_path / "bundle.zip", tasks, guidelines=guide))


def images(view):
    """The formats of the shown pictures, in order."""
    return [
        one.format.toImageFormat()
        for block in blocks(view.document())
        for one in block.textFormats()
        if one.format.isImageFormat()
    ]


def blocks(document):
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


def space(view):
    return view.viewport().width() - 2 * theme.px(PANE)


def test_pictures_stand_below_the_words_that_name_them_and_fit_the_pane(room, qtbot, qapp):
    press("G")
    view = room.commands.rating.guidelines.text
    assert [picture.name() for picture in images(view)] == ["guidelines/wide.png", "guidelines/small.webp"]
    wide, small = images(view)
    assert (wide.width(), wide.height()) == (space(view), round(space(view) / 20))
    assert (small.width(), small.height()) == (12, 5)
    texts = [block.text().replace("\ufffc", "[picture]") for block in blocks(view.document())]
    assert texts[2:] == ["The steps: a wide picture and more", "[picture]", "small", "[picture]"]
    shown = view.grab().toImage()
    colors = {shown.pixelColor(shown.width() // 2, y).name() for y in range(shown.height())}
    assert "#1a5ac8" in colors

    room.window.resize(room.window.width() - 240, room.window.height())
    qtbot.waitUntil(lambda: images(view)[0].width() == space(view))
    theme.apply(qapp, theme.Look(theme="dark"))
    try:
        assert [picture.name() for picture in images(view)] == ["guidelines/wide.png", "guidelines/small.webp"]
    finally:
        theme.apply(qapp, theme.Look())


def test_a_picture_that_is_not_the_bundles_is_only_its_words(room):
    pane = room.commands.rating.guidelines
    press("G")
    pane.show_text("![elsewhere](https://example.org/x.png) ![here](guidelines/x.png)", {"guidelines/x.png": png()})
    assert [picture.name() for picture in images(pane.text)] == ["guidelines/x.png"]
    assert pane.text.toPlainText().startswith("elsewhere here")
    pane.show_text("![here](guidelines/x.png)")
    assert images(pane.text) == []


@pytest.mark.parametrize(
    "data",
    [b"", b"GIF89a\1\0\1\0\0\0\0;", b"<svg xmlns='http://www.w3.org/2000/svg'/>", huge_png(60_000, 60_000), JPEG],
)
def test_what_is_no_picture_leaves_its_words(room, data):
    pane = room.commands.rating.guidelines
    press("G")
    pane.show_text("# A\n\n![here](guidelines/x.png)\n\nafter", {"guidelines/x.png": data})
    assert [block.text() for block in blocks(pane.text.document())] == ["A", "here", "after"]


def test_a_large_picture_is_decoded_smaller():
    small = guidelines.read_picture(png(3_000, 2_000))
    assert not small.isNull()
    assert small.width() * small.height() <= guidelines.DECODED_PIXELS
    assert abs(small.width() / small.height() - 1.5) < 0.01
    assert not guidelines.read_picture(LOSSY_WEBP).isNull()
