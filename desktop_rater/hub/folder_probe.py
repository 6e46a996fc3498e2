"""What a hub in a folder can and can't do."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rater.hub import findings, folder_files, probe_files
from desktop_rater.hub.interface import Finding, Probe
from desktop_rater.hub.trouble import HubTrouble

if TYPE_CHECKING:
    from desktop_rater.hub.interface import Hub
    from desktop_rater.hub.means import Means
    from desktop_rater.model.progress import Progress


def probe(hub: Hub, root: Path, means: Means, progress: Progress) -> Probe:
    """Write two tiny files and read them back. Raises `OSError`, and `HubTrouble` only where nothing can be tried."""
    found = [Finding("place", passed=True, words="The folder is there.", matters=True), _written(hub, progress)]
    skew = None
    if found[-1].passed:
        folder = root / probe_files.FOLDER
        beside = folder / folder_files.unfinished_name(means.client, means.token())
        other = folder / folder_files.unfinished_name(means.client, means.token())
        try:
            before = means.now().timestamp()
            folder_files.write_new(beside, [probe_files.FIRST])
            skew = _skew(beside.stat().st_mtime, before, means.now().timestamp())
            found += [_kept(beside, root, progress), _exclusive(beside, other)]
        finally:
            beside.unlink(missing_ok=True)
            other.unlink(missing_ok=True)
    return Probe((*found, findings.space(shutil.disk_usage(root).free)), skew)


def _written(hub: Hub, progress: Progress) -> Finding:
    try:
        with tempfile.TemporaryDirectory() as own:
            for content in (probe_files.FIRST, probe_files.SECOND):
                source = Path(own, "content")
                source.write_bytes(content)
                hub.put_new(probe_files.name_of(content), source, probe_files.sha256_of(content), progress)
    except HubTrouble as trouble:
        return Finding("write", passed=False, words=str(trouble), matters=True)
    return findings.written()


def _kept(beside: Path, root: Path, progress: Progress) -> Finding:
    """Whether a file that is there is left as it is."""
    there = root / probe_files.name_of(probe_files.SECOND)
    given = folder_files.give_name(beside, there)
    same = folder_files.sha256_of(there, lambda _done: progress(0, 0)) == probe_files.sha256_of(probe_files.SECOND)
    kept = same and not given
    words = "A file that is there is not replaced." if kept else "A file that was there was replaced."
    return Finding("no_overwrite", passed=kept, words=words, matters=True)


def _exclusive(beside: Path, other: Path) -> Finding:
    if folder_files.links(beside, other):
        words = "A file gets its name in one step, and only where nobody has it."
        return Finding("exclusive", passed=True, words=words)
    words = (
        "There are no hard links here, so a file gets its name after a look whether it is free. Names hold the hash of "
        "their file, so two clients at once do no harm."
    )
    return Finding("exclusive", passed=False, words=words)


def _skew(written: float, before: float, after: float) -> float:
    """How far the folder's clock is ahead of ours; file systems count in as much as two seconds."""
    if before - 2 <= written <= after + 2:
        return 0.0
    return written - before
