"""The bill of materials beside each package: what is in it, for the scanners of a company."""

import json
import os
import platform
import shutil
import sqlite3
import ssl
import subprocess
import sys
import tomllib
from importlib import import_module
from importlib.metadata import PathDistribution, distribution
from importlib.util import find_spec
from pathlib import Path

import pytest
from cryptography.hazmat.backends.openssl import backend

from desktop_rater import __version__
from tests.setup.test_locks import ROOT, RUN, versions

pytestmark = pytest.mark.slow

sys.path.insert(0, str(ROOT / "packaging"))
bill, build = map(import_module, ("bill_of_materials", "build"))
del sys.path[0]
LINUX = {"sys_platform": "linux", "platform_system": "Linux", "platform_machine": "x86_64", "os_name": "posix"}
WINDOWS = {"sys_platform": "win32", "platform_system": "Windows", "platform_machine": "AMD64", "os_name": "nt"}


def references(entries):
    return {entry["bom-ref"] for entry in entries}


def names(entries):
    return [entry["name"] for entry in entries]


@pytest.mark.parametrize(("system", "python"), [(LINUX, "3.11"), (LINUX, "3.14"), (WINDOWS, "3.13")])
def test_a_wheel_lists_one_version_of_what_it_needs_and_no_tools(system, python):
    environment = {**system, "python_version": python, "python_full_version": f"{python}.4"}
    needed = names(bill.locked(environment))
    assert len(needed) == len(set(needed)) > 50
    assert {"pyside6", "sqlite-utils", "pluggy"} <= set(needed)
    assert not {"hatchling", "tomlkit", "trove-classifiers", "pathspec"} & set(needed), "these only build it"
    assert ("pywin32-ctypes" in needed) == (system is WINDOWS)
    assert ("jeepney" in needed) == (system is LINUX)


def test_the_document_is_beside_the_package_and_names_it(tmp_path):
    wheel = tmp_path / "desktop_rater-1.2.3-py3-none-any.whl"
    wheel.write_bytes(b"wheel")
    file = bill.write_bill(wheel, "1.2.3", [*bill.locked(), *bill.locked()[:3]])
    assert file.name == "desktop_rater-1.2.3-py3-none-any.whl.cdx.json"
    document = json.loads(file.read_text("utf-8"))
    assert (document["bomFormat"], document["specVersion"]) == ("CycloneDX", "1.6")
    own = document["metadata"]["component"]
    assert (own["version"], own["properties"][0]["value"]) == ("1.2.3", wheel.name)
    assert len(own["hashes"][0]["content"]) == 64
    listed = [part["bom-ref"] for part in document["components"]]
    assert len(listed) == len(set(listed)) > 50
    assert document["dependencies"] == [{"ref": own["bom-ref"], "dependsOn": listed}]


@pytest.mark.posix("folders are made on Linux and macOS")
@pytest.mark.skipif(not shutil.which("dpkg-query"), reason="no system of Debian's kind")
def test_a_folder_lists_python_its_libraries_and_packages_of_the_system(tmp_path):
    (library,) = Path("/usr/lib").glob("*/libz.so.1")
    folder = tmp_path / "desktop-rater"
    (folder / "_internal").mkdir(parents=True)
    shutil.copy(library, folder / "_internal" / library.name)
    (folder / "_internal" / "libssl.so.3").write_bytes(b"")
    files = [
        library,
        *(
            Path(str(file.locate()))
            for name in ("click", "PySide6_Essentials", "pyinstaller")
            for file in distribution(name).files or ()
        ),
    ]
    entries = build.contents(folder, files)
    qt = distribution("PySide6_Essentials").version
    assert references(entries) > {
        f"pkg:pypi/click@{distribution('click').version}",
        f"pkg:pypi/pyside6-essentials@{qt}",
        f"pkg:generic/qt@{qt}",
        f"pkg:generic/python@{platform.python_version()}",
        f"pkg:generic/openssl@{ssl.OPENSSL_VERSION.split()[1]}",
        f"pkg:generic/sqlite@{sqlite3.sqlite_version}",
    }
    assert all(
        entry["properties"] and entry["licenses"] for entry in entries if entry["bom-ref"].startswith("pkg:pypi")
    ), "hashes of the lock"
    (system,) = [entry for entry in entries if entry["bom-ref"].startswith("pkg:deb/")]
    assert system["name"].startswith("zlib1g")
    assert system["evidence"] == {"occurrences": [{"location": f"_internal/{library.name}"}]}

    # The package for Debian leaves the libraries of the system to the system.
    bill.write_bill(folder, __version__, entries)
    tree = tmp_path / "tree"
    tree.mkdir()
    copy = json.loads(bill.copy_bill(folder, tmp_path / "desktop-rater_amd64.deb", tree).read_text("utf-8"))
    assert references(entries) - references(copy["components"]) == {
        system["bom-ref"],
        f"pkg:generic/openssl@{ssl.OPENSSL_VERSION.split()[1]}",
    }


