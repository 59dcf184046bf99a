from linnet.core.types import F32, F64, I32, I64

class Direction:
    """A translation model in one direction: which word of one sentence each word of its translation comes from."""

    t: F64
    """The probability of each pair of words: of the word that is explained, given the other."""
    t_none: F64
    """The probability of each word that comes from none."""
    c: F64
    """The probability of each relative position (Model 2) or jump (HMM), not normalised."""
    p0: float
    """The probability that a word comes from none."""
    def __init__(self, model: str, back: bool, t: F64, t_none: F64, c: F64 | None = None, p0: float = 0.1) -> None: ...
    @property
    def model(self) -> str: ...
    @property
    def back(self) -> bool: ...
    @property
    def counts(self) -> F64: ...
    def expect(self, cell: I32, s_at: I64, t_at: I64, words: I32) -> tuple[F32, F32]:
        """The posterior probability of each possible link of all pairs of sentences, and that of each word coming from none.

        cell: the number of the pair of words at each possible link, place i m + j of a pair of n and m tokens; -1: not known.
        s_at, t_at: where the tokens of each source and of each target sentence start.
        words: the number of the word of each token of the side that is explained, -1: not known.
        """
