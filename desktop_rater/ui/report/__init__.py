"""The report room: what the results of many raters say in figures, as pictures and as tables."""
