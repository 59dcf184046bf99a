"""What text that nobody has labelled tells about words: which occur near each other, and which directions they vary in."""
