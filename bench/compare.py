"""`python -m bench.compare [A B]`: print what moved by more than noise between two runs, by number or commit.

Without arguments, the last two runs are compared.
"""

from __future__ import annotations

import sys
from pathlib import Path

from bench.history import Run, compare_runs, find_run, read_history

_HISTORY = Path(__file__).resolve().parents[1] / "build" / "bench.json"
_WORDS = {True: "moved", False: "", None: "one sample"}


def main(names: list[str], path: Path = _HISTORY) -> int:
    """Print the comparison and return the exit status."""
    history = read_history(path)
    if len(names) not in {0, 2} or len(history.runs) < 2:
        print(f"Give two runs, by number or commit. {path.name} has {len(history.runs)}.", file=sys.stderr)
        return 2
    try:
        before, after = (find_run(history, name) for name in names) if names else history.runs[-2:]
    except LookupError as error:
        print(error.args[0], file=sys.stderr)
        return 2
    for letter, run in (("A", before), ("B", after)):
        print(f"{letter}: {_heading(run)}")
    print(f"{'row':<46} {'A':>9} {'B':>9} {'change':>8}")
    for move in compare_runs(before, after):
        figures = f"{move.before.result:>9,.2f} {move.after.result:>9,.2f} {move.change:>+8.1%}"
        print(f"{move.after.row:<46} {figures}  {_WORDS[move.moved]}".rstrip())
    return 0


def _heading(run: Run) -> str:
    rest = "quiet" if run.quiet else "beside other work"
    return f"run {run.number}, {run.revision}, {run.moment}, {run.tasks:,} tasks, {rest}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
