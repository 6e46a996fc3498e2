"""How numbers, days and times are written: as the language of the window does, whatever the system's own way is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QDate, QLocale, QTime

from desktop_rater.ui.direction import isolated

if TYPE_CHECKING:
    from datetime import date, datetime

translate = QCoreApplication.translate


def use(language: str) -> None:
    """Write as a language does from now on, in Qt's own parts too."""
    QLocale.setDefault(QLocale(language))


def language() -> str:
    """The one that is written in, as a BCP 47 tag."""
    return QLocale().bcp47Name()


def number(count: int) -> str:
    """A count: "1,031"."""
    return QLocale().toString(count)


def decimal(value: float, places: int) -> str:
    """A figure with so many places behind the point: "0.83"."""
    return QLocale().toString(float(value), "f", places)


def decimal_point() -> str:
    """What stands before the tenths."""
    return QLocale().decimalPoint()


def group_mark() -> str:
    """What stands between thousands and hundreds."""
    return QLocale().groupSeparator()


def figure(value: float) -> str:
    """A number as it is typed: without groups, with the language's decimal point, and a minus as wide as figures."""
    return str(value).replace(".", QLocale().decimalPoint()).replace("-", "−")


def day(when: date) -> str:
    """A day: "12 Nov 2026"."""
    return QLocale().toString(QDate(when.year, when.month, when.day), translate("SpokenTime", "d MMM yyyy"))


def clock(when: datetime, *, seconds: bool = False) -> str:
    """A time of day: "09:20"."""
    wanted = translate("SpokenTime", "HH:mm:ss") if seconds else translate("SpokenTime", "HH:mm")
    return QLocale().toString(QTime(when.hour, when.minute, when.second), wanted)


def day_and_clock(when: datetime) -> str:
    """A day and a time of day."""
    return translate("SpokenTime", "{day}, {time}").format(day=day(when), time=clock(when))


def quoted(text: str) -> str:
    """A text between the quotation marks of the language."""
    return translate("Spelling", "“{text}”").format(text=isolated(text))
