"""Rows about what comes in and goes out: import, export, check, ratings from a file."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from bench import floors
from bench.child import measured
from bench.figures import Figure
from bench.workload import BUNDLE, RATER, Workload, noon
from desktop_rater.model.progress import Progress
from desktop_rater.store.opening import open_writer
from desktop_rater.work.import_bundle import import_bundle

if TYPE_CHECKING:
    from bench.figures import Figures


def import_all(bundle: str, folder: str) -> int:
    with open_writer(Path(folder), command="bench") as store:
        return import_bundle(store, Path(bundle), progress=Progress(), now=noon).imported


def import_floor(bundle: str, folder: str) -> int:
    Path(folder).mkdir()
    return floors.import_bundle(Path(bundle), Path(folder) / "floor.sqlite3")
