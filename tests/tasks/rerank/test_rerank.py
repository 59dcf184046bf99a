"""From lists of candidates to lists in a better order, in Python, on the command line and in scikit-learn."""

import json

import numpy as np
import pytest

import linnet
from linnet.errors import DataError, UsageError
from linnet.fitting.contract import Known
from linnet.sklearn import Reranker
from linnet.tasks.rerank.gold import as_lists
from linnet.tasks.rerank.model import RerankModel
from linnet.tasks.rerank.task import RerankTask

NOUNS = ("dog", "cat", "cow", "hen")
VERBS = ("barks", "sleeps", "eats")


def example(k, noun, verb):
    """Words in order are best, then those with a word twice, then those without their end; the system's score says nothing."""
    texts = [f"the {noun} {verb}.", f"the the {noun} {verb}.", f"{verb} {noun} the"]
    costs = [0, 1, 3]
    order = np.random.default_rng(k).permutation(3)
    return {
        "id": k,
        "source": f"{noun} {verb}.",
        "candidates": [{"text": texts[c], "cost": costs[c], "score": float(i)} for i, c in enumerate(order)],
    }


LISTS = [example(k, noun, verb) for k, (noun, verb) in enumerate((n, v) for n in NOUNS for v in VERBS)]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("rerank") / "lists.jsonl"
    path.write_text("".join(f"{json.dumps(one)}\n" for one in LISTS))
    return path


@pytest.fixture(scope="module", params=["pairs", "list"])
def model(path, request):
    return linnet.train(path, options={"loss": request.param})


def test_the_task_is_guessed_and_learned(model):
    assert isinstance(model, RerankModel)
    assert model.predict(LISTS) == [f"the {noun} {verb}." for noun in NOUNS for verb in VERBS]
    report = model.evaluate(LISTS)
    assert (report.pairwise_accuracy, report.tau, report.best, report.mean_cost) == (1, 1, 1, 0)
    assert (report.n, report.candidates, report.oracle_cost, report.random_cost) == (12, 36, 0, pytest.approx(4 / 3))


def test_new_lists_of_any_length(model):
    new = [["the the fish swims.", "the fish swims."], ["alone"], {"candidates": [{"text": "b a"}] * 5}]
    assert model.order(new)[0] == [1, 0]
    assert model.order(new)[1:] == [[0], [0, 1, 2, 3, 4]]
    assert [len(scores) for scores in model.scores(new)] == [2, 1, 5]
    assert model.scores([]) == []


def test_a_model_file_is_the_model(model, tmp_path):
    model.save(tmp_path / "a.linnet")
    again = linnet.load(tmp_path / "a.linnet")
    for mine, other in zip(model.scores(LISTS), again.scores(LISTS), strict=True):
        assert mine.tolist() == other.tolist()
    assert again.details["loss"] == model.details["loss"]


def test_explanations_sum_to_the_difference_of_the_scores(model):
    for one in LISTS[:3]:
        scores, order = model.scores([one])[0], model.order([one])[0]
        found = model.explain(one)
        assert (found.candidate, found.against) == (order[0], order[1])
        assert found.text == one["candidates"][order[0]]["text"]
        assert sum(part.contribution for part in found.contributions) == pytest.approx(found.score)
        assert found.score == pytest.approx(scores[order[0]] - scores[order[1]], abs=1e-5)
        other = model.explain(one, order[2], order[0])
        assert other.score == pytest.approx(scores[order[2]] - scores[order[0]], abs=1e-5)
    with pytest.raises(UsageError, match="expected the number of a candidate from 0 to 2, found 3."):
        model.explain(LISTS[0], 3)


def test_what_speaks_for_a_candidate_does_not_speak_against_it(model):
    strong = model.strongest(50)
    assert list(strong) == ["worse", "better"]
    better, worse = ({item.feature for item in strong[name]} for name in ("better", "worse"))
    assert "the the" in worse
    assert not better & worse


def test_probabilities_belong_to_lists(path):
    model = linnet.train(path, learner="logistic")
    p, scores = model.predict_proba(LISTS[:2]), model.scores(LISTS[:2])
    for one, theta in zip(p, scores, strict=True):
        np.testing.assert_allclose(one, np.exp(theta) / np.exp(theta).sum(), rtol=1e-5)
    pairs = linnet.train(path, learner="logistic", options={"loss": "pairs"})
    with pytest.raises(UsageError, match="the scores of learner 'logistic' with loss=pairs are not probabilities"):
        pairs.predict_proba(LISTS)


