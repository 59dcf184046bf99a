from linnet.core.form import Loss

class Pointwise(Loss):
    def __init__(self, cost: float = 0, *, exponential: bool = False) -> None: ...