def test_qt_of_the_windows_installer_is_that_of_its_lock(tmp_path):
    (part,) = [part for part in bill.components(ROOT / "packaging" / "windows" / "qt.lock") if "pyside" in part.name]
    info = tmp_path / f"pyside6_essentials-{part.version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: PySide6_Essentials\nVersion: {part.version}\n", "utf-8"
    )
    (entry,) = bill.installed([PathDistribution(info)])
    assert entry["bom-ref"] == f"pkg:pypi/pyside6-essentials@{part.version}"
    assert [row["value"] for row in entry["properties"]] == list(part.hashes)
    assert entry["licenses"] == [{"expression": part.licence}]


def test_a_library_for_windows_tells_its_version(tmp_path):
    if os.name == "nt":
        assert bill.file_version(Path(sys.executable)) == platform.python_version()
    library = tmp_path / "sqlite3.dll"
    library.write_bytes(b"MZ" + "StringFileInfo\0FileVersion\0\0003.45.3.0\0".encode("utf-16-le"))
    assert bill.file_version(library) == "3.45.3"
    library.write_bytes(b"MZ")
    with pytest.raises(ValueError, match="states no version"):
        bill.file_version(library)


def test_libraries_inside_other_files_are_found():
    package = Path(str(distribution("cryptography").locate_file("cryptography")))
    version = backend.openssl_version_text().split()[1]
    found = [entry for entry in bill.linked(package.parent) if entry["name"] == "openssl"]
    assert references(found) == {f"pkg:generic/openssl@{version}"}
    if find_spec("PySide6.QtWebEngineCore"):
        # Not in this process, where tests of the live view look whether it loads the engine.
        script = "from PySide6.QtWebEngineCore import qWebEngineChromiumVersion as version; print(version())"
        chromium = subprocess.check_output([sys.executable, "-c", script], text=True).strip()
        assert f"pkg:generic/chromium@{chromium}" in references(bill.linked(package.parent))


def test_a_library_of_pyenchant_without_a_known_licence_ends_the_packaging(tmp_path):
    folder = tmp_path / "enchant"
    folder.mkdir()
    for name in ("libglib-2.0-0.dll", "en_US.dic", "en_US.aff", "libpcre2-8-0.dll"):
        (folder / name).write_bytes(b"")
    glib, *others = bill.bundled("pyenchant", folder, tmp_path)
    assert glib["evidence"] == {"occurrences": [{"location": "enchant/libglib-2.0-0.dll"}]}
    assert names(others) == ["PCRE2", "English dictionaries of SCOWL"]
    (folder / "libnuspell-5.dll").write_bytes(b"")
    with pytest.raises(FileNotFoundError, match="libnuspell"):
        bill.bundled("pyenchant", folder, tmp_path)


def test_the_versions_of_bundled_libraries_are_those_of_the_locked_wheel():
    table = tomllib.loads((ROOT / "packaging" / "licences" / "bundled.toml").read_text("utf-8"))
    for name, version in table["read_from"].items():
        assert [str(locked) for locked in versions(RUN, name)] == [version], "read them again from its files"
    assert {part["package"] for part in table["part"] if "version" in part} == table["read_from"].keys()
