"""The pages of docs/, taken apart: sections, tables, fenced blocks, links."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
OURS = (
    *(
        "formats.md",
        "rubrics.md",
        "plugins/authoring.md",
        "commands.md",
        "plugins/convert.md",
        "user-guide.md",
        "hub.md",
    ),
    "plugins/maps.md",
)

_FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"^(#{1,6}) (.*)$", re.MULTILINE)


def text(name: str) -> str:
    """A page as it stands."""
    return (DOCS / name).read_text(encoding="utf-8")


def prose(page: str) -> str:
    """A page without fenced blocks and code."""
    return re.sub(r"`[^`\n]*`", "", _FENCE.sub("", page))


def fences(page: str) -> list[tuple[str, str]]:
    """(what stands behind the back-ticks, content) of each fenced block, in order."""
    return [(match[1], match[2]) for match in _FENCE.finditer(page)]


def fence(page: str, info: str) -> str:
    """The one fenced block with that word behind its back-ticks."""
    (found,) = (content for one, content in fences(page) if one == info)
    return found


def headings(page: str) -> list[str]:
    """The headings of a page, in order."""
    return [match[2] for match in _HEADING.finditer(_FENCE.sub("", page))]


def sections(page: str) -> dict[str, str]:
    """Heading → what stands beneath it, up to the next heading of any level."""
    masked = _FENCE.sub(lambda match: "\0" * len(match[0]), page)
    found = list(_HEADING.finditer(masked))
    ends = [match.start() for match in found[1:]] + [len(page)]
    return {match[2]: page[match.end() : end] for match, end in zip(found, ends, strict=True)}


def tables(section: str) -> list[list[list[str]]]:
    """Each table of a section as rows of cells, its head first."""
    blocks = re.findall(r"(?:^\|.*\|\n)+", section + "\n", re.MULTILINE)
    return [[_cells(line) for line in block.splitlines() if not re.fullmatch(r"[|\- ]+", line)] for block in blocks]


def table(section: str, *head: str) -> list[list[str]]:
    """The rows of the one table of a section whose head begins so."""
    (found,) = (rows for rows in tables(section) if tuple(rows[0][: len(head)]) == head)
    return found[1:]


def code(cell: str) -> str:
    """What stands between the first back-ticks of a cell."""
    match = re.search(r"`([^`]*)`", cell)
    assert match, f"no name in back-ticks: {cell}"
    return match[1]


def anchors(page: str) -> set[str]:
    """What a link behind a # can name, as GitHub makes it of headings."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings(page)}


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]
