from linnet.core.loops.dual import Climb

class Coordinate(Climb):
    """Directly to the best of all that the example could add to w."""
