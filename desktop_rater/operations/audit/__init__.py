"""The QA lead's work: receive, check, review and report results."""
