"""A release that a lead puts on a hub comes to a rater, whatever server it is."""

from __future__ import annotations

from contextlib import closing

import pytest

from desktop_rater.model.change import Progress
from desktop_rater.work.hub.connect import init_hub
from desktop_rater.work.updates.places import FolderPlace, HubPlace, download_file
from desktop_rater.work.updates.release_index import SeenReleases, check_for_update, publish_release
from tests.hub.grounds import KINDS, make_ground
from tests.work.bundles import NOON
from tests.work.hubs import PROJECT
from tests.work.releases import CONTENT, KEY, PROGRAM, lay

KEYS = (KEY.public,)


@pytest.mark.parametrize("kind", KINDS)
def test_a_release_goes_onto_a_hub_and_is_taken_from_it(tmp_path, request, kind):
    ground = make_ground(kind, request.getfixturevalue, tmp_path)
    stick = FolderPlace(lay(tmp_path / "stick"))
    with closing(ground.open()) as hub:
        init_hub(hub, PROJECT, "Kelp", NOON, Progress())
        assert publish_release(hub, stick, KEYS, NOON, Progress()).sent == ("other.exe", PROGRAM)
        assert publish_release(hub, stick, KEYS, NOON, Progress()).there == ("other.exe", PROGRAM)
    with closing(ground.open()) as hub:
        place = HubPlace(hub)
        checked = check_for_update(place, SeenReleases(), installed="0.1", keys=KEYS, now=NOON, progress=Progress())
        (file,) = checked.files
        partial = tmp_path / "new" / f".{PROGRAM}.{file.sha256[:16]}.part"
        partial.parent.mkdir()
        partial.write_bytes(CONTENT[:1_000])  # of a download that was interrupted
        path, _ = download_file(place, file, tmp_path / "new", Progress())
    assert path.read_bytes() == CONTENT
    assert list(path.parent.iterdir()) == [path]
