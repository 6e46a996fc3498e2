"""The packaged folder brings the licence of each package in it."""

import os
import re
import sys
from collections import Counter
from importlib import import_module
from importlib.metadata import Distribution, PackageNotFoundError, PathDistribution, distribution
from importlib.util import find_spec
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import desktop_rater
from tests.setup.test_locks import ROOT, RUN, entries

pytestmark = pytest.mark.slow

sys.path.insert(0, str(ROOT / "packaging"))
write_notices = import_module("notices").write_notices  # a script of packaging/
parts = import_module("components")

from_lock = pytest.mark.skipif(
    sys.platform == "win32" and find_spec("pip") is None, reason="the installer's Python lacks packages of the lock"
)


def installed_packages():
    for line in entries(RUN):
        try:
            yield distribution(Requirement(line).name)
        except PackageNotFoundError:
            assert Requirement(line).marker is not None, f"{line} is not installed"


def records(packages):
    """Return a file of each package that no other one has."""
    return [Path(str(file.locate())) for package in packages for file in package.files or () if file.name == "METADATA"]


@from_lock
def test_each_package_that_the_program_needs_comes_with_its_licence(tmp_path):
    packages = {package.metadata["Name"]: package for package in installed_packages()}
    assert len(packages) > 50
    assert set(write_notices(records(packages.values()), tmp_path / "licences")) == packages.keys()
    overview = (tmp_path / "licences" / "README.txt").read_text("utf-8")
    for name, package in packages.items():
        texts = list((tmp_path / "licences" / name).iterdir())
        assert texts, name
        assert all(text.stat().st_size > 100 for text in texts if not text.name.lower().startswith("authors")), name
        assert re.search(rf"(?m)^{re.escape(name)} {re.escape(package.version)}: \S", overview), name


@from_lock
def test_the_texts_of_the_libraries_that_may_be_replaced_are_there(tmp_path):
    names = ("PySide6", "PySide6_Essentials", "shiboken6", "certifi", "tld")
    write_notices(records(map(distribution, names)), tmp_path / "licences")
    for name, word in [("PySide6", "LESSER GENERAL"), ("certifi", "Mozilla Public"), ("tld", "MOZILLA PUBLIC")]:
        texts = "".join(text.read_text("utf-8", "replace") for text in (tmp_path / "licences" / name).iterdir())
        assert word in texts, name
    assert "code.qt.io" in (tmp_path / "licences" / "README.txt").read_text("utf-8")


def test_the_fonts_of_formulas_come_with_their_own_licences(tmp_path):
    write_notices(records(map(distribution, ("ziamath", "ziafont"))), tmp_path / "licences")
    assert "SIL OPEN FONT LICENSE" in (tmp_path / "licences/ziamath/STIX-Two-Math-OFL-1.1.txt").read_text("utf-8")
    assert "Bitstream" in (tmp_path / "licences/ziafont/DejaVu-Sans.txt").read_text("utf-8")


def stray(folder, licence):
    """Return an installed package without a licence text."""
    info = folder / "stray-1.0.dist-info"
    info.mkdir()
    (folder / "stray.py").write_text("")
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: stray\nVersion: 1.0\nLicense: {licence}\n", "utf-8")
    (info / "RECORD").write_text("stray.py,,\nstray-1.0.dist-info/METADATA,,\n")
    return PathDistribution(info)


def test_a_package_without_a_licence_is_not_packaged(tmp_path):
    package: Distribution = stray(tmp_path, "Home-made")
    with pytest.raises(FileNotFoundError, match=r"stray \(Home-made\) has no licence text"):
        write_notices([tmp_path / "stray.py"], tmp_path / "licences", [package])


@pytest.mark.posix("parts of the system come from packages of Debian")
def test_what_is_of_the_system_comes_with_the_licence_of_its_package(tmp_path):
    if not Path("/usr/share/doc/libc6/copyright").exists():
        pytest.skip("no system of Debian's kind, or one without its texts")
    names = write_notices([Path(os.path.realpath("/lib/x86_64-linux-gnu/libc.so.6"))], tmp_path / "licences", [])
    assert names == ["libc6"]
    assert "GNU C Library" in (tmp_path / "licences" / "libc6" / "copyright").read_text("utf-8")


@from_lock
def test_the_notices_list_what_the_locks_name_and_nothing_else(tmp_path, monkeypatch):
    monkeypatch.setattr(parts, "NOTICES", tmp_path / "build" / "THIRD-PARTY-NOTICES.txt")
    written = parts.write_notices_file().read_text("utf-8")
    head, _, rest = written.partition("\nanyio: ")
    lines = f"anyio: {rest.partition(chr(10) * 2)[0]}".splitlines()
    licensed = parts.licensed()
    assert lines == list(licensed)
    assert {Requirement(line).name for line in entries(RUN)} <= {line.partition(":")[0] for line in lines}
    for line, texts in licensed.items():
        assert not line.endswith(": "), f"{line}add its licence to packaging/licences/licences.toml"
        assert all(text in written for text in texts), line
    assert all(part.hashes for lock in parts.LOCKS for part in parts.components(lock))
    for place in ("_internal/PySide6", r"program\Lib\site-packages\PySide6", "Contents/Frameworks/PySide6"):
        assert place in head
    assert "chrome:" not in head, "the live view opens no such page"


def test_each_system_has_the_licences_of_packages_that_only_another_one_needs():
    needed_here_only = re.compile("sys_platform|python_full_version")
    everywhere = {part.name for part in parts.components() if not needed_here_only.search(part.marker)}
    versions = Counter(part.name for part in parts.components())
    others = [part for part in parts.components() if part.name not in everywhere and versions[part.name] == 1]
    assert {"secretstorage", "pywin32-ctypes", "zipp"} <= {part.name for part in others}
    for part in others:
        assert parts.licence_files(None, part.name, part.licence), f"add the licence of {part.name} to {parts.LICENCES}"


def test_the_notices_have_the_licence_texts_of_the_wheels_in_the_package(tmp_path):
    info = tmp_path / "scipy-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: scipy\nVersion: 1.0\n", "utf-8")
    (info / "LICENSE.txt").write_text("Of scipy and of the libraries of another system.", "utf-8")
    (info / "RECORD").write_text("scipy-1.0.dist-info/METADATA,,\nscipy-1.0.dist-info/LICENSE.txt,,\n")
    (scipy,) = {tuple(texts) for line, texts in parts.licensed([str(tmp_path)]).items() if line.startswith("scipy: ")}
    assert scipy == ("Of scipy and of the libraries of another system.",)


def test_the_windows_installer_is_made_of_packages_with_known_licences():
    locks = [lock for lock in parts.LOCKS if lock.parent.name == "windows"]
    assert {lock.name for lock in locks} == {"python.lock", "qt.lock", "qt-webengine.lock"}
    for part in (part for lock in locks for part in parts.components(lock)):
        assert part.licence, f"{part.name}: add its licence to packaging/licences/licences.toml"
        assert parts.licence_texts(part), part.name


def test_the_version_to_cite_is_that_of_the_program():
    assert f"\nversion: {desktop_rater.__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
