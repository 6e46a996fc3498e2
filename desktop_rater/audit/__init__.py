"""What a QA lead computes over the results of many raters: which ratings count, how far they agree, what stands.

Pure: no files, no clock, no Qt.
"""
