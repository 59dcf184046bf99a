from linnet.core.form import Step

class PassiveAggressive(Step):
    def __init__(self, C: float = 1) -> None: ...

class PassiveAggressive2(Step):
    def __init__(self, C: float = 1) -> None: ...
