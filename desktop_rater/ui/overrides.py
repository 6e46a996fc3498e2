"""A bug in an override of one of Qt's methods reaches the crash dialog, instead of ending the program.

Before Python 3.12 an exception of the interpreter's own, such as the IndexError of `[][3]`, is not yet an object when
it leaves a function: it becomes one where a handler is entered. PySide takes it for an object without looking, and the
process ends with a segmentation fault. So each override gets a handler, which does nothing else.
"""

from __future__ import annotations

import sys
from functools import cache, update_wrapper
from inspect import CO_VARARGS, CO_VARKEYWORDS
from types import FunctionType
from typing import TYPE_CHECKING, Any

from shiboken6 import Shiboken

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType

OURS = "desktop_rater."
QT = "PySide6."

# With the parameters of the override and no others: by their number Qt knows how much of a signal it may hand over.
_COVERED = """
def covered({parameters}):
    try:
        return _override({parameters})
    except BaseException:
        raise
"""


def cover_overrides() -> None:
    """Give a handler to each override of the classes that are loaded, and of those that will be."""
    if sys.version_info >= (3, 12) or "__init_subclass__" in vars(Shiboken.Object):
        return

    def cover_new(kind: type[Shiboken.Object], **named: Any) -> None:
        super(Shiboken.Object, kind).__init_subclass__(**named)
        _cover(kind)

    Shiboken.Object.__init_subclass__ = classmethod(cover_new)  # ty: ignore[invalid-assignment]
    for kind in set(below(Shiboken.Object)):
        _cover(kind)


def below(kind: type) -> Iterator[type]:
    """All classes that are derived from it and are loaded; more than once where there is more than one way."""
    for derived in type.__subclasses__(kind):
        yield derived
        yield from below(derived)


def _cover(kind: type) -> None:
    if not kind.__module__.startswith(OURS):
        return
    written = vars(kind)
    of_qt = (vars(base).keys() for base in kind.__mro__ if base.__module__.startswith(QT))
    for name in {name for names in of_qt for name in written.keys() & names}:
        if isinstance(written[name], FunctionType) and not name.startswith("__"):
            setattr(kind, name, _covered(written[name]))


def _covered(override: FunctionType) -> FunctionType:
    code = override.__code__
    if code.co_kwonlyargcount or code.co_flags & (CO_VARARGS | CO_VARKEYWORDS):
        raise TypeError(f"{override.__qualname__} overrides a method of Qt, whose arguments come one by one.")
    names: dict[str, Any] = {"_override": override}
    exec(_compiled(", ".join(code.co_varnames[: code.co_argcount])), names)  # noqa: S102 - names of our own source
    covered = names["covered"]
    covered.__defaults__ = override.__defaults__
    update_wrapper(covered, override)
    return covered


@cache
def _compiled(parameters: str) -> CodeType:
    return compile(_COVERED.format(parameters=parameters), "<override>", "exec")
