"""Judge, offline and with evidence, whether what an AI wrote is true.

`desktop_rater.api` has the public functions, and plug-ins add others. They are loaded at first use, since the program
imports this module too.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

__all__ = [
    "AuditReport",
    "BuiltBundle",
    "Bundle",
    "BundleKeywords",
    "CheckOutcome",
    "CheckedResults",
    "QuestionAgreement",
    "RatedTask",
    "RaterError",
    "Rating",
    "Results",
    "RubricHandle",
    "Task",
    "__version__",
    "agreement",
    "check",
    "load_rubric",
    "make_bundle",
    "read_bundle",
    "read_results",
    "report",
]


def __getattr__(name: str) -> Any:
    if name in __all__:
        value = getattr(import_module(f"{__name__}.api"), name)
    elif not name.startswith("_") and name in (places := _plugin_functions()):
        value = import_module(f"{__name__}.hooks").resolve(places[name])
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_plugin_functions()})


def _plugin_functions() -> dict[str, str]:
    return import_module(f"{__name__}.hooks").hook("functions")
