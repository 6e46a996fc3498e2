"""Judge, offline and with evidence, whether what an AI wrote is true.

`desktop_rater.api` has the public functions. They are loaded at first use, since the program imports this module too.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

__all__ = [
    "BuiltBundle",
    "Bundle",
    "BundleKeywords",
    "CheckOutcome",
    "CheckedResults",
    "DatasetReport",
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
    "dataset_report",
    "dataset_systems",
    "load_rubric",
    "make_bundle",
    "read_bundle",
    "read_results",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.api"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
