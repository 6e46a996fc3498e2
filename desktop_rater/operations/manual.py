"""The manual: the pages of the documentation by their headings, for reading and search."""

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

# In this order: for everybody, for QA leads, for project engineers, how it works. Further pages follow.
PAGES = tuple(
    f"{name}.md"
    for name in (
        *("user-guide", "installing", "windows", "hub", "plugins/s3", "plugins/updates"),
        *("auditing", "plugins/audit-result", "plugins/systems", "plugins/statistics", "plugins/scoring"),
        *("plugins/importing", "plugins/dataset", "commands", "plugins/authoring", "rubrics", "formats"),
        *("plugins/convert", "plugins/maps", "python", "plugins"),
        *("reliability", "performance", "design", "architecture", "CONTEXT"),
    )
)
LONGEST_SECTION = 40_000  # characters
_COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)  # marks of tests
_FENCE = re.compile(r"^( *)(`{3,}|~{3,})[^`\n]*$", re.MULTILINE)  # also says what the code is, which is not shown
_HEADING = re.compile(r"^(#{1,3}) +(.+)$")
_PICTURE = re.compile(r"!\[[^\]]*\]\(((?:\.\./)?pictures/[\w-]+\.png)\)")


@dataclass(frozen=True)
class ManualHeading:
    """A heading with the text below it, up to the next one. `section`: the page's part that is shown as a whole.

    `page` is the page's path in the folder, such as `plugins/maps.md`.
    """

    page: str
    level: int
    title: str
    section: int
    text: str

    @property
    def slug(self) -> str:
        """The name of the heading in links."""
        return re.sub(r"[^\w\- ]", "", self.title.lower()).replace(" ", "-")

    def contains(self, words: str) -> bool:
        return words.casefold() in self.text.casefold()


@dataclass(frozen=True)
class Manual:
    """All headings in the order of the contents, and where they come from."""

    folder: Path
    headings: tuple[ManualHeading, ...]

    def section(self, heading: ManualHeading) -> str:
        """Return the Markdown of the section that a heading belongs to; if that is long, of the heading alone."""
        place = heading.page, heading.section
        text = "".join(entry.text for entry in self.headings if (entry.page, entry.section) == place)
        return text if len(text) <= LONGEST_SECTION else heading.text

    def pictures(self, text: str) -> Mapping[str, bytes]:
        """Return the pictures that a text names, as far as they came with the manual."""
        files = {name: self.folder / name.removeprefix("../") for name in _PICTURE.findall(text)}
        return {name: file.read_bytes() for name, file in files.items() if file.is_file()}

    def target(self, link: str, page: str) -> ManualHeading | None:
        """Return where a link on a page leads within the manual, if it does."""
        name, _, slug = link.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), name)) if name else page
        headings = (heading for heading in self.headings if heading.page == path and slug in ("", heading.slug))
        return next(headings, None)


def read_manual(folder: Path) -> Manual:
    """Read the pages of a folder; those that most users need come first."""
    paths = (*folder.glob("*.md"), *folder.glob("plugins/*.md"))
    pages = sorted(
        (path.relative_to(folder).as_posix() for path in paths),
        key=lambda name: (PAGES.index(name) if name in PAGES else len(PAGES), name),
    )
    headings = (heading for name in pages for heading in _headings(name, (folder / name).read_text("utf-8")))
    return Manual(folder, tuple(headings))


def _headings(page: str, text: str) -> Iterator[ManualHeading]:
    level, title, section, lines, in_code = 1, page, 0, [""], False
    for line in _FENCE.sub(r"\1\2", _COMMENT.sub("", text)).splitlines(keepends=True):
        in_code ^= line.lstrip().startswith(("```", "~~~"))
        heading = None if in_code else _HEADING.match(line.rstrip())
        if heading is not None:
            if any(lines):
                yield ManualHeading(page, level, title, section, "".join(lines))
            level, title, lines = len(heading[1]), re.sub(r"[`*]", "", heading[2]), []
            section += level < 3
        lines.append(line)
    yield ManualHeading(page, level, title, section, "".join(lines))
