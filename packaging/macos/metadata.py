"""Write build/macos/: the Info.plist of the application, and its icons made of the SVG files.

The spec of PyInstaller reads them. Everything here runs on any system, so that tests can check it.
"""

from __future__ import annotations

import plistlib
import re
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "packaging")]

from icons import BUNDLE, PROGRAM, png  # noqa: E402 - beside the folder of this file
from identity import EXTENSION, IDENTIFIER, MIME_TYPE  # noqa: E402 - as above

from desktop_rater import __version__  # noqa: E402 - the checkout's own

OUT = ROOT / "build" / "macos"
BUNDLE_TYPE = "org.desktoprater.bundle"

# The types of an .icns that hold a PNG, with its width: each size once for plain and once for Retina displays. Those of
# 16 and 32 points exist for Retina only; macOS shows icp4 and icp5 wrongly in an application.
ICON_TYPES = {
    b"ic11": 32,
    b"ic12": 64,
    b"ic07": 128,
    b"ic13": 256,
    b"ic08": 256,
    b"ic14": 512,
    b"ic09": 512,
    b"ic10": 1024,
}


def icns(name: str) -> bytes:
    """Return an .icns file of an icon."""
    entries = b""
    for kind, width in ICON_TYPES.items():
        picture = png(name, width)
        entries += kind + (len(picture) + 8).to_bytes(4, "big") + picture
    return b"icns" + (len(entries) + 8).to_bytes(4, "big") + entries


def minimum_system() -> str:
    """Return the oldest macOS that Qt's wheel is for, or "" on another system."""
    try:
        tags = distribution("PySide6_Essentials").read_text("WHEEL") or ""
    except PackageNotFoundError:
        tags = ""
    found = re.search(r"macosx_(\d+)_(\d+)_", tags)
    return ".".join(found.groups()) if found else ""


def info() -> dict[str, object]:
    """Return the Info.plist. PyInstaller adds the executable and the icon."""
    oldest = minimum_system()
    return {
        "CFBundleIdentifier": IDENTIFIER,
        "CFBundleName": "Desktop Rater",
        "CFBundleDisplayName": "Desktop Rater",
        "CFBundlePackageType": "APPL",
        "CFBundleShortVersionString": __version__,
        "CFBundleVersion": __version__,
        "CFBundleDevelopmentRegion": "en",
        "CFBundleLocalizations": ["en", "de"],
        "LSApplicationCategoryType": "public.app-category.productivity",
        "NSHighResolutionCapable": True,
        "NSRequiresAquaSystemAppearance": False,  # follows the dark mode
        "CFBundleDocumentTypes": [
            {
                "CFBundleTypeName": "Task bundle of Desktop Rater",
                "CFBundleTypeRole": "Editor",
                "CFBundleTypeIconFile": f"{BUNDLE}.icns",
                "LSHandlerRank": "Owner",
                "LSItemContentTypes": [BUNDLE_TYPE],
            },
            {
                "CFBundleTypeName": "Zip archive",
                "CFBundleTypeRole": "Viewer",
                "LSHandlerRank": "Alternate",  # a zip still opens by a double click as before
                "LSItemContentTypes": ["public.zip-archive"],
            },
        ],
        "UTExportedTypeDeclarations": [
            {
                "UTTypeIdentifier": BUNDLE_TYPE,
                "UTTypeDescription": "Task bundle of Desktop Rater",
                "UTTypeIconFile": f"{BUNDLE}.icns",
                # Not public.zip-archive: browsers unpack what they take for an archive.
                "UTTypeConformsTo": ["public.data", "public.content"],
                "UTTypeTagSpecification": {
                    "public.filename-extension": [EXTENSION],
                    "public.mime-type": [MIME_TYPE],
                },
            },
        ],
        **({"LSMinimumSystemVersion": oldest} if oldest else {}),
    }


def main() -> int:
    """Write the Info.plist and both icons."""
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / "Info.plist").write_bytes(plistlib.dumps(info()))
    for name in (PROGRAM, BUNDLE):
        (OUT / f"{name}.icns").write_bytes(icns(name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
