"""Make dist/desktop-rater_VERSION_ARCHITECTURE.deb of the folder that PyInstaller has made, on Debian or Ubuntu.

With Qt WebEngine in the folder the name is desktop-rater-full_VERSION_ARCHITECTURE.deb.

The package is made of the folder, not of wheels: one file then serves every release with its own Python, without a
network, and contains exactly the libraries that were tested. System libraries are left to the system, which keeps
them up to date: the package depends on them by name. Two builds of the same folder are equal, byte by byte: all times
are SOURCE_DATE_EPOCH, by default that of the last commit.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "packaging")]

from bill_of_materials import copy_bill  # noqa: E402 - beside the folder of this file
from freedesktop import add_to_desktop  # noqa: E402 - as above
from live_view import NAME as LIVE_VIEW  # noqa: E402 - as above
from pack import set_times, source_date  # noqa: E402 - as above
from steps import exit_status  # noqa: E402 - as above
from system_libraries import require_program  # noqa: E402 - as above

from desktop_rater import __version__  # noqa: E402 - the checkout's own

DIST = ROOT / "dist"
FOLDER = DIST / "desktop-rater"
WORK = ROOT / "build" / "debian"
TREE = WORK / "desktop-rater"  # the files of the package, as they will be installed
PROGRAM = TREE / "usr" / "lib" / "desktop-rater"
DOCUMENTS = TREE / "usr" / "share" / "doc" / "desktop-rater"
SHELLS = {
    "bash": "bash-completion/completions/desktop-rater",
    "zsh": "zsh/vendor-completions/_desktop-rater",
    "fish": "fish/vendor_completions.d/desktop-rater.fish",
}
# Packages that have another name from Debian 13 and Ubuntu 24.04 on.
RENAMED = {"libasound2", "libatspi2.0-0", "libcups2", "libglib2.0-0", "libgtk-3-0", "libreadline8", "libssl3"}
CONTROL = """\
Package: desktop-rater
Version: {version}
Architecture: {architecture}
Maintainer: The Desktop Rater authors
Section: science
Priority: optional
Installed-Size: {kibibytes}
Depends: {depends}
Recommends: libenchant-2-2, hunspell-en-us | hunspell-dictionary, xdg-utils
Suggests: gnome-keyring | keepassxc
Description: judge, with evidence, whether what an AI wrote is true
 Raters read the prompt and the responses of an AI side by side, check its
 statements against web pages, keep these pages as evidence, and answer a
 rubric whose rules are checked while they work. No network is needed.
 .
 QA leads compare the raters, decide where they differ, and measure agreement,
 the quality of all work, and which AI system is better by how much.
"""
COPYRIGHT = """\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Desktop Rater
Comment:
 The package contains the following software of others. The texts of all
 licences are in /usr/lib/desktop-rater/licences, and in
 {notices}.
 .
{packages}

Files: *
Copyright: The Desktop Rater authors
License: Apache-2.0

