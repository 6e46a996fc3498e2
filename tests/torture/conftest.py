"""One nursery for all victims of a run."""

import pytest

from tests.torture import endings
from tests.torture.campaign import VICTIMS
from tests.torture.endings import Nursery


@pytest.fixture(scope="session")
def nursery(tmp_path_factory):
    """Where victims are forked from; tests skip where processes can't be."""
    if endings.NO_FORK:
        pytest.skip(endings.NO_FORK)
    with Nursery(tmp_path_factory.mktemp("nursery"), *VICTIMS) as opened:
        yield opened


@pytest.fixture(scope="session")
def strace():
    """Tests that need it skip where it is not there."""
    if endings.NO_STRACE:
        pytest.skip(endings.NO_STRACE)
