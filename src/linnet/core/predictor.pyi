from collections.abc import Iterable, Iterator, Sequence

from linnet.core.blocks import Block
from linnet.core.form import Loss
from linnet.core.machine import Machine, _S_co
from linnet.core.scorer import Scorer
from linnet.core.types import F32, F64, I32, I64, Array

class Predictor(Machine[_S_co]):
    """Scores, outputs and marginals of examples, by a scorer (or the weights of a linear one) that does not change.

    `blocks` are the features of examples, one Block for each block of the structure. `forced` has a number for each integer
    of all outputs: k >= 0 demands k there, -1 allows any, -2 - k forbids k.
    """

    def __init__(self, gen: _S_co, scorer: Scorer | Sequence[Array]) -> None: ...
    @property
    def scorer(self) -> Scorer: ...
    @property
    def n_rows(self) -> tuple[int, ...]:
        """The number of rows of the weights of each block: one for the bias and one for each feature."""

    def release(self) -> None:
        """Let go of the examples. Their rows may have been made in buffers, which others can use now."""

    def scores(self, blocks: tuple[Block, ...]) -> list[F32]:
        """theta: for each block a table with a row for each place of all examples, and a column for each outcome."""

    def marginals(self, blocks: tuple[Block, ...], forced: I32 | None = None) -> list[F32]:
        """The marginal probabilities, in tables like those of `scores`."""

    def one(
        self, blocks: tuple[Block, ...], i: int, y: I32, loss: Loss | None = None
    ) -> tuple[list[F32], I32, bool, float, float, list[F32], list[F32]]:
        """Example i by itself, with its gold output y: theta, y_hat, whether that is right, the scores of y_hat and y,
        mu(y_hat) and mu(y). With a loss that is 0 exactly where the output is right (`is_mistake`), y_hat is the output
        that the loss finds."""

    def others(self, blocks: tuple[Block, ...], asked: Iterable[tuple[int, int]]) -> Iterator[tuple[int, I32, float]]:
        """For each decision i with a value that is asked for, in turn: i, the best output of the only example in which
        decision i does not have this value, and the score of that, -inf where there is none. The example is scored once;
        nothing else may be asked of the predictor in between."""

    def argmax(self, blocks: tuple[Block, ...], forced: I32 | None = None) -> tuple[I32, I64]:
        """y_hat and y_hat_at: the best outputs of all examples, one after the other, where that of example i is
        y_hat[y_hat_at[i]:y_hat_at[i + 1]]."""

    def each(
        self,
        blocks: tuple[Block, ...],
        forced: I32 | None = None,
        *,
        outputs: bool = True,
        scores: bool = False,
        marginals: bool = False,
    ) -> tuple[I32, I64, list[F32], list[F32]]:
        """What is wanted of all examples, each of which is scored once: y_hat and y_hat_at as `argmax` has them, the tables of
        `scores`, the tables of `marginals`; None for what is not wanted."""

    def kbest(self, blocks: tuple[Block, ...], asked: int, forced: I32 | None = None) -> list[tuple[I32, F64]]:
        """For each example its k best outputs, or as many as there are, the best first: a row for each, and their scores."""
