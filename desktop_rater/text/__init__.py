"""What can be said about a text without looking anywhere else: offsets, sentences, quotes, links and pages.

Pure: no files, no network, no Qt. Every offset is a count of Unicode code points unless its name says UTF-16.
"""
