"""A QA lead opens a dataset in the window, as the results that it was built from."""

from tests.plugins.dataset.test_build import built
from tests.ui.leads import lead_window, results_of, take_in
from tests.ui.rooms import press
from tests.ui.test_results_page import rows, said


def test_a_dataset_opens_like_the_results_that_it_was_built_from(rooms, tmp_path):
    given = results_of(tmp_path / "in", tasks=2)
    data = tmp_path / "data"
    built(data, given.bundle, given.folder)
    lead = lead_window(rooms)
    press("Ctrl+2")
    opened = take_in(rooms, lead, [data])
    assert (len(opened.took), len(opened.copies), opened.refused) == (len(given.files), 1, ())
    said(rooms, lead, "The results are complete")
    before = rows(lead, "results_raters")
    again = take_in(rooms, lead, [data, given.folder])
    assert all(results.known for results in again.took)
    assert rows(lead, "results_raters") == before


def test_a_dataset_that_can_t_be_read_is_reported(rooms, tmp_path):
    (tmp_path / "data" / "results").mkdir(parents=True)
    (tmp_path / "data" / "manifest.json").write_text("{}", "utf-8")
    lead = lead_window(rooms)
    press("Ctrl+2")
    assert take_in(rooms, lead, [tmp_path / "data"]) is None
    assert "can't be read as a dataset" in lead.window.banners.text("results")
