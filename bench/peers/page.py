"""The tables of the comparison, and the places in docs/performance.md and the README that it is written to."""

from __future__ import annotations

import re
from pathlib import Path
from statistics import median
from typing import NamedTuple

import msgspec

from bench.figures import Figure

_ROOT = Path(__file__).resolve().parents[2]
PAGE, README = _ROOT / "docs" / "performance.md", _ROOT / "README.md"
_MISSING = "–"


class _Row(NamedTuple):
    """Row of the table: `scale` turns its samples into the unit."""

    title: str
    short: str
    unit: str
    scale: float = 1.0
    digits: int = 1


ROWS = {
    "start": _Row("start until the first task is there", "the start", "s"),
    "import": _Row("import of all tasks", "the import", "s"),
    "turn": _Row("one turn: an answer stored, then the next task there", "a rater's turn", "ms", 1_000),
    "answer": _Row("answer stored", "an answer", "ms", 1_000),
    "following": _Row("next task there", "the next task", "ms", 1_000),
    "search": _Row("search, first page", "a search", "ms", 1_000),
    "export": _Row("export of all tasks, rated", "the export", "s"),
    "export of labels": _Row("export of all tasks, one label each", "the export of one label each", "s"),
    "agreement": _Row("agreement of 10 raters on 1,000 tasks", "the agreement", "s", digits=2),
    "memory at work": _Row("memory while a rater works, peak", "the memory of a rater at work", "MB", digits=0),
    "memory in and out": _Row("memory of import and export, peak", "that of import and export", "MB", digits=0),
}
_OF_README = ("start", "turn", "memory at work")
_TASKS = 10_000


class PeerFigures(msgspec.Struct, frozen=True):
    """Figures of a peer by row: `value` is the peer's, `floor` ours, `result` their ratio.

    `others` is the mean number of cores that other programs used meanwhile.
    """

    title: str
    version: str
    figures: dict[str, Figure]
    others: float


class Comparison(msgspec.Struct, frozen=True):
    """All peers of a run."""

    moment: str
    tasks: int
    peers: list[PeerFigures]


def shown(comparison: Comparison) -> str:
    """Return the table as Markdown, with what each peer does better below it."""
    heads = [f"{peer.title} {peer.version}" for peer in comparison.peers]
    lines = [f"| | | Desktop Rater | {' | '.join(heads)} |", "|---" * (len(heads) + 3) + "|"]
    for name, row in ROWS.items():
        given = [peer.figures.get(name) for peer in comparison.peers]
        own = [figure.floor for figure in given if figure is not None and figure.floor is not None]
        ours = f"{median(own) * row.scale:,.{row.digits}f}" if own else _MISSING
        cells = [_MISSING if figure is None else _cell(row, figure) for figure in given]
        lines.append(f"| {row.title} | {row.unit} | {ours} | {' | '.join(cells)} |")
    repeats = max((figure.samples for peer in comparison.peers for figure in peer.figures.values()), default=0)
    others = max((peer.others for peer in comparison.peers), default=0)
    better = [f"- {peer.title} needs less than ours for: {_ahead(peer)}." for peer in comparison.peers]
    told = (
        f"Measured on {comparison.moment} with {comparison.tasks:,} tasks, in {repeats} repetitions. Other programs"
        f" used at most {others:.2f} cores meanwhile."
    )
    return "\n".join([told, "", *lines, "", *better])


def readme_table(comparison: Comparison) -> str:
    """Return a table with a row for each peer, of what it needs as multiples of what this program needs."""
    heads = [ROWS[name].short for name in _OF_README]
    lines = [f"| | {' | '.join(heads)} | less than Desktop Rater for |", "|---" * (len(heads) + 2) + "|"]
    for peer in comparison.peers:
        cells = [_ratio(peer.figures[name]) if name in peer.figures else _MISSING for name in _OF_README]
        lines.append(f"| {peer.title} {peer.version} | {' | '.join(cells)} | {_ahead(peer)} |")
    return "\n".join(lines)


def write_pages(comparison: Comparison, page: Path = PAGE, readme: Path = README) -> None:
    """Write the tables to the page and to the README, each between its markers.

    Raises `ValueError` for a run with fewer tasks, or where a page has no markers.
    """
    if comparison.tasks < _TASKS:
        raise ValueError(f"a run with {comparison.tasks:,} tasks is not written: it needs {_TASKS:,}")
    for path, text in ((page, shown(comparison)), (readme, readme_table(comparison))):
        write_between(path, "peers", text)


def write_between(path: Path, name: str, text: str) -> None:
    """Replace what stands between the two markers of a name. Raises `ValueError` where they are missing."""
    begin, end = f"<!-- begin of the {name} -->\n", f"<!-- end of the {name} -->"
    pattern = re.compile(f"(?<={re.escape(begin)}).*(?={re.escape(end)})", re.DOTALL)
    written, count = pattern.subn(lambda _match: f"\n{text}\n\n", path.read_text(encoding="utf-8"))
    if count != 1:
        raise ValueError(f"{path.name} has no place for the {name}")
    path.write_text(written, encoding="utf-8")


def _cell(row: _Row, figure: Figure) -> str:
    return f"{figure.value * row.scale:,.{row.digits}f}: {_ratio(figure)}"


def _ratio(figure: Figure) -> str:
    spread = "" if figure.low is None or figure.high is None else f" ({_short(figure.low)} – {_short(figure.high)})"
    return f"{_short(figure.result)} ×{spread}"


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _ahead(peer: PeerFigures) -> str:
    """Name what a peer needs less for: the rows whose whole interval is below 1."""
    ahead = [
        f"{ROWS[name].short} {_ratio(figure)}"
        for name, figure in peer.figures.items()
        if (figure.result if figure.high is None else figure.high) < 1
    ]
    return ", ".join(ahead) or "nothing of this"
