"""The raters' work on disk: SQLite in a folder, one writing process, readers beside it."""

import sys

# sqlite-utils looks for pandas and numpy, to know their types. Where they are installed that takes a second at each
# start, and nothing here has such values: so it does not find them.
_UNUSED = {"numpy", "pandas"} - sys.modules.keys()
sys.modules.update(dict.fromkeys(_UNUSED))  # ty: ignore[no-matching-overload]
try:
    import sqlite_utils  # noqa: F401
finally:
    for _name in _UNUSED:
        del sys.modules[_name]
