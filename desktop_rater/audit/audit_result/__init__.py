"""The result of an audit: errors in all work by the lead's verdicts, and each rater against chance."""
