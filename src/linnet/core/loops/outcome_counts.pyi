from linnet.core.form import Structure

class Choices(Structure):
    """A structure for counting: the places that use each outcome, and where outcomes are no choices, all places."""

    def __init__(self, of: Structure) -> None: ...
