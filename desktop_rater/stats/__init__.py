"""Agreement figures and scoring rules. Pure: functions of values, without files, a store or a rubric."""
