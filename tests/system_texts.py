"""What the operating system says of a file that is not there, and what it lets a file be called."""

import sys
from pathlib import Path


def _reason_not_to_find(name: str) -> str:
    try:
        (Path(__file__).parent / name).stat()
    except OSError as error:
        return (error.strerror or "").rstrip(".")
    raise AssertionError(f"{name} is there")


NO_SUCH_FILE = _reason_not_to_find("no such file")
NAME_TOO_LONG = _reason_not_to_find("n" * 5_000)  # on Windows it is not found
# Windows allows no control characters in names.
ODD_NAME = "odd[31m" if sys.platform == "win32" else "odd\x1b[31m\n"
