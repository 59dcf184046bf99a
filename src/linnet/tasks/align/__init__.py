"""The task `align`: links between the words of a sentence and of its translation."""
