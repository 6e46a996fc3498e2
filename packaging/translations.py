"""Update the translation files from the program's texts, and compile them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "resources" / "translations"


def sources() -> list[str]:
    """Return the files with texts, in a stable order."""
    return [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "desktop_rater").rglob("*.py"))]


def update(file: Path) -> None:
    """Add new texts to a translation file and remove obsolete ones."""
    options = "-tr-function-alias QT_TRANSLATE_NOOP=N_ -locations none -no-obsolete -source-language en"
    run("lupdate", *options.split(), *sources(), "-ts", str(file))


def compile_into(file: Path, compiled: Path) -> None:
    """Compile a translation file into the form that Qt loads."""
    run("lrelease", "-silent", str(file), "-qm", str(compiled))


def run(tool: str, *words: str) -> None:
    """Run one of Qt's tools, which are installed beside this Python."""
    subprocess.run([str(Path(sys.executable).with_name(f"pyside6-{tool}")), *words], cwd=ROOT, check=True)


def main() -> None:
    """Update and compile all languages."""
    for file in sorted(FOLDER.glob("*.ts")):
        update(file)
        compile_into(file, file.with_suffix(".qm"))


if __name__ == "__main__":
    main()
