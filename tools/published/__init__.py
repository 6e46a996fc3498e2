"""Rubrics of published data sets, and the program that makes their annotations results of raters."""
