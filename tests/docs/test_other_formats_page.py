"""The table of columns is the one that is written."""

from desktop_rater.operations.results_tables import format_names
from desktop_rater.operations.results_tables.tables import LONG_COLUMNS
from desktop_rater.plugins.convert.chat import CHAT, DIALECTS
from desktop_rater.plugins.convert.maps.map_source import MAPPED_FORMATS
from desktop_rater.plugins.convert.run import FORMATS as SOURCES
from tests.docs import pages

PAGE = pages.text("plugins/convert.md")
SECTIONS = pages.sections(PAGE)


def test_each_column_stands_in_the_table_in_its_place():
    rows = pages.table(SECTIONS["Tables"], "column")
    assert [(row[0].strip("`"), row[1]) for row in rows] == [(column.name, column.kind) for column in LONG_COLUMNS]


def test_each_format_is_spoken_of():
    assert [name for name in format_names() if f"`{name}`" not in PAGE] == []


def test_each_dialect_of_chats_has_a_row():
    rows = pages.table(SECTIONS["Recorded chats"], "dialect")
    assert [pages.code(row[0]) for row in rows] == list(DIALECTS)


# Format and direction → the test that holds what its row says.
HELD = {
    ("csv", "out"): "cli/test_results_tables.py::test_csv_and_json_lines_are_the_same_rows_for_three_libraries",
    ("jsonl", "out"): "cli/test_results_tables.py::test_csv_and_json_lines_are_the_same_rows_for_three_libraries",
    ("parquet", "out"): "cli/test_results_tables.py::test_parquet_holds_what_json_lines_hold_with_times_and_lists",
    ("label-studio", "out"): "cli/test_results_convert.py::test_a_task_of_several_raters_is_one_task_of_label_studio",
    ("argilla", "out"): "plugins/convert/test_results_for_tools.py::test_the_spans_of_argilla_are_those_of_each_rater",
    ("doccano", "out"): "plugins/convert/test_results_for_tools.py::test_doccano_gets_a_text_with_spans_for_each_rater",
    ("inspect", "out"): "plugins/convert/test_results_for_tools.py::test_a_sample_of_inspect_has_a_score_by_each_rater",
    (
        "inspect-scout",
        "out",
    ): "plugins/convert/test_results_for_tools.py::test_a_validation_set_has_the_answers_on_which_all_raters_agree",
    ("claim-review", "out"): "plugins/convert/test_web_annotation.py::test_a_claim_review_has_label_value_and_pages",
    ("otel", "out"): "plugins/convert/test_results_for_tools.py::test_events_belong_to_the_span_that_was_rated",
    (
        "web-annotation",
        "out",
    ): "plugins/convert/test_web_annotation.py::test_the_collection_keeps_the_rules_of_the_model",
    ("csv", "in"): "plugins/convert/test_by_columns.py::test_the_delimiter_is_found_out",
    ("jsonl", "in"): "plugins/convert/test_containers.py::test_rows_of_parquet_are_plain_json",
    ("azure-qa", "in"): "plugins/convert/test_labels_of_data_sets.py::test_what_a_data_set_becomes",
    (
        "azure-conversation",
        "in",
    ): "plugins/convert/test_azure_conversation.py::test_the_last_answer_is_rated_with_what_it_cites",
    ("expertqa", "in"): "plugins/convert/test_expertqa.py::test_claims_become_targets",
    ("factcheck-bench", "in"): "plugins/convert/test_factcheck_bench.py::test_labels_become_answers",
    ("haluquestqa", "in"): "plugins/convert/test_haluquestqa.py::test_a_row_becomes_a_pair",
    (
        "label-studio",
        "in",
    ): "plugins/convert/test_label_studio_in.py::test_spans_become_targets_with_their_labels_beside",
    ("toolbench", "in"): "plugins/convert/test_toolbench.py::test_runs_by_their_ids_become_tasks_with_their_tools",
}
HELD |= {
    (name, "in"): "plugins/convert/test_chat_dialects.py::test_each_dialect_is_found"
    for name in DIALECTS
    if name not in SOURCES
}


def test_each_row_of_all_formats_is_one_of_the_program_and_has_a_test():
    named = [(pages.code(row[0]), "out") for row in pages.table(SECTIONS["All formats"], "format")]
    for section, head in (("Bundles from other data", "format"), ("Recorded chats", "dialect")):
        named += [(pages.code(row[0]), "in") for row in pages.table(SECTIONS[section], head)]
    assert set(named) - {(CHAT, "in")} == set(HELD)
    for name, direction in named:
        assert name in (format_names() if direction == "out" else (*SOURCES, *MAPPED_FORMATS, *DIALECTS)), name
    missing = {(name, "out") for name in format_names()} | {(name, "in") for name in SOURCES if name != CHAT}
    assert missing <= set(named), "each format has a row"
    for path, test in (place.split("::") for place in HELD.values()):
        assert f"def {test}(" in (pages.ROOT / "tests" / path).read_text("utf-8"), path
