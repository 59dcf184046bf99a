from linnet.core.form import Step

class Pegasos(Step):
    def __init__(self, lam: float = 1e-4) -> None: ...
