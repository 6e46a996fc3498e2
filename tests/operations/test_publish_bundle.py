"""A lead puts a bundle on a hub: who gets it, what stays here, and what is refused."""

import hashlib
import json
import zipfile

import pytest

from desktop_rater.format import hub_names
from desktop_rater.format.archive import open_bundle
from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.format.errors import BundleError
from desktop_rater.format.hub_names import Assignment
from desktop_rater.format.strict_json import read_json_file, read_struct
from desktop_rater.hub.errors import HubError
from desktop_rater.operations.hub.publish import publish_bundle

from .bundles import make, rating, take_in, task, write_lines, writer
from .desk_hubs import all_files, folder_hub
from .hubs import Around
from .sending_back import all_rated, sent


def publish(hub, path, *raters):
    return publish_bundle(hub, path, raters, chance=lambda: 0.0, progress=Progress())


def with_gold(folder, **more):
    gold = write_lines(folder / "gold.jsonl", [rating("t-1", {"factual": "no"})])
    return make(folder / "b.zip", [task("t-1"), task("t-2")], gold=gold, **more)


def test_two_raters_get_a_bundle_and_each_finds_it_by_its_assignment(hub, tmp_path):
    path = make(tmp_path / "b.zip", [task("t-1"), task("t-2")], title="Kelp")
    published = publish(hub, path, "ana", "r 17/ü")
    assert (published.assigned, published.already, published.there) == (("ana", "r 17/ü"), (), False)
    files = all_files(tmp_path / "hub")
    assert files[published.bundle.name] == path.read_bytes(), "without gold it goes as it is"
    for rater in ("ana", "r 17/ü"):
        (name,) = [one for one in files if one.startswith(f"assignments/{hub_names.hub_path_segment(rater)}/")]
        said = read_struct(read_json_file(files[name]), Assignment)
        assert (said.rater, said.bundle) == (rater, published.bundle)
        assert hub_names.hash_in_name(name) == hashlib.sha256(files[name]).hexdigest()
        assert hub_names.is_hub_name(name)
    assert (published.bundle.id, published.bundle.tasks, published.bundle.title) == ("b", 2, "Kelp")


def test_published_twice_it_changes_nothing_but_who_gets_it(hub, tmp_path):
    path = with_gold(tmp_path)
    first = publish(hub, path, "ana")
    before = all_files(tmp_path / "hub")
    again = publish(hub, path, "ana", "ben")
    assert again.bundle == first.bundle
    assert (again.there, again.assigned, again.already) == (True, ("ben",), ("ana",))
    after = all_files(tmp_path / "hub")
    assert {name: after[name] for name in before} == before
    assert len(after) == len(before) + 1


def test_gold_stays_here_and_raters_take_it_for_the_same_bundle(hub, tmp_path):
    path = with_gold(tmp_path)
    published = publish(hub, path, "ana")
    assert published.gold_kept
    there = tmp_path / "hub" / published.bundle.name
    with zipfile.ZipFile(there) as zipped:
        assert "gold.jsonl" not in zipped.namelist()
        assert "gold.jsonl" not in json.loads(zipped.read("manifest.json"))["files"]
    with open_bundle(path) as whole, open_bundle(there) as handed_out:
        assert handed_out.identity == whole.identity
    with writer(tmp_path / "store") as store:
        assert take_in(store, there).outcome == "imported"
        assert take_in(store, path).outcome == "unchanged"


def test_gold_for_practice_goes_along(hub, tmp_path):
    path = with_gold(tmp_path, practice=True)
    published = publish(hub, path, "ana")
    assert not published.gold_kept
    assert (tmp_path / "hub" / published.bundle.name).read_bytes() == path.read_bytes()


def test_another_bundle_of_that_id_and_revision_is_refused_naming_both(hub, tmp_path):
    first = publish(hub, make(tmp_path / "b.zip", [task("t-1")]), "ana")
    before = all_files(tmp_path / "hub")
    with pytest.raises(BundleError) as refused:
        publish(hub, make(tmp_path / "b.zip", [task("t-9")]), "ben")
    assert first.bundle.name in refused.value.message
    assert refused.value.message.count("bundles/b/1-") == 2
    assert all_files(tmp_path / "hub") == before, "nobody has been assigned what could not be published"
    assert publish(hub, make(tmp_path / "b.zip", [task("t-9")], revision=2), "ben").assigned == ("ben",)


