from linnet.core.loops.dual import Climb

class FrankWolfe(Climb):
    """Along the line to the best output of the example."""
