"""Offsets, sentences, quotes, links and pages in texts.

Pure: no files, no network, no Qt. Every offset is a count of Unicode code points unless its name says UTF-16.
"""