def test_the_same_bundle_in_another_packing_is_the_one_that_is_there(hub, tmp_path):
    path = make(tmp_path / "b.zip", [task("t-1")])
    first = publish(hub, path, "ana")
    repacked = tmp_path / "again.zip"
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(repacked, "w", zipfile.ZIP_STORED) as out:
        for name in source.namelist():
            out.writestr(name, source.read(name))
    again = publish(hub, repacked, "ben")
    assert (again.bundle, again.there, again.assigned) == (first.bundle, True, ("ben",))


def test_nothing_is_assigned_where_the_bundle_could_not_be_verified(hub, tmp_path):
    path = make(tmp_path / "b.zip", [task("t-1")])
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    there = tmp_path / "hub" / hub_names.bundle_name("b", 1, digest)
    there.parent.mkdir(parents=True)
    there.write_bytes(path.read_bytes()[:100])  # what a cut-off copy left under the name
    with pytest.raises(HubError) as refused:
        publish(hub, path, "ana")
    assert refused.value.kind == "other"
    assert not (tmp_path / "hub" / "assignments").exists()


def test_work_that_goes_back_to_one_rater_is_not_published(hub, place, tmp_path):
    back = sent(place)
    with pytest.raises(BundleError, match="is not published") as refused:
        publish(hub, back.out, "ana")
    assert "audit return --hub" in refused.value.hint


def test_a_damaged_bundle_is_not_published(hub, tmp_path):
    path = make(tmp_path / "b.zip", [task("t-1")])
    damaged = bytearray(path.read_bytes())
    damaged[60] ^= 255
    path.write_bytes(damaged)
    with pytest.raises(BundleError):
        publish(hub, path, "ana")
    assert not (tmp_path / "hub" / "bundles").exists()


def test_without_a_marker_nothing_is_written(tmp_path):
    hub = folder_hub(tmp_path / "hub")
    (tmp_path / "hub" / "hub.json").unlink()
    with pytest.raises(HubError) as refused:
        publish(hub, make(tmp_path / "b.zip", [task("t-1")]), "ana")
    assert refused.value.kind == "gone"
    assert all_files(tmp_path / "hub") == {}


def test_cancelled_in_the_middle_and_told_again_everybody_has_it_once(hub, tmp_path):
    path = make(tmp_path / "b.zip", [task("t-1")])
    raters = [f"r-{number}" for number in range(40)]
    progress = Progress(lambda done, total: progress.stop() if total == 40 and done >= 5 else None)
    with pytest.raises(Cancelled):
        publish_bundle(hub, path, raters, chance=lambda: 0.0, progress=progress)
    some = sum(1 for name in all_files(tmp_path / "hub") if name.startswith("assignments/"))
    assert 5 <= some < 40
    published = publish(hub, path, *raters)
    assert len(published.already) == some
    assert sorted(published.assigned + published.already) == sorted(raters)
    assert sum(1 for name in all_files(tmp_path / "hub") if name.startswith("assignments/")) == 40


def test_two_leads_who_publish_at_once_never_assign_two_bundles_of_one_revision(hub, tmp_path):
    mine = make(tmp_path / "b.zip", [task("t-1")])
    (tmp_path / "other").mkdir()
    theirs = make(tmp_path / "other" / "b.zip", [task("t-9")])

    def late(name, *given):
        """The other lead comes between our look at the hub and our file."""
        if name.startswith("bundles/"):
            publish(hub, theirs, "ben")
        return hub.put_new(name, *given)

    with pytest.raises(BundleError, match="with other files"):
        publish(Around(hub, put_new=late), mine, "ana")
    assert not (tmp_path / "hub" / "assignments" / "ana").exists()
    assert (tmp_path / "hub" / "assignments" / "ben").exists()


@pytest.mark.parametrize(("content", "words"), [(b"torn", "incomplete"), (b"", "with other files")])
def test_what_lies_there_under_that_revision_and_is_no_bundle_is_said_plainly(hub, tmp_path, content, words):
    digest = hashlib.sha256(content if not content else b"what it should be").hexdigest()
    there = tmp_path / "hub" / hub_names.bundle_name("b", 1, digest)
    there.parent.mkdir(parents=True)
    there.write_bytes(content)
    with pytest.raises(BundleError, match=words) as refused:
        publish(hub, make(tmp_path / "b.zip", [task("t-1")]), "ana")
    assert "higher revision" in refused.value.hint
    assert not (tmp_path / "hub" / "assignments").exists()


def test_a_rater_who_is_named_twice_is_one(hub, tmp_path):
    assert publish(hub, make(tmp_path / "b.zip", [task("t-1")]), "ana", "ana").assigned == ("ana",)


def test_results_are_no_bundle_to_publish(hub, place, tmp_path):
    with pytest.raises(BundleError, match="is not published") as refused:
        publish(hub, all_rated(place).out, "ana")
    assert "results" in refused.value.message
