"""Scores of written justifications, their validation, and language models that judge, rate and propose claims."""

from desktop_rater.hooks import Plugin


class ScoringPlugin(Plugin):
    """Adds commands, a part of the report screen, and the split of a target by a language model."""

    actions = {
        "model_split": "desktop_rater.plugins.scoring.actions:SPLIT_ROWS",
        "scoring": "desktop_rater.plugins.scoring.actions:ROWS",
    }
    commands = {
        "audit score": "desktop_rater.plugins.scoring.score_commands:score",
        "audit validate": "desktop_rater.plugins.scoring.score_commands:validate",
        "audit key": "desktop_rater.plugins.scoring.model_commands:key",
        "audit canaries": "desktop_rater.plugins.scoring.model_commands:canaries",
        "audit judge": "desktop_rater.plugins.scoring.model_commands:judge",
        "audit judge-check": "desktop_rater.plugins.scoring.model_commands:judge_check",
    }
    report_parts = {"validation": "desktop_rater.plugins.scoring.actions:OFFERED_PART"}
    rating_parts = {"model_split": "desktop_rater.plugins.scoring.model_split:ModelSplitCommands"}


plugin = ScoringPlugin()
