"""Put the manual pages into the wheel, if `make man` has written them."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ManualPages(BuildHookInterface):
    """Hook of hatchling, named in pyproject.toml."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - its signature
        """Add the folder of pages to what is installed beside the package."""
        pages = Path(self.root) / "build" / "man"
        if pages.is_dir():
            build_data["shared_data"][str(pages)] = "share/man/man1"
