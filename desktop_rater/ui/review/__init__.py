"""The review room: all raters' answers to one place side by side, and what the lead says of each."""
