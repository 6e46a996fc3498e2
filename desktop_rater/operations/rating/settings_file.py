"""Read and write the settings file. An unusable file is set aside, never overwritten."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from msgspec.structs import asdict

from desktop_rater.files import retry_while_open, unused_path, write_durably
from desktop_rater.format.errors import RaterError
from desktop_rater.format.values import format_time
from desktop_rater.settings import SETTINGS_BY_ID, Settings, parse_settings

SETTINGS_FORMAT = "desktop-rater-settings"
MAX_SETTINGS_BYTES = 1_000_000


class SettingsFile(Struct, frozen=True):
    """Settings of the file at `path`, its unknown keys, and its errors."""

    path: Path | None = None
    settings: Settings = field(default_factory=Settings)
    further: dict[str, Any] = {}
    set_aside: Path | None = None
    wrong: tuple[str, ...] = ()
    unreadable: str = ""


def read_settings(path: Path, *, now: datetime) -> SettingsFile:
    """Read a settings file; return the defaults if it is missing or unusable."""
    try:
        if path.stat().st_size > MAX_SETTINGS_BYTES:
            return SettingsFile(path, set_aside=_set_aside(path, now))
        raw = _decode(path.read_bytes())
        if raw is None:
            return SettingsFile(path, set_aside=_set_aside(path, now))
    except FileNotFoundError:
        return SettingsFile(path)
    except OSError as error:
        return SettingsFile(path, unreadable=error.strerror or type(error).__name__)
    settings, errors = parse_settings(raw)
    further = {key: value for key, value in raw.items() if key not in SETTINGS_BY_ID and key != "format"}
    return SettingsFile(path, settings, further, wrong=errors)


def peek_settings(path: Path) -> Settings:
    """Read a settings file without touching it; return the defaults if it is unusable."""
    try:
        raw = _decode(path.read_bytes()) if path.stat().st_size <= MAX_SETTINGS_BYTES else None
    except OSError:
        return Settings()
    return parse_settings(raw)[0] if raw is not None else Settings()


def write_settings(path: Path, settings: Settings, further: dict[str, Any]) -> None:
    """Replace the settings file. Raises `RaterError`; the old file is then intact."""
    text = json.dumps({"format": SETTINGS_FORMAT, **asdict(settings), **further}, indent=2) + "\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_durably(path, text.encode())
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise RaterError(
            f"The settings can't be saved to {path}", f"{why}.", "They apply until you close the program."
        ) from error


def _decode(content: bytes) -> dict[str, Any] | None:
    try:
        raw = json.loads(content)
    except (ValueError, RecursionError):  # UnicodeDecodeError is a ValueError
        return None
    return raw if isinstance(raw, dict) and raw.get("format") == SETTINGS_FORMAT else None


def _set_aside(path: Path, now: datetime) -> Path:
    stamp = format_time(now).replace(":", "").replace("-", "")
    return retry_while_open(path.replace, unused_path(path.with_name(f"{path.stem}.set-aside-{stamp}{path.suffix}")))