Files: usr/lib/desktop-rater/_internal/PySide6/* usr/lib/desktop-rater/_internal/shiboken6/*
Copyright: The Qt Company Ltd. and other contributors
License: LGPL-3
Comment:
 Shared libraries that are not modified. Each can be replaced by another build
 of the same version.

License: Apache-2.0
 On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.

License: LGPL-3
 On Debian systems the text is in /usr/share/common-licenses/LGPL-3.
"""


def main() -> int:
    """Make the package; return 1 if a step fails."""
    if shutil.which("dpkg-deb") is None:
        print("A .deb can be made on Debian and Ubuntu only.", file=sys.stderr)
        return 1
    if not FOLDER.is_dir():
        print("There is no folder dist/desktop-rater/ yet: make package.", file=sys.stderr)
        return 1
    return exit_status(lambda: print("\nMade:", make().relative_to(ROOT)))


def make() -> Path:
    """Fill the tree and pack it; return the package."""
    require_program("dpkg-shlibdeps", "dpkg-dev")
    os.umask(0o022)
    shutil.rmtree(WORK, ignore_errors=True)
    shutil.copytree(FOLDER, PROGRAM, symlinks=True)
    _leave_out_system_libraries()
    (TREE / "usr" / "bin").mkdir()
    (TREE / "usr" / "bin" / "desktop-rater").symlink_to("../lib/desktop-rater/desktop-rater")
    add_to_desktop(TREE / "usr" / "share")
    _add_shell_completion()
    _add_documents()
    architecture = _output("dpkg", "--print-architecture")
    (TREE / "DEBIAN").mkdir()
    files = sorted(path for path in (TREE / "usr").rglob("*") if path.is_file() and not path.is_symlink())
    control = CONTROL.format(
        version=__version__,
        architecture=architecture,
        kibibytes=sum(-(-path.stat().st_size // 1024) for path in files),
        depends=", ".join([*_dependencies(files), "hicolor-icon-theme"]),
    )
    (TREE / "DEBIAN" / "control").write_text(control, "utf-8")
    sums = [f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(TREE)}\n" for path in files]  # noqa: S324 - dpkg's format
    (TREE / "DEBIAN" / "md5sums").write_text("".join(sums), "utf-8")
    for path in TREE.rglob("*"):
        if not path.is_symlink():
            runs = path == PROGRAM / "desktop-rater" or path.name == "QtWebEngineProcess"
            path.chmod(0o755 if path.is_dir() or runs else 0o644)
    flavour = "-full" if (PROGRAM / LIVE_VIEW).exists() else ""
    package = DIST / f"desktop-rater{flavour}_{__version__}_{architecture}.deb"
    command = ["dpkg-deb", "--root-owner-group", "--build", str(TREE), str(package)]
    set_times(TREE)  # dpkg-deb itself changes only later ones
    subprocess.run(command, check=True, env={**os.environ, "SOURCE_DATE_EPOCH": source_date()})
    copy_bill(FOLDER, package, PROGRAM)
    return package


def _leave_out_system_libraries() -> None:
    """Remove the libraries that PyInstaller copied from packages of this system, and their licences.

    Python stays: each release has another one.
    """
    libraries = (PROGRAM / "_internal").glob("lib*.so*")
    copied = {path.name: path for path in libraries if not path.name.startswith("libpython") and not path.is_symlink()}
    listing = _output("dpkg-query", "-S", *(f"*/{name}" for name in copied), check=False)
    for line in listing.splitlines():
        owners, _, path = line.partition(": ")
        library = copied.pop(Path(path).name, None)
        if library is not None:
            library.unlink()
        for owner in owners.split(", "):
            shutil.rmtree(PROGRAM / "licences" / owner.partition(":")[0], ignore_errors=True)
    if copied:
        print("Libraries of no package, which stay:", *sorted(copied))


def _add_shell_completion() -> None:
    share = TREE / "usr" / "share"
    for shell, place in SHELLS.items():
        script = _output(str(PROGRAM / "desktop-rater"), "completion", shell)
        (share / place).parent.mkdir(parents=True)
        (share / place).write_text(f"{script}\n", "utf-8")


def _add_documents() -> None:
    """Add manual pages, changes and the copyright file."""
    DOCUMENTS.mkdir(parents=True)
    pages = TREE / "usr" / "share" / "man" / "man1"
    pages.mkdir(parents=True)
    for page in (ROOT / "build" / "man").glob("*.1"):
        (pages / f"{page.name}.gz").write_bytes(gzip.compress(page.read_bytes(), mtime=0))
    changes = gzip.compress((ROOT / "CHANGELOG.md").read_bytes(), mtime=0)
    (DOCUMENTS / "changelog.gz").write_bytes(changes)
    packages = (PROGRAM / "licences" / "README.txt").read_text("utf-8").partition("\n\n")[2].splitlines()
    present = [line for line in packages if (PROGRAM / "licences" / line.partition(":")[0]).is_dir()]
    notices = "/usr/lib/desktop-rater/_internal/desktop_rater/resources/THIRD-PARTY-NOTICES.txt"
    text = COPYRIGHT.format(notices=notices, packages="\n".join(f" {line}" for line in present))
    (DOCUMENTS / "copyright").write_text(text, "utf-8")


def _dependencies(files: list[Path]) -> list[str]:
    """Return the packages whose libraries the programs and libraries of the tree need, with their versions."""
    (WORK / "debian").mkdir()
    (WORK / "debian" / "control").write_text("Source: desktop-rater\n\nPackage: desktop-rater\nArchitecture: any\n")
    binaries = [str(path) for path in files if path.read_bytes().startswith(b"\x7fELF")]
    private = {f"-l{Path(binary).parent}" for binary in binaries}
    words = ("-O", f"-S{TREE}", "--ignore-missing-info", "--warnings=0", *sorted(private))
    listing = _output("dpkg-shlibdeps", *words, *(f"-e{binary}" for binary in binaries), cwd=WORK)
    found = listing.removeprefix("shlibs:Depends=").split(", ")
    return [alternatives(dependency) for dependency in found if not dependency.startswith("desktop-rater")]


def alternatives(dependency: str) -> str:
    """Return a dependency by both names of a package that was renamed."""
    name, space, version = dependency.partition(" ")
    old = re.sub(r"t64$", "", name)
    return f"{old}{space}{version} | {old}t64{space}{version}" if old in RENAMED else dependency


def _output(*command: str, cwd: Path = ROOT, check: bool = True) -> str:
    return subprocess.run(command, check=check, cwd=cwd, text=True, stdout=subprocess.PIPE).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
