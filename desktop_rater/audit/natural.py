"""The order in which a person counts: t-2 before t-10."""

from __future__ import annotations

import re

_NUMBER = re.compile("([0-9]{1,18})")  # whatever stands in a name: longer ones are read in parts


def natural(text: str) -> tuple[list[str | int], str]:
    """To sort by. No two names are equal in it, such as t-1 and t-01, so that the order is always the same."""
    # Every second part is a number.
    return [int(part) if at % 2 else part for at, part in enumerate(_NUMBER.split(text))], text
