"""A hub is somewhere else than the store: what happens to the one must not happen to the other."""

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.hub.errors import HubError
from desktop_rater.operations.hub.connect import connect_to_hub, read_marker
from desktop_rater.store import hubs

from .bundles import NOON, writer
from .hubs import PROJECT, Team


@pytest.mark.parametrize("inside", ["outbox", "outbox/hub", "."])
def test_a_folder_of_the_store_is_no_place_for_a_hub(tmp_path, inside):
    with writer(tmp_path / "store") as store:
        team = Team.in_folder(tmp_path / "hub")
        with team.opened() as hub:
            marker = read_marker(hub, Progress())
        with pytest.raises(HubError, match="outside the store") as caught:
            connect_to_hub(store, marker, f"folder:{tmp_path / 'store' / inside}", "", NOON)
        assert caught.value.kind == "address"
        assert hubs.current_hub(store) is None
        assert connect_to_hub(store, marker, team.url, "", NOON).row.project == PROJECT
