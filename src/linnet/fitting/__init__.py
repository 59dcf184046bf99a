"""From gold examples to a model: what a task is asked for, how it is prepared and run, and how progress is told."""
