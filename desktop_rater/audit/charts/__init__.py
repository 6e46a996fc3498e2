"""The pictures of a report as shapes: the window paints them and the HTML page draws them, both from the same list."""
