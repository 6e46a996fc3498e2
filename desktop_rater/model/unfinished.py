"""What a file is called while it is not finished, so that one that a killed process left is known for one of ours."""

from __future__ import annotations

import re

PREFIX = ".desktop-rater-"
SUFFIX = ".part"

# Whoever makes one puts random signs in between; SQLite puts its own files beside a database.
_NAME = re.compile(r"\.desktop-rater-[0-9a-z_]{8,16}\.part(-journal|-wal|-shm)?")


def is_ours(name: str) -> bool:
    """Whether this program, and hardly anybody else, calls an unfinished file so."""
    return _NAME.fullmatch(name) is not None
