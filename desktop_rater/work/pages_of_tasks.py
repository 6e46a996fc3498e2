"""Which stored pages of a bundle its tasks need, so that a part of the tasks takes along a part of the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.bundle.trouble import named
from desktop_rater.bundle.write import TRY_AGAIN
from desktop_rater.rubric.links import links_of
from desktop_rater.text.pages import page_of
from desktop_rater.web.trouble import WebError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from desktop_rater.bundle.read import OpenBundle
    from desktop_rater.model.task import Task


class PagesOfTasks:
    """The pages lie in a folder while this is used, each under its SHA-256."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, Path] = {}
        self._by_page: dict[str, list[str]] = {}
        self._needs: dict[int, tuple[str, ...]] = {}
        self._claimed: set[str] = set()

    def bring(self, bundle: OpenBundle) -> None:
        """Lay the pages of a bundle down, before its tasks are looked at. Raises `BundleError`."""
        for sha256 in bundle.snapshots:
            if sha256 in self._files:
                continue
            path = self._folder / f"{sha256}.warc.gz"
            with named(path, "written", TRY_AGAIN), path.open("xb") as file:
                file.writelines(bundle.snapshot(sha256))
            self._files[sha256] = path
            for page in _pages_in(path):
                self._by_page.setdefault(page, []).append(sha256)

    def look(self, number: int, task: Task) -> None:
        """Note which pages a task links to."""
        if not self._by_page:
            return
        urls = [*(link.page for link in links_of(task, ())), *(page_of(one.url) for one in task.context)]
        needed = dict.fromkeys(sha256 for url in urls if url for sha256 in self._by_page.get(url, ()))
        if needed:
            self._needs[number] = tuple(needed)
            self._claimed.update(needed)

    def needed(self, numbers: Iterable[int]) -> dict[str, Path]:
        """The pages of those tasks. A page that no task at all links to goes with all of them."""
        wanted = self._files.keys() - self._claimed
        for number in numbers:
            wanted |= set(self._needs.get(number, ()))
        return {sha256: self._files[sha256] for sha256 in sorted(wanted)}


def _pages_in(path: Path) -> set[str]:
    """The pages that a stored page answers for; none where nothing can be read of it."""
    from desktop_rater.web import warc  # noqa: PLC0415 - only where there are stored pages

    try:
        outline = warc.outline(path)
    except WebError:
        return set()
    return {page for url in (outline.url, outline.final_url) if (page := page_of(url))}
