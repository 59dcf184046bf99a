"""Options for several learners at once: each goes to the learners that have it."""

from __future__ import annotations

from collections.abc import Sequence

from linnet.errors import UsageError, meant
from linnet.learners import learner as preset_of
from linnet.learners.preset import Options


def options_of(learners: Sequence[str], options: Options) -> dict[str, Options]:
    """The options of each learner, which are those that it has. UsageError for an option that none of them has."""
    presets = {preset.name: preset for preset in map(preset_of, learners)}
    known = {name for preset in presets.values() for name in preset.options}
    for name in options:
        if name not in known:
            raise UsageError(
                f"no option {name!r} is known to learner {' or '.join(map(repr, presets))}.{meant(name, known)}"
            )
    return {
        name: {option: value for option, value in options.items() if option in preset.options}
        for name, preset in presets.items()
    }
