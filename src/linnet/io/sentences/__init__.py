"""Sentences of tokens: what is read of them, the formats that they come in, and prose cut into sentences."""
