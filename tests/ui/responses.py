"""Responses in several scripts with targets on them, for the tests of their view."""

from PySide6.QtCore import QPoint

from desktop_rater.format.task import Target

ENGLISH = "The first wave struck a camp in Kansas. A cook reported sick in May. Two other places have been proposed."
ARABIC = "جامع القرويين في مدينة فاس من أقدم المؤسسات. أسّسته فاطمة الفهرية سنة 859م من مالٍ ورثته. وكانت فاس عاصمة."
JAPANESE = "江戸時代の長屋の家賃はいくらでしたか。漢字と仮名が混ざった文章です。長い行は折り返されなければなりません。"


def target(name, text, quote):
    start = text.index(quote)
    return Target(id=name, response="a", start=start, end=start + len(quote), quote=quote)


def sentences(text):
    ends = [at + 1 for at, character in enumerate(text) if character in ".。"]
    found = [text[start:end].strip() for start, end in zip([0, *ends], ends, strict=False)]
    return [target(f"s{number}", text, quote) for number, quote in enumerate(found, 1)]


def point_at(view, offset):
    position = view.shown_map.to_shown(offset)
    return view.cursorRect(view._cursor(position, position)).center() + QPoint(2, 0)
