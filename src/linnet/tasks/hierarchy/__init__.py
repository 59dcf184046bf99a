"""One label out of a tree of them for each text."""
