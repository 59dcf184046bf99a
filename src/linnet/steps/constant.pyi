from linnet.core.form import Step

class Constant(Step):
    def __init__(self, eta: float = 1) -> None: ...
