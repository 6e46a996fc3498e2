"""Pack a folder into an archive with the same bytes each time: names in order, one time and mode, no owner."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def source_date() -> str:
    """Return the time of all files, in seconds: SOURCE_DATE_EPOCH, else that of the last commit."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    return given or subprocess.check_output(["git", "log", "-1", "--format=%ct"], cwd=ROOT, text=True).strip()


def set_times(folder: Path) -> None:
    """Give a folder and everything in it that time."""
    moment = int(source_date())
    for path in (folder, *folder.rglob("*")):
        os.utime(path, (moment, moment), follow_symlinks=False)


def pack_folder(folder: Path, archive: Path) -> None:
    """Write `archive`, a .tar.xz that unpacks to the folder."""
    archive.parent.mkdir(exist_ok=True)
    owner = ("--owner=0", "--group=0", "--numeric-owner")
    same = ("--sort=name", f"--mtime=@{source_date()}", "--mode=u=rwX,go=rX", *owner)
    command = ["tar", *same, "-C", str(folder.parent), "-cJf", str(archive), folder.name]
    subprocess.run(command, check=True, env={**os.environ, "XZ_OPT": "-6 -T0"})
    print(f"\nMade: {archive.relative_to(ROOT)}, {archive.stat().st_size / 1e6:.0f} MB")
