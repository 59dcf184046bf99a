from linnet.core.types import F32, I64, U32

class SparseRows:
    def take(self) -> tuple[I64, U32, F32]: ...
