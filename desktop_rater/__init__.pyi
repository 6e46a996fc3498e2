from typing import Any

from desktop_rater.api import *  # noqa: F403 - what it lists in __all__ is public here

__version__: str

def __getattr__(name: str) -> Any: ...  # what plug-ins add
