"""The task `labelset`: any number of labels for each text."""
