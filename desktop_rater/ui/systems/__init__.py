"""The screen of a QA lead about the systems that wrote the responses."""