def test_what_is_worth_more():
    lists = [[{"text": c["text"], "bleu": 9 - c["cost"]} for c in one["candidates"]] for one in LISTS]
    model = linnet.train(lists, task="rerank", label="bleu", options={"better": "more"})
    assert model.predict(LISTS)[0] == "the dog barks."
    read = as_lists(lists, cost="bleu")
    assert model.evaluate(read).mean_cost == -9


def test_costs_are_learned_in_units_of_their_mean():
    """More than the best cost 1 and 3: their mean is 2."""
    gold = RerankTask().read(LISTS[:2], {})
    assert gold.details["unit"] == 2
    for i in range(2):
        y = gold.y[gold.y_at[i] : gold.y_at[i + 1]]
        costs = np.array([c["cost"] for c in LISTS[i]["candidates"]])
        assert y[0] == costs.argmin()
        assert y[1:].view(np.float32).tolist() == (costs / 2).tolist()
    part = gold.part(np.array([1]))
    assert part.costs.tolist() == [c["cost"] for c in LISTS[1]["candidates"]]
    assert RerankTask(loss="pairs").read(LISTS[2:3], {}, Known(gold.labels, gold.details)).details == gold.details


def test_what_is_saved_is_counted():
    """The dearest costs 3: what costs c saves 3 - c of 3."""
    task = RerankTask()
    gold = task.read(LISTS[:2], {})
    counts = task.counts(gold, np.array([0, 1], np.int32), np.arange(3))
    assert counts.right.tolist() == [3 - LISTS[i]["candidates"][i]["cost"] for i in range(2)]
    assert counts.total.tolist() == [3, 3]


def test_bleu_where_there_are_references(tmp_path):
    metrics = pytest.importorskip("sacrebleu.metrics")
    lists = [[c["text"] for c in one["candidates"]] for one in LISTS]
    (tmp_path / "references").write_text("".join(f"the {one['source']}\n" for one in LISTS))
    task = RerankTask(references=str(tmp_path / "references"))
    gold = task.read(lists, {})
    one = metrics.BLEU(effective_order=True).sentence_score(lists[0][1], [f"the {LISTS[0]['source']}"])
    assert gold.costs[1] == pytest.approx(100 - one.score)
    assert (
        linnet.train(lists, task="rerank", options={"references": task.references}).predict(lists)[0]
        == "the dog barks."
    )
    with pytest.raises(DataError, match="expected 2 lines, a reference for each list, found 12."):
        task.read(lists[:2], {})


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        (
            [["a", "b"]],
            {},
            "lists: a candidate of list 1 has no cost. Give each candidate a 'cost' or a 'rank', name another key with",
        ),
        (
            [[{"text": "a", "cost": 1}, {"text": "b", "cost": 1}]],
            {},
            "expected lists whose candidates differ in cost, found none",
        ),
        (LISTS, {"loss": "pair"}, "expected loss=list or pairs, found 'pair'. Did you mean 'pairs'?"),
        (LISTS, {"better": "most"}, "expected better=less or more, found 'most'."),
        (LISTS, {"references": "no such"}, "no such: cannot be read: No such file or directory."),
    ],
)
def test_what_cannot_be_learned(data, options, message):
    with pytest.raises((DataError, UsageError)) as caught:
        linnet.train(data, task="rerank", options=options)
    assert message in str(caught.value)


def test_learners_are_compared_by_what_they_choose(path):
    found = linnet.compare(path, learners=["averaged-mira", "logistic"], folds=3)
    assert found.best.score == pytest.approx(1)


def test_scikit_learn(tmp_path):
    X = [[c["text"] for c in one["candidates"]] for one in LISTS]
    y = [[c["cost"] for c in one["candidates"]] for one in LISTS]
    for loss in ("pairs", "list"):
        model = Reranker("averaged-mira", loss=loss, features="words:1-2 repeat").fit(X, y)
        assert model.predict(X).tolist() == [int(np.argmin(costs)) for costs in y]
        assert model.rank(X) == [np.argsort(costs).tolist() for costs in y]
        assert model.score(X, y) == 1
    model.save(tmp_path / "a.linnet")
    assert linnet.load(tmp_path / "a.linnet").order(X) == model.rank(X)
    with pytest.raises(DataError, match="expected a cost for each candidate of each list"):
        Reranker().fit(X, y[:-1])
