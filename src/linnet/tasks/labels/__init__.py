"""One label for each text."""
