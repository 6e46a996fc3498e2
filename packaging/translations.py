"""Take the texts of the window into the translators' files, and compile what has been translated."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "resources" / "translations"


def sources() -> list[str]:
    """The files with texts, in an order that stays."""
    return [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "desktop_rater").rglob("*.py"))]


def update(file: Path) -> None:
    """Take new texts into a file, and out of it what is said nowhere any more."""
    run("lupdate", "-locations", "none", "-no-obsolete", "-source-language", "en", *sources(), "-ts", str(file))


def compile_into(file: Path, compiled: Path) -> None:
    """What the window loads."""
    run("lrelease", "-silent", str(file), "-qm", str(compiled))


def run(tool: str, *words: str) -> None:
    """Run a tool of Qt's, which stands beside this Python."""
    subprocess.run([str(Path(sys.executable).with_name(f"pyside6-{tool}")), *words], cwd=ROOT, check=True)


def main() -> None:
    """All languages that there are."""
    for file in sorted(FOLDER.glob("*.ts")):
        update(file)
        compile_into(file, file.with_suffix(".qm"))


if __name__ == "__main__":
    main()
