from linnet.core.form import Step

class SGD(Step):
    def __init__(
        self, eta: float = 0.5, lam: float = 0, power: float = 0, t0: float = 1, *, capped: bool = False
    ) -> None: ...
