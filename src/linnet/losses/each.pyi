from linnet.core.form import Loss, Phi

class Each(Loss):
    def __init__(self, phi: Phi) -> None: ...
