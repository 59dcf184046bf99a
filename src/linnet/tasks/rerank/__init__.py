"""The best of the candidates that each example has: n-best lists in a better order."""
