"""Lengths of time, and days, in words."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QCoreApplication

from desktop_rater.ui import spelling

translate = QCoreApplication.translate


def about_left(seconds: int) -> str:
    """A guess, so in round figures: "about 6 h left"."""
    minutes = max(1, round(seconds / 60))
    if minutes >= 90:
        return translate("SpokenTime", "about {n} h left").format(n=round(minutes / 60))
    rounded = minutes if minutes < 10 else round(minutes / 5) * 5
    return translate("SpokenTime", "about {n} min left").format(n=rounded)


def hours_and_minutes(seconds: int) -> str:
    """A count, to the minute: "1 h 47 min"."""
    hours, minutes = divmod(seconds // 60, 60)
    if hours:
        return translate("SpokenTime", "{hours} h {minutes} min").format(hours=hours, minutes=minutes)
    return translate("SpokenTime", "{minutes} min").format(minutes=minutes)


def day_words(time: str) -> str:
    """The day of an ISO 8601 time here; what is none is given back as it stands."""
    try:
        when = datetime.fromisoformat(time)
    except ValueError:
        return time
    return spelling.day(when.astimezone() if when.tzinfo is not None else when)
