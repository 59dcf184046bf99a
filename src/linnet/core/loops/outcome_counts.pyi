from linnet.core.form import Structure

class Choices(Structure):
    def __init__(self, of: Structure) -> None: ...
