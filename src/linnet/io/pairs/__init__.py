"""Pairs of sentences and the links between their tokens: what is read of them, and the formats that they come in."""
