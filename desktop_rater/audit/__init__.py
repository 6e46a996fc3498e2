"""Figures for a QA lead over the results of many raters. Pure: no files, no clock, no Qt."""
