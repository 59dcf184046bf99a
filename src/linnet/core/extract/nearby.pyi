from linnet.core.types import I32, I64, U8

def others(code: I32, wanted: U8, window: int, most: int) -> tuple[I64, I64]:
    """indptr and places: for each token that is wanted, up to `most` other tokens with its code within `window`, the nearest
    first."""
