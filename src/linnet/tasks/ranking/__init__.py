"""All labels for each text in order, the relevant ones first."""
