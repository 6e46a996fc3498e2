"""The window. This layer and `app` alone know Qt; nothing here touches the store but through `perform`."""

import builtins

import PySide6.QtCore  # noqa: F401 - it replaces `__import__`

# PySide's import reads the source of each imported module, and keeps it, to find out whether it uses PySide: for
# `from __feature__ import …`, which this program doesn't use.
builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
