"""The words of a report in the language of the window."""

from __future__ import annotations

from typing import Any

from msgspec.structs import fields
from PySide6.QtCore import QCoreApplication

from desktop_rater.audit.wording import LOOKED_UP, WHYS, Wording
from desktop_rater.ui import spelling

OWN = {"point", "group", "whys"}


def wording() -> Wording:
    """All of them, as the language is now."""
    plain = Wording()
    said: dict[str, Any] = {
        one.name: _in_language(getattr(plain, one.name)) for one in fields(Wording) if one.name not in OWN
    }
    return Wording(
        point=spelling.decimal_point(),
        group=spelling.group_mark(),
        whys={why: _in_language(why) for why in WHYS},
        **said,
    )


def _in_language(text: str) -> str:
    return QCoreApplication.translate(LOOKED_UP, text)
