"""Which words of a sentence and of its translation belong together: word alignment."""
