"""The report screen: figures over the results of many raters, as charts and tables."""
