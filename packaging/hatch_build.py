"""Put the manual pages and the third-party notices into the wheel, if `make man` and `make notices` wrote them."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class GeneratedDocuments(BuildHookInterface):
    """Hook of hatchling, named in pyproject.toml."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - its signature
        """Add the pages to what is installed beside the package, and the notices to what the window shows."""
        pages = Path(self.root) / "build" / "man"
        if pages.is_dir():
            build_data["shared_data"][str(pages)] = "share/man/man1"
        notices = Path(self.root) / "build" / "THIRD-PARTY-NOTICES.txt"
        if notices.is_file():
            build_data["force_include"][str(notices)] = f"desktop_rater/resources/{notices.name}"
