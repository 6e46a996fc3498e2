"""Read and write the file of settings. A file that can't be used is set aside, never written over."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict

from desktop_rater.model.limits import format_time
from desktop_rater.model.trouble import RaterError
from desktop_rater.settings import BY_ID, Settings, taken_from
from desktop_rater.store.durable import put_in_place, unfinished

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

FORMAT = "desktop-rater-settings"
LARGEST = 1_000_000


@dataclass(frozen=True)
class Kept:
    """The settings of the file at `path` with the keys that this program does not know, and what was wrong with it."""

    path: Path | None = None
    settings: Settings = field(default_factory=Settings)
    further: dict[str, Any] = field(default_factory=dict)
    set_aside: Path | None = None
    wrong: tuple[str, ...] = ()
    unreadable: str = ""


def read_settings(path: Path, *, now: datetime) -> Kept:
    """The settings of a file; the defaults where there is none, or none that can be used."""
    try:
        if path.stat().st_size > LARGEST:
            return Kept(path, set_aside=_set_aside(path, now))
        raw = _object(path.read_bytes())
        if raw is None:
            return Kept(path, set_aside=_set_aside(path, now))
    except FileNotFoundError:
        return Kept(path)
    except OSError as error:
        return Kept(path, unreadable=error.strerror or type(error).__name__)
    settings, wrong = taken_from(raw)
    further = {key: value for key, value in raw.items() if key not in BY_ID and key != "format"}
    return Kept(path, settings, further, wrong=wrong)


def settings_as_they_are(path: Path) -> Settings:
    """The settings of a file, for who must not touch it: the defaults where it can't be used."""
    try:
        raw = _object(path.read_bytes()) if path.stat().st_size <= LARGEST else None
    except OSError:
        return Settings()
    return taken_from(raw)[0] if raw is not None else Settings()


def write_settings(path: Path, settings: Settings, further: dict[str, Any]) -> None:
    """Put the settings in place of what the file holds. Raises `RaterError`; the old file is whole then."""
    text = json.dumps({"format": FORMAT, **asdict(settings), **further}, indent=2) + "\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with unfinished(path.parent) as (file, beside):
            file.write(text.encode())
            put_in_place(file, beside, path)
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise RaterError(f"The settings can't be kept in {path}", f"{why}.", "They hold until you close.") from error


def _object(content: bytes) -> dict[str, Any] | None:
    """The settings in the bytes of a file; `None` where it is no file of settings."""
    try:
        raw = json.loads(content)
    except (ValueError, RecursionError):  # UnicodeDecodeError is a ValueError
        return None
    return raw if isinstance(raw, dict) and raw.get("format") == FORMAT else None


def _set_aside(path: Path, now: datetime) -> Path:
    stamp = format_time(now).replace(":", "").replace("-", "")
    for number in range(1, 1_000):
        aside = path.with_name(f"{path.stem}.set-aside-{stamp}{f'-{number}' if number > 1 else ''}{path.suffix}")
        if not aside.exists():
            return path.replace(aside)
    raise FileExistsError(path)
