"""Figures of scales, change over time, and plans of a study."""
