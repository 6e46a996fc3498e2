"""The form, built from the rubric's data only."""
