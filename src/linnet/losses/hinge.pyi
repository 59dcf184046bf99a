from linnet.core.form import Loss

class Hinge(Loss):
    def __init__(self, cost: float = 1) -> None: ...
