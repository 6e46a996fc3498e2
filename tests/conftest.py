"""What every test shares: Qt without a screen, and where the real data lies, if it is there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

# Before anything imports Qt.
os.environ["QT_QPA_PLATFORM"] = "offscreen"

# No test, and no program that one starts, may put a key into the keyring of whoever runs the tests.
os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"

ROOT = Path(__file__).parent.parent

# Real hubs: `apache`, `apache_tls`, `own_apache`, `rclone_dav`, `rclone_s3`, `moto`, `authority`.
pytest_plugins = ["tests.hub.servers.fixtures"]


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of test vectors and public data sets, beside the checkout; tests skip where it is not there."""
    folder = Path(os.environ.get("DESKTOP_RATER_SHARED", ROOT.parent / "shared"))
    if not folder.is_dir():
        pytest.skip("the shared vectors and data are not beside the checkout")
    return folder
