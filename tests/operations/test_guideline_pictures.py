"""Pictures of guidelines go wherever the guidelines go: into stores, parts of bundles, work sent back."""

import json

import pytest

from desktop_rater.cli.root import main
from desktop_rater.format.archive import open_bundle
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import BundleError
from desktop_rater.format.make import write_without_gold
from desktop_rater.operations.audit.import_results import import_results
from desktop_rater.operations.audit.load_audit import load_audit, load_task
from desktop_rater.operations.rating import open_task
from desktop_rater.operations.store.backup import back_up
from desktop_rater.operations.store.salvage import salvage_to
from desktop_rater.store.doctor import examine_store
from tests.operations.bundles import NOON, make, noon, rating, take_in, task, write, writer
from tests.operations.sending_back import TwoLaptops
from tests.pictures import JPEG, png

TEXT = "# Accuracy\n\n![The steps](guidelines/steps.png)\n\n![A screen](guidelines/screen.jpg)\n"
PICTURES = {"guidelines/steps.png": png(40, 20), "guidelines/screen.jpg": JPEG}


def illustrated(folder, name="b", **more):
    """A bundle whose guidelines have two pictures."""
    (folder / "guidelines").mkdir(exist_ok=True)
    for picture, data in PICTURES.items():
        (folder / picture).write_bytes(data)
    guide = write(folder / "how-to.md", TEXT)
    tasks = [task("t-1"), task("t-2", "Hello.", "Goodbye.")]
    return make(folder / f"{name}.zip", tasks, guidelines=guide, **more)


def pictures_in(path):
    with open_bundle(path) as bundle:
        assert bundle.guidelines == TEXT
        return bundle.pictures()


def test_they_are_taken_from_the_folder_of_the_guidelines_and_shown_from_the_store(tmp_path):
    path = illustrated(tmp_path)
    assert pictures_in(path) == PICTURES
    with writer(tmp_path / "store") as store:
        take_in(store, path)
        assert open_task.bundle_guidelines(store, "b") == (TEXT, PICTURES)
    assert examine_store(tmp_path / "store").sound


@pytest.mark.parametrize(
    ("break_it", "words"),
    [
        (lambda file: file.unlink(), "steps.png, which is missing"),
        (lambda file: file.write_bytes(b"GIF89a"), "steps.png is not a PNG picture"),
        (lambda file: (file.unlink(), file.mkdir()), "steps.png, which is missing"),
        (lambda file: file.write_bytes(png() + bytes(5 << 20)), "steps.png is larger than"),
    ],
)
def test_a_picture_that_can_not_be_used_is_named_and_nothing_is_written(tmp_path, break_it, words):
    illustrated(tmp_path)
    break_it(tmp_path / "guidelines/steps.png")
    with pytest.raises(BundleError) as refused:
        make(tmp_path / "new.zip", [task("t-1")], guidelines=tmp_path / "how-to.md")
    assert words in refused.value.message
    assert "how-to.md" in str(refused.value)
    assert "a folder guidelines/ beside it" in refused.value.hint
    assert not (tmp_path / "new.zip").exists()


def test_parts_of_a_bundle_and_bundles_put_together_again_have_them(tmp_path, capsys):
    whole, parts = illustrated(tmp_path), tmp_path / "parts"
    parts.mkdir()
    assert main(["bundle", "split", "2", str(whole), "--out-dir", str(parts)]) == 0
    names = sorted(parts.glob("*.zip"))
    assert [pictures_in(part) for part in names] == [PICTURES, PICTURES]
    assert main(["bundle", "merge", *map(str, names), "--out", str(tmp_path / "again.zip")]) == 0
    assert pictures_in(tmp_path / "again.zip") == PICTURES
    capsys.readouterr()

    (tmp_path / "guidelines/steps.png").write_bytes(png(41, 20))
    other = make(tmp_path / "other.zip", [task("t-9")], guidelines=tmp_path / "how-to.md")
    assert main(["bundle", "merge", str(names[0]), str(other), "--out", str(tmp_path / "no.zip")]) == 2
    assert "the pictures of their guidelines differ" in capsys.readouterr().err
    main(["bundle", "diff", str(whole), str(other)])
    assert "guidelines/steps.png" in capsys.readouterr().out


def test_work_that_is_sent_back_has_them_and_the_lead_sees_them_too(tmp_path):
    with writer(tmp_path / "rater") as rater, writer(tmp_path / "lead") as lead:
        place = TwoLaptops(tmp_path, rater, lead)
        whole = illustrated(tmp_path)
        take_in(rater, whole)
        place.rate("b", rating("t-1"), rating("t-2", {"factual": "no"}, {"factual": "no"}))
        place.receive(place.export("b"))
        import_results(lead, [whole], lead="lena", now=NOON, progress=Progress())
        assert load_task(lead, "b", "t-1", load_audit(lead, "b")).pictures == PICTURES
        place.say_back("t-1", "targets/s1")
        returned = place.back()
        assert pictures_in(returned.out) == PICTURES
        take_in(rater, returned.out)
        assert returned.rework is not None
        assert open_task.bundle_guidelines(rater, returned.rework.id) == (TEXT, PICTURES)


def test_a_lost_picture_is_reported_and_comes_back_with_the_same_bundle(tmp_path):
    path = illustrated(tmp_path)
    with writer(tmp_path / "store") as store:
        take_in(store, path)
        store.db.execute("DELETE FROM task_texts WHERE length(line) = ?", (len(JPEG),))
        assert open_task.bundle_guidelines(store, "b") == (TEXT, {"guidelines/steps.png": png(40, 20)})
    (fault,) = examine_store(tmp_path / "store").faults
    assert "guidelines/screen.jpg of revision 1 of the bundle b is missing" in fault.text
    with writer(tmp_path / "store") as store:
        assert take_in(store, path).outcome == "unchanged"
        assert open_task.bundle_guidelines(store, "b") == (TEXT, PICTURES)
    assert examine_store(tmp_path / "store").sound


def test_a_rescued_store_has_them(tmp_path):
    with writer(tmp_path / "store") as store:
        take_in(store, illustrated(tmp_path))
        back_up(store, now=noon, progress=Progress())
    salvage_to(tmp_path / "store", tmp_path / "rescued", progress=Progress(), now=NOON)
    with writer(tmp_path / "rescued") as store:
        assert open_task.bundle_guidelines(store, "b") == (TEXT, PICTURES)


def test_the_copy_without_gold_that_a_hub_gets_has_them(tmp_path):
    (tmp_path / "gold.jsonl").write_text(json.dumps({**rating("t-1"), "rater": "lena"}) + "\n", "utf-8")
    write_without_gold(illustrated(tmp_path, gold=tmp_path / "gold.jsonl"), tmp_path / "out.zip", Progress())
    assert pictures_in(tmp_path / "out.zip") == PICTURES
