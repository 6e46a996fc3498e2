"""Statistics of an audit: its result with a bound, defects, spans, plans of a study, and the comparison of systems."""

from desktop_rater.hooks import Plugin


class StatisticsPlugin(Plugin):
    """Adds commands, a part of the report screen, and the screen of systems."""

    actions = {"statistics": "desktop_rater.plugins.statistics.actions:ROWS"}
    commands = {
        "audit result": "desktop_rater.plugins.statistics.commands:result",
        "audit power": "desktop_rater.plugins.statistics.commands:power",
        "audit spans": "desktop_rater.plugins.statistics.commands:bundle_spans",
        "audit systems": "desktop_rater.plugins.statistics.commands:systems",
        "audit certificate": "desktop_rater.plugins.statistics.certificate:certificate",
        "audit verify-certificate": "desktop_rater.plugins.statistics.certificate:verify_certificate_file",
        "audit defects": "desktop_rater.plugins.statistics.defects:defects",
        "stats assisted": "desktop_rater.plugins.statistics.commands:assisted",
        "stats spans": "desktop_rater.plugins.statistics.commands:spans",
    }
    label_figures = {"systems": "desktop_rater.plugins.statistics.commands:SYSTEMS"}
    meanings = {
        "report": "desktop_rater.plugins.statistics.meanings:report_meanings",
        "columns": "desktop_rater.plugins.statistics.meanings:column_meanings",
    }
    report_parts = {"result": "desktop_rater.plugins.statistics.actions:RESULT_PART"}
    screens = {"systems": "desktop_rater.plugins.statistics.actions:SYSTEMS_SCREEN"}


plugin = StatisticsPlugin()
