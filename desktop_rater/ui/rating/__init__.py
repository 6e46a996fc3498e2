"""The rating screen: the open task, its form, problems, history and practice."""
