"""A release that a lead puts on a hub comes to a rater, whatever server it is."""

import os
from contextlib import closing

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.operations.hub.connect import init_hub
from desktop_rater.plugins.updates.release import FolderPlace, HubPlace, UpdateError, download_file
from desktop_rater.plugins.updates.release_index import SeenReleases, check_for_update, publish_release
from tests.hub.grounds import KINDS, make_ground
from tests.operations.bundles import NOON, write
from tests.operations.desk_hubs import folder_hub
from tests.operations.hubs import PROJECT
from tests.plugins.updates.releases import CONTENT, KEY, PROGRAM, lay

KEYS = (KEY.public,)


@pytest.mark.parametrize("kind", KINDS)
def test_a_release_goes_onto_a_hub_and_is_taken_from_it(tmp_path, request, kind):
    ground = make_ground(kind, request.getfixturevalue, tmp_path)
    stick = FolderPlace(lay(tmp_path / "stick"))
    with closing(ground.open()) as hub:
        init_hub(hub, PROJECT, "Kelp", NOON, Progress())
        assert publish_release(hub, stick, KEYS, NOON, Progress())["sent"] == ["other.exe", PROGRAM]
        assert publish_release(hub, stick, KEYS, NOON, Progress())["there"] == ["other.exe", PROGRAM]
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


def test_an_old_index_under_a_later_number_is_not_taken_for_the_newest(tmp_path):
    hub = folder_hub(tmp_path / "hub")
    releases = tmp_path / "hub" / "releases"
    for number, release in ((3, "9.8.0"), (4, "9.9.0")):
        stick = FolderPlace(lay(tmp_path / release, number=number, release=release))
        publish_release(hub, stick, KEYS, NOON, Progress())
    (old,) = releases.glob("3-*.json")
    (releases / old.name.replace("3-", "999999999-", 1)).write_bytes(old.read_bytes())
    checked = check_for_update(HubPlace(hub), SeenReleases(), installed="0.1", keys=KEYS, now=NOON, progress=Progress())
    assert (checked.index.release, checked.index.number) == ("9.9.0", 4)
    for file in releases.glob("[34]-*.json"):
        file.unlink()
    with pytest.raises(UpdateError, match="false name"):
        check_for_update(HubPlace(hub), SeenReleases(), installed="0.1", keys=KEYS, now=NOON, progress=Progress())


@pytest.mark.posix("Windows has no hard links to files of other users")
def test_a_partial_download_that_is_another_name_of_a_file_is_not_written_through(tmp_path):
    place = FolderPlace(lay(tmp_path / "stick"))
    checked = check_for_update(place, SeenReleases(), installed="0.1", keys=KEYS, now=NOON, progress=Progress())
    (file,) = checked.files
    victim = write(tmp_path / "victim", CONTENT[:10])
    (tmp_path / "new").mkdir()
    os.link(victim, tmp_path / "new" / f".{PROGRAM}.{file.sha256[:16]}.part")
    path, _ = download_file(place, file, tmp_path / "new", Progress())
    assert path.read_bytes() == CONTENT
    assert victim.read_bytes() == CONTENT[:10]
