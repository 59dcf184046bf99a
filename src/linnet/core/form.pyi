from linnet.core.types import I32, I64

class Phi:
    """The loss of the margin of one yes-or-no question."""

    @property
    def name(self) -> str: ...
    @property
    def is_mistake(self) -> bool:
        """Whether the slope is zero exactly where the answer is right."""

    @property
    def has_dual(self) -> bool:
        """Whether the loss can be learned in the dual."""

    @property
    def mean(self) -> bool:
        """Whether the loss is the mean over questions, and not their sum."""

    def check(self) -> None:
        """Raise the error that was kept while a loop ran; only what is written in Python can have one."""

class Structure:
    """GEN(x): which outputs an example may have, and which of them scores best (form.pyx). Outputs are rows of integers;
    those of many examples are laid out in y and y_at: example i has y[y_at[i]:y_at[i + 1]]."""

    @property
    def name(self) -> str: ...
    @property
    def outcomes(self) -> tuple[int, ...]:
        """The number of outcomes of a place, for each block."""

    @property
    def has_marginals(self) -> bool:
        """Whether the structure can compute log Z and marginals, which log losses need."""

    @property
    def single(self) -> bool:
        """Whether an output is one integer: the outcome of the only place."""

    def given(self, g: int) -> tuple[I64, tuple[int, I64] | None] | None:
        """For generative models: for each outcome of block g the number of the context in which it is chosen; and None, or the
        block that scores the same choices with less context, and its outcomes for these. None where outcomes are no choices."""

    def most_uses(self, g: int) -> int:
        """The largest number of times that an output can use one outcome of one place of block g."""

    @property
    def plain(self) -> bool:
        """Whether integer i of an output is the outcome of place i of block 0."""

    @property
    def one_outcome(self) -> bool:
        """Whether every output uses exactly one outcome at each place of block 0, or is a single integer."""

    @property
    def telling(self) -> int:
        """The number of the block whose outcomes, each used or not, determine the whole output."""

    @property
    def no_marginals(self) -> str:
        """The reason why the structure has no marginals, for messages; empty where there is none."""

    @property
    def separate(self) -> bool:
        """Whether each outcome of the one place is decided by itself: losses are sums over outcomes."""

    @property
    def independent(self) -> bool:
        """Whether each outcome of the one place has a probability of its own, whatever the others are."""

    @property
    def has_forced(self) -> bool:
        """Whether parts of an output can be demanded or forbidden."""
    @property
    def has_decisions(self) -> bool:
        """Whether an output is a row of decisions that can be fixed one by one, or else one decision."""

    @property
    def has_scores(self) -> bool:
        """Whether the best output is the one with the highest score. If not, all learning is by questions."""

    @property
    def terms(self) -> int:
        """The number of outcomes that a yes-or-no question is about."""

    @property
    def has_k_best(self) -> bool:
        """Whether the structure finds the k best outputs."""

    def check(self) -> None:
        """Raise the error that was kept while a loop ran; only structures written in Python can have one."""

    def forget(self, gold: bool = False) -> None:
        """Forget outputs that were kept while a loop ran, with `gold` those to learn from too; only structures written in
        Python keep any."""

    def accuracy(self, y: I32, y_at: I64, y_hat: I32, y_hat_at: I64) -> float:
        """The share of decisions that are right, such as labels or tags."""

class Loss:
    """What learning makes small: a value and its derivative r by the scores theta of one example."""

    @property
    def name(self) -> str: ...
    @property
    def needs_marginals(self) -> bool:
        """Whether the loss can be used only over structures that have marginals."""

    @property
    def has_dual(self) -> bool:
        """Whether the loss knows the best step of one example in the dual."""

    @property
    def is_mistake(self) -> bool:
        """Whether the derivative r is zero exactly where the best output is right."""

    @property
    def only_counts(self) -> bool:
        """Whether the loss only counts, so that scores mean nothing while it learns."""

    @property
    def phi(self) -> Phi | None:
        """The corresponding loss of one yes-or-no question; None where there is none."""

    @property
    def pointwise(self) -> bool:
        """Whether this is a loss of each decision of an output by itself."""

    def check(self) -> None:
        """Raise the error that was kept while a loop ran; only what is written in Python can have one."""

class Step:
    """How far the weights move along X^T r."""

    @property
    def name(self) -> str: ...
    @property
    def needs_norm(self) -> bool:
        """Whether tau depends on ||X^T r||^2, which is then computed."""

    @property
    def needs_squares(self) -> bool:
        """Whether the weights need G, the sum of squared gradients or what stands in its place."""

    @property
    def joint(self) -> bool:
        """Whether the rate of a weight depends on all of X^T r."""

    def check(self) -> None:
        """Raise the error that was kept while a loop ran; only what is written in Python can have one."""
