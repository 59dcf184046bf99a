"""How good predictions are: what the measures of all tasks share."""
