"""What the application for macOS is made of, as far as other systems can read it."""

import plistlib
import re
import subprocess
import sys
from xml.etree import ElementTree as ET

import pytest
from PySide6.QtGui import QImage

import desktop_rater
from tests.setup.test_locks import ROOT

MACOS = ROOT / "packaging" / "macos"
APPLICATION = ROOT / "resources" / "application"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The Info.plist and the icons, written by the script itself into another folder."""
    folder = tmp_path_factory.mktemp("macos")
    program = f"import sys, pathlib; sys.path.insert(0, {str(MACOS)!r}); import metadata; "
    program += f"metadata.OUT = pathlib.Path({str(folder)!r}); sys.exit(metadata.main())"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
    return folder


def pictures(icns):
    """Return the picture of each type in an .icns file."""
    assert icns[:4] == b"icns"
    assert int.from_bytes(icns[4:8], "big") == len(icns)
    found, start = {}, 8
    while start < len(icns):
        end = start + int.from_bytes(icns[start + 4 : start + 8], "big")
        found[icns[start : start + 4].decode()] = QImage.fromData(icns[start + 8 : end])
        start = end
    return found


def test_a_double_click_on_a_bundle_opens_the_program(made):
    info = plistlib.loads((made / "Info.plist").read_bytes())
    assert info["CFBundleShortVersionString"] == desktop_rater.__version__
    assert re.fullmatch(r"\d+(\.\d+){0,2}", info["CFBundleVersion"])
    own, zipped = info["CFBundleDocumentTypes"]
    (declared,) = info["UTExportedTypeDeclarations"]
    assert own["LSItemContentTypes"] == [declared["UTTypeIdentifier"]]
    assert own["LSHandlerRank"] == "Owner"
    assert (zipped["LSItemContentTypes"], zipped["LSHandlerRank"]) == (["public.zip-archive"], "Alternate")
    # The same type as on Linux.
    (mime,) = ET.parse(APPLICATION / f"{info['CFBundleIdentifier']}.mime.xml").getroot()
    tags = declared["UTTypeTagSpecification"]
    assert tags["public.mime-type"] == [mime.get("type")]
    patterns = [glob.get("pattern") for glob in mime.findall("{*}glob")]
    assert [f"*.{ending}" for ending in tags["public.filename-extension"]] == patterns
    for document in (own, declared):
        icon = document.get("CFBundleTypeIconFile") or document["UTTypeIconFile"]
        assert (made / icon).exists()


@pytest.mark.parametrize("name", ["desktop-rater.icns", "rater-bundle.icns"])
def test_icons_have_a_picture_for_each_size_that_finder_asks_for(made, name):
    found = pictures((made / name).read_bytes())
    widths = {"ic11": 32, "ic12": 64, "ic07": 128, "ic13": 256, "ic08": 256, "ic14": 512, "ic09": 512, "ic10": 1024}
    assert {kind: image.width() for kind, image in found.items()} == widths
    for image in found.values():
        middle = image.pixelColor(image.width() // 2, image.height() // 2)
        assert image.height() == image.width()
        assert middle.alpha() == 255
        assert image.pixelColor(0, 0).alpha() == 0


def test_the_hardened_runtime_is_loosened_for_what_python_needs_and_no_more():
    rights = plistlib.loads((MACOS / "entitlements.plist").read_bytes())
    names = ("allow-unsigned-executable-memory", "disable-library-validation")
    assert rights == {f"com.apple.security.cs.{name}": True for name in names}


@pytest.mark.skipif(sys.platform == "darwin", reason="There it is made.")
def test_elsewhere_the_disk_image_is_refused_with_the_reason():
    script = str(MACOS / "make_dmg.py")
    done = subprocess.run([sys.executable, script], check=False, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (1, "A disk image can be made on macOS only.\n")
