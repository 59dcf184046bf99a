"""The task `labels`: one label for each text."""
