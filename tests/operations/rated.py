"""Results as raters export them, of a bundle that a test writes."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from desktop_rater.format.change import Progress
from desktop_rater.operations.rating.export import export_results

from .bundles import make, save_ratings, take_in, writer


def results_of(
    folder: Path,
    tasks: Iterable[dict[str, Any]],
    ratings: Mapping[str, Iterable[dict[str, Any]]],
    *,
    called: str = "b",
    **more: Any,
) -> list[Path]:
    """A results zip for each rater, whose ratings `ratings` has; all of them leave."""
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    with writer(folder / f"{called}-store") as store:
        take_in(store, make(folder / f"{called}.zip", tasks, **more))
        for rater, given in ratings.items():
            save_ratings(store, called, folder / f"{rater}.jsonl", given, rater)
            out = folder / f"{called}-{rater}.zip"
            done = export_results(store, called, rater, out, progress=Progress(), partial=True)
            assert done.written, done
            found.append(out)
    return found
