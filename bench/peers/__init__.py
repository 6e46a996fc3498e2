"""Other annotation tools on the same workload, in turn with ours."""
