"""The figures of a QA lead. Pure: each takes values and gives a number; none knows a file, a store or a rubric."""
