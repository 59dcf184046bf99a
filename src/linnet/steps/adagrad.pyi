from linnet.core.form import Step

class AdaGrad(Step):
    def __init__(self, eta: float = 0.1, lam: float = 0) -> None: ...
