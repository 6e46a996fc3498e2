"""Results as Parquet tables: written schema, build from results zips, and what reads them."""

from desktop_rater.hooks import Plugin


class DatasetPlugin(Plugin):
    """Adds commands, functions, and results that come as a dataset."""

    commands = {
        "audit dataset": "desktop_rater.plugins.dataset.commands:dataset",
        "audit dataset build": "desktop_rater.plugins.dataset.commands:build",
        "audit dataset info": "desktop_rater.plugins.dataset.commands:info",
        "audit dataset check": "desktop_rater.plugins.dataset.commands:check",
        "audit dataset open": "desktop_rater.plugins.dataset.commands:open_",
        "audit dataset report": "desktop_rater.plugins.dataset.commands:report",
        "audit dataset systems": "desktop_rater.plugins.dataset.commands:systems",
    }
    functions = {
        "DatasetReport": "desktop_rater.plugins.dataset.connect:DatasetReport",
        "dataset_report": "desktop_rater.plugins.dataset.connect:dataset_report",
        "dataset_systems": "desktop_rater.plugins.dataset.connect:dataset_systems",
    }
    results = {"dataset": "desktop_rater.plugins.dataset.results_reader:DatasetReader"}


plugin = DatasetPlugin()
