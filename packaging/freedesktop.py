"""The files by which a Linux desktop knows the program: menu entry, MIME type, icons, page of software centres."""

from __future__ import annotations

from pathlib import Path

from icons import BUNDLE, PROGRAM, png
from identity import APPLICATION, IDENTIFIER

ICON_SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)  # in pixels
BUNDLE_ICON = f"{IDENTIFIER}.bundle"  # the MIME type names it
_PLACES = {
    f"{IDENTIFIER}.desktop": f"applications/{IDENTIFIER}.desktop",
    f"{IDENTIFIER}.metainfo.xml": f"metainfo/{IDENTIFIER}.metainfo.xml",
    f"{IDENTIFIER}.mime.xml": f"mime/packages/{IDENTIFIER}.xml",
}


def add_to_desktop(share: Path) -> None:
    """Write the files into a folder `share`, where desktops look for them."""
    for source, place in _PLACES.items():
        _write(share / place, (APPLICATION / source).read_bytes())
    for drawing, kind, name in ((PROGRAM, "apps", IDENTIFIER), (BUNDLE, "mimetypes", BUNDLE_ICON)):
        icons = share / "icons" / "hicolor"
        for size in ICON_SIZES:
            _write(icons / f"{size}x{size}" / kind / f"{name}.png", png(drawing, size))
        _write(icons / "scalable" / kind / f"{name}.svg", (APPLICATION / f"{drawing}.svg").read_bytes())


def _write(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
