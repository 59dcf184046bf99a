"""The task `ordinal`: a rating for each text, which is a label on an ordered scale."""
