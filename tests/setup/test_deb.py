"""The package for Debian, made by the script itself; the program in it is a copy of /bin/true."""

import gzip
import hashlib
import json
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from desktop_rater import __version__
from tests.setup.test_locks import ROOT

pytestmark = pytest.mark.skipif(
    not (shutil.which("dpkg-deb") and shutil.which("dpkg-shlibdeps")), reason="dpkg-dev is not installed"
)
NAME = "org.desktoprater.DesktopRater"
NOTICES = "_internal/desktop_rater/resources/THIRD-PARTY-NOTICES.txt"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return the script, and the package that it made."""
    place = tmp_path_factory.mktemp("deb")
    folder = place / "dist" / "desktop-rater"
    for inside in ("_internal", "licences/click", "licences/zlib1g"):
        (folder / inside).mkdir(parents=True)
    shutil.copy("/bin/true", folder / "desktop-rater")
    shutil.copy(next(Path("/usr/lib").glob("*/libz.so.1")), folder / "_internal")
    (folder / "_internal" / "libpython3.11.so.1.0").write_bytes(b"")
    lines = "Licences.\n\nclick: BSD-3-Clause\nzlib1g: a package of the system that this folder was made on\n"
    (folder / "licences" / "README.txt").write_text(lines, "utf-8")
    (folder / NOTICES).parent.mkdir(parents=True)
    (folder / NOTICES).write_text("click: BSD-3-Clause", "utf-8")
    libraries = [{"location": f"_internal/{name}"} for name in ("libz.so.1", "libpython3.11.so.1.0")]
    parts = [
        {"bom-ref": f"pkg:generic/{library['location']}", "evidence": {"occurrences": [library]}}
        for library in libraries
    ]
    bill = {"metadata": {"component": {"version": __version__}}, "components": parts}
    (place / "dist" / "desktop-rater.cdx.json").write_text(json.dumps(bill), "utf-8")
    tree = place / "work" / "desktop-rater"
    paths = {
        "DIST": place / "dist",
        "FOLDER": folder,
        "WORK": place / "work",
        "TREE": tree,
        "PROGRAM": tree / "usr" / "lib" / "desktop-rater",
        "DOCUMENTS": tree / "usr" / "share" / "doc" / "desktop-rater",
    }
    sys.path.insert(0, str(ROOT / "packaging" / "debian"))
    with pytest.MonkeyPatch.context() as patch:
        script = import_module("make_deb")
        sys.path.remove(str(ROOT / "packaging" / "debian"))
        for name, path in paths.items():
            patch.setattr(script, name, path)
        patch.setenv("SOURCE_DATE_EPOCH", "1700000000")
        patch.setenv("DPKG_DEB_COMPRESSOR_LEVEL", "1")
        yield script, script.make()


@pytest.fixture(scope="module")
def installed(made, tmp_path_factory):
    """Return the folder into which the package was unpacked."""
    root = tmp_path_factory.mktemp("root")
    subprocess.run(["dpkg-deb", "--extract", made[1], root], check=True)
    return root


def test_an_installed_package_has_what_a_desktop_looks_for(installed):
    share = installed / "usr" / "share"
    assert (installed / "usr/bin/desktop-rater").resolve() == installed / "usr/lib/desktop-rater/desktop-rater"
    entry = (share / "applications" / f"{NAME}.desktop").read_text("utf-8")
    assert "\nExec=desktop-rater %F\n" in entry, "files opened together go to one start"
    (mime,) = re.findall(r"(?m)^MimeType=(.*);$", entry)
    assert mime in (share / "mime" / "packages" / f"{NAME}.xml").read_text("utf-8")
    assert f"<id>{NAME}</id>" in (share / "metainfo" / f"{NAME}.metainfo.xml").read_text("utf-8")
    for kind in ("apps", "mimetypes"):
        (icon,) = (share / "icons/hicolor/scalable" / kind).iterdir()
        assert icon.stem.startswith(NAME)


def test_the_system_s_libraries_are_dependencies_and_not_copies(made, installed):
    fields = subprocess.check_output(["dpkg-deb", "--field", made[1]], text=True)
    assert f"\nVersion: {__version__}\n" in fields
    (depends,) = re.findall(r"(?m)^Depends: (.*)$", fields)
    assert re.search(r"\blibc6 \(>= 2\.\d+\)", depends)
    program = installed / "usr" / "lib" / "desktop-rater"
    assert sorted(path.name for path in (program / "_internal").iterdir()) == ["desktop_rater", "libpython3.11.so.1.0"]
    assert sorted(path.name for path in (program / "licences").iterdir()) == ["README.txt", "click"]
    rights = (installed / "usr/share/doc/desktop-rater/copyright").read_text("utf-8")
    assert "\n click: BSD-3-Clause\n" in rights
    assert f"/usr/lib/desktop-rater/{NOTICES}." in rights
    assert (program / NOTICES).read_text("utf-8") == "click: BSD-3-Clause"
    assert "zlib" not in rights
    assert b"Desktop Rater" in gzip.decompress((installed / "usr/share/doc/desktop-rater/changelog.gz").read_bytes())


def test_the_bill_of_materials_lists_no_library_of_the_system(made):
    _script, package = made
    bill = json.loads(package.with_name(f"{package.name}.cdx.json").read_text("utf-8"))
    assert [part["bom-ref"] for part in bill["components"]] == ["pkg:generic/_internal/libpython3.11.so.1.0"]
    (digest,) = bill["metadata"]["component"]["hashes"]
    assert digest == {"alg": "SHA-256", "content": hashlib.sha256(package.read_bytes()).hexdigest()}


def test_a_renamed_library_is_found_under_both_names(made):
    script, _package = made
    both = "libssl3 (>= 3.0.0) | libssl3t64 (>= 3.0.0)"
    assert script.alternatives("libssl3 (>= 3.0.0)") == script.alternatives("libssl3t64 (>= 3.0.0)") == both
    assert script.alternatives("libegl1") == "libegl1"


def test_the_same_folder_gives_the_same_package(made):
    script, package = made
    first = package.read_bytes()
    assert script.make().read_bytes() == first
    listing = subprocess.check_output(["dpkg-deb", "--contents", package], text=True).splitlines()
    assert {line.split()[1] for line in listing} == {"root/root"}
    assert {line.split()[3][:4] for line in listing} == {"2023"}
