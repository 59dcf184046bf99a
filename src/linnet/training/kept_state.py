"""The state of learning that a model file keeps, so that a later training goes on as if there had been no break."""

from __future__ import annotations

from linnet.core.types import State
from linnet.errors import UsageError
from linnet.learners import Learning


def check_state(learning: Learning) -> None:
    """Raise UsageError if a learner has no state from which it could go on."""
    if not learning.learns_in_parts:
        raise UsageError(
            f"learner {learning.preset.name!r} needs all examples at once with these options, so there is no state to keep. "
            "Leave out state=keep; --from can then go on from the weights alone."
        )


def state_of(learning: Learning, length2: float) -> State:
    """The state of learning: from it, learning goes on as if it had never stopped."""
    arrays, numbers = learning.state()
    return arrays, {"online": numbers, "length2": length2}
