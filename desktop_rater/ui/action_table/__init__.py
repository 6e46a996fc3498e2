"""The actions of the window as tables, one for each room."""
