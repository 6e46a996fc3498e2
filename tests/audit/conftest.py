"""A lead's desk in a folder of the test's own."""

import pytest

from tests.audit.results import Desk


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path)
