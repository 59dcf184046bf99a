from linnet.core.form import Loss

class Log(Loss):
    def __init__(self, cost: float = 0, negligible: float = 0) -> None: ...
