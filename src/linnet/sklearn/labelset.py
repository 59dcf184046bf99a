"""A scikit-learn estimator for sets of labels (multi-label classification)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_array

from linnet.errors import DataError
from linnet.features import FeatureSpec
from linnet.sklearn.examples import Classes
from linnet.sklearn.outputs import Ints, Numbers, Offsets, Outputs
from linnet.tasks.labelset.gold import as_outputs
from linnet.tasks.labelset.model import LabelsetModel
from linnet.tasks.texts.label_types import typed
from linnet.tasks.texts.model import TextModel


class LabelsetClassifier(ClassifierMixin, Outputs):
    """Each example has any number of labels. y is an indicator matrix (dense or sparse), or a list of lists of labels;
    `predict` answers in the same form, and `classes_` are the labels, for a matrix the numbers of its columns.

    costs: the cost of a mistake: "hamming" counts the labels that are wrong, "subset" is 1 unless the whole set is right.

    The other parameters are those of `Outputs`, and the private methods are its hooks: it says who calls them, and when.

    >>> model = LabelsetClassifier("nb-svm", features="words:1")
    >>> texts = ["wheat and corn", "corn", "gold", "gold and wheat"]
    >>> model.fit(texts, [["corn", "wheat"], ["corn"], ["gold"], ["gold", "wheat"]]).predict(["gold", "wheat and corn"])
    [['gold'], ['corn', 'wheat']]
    """

    _kind: type[TextModel] = LabelsetModel
    _form: str
    """The form of y, in which `predict` answers: "lists", "dense" or "sparse"."""

    def __init__(
        self,
        learner: str = "averaged-mira",
        epochs: int | None = None,
        features: str | FeatureSpec | None = None,
        options: Mapping[str, Any] | None = None,
        tol: float = 1e-3,
        shuffle: bool = True,
        random_state: Any = 0,
        costs: str = "hamming",
    ) -> None:
        super().__init__(learner, epochs, features, options, tol, shuffle, random_state)
        self.costs = costs

    def _read(self, y: Any) -> tuple[Classes, Any]:
        if sparse.issparse(y) or (isinstance(y, np.ndarray) and y.ndim == 2):
            return self._read_table(check_array(y, accept_sparse="csr", dtype=None, input_name="y"))
        if any(isinstance(one, str) or not isinstance(one, list | tuple | set | frozenset | np.ndarray) for one in y):
            raise DataError("expected an indicator matrix, or a list of labels for each example.")
        self._check_form("lists", None)
        return np.array(sorted({label for one in y for label in one})), list(y)

    def _read_table(self, table: Any) -> tuple[Classes, Any]:
        """The labels of an indicator matrix, which are the numbers of its columns, and for each row those where it has a 1."""
        self._check_form("sparse" if sparse.issparse(table) else "dense", table.shape[1])
        table = sparse.csr_array(table)
        if not np.isin(table.data, (0, 1)).all():
            raise DataError("expected an indicator matrix of 0 and 1, found other values.")
        table.eliminate_zeros()
        table.sort_indices()
        sets = [table.indices[a:b].tolist() for a, b in pairwise(table.indptr.tolist())]
        return np.arange(table.shape[1]), sets

    def _check_form(self, form: str, width: int | None) -> None:
        """Keep the form of the outputs; DataError where those before had another one."""
        if self._taught is not None and form != self._form and "lists" in (form, self._form):
            raise DataError("expected y as lists of labels or as an indicator matrix, whichever it was before.")
        if self._taught is not None and width not in (None, len(self.classes_)):
            raise DataError(f"expected an indicator matrix of {len(self.classes_)} columns as before, found {width}.")
        self._form = form

    def _check_classes(self) -> None:
        if not len(self.classes_):
            raise DataError("no example has a label; learning needs at least one.")

    def _encode(self, outputs: Any) -> Numbers:
        number = {label: k for k, label in enumerate(self.classes_.tolist())}
        return as_outputs([sorted({number[label] for label in one}) for one in outputs])

    def _name_outputs(self, outputs: Any) -> list[Any]:
        return [list(map(self._name, one)) for one in outputs]

    def _describe(self) -> dict[str, Any]:
        return {"separator": None, **self._settings, **typed(self.classes_.tolist())}

    @property
    def _settings(self) -> dict[str, Any]:
        return {"costs": self.costs}

    def _decode(self, y_hat: Ints, at: Offsets) -> Any:
        # The output of an example is the size of its set, followed by the labels in it.
        sets = [y_hat[a + 1 : b] for a, b in pairwise(at.tolist())]
        if self._form == "lists":
            return [self.classes_[one].tolist() for one in sets]
        indices = np.concatenate([*sets, np.zeros(0, np.int32)])
        indptr = np.cumsum([0, *map(len, sets)])
        table = sparse.csr_array((np.ones(len(indices), np.int64), indices, indptr), (len(sets), len(self.classes_)))
        return table if self._form == "sparse" else table.toarray()

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Give the share of sets that are right, as scikit-learn has it."""
        if self._form != "lists":
            return float(super().score(X, y, sample_weight))
        right = [set(one) == set(other) for one, other in zip(y, self.predict(X), strict=True)]
        return float(np.average(right, weights=sample_weight))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        tags.target_tags.multi_output = True
        tags.target_tags.single_output = False
        return tags
