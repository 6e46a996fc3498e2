"""Charts of a report as lists of shapes, rendered as SVG for the window and the HTML page."""
