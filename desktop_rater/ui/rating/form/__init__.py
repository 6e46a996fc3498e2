"""The questions of the form, one widget for each kind."""
