"""Names by which systems know the program and its bundles."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
APPLICATION = ROOT / "resources" / "application"  # desktop entry, MIME type, drawings
IDENTIFIER = "org.desktoprater.DesktopRater"
MIME_TYPE = "application/vnd.desktoprater.bundle+zip"
EXTENSION = "rater"
