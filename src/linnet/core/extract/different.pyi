import pyarrow as pa

from linnet.core.types import I32

def different(column: pa.LargeStringArray) -> tuple[pa.LargeStringArray, I32]: ...
