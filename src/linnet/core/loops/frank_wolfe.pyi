from linnet.core.loops.dual import Climb

class FrankWolfe(Climb):
    """Finds the step of an example in the dual: along the line to the plane that touches its loss at the current
    scores, which for the hinge is the best output with its cost."""
