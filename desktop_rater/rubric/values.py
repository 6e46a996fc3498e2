"""Numbers and equality of values of JSON and TOML."""

import math
from typing import Any


def is_number(value: Any) -> bool:
    """Return whether a value is a finite number; `True` and `False` are not."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def same_value(value: Any, other: Any) -> bool:
    """Return whether two values are equal as in JSON: 1 equals 1.0, but neither equals `True`."""
    return isinstance(value, bool) is isinstance(other, bool) and value == other
