"""What was sent back goes where it shouldn't: shared out, rated by somebody else, into a folder that is new."""

import pytest

from desktop_rater.format.bundle_errors import BundleError
from desktop_rater.format.change import Progress
from desktop_rater.operations.audit import rework
from desktop_rater.operations.audit.check_results import check_results
from desktop_rater.operations.audit.import_results import import_results
from desktop_rater.operations.audit.load_audit import load_audit
from desktop_rater.operations.bundles.assign import assign_tasks
from desktop_rater.operations.bundles.subsets import merge_bundles
from desktop_rater.operations.rating.export import export_results
from desktop_rater.operations.rating.save import rate_from_file

from .bundles import NOON, RATER, make, noon, rating, task, write, write_lines
from .sending_back import sent, sent_rework


def test_who_shares_out_what_was_sent_back_is_refused(place):
    back = sent(place).out
    raters = write(place.folder / "raters.txt", "ann\nbo\n")
    with pytest.raises(BundleError, match="is refused") as refused:
        assign_tasks(back, raters, place.folder / "parts", overlap=1, seed=1, progress=Progress())
    assert RATER in refused.value.message
    assert not (place.folder / "parts").exists()
    other = make(place.folder / "other.zip", [task("t-9")])
    with pytest.raises(BundleError, match="is refused"):
        merge_bundles(place.folder / "merged.zip", [other, back], Progress())


def test_somebody_else_who_rates_it_takes_the_place_of_nothing_and_it_is_said(place):
    work = sent_rework(place)
    name = work.id
    lines = write_lines(place.file(".jsonl"), [rating("t-1"), rating("t-2", {"factual": "no"}, {"factual": "no"})])
    rate_from_file(place.rater, name, lines, "eve", progress=Progress(), now=noon)
    out = place.folder / "eve.zip"
    assert export_results(place.rater, name, "eve", out, progress=Progress()).written
    (note,) = check_results(out, progress=Progress()).notes
    assert repr(RATER) in note
    assert "'eve'" in note
    opened = import_results(place.lead, [out], lead="lena", now=NOON, progress=Progress())
    assert opened.took[0].notes == (note,)
    audit = load_audit(place.lead, "b")
    assert not audit.earlier
    assert set(audit.raters) == {"eve", RATER}


def test_a_folder_for_what_goes_back_is_made_and_none_inside_the_store(place):
    sent(place)
    done = rework.return_all(place.lead, "b", place.folder / "new", progress=Progress(), now=noon)
    assert [one.out.parent.name for _, one in done.written] == ["new"]
    with pytest.raises(BundleError, match="can't be written"):
        rework.return_all(place.lead, "b", place.lead.folder / "new", progress=Progress(), now=noon)
    assert not (place.lead.folder / "new").exists()


def test_more_comments_than_a_task_can_carry_are_said_so(place, monkeypatch):
    sent(place)
    place.say_back("t-2", "targets/s1")
    monkeypatch.setattr(rework, "MAX_RETURN_COMMENTS", 1)
    with pytest.raises(BundleError, match="can't be sent back") as refused:
        place.back()
    assert "2 of its places" in refused.value.message
