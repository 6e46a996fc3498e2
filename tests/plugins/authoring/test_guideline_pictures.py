"""Pictures in the guidelines of a rubric that is previewed."""

from desktop_rater.operations.rating import open_task
from desktop_rater.plugins.authoring.preview import PREVIEW_BUNDLE, PreviewSource, begin_preview
from tests.operations.bundles import noon, writer
from tests.operations.test_guideline_pictures import PICTURES, TEXT, illustrated


def test_the_preview_of_a_rubric_shows_them(tmp_path):
    illustrated(tmp_path)
    preview = PreviewSource(rubric="span-factuality", folder=tmp_path / "preview", guidelines=tmp_path / "how-to.md")
    begin_preview(preview, now=noon)
    with writer(preview.store) as store:
        assert open_task.bundle_guidelines(store, PREVIEW_BUNDLE) == (TEXT, PICTURES)
