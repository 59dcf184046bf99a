from linnet.core.loops.dual import Climb

class Coordinate(Climb):
    """Finds the step of an example in the dual: directly to the best of all that the example could add to w."""
