"""Pictures of the window's screens, taken by playing through them on the sample."""
