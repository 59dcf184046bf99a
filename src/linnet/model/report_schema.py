"""What a model file may say of how the model came about: the schemas of its report and of its provenance. Commands and pages
show what they declare, in sentences and pictures, so that each value has to be what these expect."""

from __future__ import annotations

from linnet.core.schema import (
    Anything,
    DictOf,
    Either,
    Flag,
    ListOf,
    Real,
    Record,
    Schema,
    Text,
    Whole,
)

COUNT = Whole(0, 2**62)
_NUMBER = Real(any=True)
_SHOWN = Either(_NUMBER)
OPTION = Either(Either(_NUMBER, Text()), Flag())
"""The value of an option of a learner."""
EPOCH = Record(
    {"epoch": COUNT, "run": COUNT, "loss": _NUMBER, "updates": COUNT, "moved": _NUMBER, "dev": _SHOWN},
    {"seconds": _NUMBER, "gap": _SHOWN, "support": Either(COUNT), "mistakes": Either(COUNT)},
)
"""What the report of a model and a checkpoint keep of an epoch."""
_COURSE: dict[str, Schema] = {"epochs": ListOf(EPOCH), "stopped": Text(), "best": COUNT}
_SAID: dict[str, Schema] = {"warning": Text(), "theory": Either(DictOf(_SHOWN)), "likelihood": _SHOWN}
_TALLY = Record({"examples": COUNT, "judged": COUNT, "mistakes": COUNT, "loss": _NUMBER})
_SHARES: dict[str, Schema] = dict.fromkeys(("accuracy", "error", "macro_f1", "always", "cost", "always_cost"), _NUMBER)
_EXPECTED_LABELS = Record({"n": COUNT, "label": Text(), "cost_name": Text(), **_SHARES})
_EXPECTED_SETS = Record({"n": COUNT, "micro_f1": _NUMBER, "whole": _NUMBER})
_TRIED = Record(
    {
        "features": Text(),
        "learner": Text(),
        "options": DictOf(OPTION),
        "measure": Text(),
        "score": _NUMBER,
        "less_is_better": Flag(),
        "n": COUNT,
    }
)
_LEARNED = Record(
    _COURSE,
    {
        **_SAID,
        "trial": Record(_COURSE, _SAID, open=True),
        "calibrated": Record({"a": Real(), "b": Either(Real(), ListOf(Real()))}, {"folds": COUNT}),
        "sureness": Record({"a": Real(), "b": Real()}),
        "expected": Either(_EXPECTED_LABELS, _EXPECTED_SETS),
        "counts": ListOf(COUNT),
        "start": Text(),
        "notes": ListOf(Text()),
        "problems": ListOf(Text()),
        "tried": ListOf(_TRIED),
        "lexicon": Record({"examples": COUNT}),
        "unlabelled": Record({"examples": COUNT}, {"model": Text(), "other kind": Flag()}),
        "progressive": Record({"all": _TALLY, "last": _TALLY}, open=True),
        "support": Record({"rows": ListOf(Either(COUNT)), "texts": ListOf(Text()), "alpha": ListOf(ListOf(_NUMBER))}),
    },
    open=True,
)
REPORT = Either(_LEARNED, Record())
"""How learning went; nothing where the model was not learned as it is, as after merging."""
_PATHS = Either(Either(Text(), ListOf(Text())))
_SMALLER = Record({}, {"size": Either(COUNT, Text()), "keep": Real(), "dev": Either(Text()), "eight_bit": Flag()})
_COMPACTED = Record({"bytes": COUNT, "features": COUNT, "asked": _SMALLER}, open=True)
PROVENANCE = Record(
    {},
    {
        "linnet": Either(Text()),
        "data": Text(),
        "examples": COUNT,
        "held_out": COUNT,
        "fingerprint": Text(),
        "asked": Record(
            {"data": _PATHS}, {"options": DictOf(Anything()), "lexicon": Either(DictOf(Text()))}, open=True
        ),
        "compacted": ListOf(_COMPACTED),
        "merged": ListOf(Record(open=True)),
    },
    open=True,
)
"""Where a model is from."""
