"""The task `ranking`: all labels in order for each text, the relevant ones first."""
