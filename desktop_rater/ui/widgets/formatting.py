"""Numbers, sizes, durations, days and times in the language of the window."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QDate, QLocale, QTime

if TYPE_CHECKING:
    from desktop_rater.format.rating import LibraryName
    from desktop_rater.rubric.check import Unit


def use_language(language: str) -> None:
    """Set the language for all following texts, Qt's own included."""
    QLocale.setDefault(QLocale(language))


def current_language() -> str:
    """Return the current language as a BCP 47 tag."""
    return QLocale().bcp47Name()


def number(count: int) -> str:
    """Return a count: "1,031"."""
    return QLocale().toString(count)


def decimal(value: float, places: int) -> str:
    """Return a figure with that many decimal places: "0.83"."""
    return QLocale().toString(float(value), "f", places)


def decimal_point() -> str:
    """Return the decimal separator."""
    return QLocale().decimalPoint()


def group_mark() -> str:
    """Return the thousands separator."""
    return QLocale().groupSeparator()


def figure(value: float) -> str:
    """Return a number as it is typed: no group separators, the language's decimal point, a minus as wide as a digit."""
    return str(value).replace(".", QLocale().decimalPoint()).replace("-", "−")


def day(when: date) -> str:
    """Return a day: "12 Nov 2026"."""
    return QLocale().toString(QDate(when.year, when.month, when.day), translate("SpokenTime", "d MMM yyyy"))


def clock(when: datetime, *, seconds: bool = False) -> str:
    """Return a time of day: "09:20"."""
    pattern = translate("SpokenTime", "HH:mm:ss") if seconds else translate("SpokenTime", "HH:mm")
    return QLocale().toString(QTime(when.hour, when.minute, when.second), pattern)


def day_and_clock(when: datetime) -> str:
    """Return a day and a time of day."""
    return translate("SpokenTime", "{day}, {time}").format(day=day(when), time=clock(when))


def quoted(text: str) -> str:
    """Return a text between the language's quotation marks."""
    from desktop_rater.ui.widgets.labels import isolated  # noqa: PLC0415 - the bare frame needs no labels

    return translate("Spelling", "“{text}”").format(text=isolated(text))


def listing(parts: Iterable[str]) -> str:
    """Return words as a list: "a, b, and c"."""
    return QLocale().createSeparatedList(list(parts))


translate = QCoreApplication.translate


def megabytes(size: int) -> str:
    """Return a number of bytes in words: "1.2 MB"."""
    return translate("SpokenSize", "{n} MB").format(n=decimal(size / 1_000_000, 1))


def revision_count(count: int) -> str:
    """Return a number of revisions in words."""
    text = translate("SpokenSize", "1 revision") if count == 1 else translate("SpokenSize", "{n} revisions")
    return text.format(n=number(count))


def unit_count(unit: "Unit", count: int) -> str:
    """Return a number of what progress counts: "94 targets"."""
    one = {
        "targets": translate("SpokenCount", "1 target"),
        "responses": translate("SpokenCount", "1 response"),
        "pairs": translate("SpokenCount", "1 pair"),
        "tasks": translate("SpokenCount", "1 task"),
    }
    many = {
        "targets": translate("SpokenCount", "{n} targets"),
        "responses": translate("SpokenCount", "{n} responses"),
        "pairs": translate("SpokenCount", "{n} pairs"),
        "tasks": translate("SpokenCount", "{n} tasks"),
    }
    return one[unit] if count == 1 else many[unit].format(n=number(count))


def remaining_time(seconds: int) -> str:
    """Return a rounded estimate of the remaining time: "about 6 h left"."""
    minutes = max(1, round(seconds / 60))
    if minutes >= 90:
        return translate("SpokenTime", "about {n} h left").format(n=round(minutes / 60))
    rounded = minutes if minutes < 10 else round(minutes / 5) * 5
    return translate("SpokenTime", "about {n} min left").format(n=rounded)


def hours_and_minutes(seconds: int) -> str:
    """Return a duration to the minute: "1 h 47 min"."""
    hours, minutes = divmod(seconds // 60, 60)
    if hours:
        return translate("SpokenTime", "{hours} h {minutes} min").format(hours=hours, minutes=minutes)
    return translate("SpokenTime", "{minutes} min").format(minutes=minutes)


def day_text(time: str) -> str:
    """Return the local day of an ISO 8601 time; any other text is returned unchanged."""
    try:
        when = datetime.fromisoformat(time)
    except ValueError:
        return time
    return day(when.astimezone() if when.tzinfo is not None else when)


def library_text(library: "LibraryName") -> str:
    """Return the name of a library with its date: "Wikipedia of 1 March 2026"."""
    from desktop_rater.ui.widgets.labels import isolated  # noqa: PLC0415 - as above

    name = isolated(" ".join(library.name.split()))
    if not library.date:
        return name
    day_of = QLocale().toString(QDate.fromString(library.date, "yyyy-MM-dd"), translate("SpokenTime", "d MMMM yyyy"))
    return translate("SpokenTime", "{library} of {day}").format(library=name, day=day_of)


def weekday(when: date) -> str:
    """Return a day with its weekday: "Wed 25 Nov"."""
    return QLocale().toString(QDate(when.year, when.month, when.day), translate("SpokenTime", "ddd d MMM"))


def short_weekday(when: date) -> str:
    """Return the short name of a weekday: "Wed"."""
    return QLocale().dayName(when.isoweekday(), QLocale.FormatType.ShortFormat)


def capitalized(text: str) -> str:
    """Return a text with its first letter in upper case."""
    return text[:1].upper() + text[1:]
