"""What the operating system says of an error, in its own words."""

from __future__ import annotations

from pathlib import Path


def _reason_of_missing_file() -> str:
    try:
        (Path(__file__).parent / "no such file").read_bytes()
    except FileNotFoundError as error:
        return (error.strerror or "").rstrip(".")
    raise AssertionError("there is such a file")


NO_SUCH_FILE = _reason_of_missing_file()
