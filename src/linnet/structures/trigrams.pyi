from linnet.structures.chain import Chain

class TrigramChain(Chain):
    """A chain that scores each tag with the two tags before it."""
