from linnet.structures.parts import Parted

class Tree(Parted):
    """Dependency trees. An output has for each token its head (0 for the root) times n_relations, plus its relation."""

    def __init__(
        self, n_relations: int = 1, *, projective: bool = True, one_root: bool = False, by_heads: bool = False
    ) -> None: ...
    @property
    def n_relations(self) -> int: ...
    @property
    def projective(self) -> bool: ...
    @property
    def one_root(self) -> bool: ...
