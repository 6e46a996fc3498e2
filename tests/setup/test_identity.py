"""What each system knows the program and its bundles by: one name, one MIME type, one extension, and their icons."""

import configparser
import os
import re
import subprocess
import sys
from importlib import import_module
from xml.etree import ElementTree as ET

import pytest
from PySide6.QtGui import QColor, QImage

from desktop_rater.ui.window import startup
from tests.setup.test_locks import ROOT

sys.path[:0] = [str(ROOT / "packaging"), str(ROOT / "packaging" / "macos")]
identity, icons, freedesktop, steps = map(import_module, ("identity", "icons", "freedesktop", "steps"))
metadata = import_module("metadata")
del sys.path[:2]
INSTALLER = (ROOT / "packaging" / "windows" / "installer.nsi").read_text("utf-8")
YELLOW = "#ffd45c"


@pytest.fixture(scope="module")
def share(tmp_path_factory):
    folder = tmp_path_factory.mktemp("share")
    freedesktop.add_to_desktop(folder)
    return folder


def test_linux_windows_and_macos_agree_on_the_type_of_bundles(share):
    (mime,) = ET.parse(share / "mime" / "packages" / f"{identity.IDENTIFIER}.xml").getroot()
    (glob,) = mime.findall("{*}glob")
    entry = configparser.ConfigParser(interpolation=None)
    entry.read(share / "applications" / f"{identity.IDENTIFIER}.desktop", "utf-8")
    info = metadata.info()
    (declared,) = info["UTExportedTypeDeclarations"]
    tags = declared["UTTypeTagSpecification"]
    types = {
        mime.get("type"),
        entry["Desktop Entry"]["MimeType"].removesuffix(";"),
        ET.parse(share / "metainfo" / f"{identity.IDENTIFIER}.metainfo.xml").findtext("provides/mediatype"),
        *re.findall(r'"Content Type" "(.*)"', INSTALLER),
        *tags["public.mime-type"],
    }
    assert types == {identity.MIME_TYPE}
    written = set(re.findall(r'\$\{CLASSES\}\\\.(\w+)"', INSTALLER))
    assert (
        written
        == {*tags["public.filename-extension"], glob.attrib["pattern"].removeprefix("*.")}
        == {identity.EXTENSION}
    )
    assert info["CFBundleIdentifier"] == startup.DESKTOP_ID == identity.IDENTIFIER


def test_several_bundles_are_opened_by_one_start(share):
    """With %f a desktop starts the program once for each file that is marked."""
    entry = (share / "applications" / f"{identity.IDENTIFIER}.desktop").read_text("utf-8")
    assert "\nExec=desktop-rater %F\n" in entry


@pytest.mark.posix("shared MIME info")
def test_a_desktop_finds_the_icon_of_a_bundle(share):
    program = "import sys; from PySide6.QtCore import QMimeDatabase; "
    program += "print(QMimeDatabase().mimeTypeForName(sys.argv[1]).iconName())"
    environment = {**os.environ, "XDG_DATA_DIRS": str(share), "XDG_DATA_HOME": str(share / "none")}
    command = [sys.executable, "-c", program, identity.MIME_TYPE]
    name = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.strip()
    assert name.startswith(f"{identity.IDENTIFIER}.")
    icons_of_bundles = share / "icons" / "hicolor"
    assert (icons_of_bundles / "scalable" / "mimetypes" / f"{name}.svg").exists()
    for size in freedesktop.ICON_SIZES:
        image = QImage(str(icons_of_bundles / f"{size}x{size}" / "mimetypes" / f"{name}.png"))
        assert (image.width(), image.height()) == (size, size)


@pytest.mark.parametrize("name", [icons.PROGRAM, icons.BUNDLE])
@pytest.mark.parametrize("size", [16, 32])
def test_a_small_icon_has_sharp_edges(name, size):
    """The small drawings are made on a grid of 16, so that no pixel is a blend of the bar and what is around it."""
    image = QImage.fromData(icons.png(name, size))
    colours = [image.pixelColor(x, y) for x in range(size) for y in range(size)]
    yellowish = [colour.name() for colour in colours if colour.red() > colour.blue()]
    assert set(yellowish) == {YELLOW}
    assert len(yellowish) >= (size // 4) * (size // 8)


@pytest.mark.parametrize("size", [48, 64, 128, 256, 512])
def test_the_bar_of_the_large_icon_is_whole(size):
    """The halo of the check mark once covered the lower right corner of the bar."""
    image = QImage.fromData(icons.png(icons.PROGRAM, size))
    points = [(x, y) for x in range(size) for y in range(size) if image.pixelColor(x, y) == QColor(YELLOW)]
    left, right = min(x for x, _y in points), max(x for x, _y in points)
    assert {(left + right - x, y) for x, y in points} == set(points), "its right side is like its left one"


def test_the_window_shows_the_small_drawing_in_the_sizes_of_the_packages():
    assert max(startup.SMALL_ICON) == icons.SMALL < min(startup.ICON_SIZES)


def test_a_packaging_script_says_what_failed(capsys, tmp_path):
    assert steps.exit_status(lambda: None) == 0
    missing = tmp_path / "missing"
    assert steps.exit_status(missing.read_bytes) == 1
    assert missing.name in capsys.readouterr().err
    command = [sys.executable, "-c", "raise SystemExit(3)"]
    assert steps.exit_status(lambda: subprocess.run(command, check=True)) == 1
    assert capsys.readouterr().err == f"\nNot made: this failed: {' '.join(command)}\n"
