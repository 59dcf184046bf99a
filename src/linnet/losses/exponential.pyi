from linnet.core.form import Loss

class Exponential(Loss):
    def __init__(self, cost: float = 0) -> None: ...
