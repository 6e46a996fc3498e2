"""One server of each kind for all tests of a process, started when the first test wants it."""

import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.hub.servers import apache as apache_server
from tests.hub.servers import moto as moto_server
from tests.hub.servers import rclone as rclone_server


@contextmanager
def open_folder():
    """A folder that every user of this computer may enter, since Apache answers as another user than root."""
    folder = Path(tempfile.mkdtemp(prefix="hub-server-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def authority(tmp_path_factory):
    """A team's own certificates."""
    from tests.hub.servers.certificates import Authority  # noqa: PLC0415 - only who wants TLS waits for it

    return Authority(tmp_path_factory.mktemp("certificates"))


@pytest.fixture(scope="session")
def apache():
    """Apache with mod_dav, over plain HTTP."""
    _skip_without(apache_server.MISSING)
    with open_folder() as folder, apache_server.Apache(folder) as served:
        yield served


@pytest.fixture(scope="session")
def apache_tls(authority):
    """Apache with mod_dav, over TLS."""
    _skip_without(apache_server.MISSING)
    with open_folder() as folder, apache_server.Apache(folder, authority.certificate()) as served:
        yield served


@pytest.fixture
def own_apache():
    """Makes an Apache that is the test's alone, to stop it, or to set it up otherwise: takes what `Apache` takes."""
    _skip_without(apache_server.MISSING)
    running = []
    with open_folder() as folder:

        def start(**given):
            place = folder / str(len(running))
            place.mkdir()
            running.append(apache_server.Apache(place, **given))
            return running[-1]

        try:
            yield start
        finally:
            for served in running:
                served.stop()


@pytest.fixture(scope="session")
def rclone_dav(tmp_path_factory):
    """rclone's WebDAV server."""
    _skip_without(rclone_server.MISSING)
    with rclone_server.RcloneDav(tmp_path_factory.mktemp("rclone-dav")) as served:
        yield served


@pytest.fixture(scope="session")
def rclone_s3(tmp_path_factory):
    """rclone's S3 server."""
    _skip_without(rclone_server.MISSING)
    with rclone_server.RcloneS3(tmp_path_factory.mktemp("rclone-s3")) as served:
        yield served


@pytest.fixture(scope="session")
def moto(tmp_path_factory):
    """moto's S3 server."""
    _skip_without(moto_server.MISSING)
    with moto_server.Moto(tmp_path_factory.mktemp("moto")) as served:
        yield served


def _skip_without(reason: str | None) -> None:
    if reason is not None:
        pytest.skip(reason)
