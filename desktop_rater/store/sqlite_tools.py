"""sqlite-utils, without what it would load beside.

It looks for numpy and pandas, to know their types. Where they are installed that takes a second at each start, and
nothing here has such values: so it does not find them.
"""

from __future__ import annotations

import sys

_UNUSED = {"numpy", "pandas"} - sys.modules.keys()
sys.modules.update(dict.fromkeys(_UNUSED))  # ty: ignore[no-matching-overload]
try:
    from sqlite_utils import Database, Migrations
finally:
    for _name in _UNUSED:
        del sys.modules[_name]

__all__ = ["Database", "Migrations"]
