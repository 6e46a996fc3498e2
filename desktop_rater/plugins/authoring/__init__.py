"""Writing of rubrics: start one, find everything that is wrong with it, and see its form while it is written."""

from desktop_rater.hooks import Plugin


class AuthoringPlugin(Plugin):
    """Adds commands, and the screen of a changed rubric."""

    actions = {"authoring": "desktop_rater.plugins.authoring.actions:ROWS"}
    commands = {
        "rubric new": "desktop_rater.plugins.authoring.commands:rubric_new",
        "rubric lint": "desktop_rater.plugins.authoring.commands:rubric_lint",
        "rubric check-cases": "desktop_rater.plugins.authoring.commands:rubric_check_cases",
        "rubric cases": "desktop_rater.plugins.authoring.commands:rubric_cases",
        "rubric diff": "desktop_rater.plugins.authoring.commands:rubric_diff",
        "rubric preview": "desktop_rater.plugins.authoring.commands:rubric_preview",
    }
    screens = {"rubric": "desktop_rater.plugins.authoring.actions:RUBRIC_SCREEN"}


plugin = AuthoringPlugin()
