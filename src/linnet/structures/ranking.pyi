from linnet.core.form import Structure

class Ranking(Structure):
    """All labels in an order: an output is the number of labels, and then all of them, the best first."""

    def __init__(self, n_labels: int) -> None: ...
    @property
    def n(self) -> int: ...
