"""The task `parse`: dependency trees, in which each token of a sentence has a head and a relation to it."""
