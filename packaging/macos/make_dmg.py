"""Make dist/Desktop-Rater-VERSION-MACHINE.dmg of the application that PyInstaller has made, on macOS.

CODESIGN_IDENTITY names a "Developer ID Application" certificate of the keychain: with it the application and the image
are signed, with the hardened runtime. NOTARY_PROFILE names the credentials stored by `xcrun notarytool
store-credentials`, and NOTARY_KEYCHAIN their keychain if it is not the default one: with them Apple notarises the
image. Without a certificate the application has an ad-hoc signature, which runs on the Mac that made it; on others the
user has to allow it in the system settings.
"""

from __future__ import annotations

import os
import platform
import plistlib
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))

from bill_of_materials import copy_bill  # noqa: E402 - beside the folder of this file
from steps import exit_status  # noqa: E402 - as above

DIST = ROOT / "dist"
APPLICATION = DIST / "Desktop Rater.app"
CONTENT = ROOT / "build" / "macos" / "image"


def main() -> int:
    """Test the application, then pack, sign and notarise it; return 1 if a step fails."""
    if sys.platform != "darwin":
        print("A disk image can be made on macOS only.", file=sys.stderr)
        return 1
    return exit_status(make)


def make() -> None:
    """Make the image: the application, a link to where it is dragged, and the licences."""
    info = plistlib.loads((APPLICATION / "Contents" / "Info.plist").read_bytes())
    _run("codesign", "--verify", "--deep", "--strict", str(APPLICATION))
    program = APPLICATION / "Contents" / "MacOS" / info["CFBundleExecutable"]
    subprocess.run([program, "self-test"], check=True, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"})
    shutil.rmtree(CONTENT, ignore_errors=True)
    CONTENT.mkdir(parents=True)
    _run("ditto", str(APPLICATION), str(CONTENT / APPLICATION.name))  # keeps links and the signature
    (CONTENT / "Applications").symlink_to("/Applications")
    shutil.copytree(DIST / "desktop-rater" / "licences", CONTENT / "Licences")
    image = str(DIST / f"Desktop-Rater-{info['CFBundleShortVersionString']}-{platform.machine()}.dmg")
    volume = ("-volname", "Desktop Rater", "-srcfolder", str(CONTENT))
    _run("hdiutil", "create", *volume, "-fs", "HFS+", "-format", "UDZO", "-ov", image)
    identity, profile = os.environ.get("CODESIGN_IDENTITY"), os.environ.get("NOTARY_PROFILE")
    if identity:
        _run("codesign", "--sign", identity, "--timestamp", image)
    if identity and profile:
        keychain = [f"--keychain={path}" for path in [os.environ.get("NOTARY_KEYCHAIN")] if path]
        _run("xcrun", "notarytool", "submit", image, "--keychain-profile", profile, *keychain, "--wait")
        _run("xcrun", "stapler", "staple", image)
        _run("spctl", "--assess", "--type", "open", "--context", "context:primary-signature", "--verbose", image)
    copy_bill(DIST / "desktop-rater", Path(image), DIST / "desktop-rater")


def _run(*command: str) -> None:
    print("\n$", *command, flush=True)
    subprocess.run(command, check=True)


if __name__ == "__main__":
    sys.exit(main())
