"""A rating for each text: one of some labels that have an order."""
