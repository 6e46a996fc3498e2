"""Formats of others: files that become bundles, annotations that become results, and results for other tools."""

from desktop_rater.hooks import Plugin


class ConvertPlugin(Plugin):
    """Adds commands, functions, an action with an editor of maps, export formats, and annotations as results."""

    actions = {"convert": "desktop_rater.plugins.convert.window.commands:ROWS"}
    commands = {
        "audit export": "desktop_rater.plugins.convert.commands:export",
        "audit import": "desktop_rater.plugins.convert.commands:import_",
        "bundle attack": "desktop_rater.plugins.convert.commands:attack_test_set",
        "bundle convert": "desktop_rater.plugins.convert.commands:convert",
        "bundle map": "desktop_rater.plugins.convert.commands:propose",
    }
    functions = {
        name: f"desktop_rater.plugins.convert.functions:{name}"
        for name in ("convert", "import_annotations", "read_map")
    }
    results = {"annotations": "desktop_rater.plugins.convert.window.annotations_reader:AnnotationsReader"}
    results_formats = {
        "argilla": "desktop_rater.plugins.convert.out.annotation_tools:ARGILLA",
        "claim-review": "desktop_rater.plugins.convert.out.web_annotation:CLAIM_REVIEW",
        "doccano": "desktop_rater.plugins.convert.out.annotation_tools:DOCCANO",
        "inspect": "desktop_rater.plugins.convert.out.evaluation_logs:INSPECT",
        "inspect-scout": "desktop_rater.plugins.convert.out.evaluation_logs:INSPECT_SCOUT",
        "label-studio": "desktop_rater.plugins.convert.out.label_studio:LABEL_STUDIO",
        "otel": "desktop_rater.plugins.convert.out.evaluation_logs:OTEL",
        "web-annotation": "desktop_rater.plugins.convert.out.web_annotation:WEB_ANNOTATION",
    }
    window_parts = {"mapping": "desktop_rater.plugins.convert.window.commands:MappingCommands"}


plugin = ConvertPlugin()
