"""linnet."""
