"""The task `brackets`: constituent trees, as treebanks write them in brackets."""
