"""Which words of a sentence belong together, one constituent inside the other: trees as treebanks bracket them."""
