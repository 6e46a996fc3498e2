"""What it means for values of JSON and TOML to be numbers and to be the same."""

from __future__ import annotations

import math
from typing import Any


def is_number(value: Any) -> bool:
    """A finite number; `True` and `False` are none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def same(one: Any, other: Any) -> bool:
    """Equal as JSON values are: 1 is 1.0, but neither of them is `True`."""
    return isinstance(one, bool) is isinstance(other, bool) and one == other
