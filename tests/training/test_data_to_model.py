"""train(): from texts and labels to a model."""

import numpy as np
import pytest

import linnet
from linnet.errors import DataError, DivergedError, UsageError
from linnet.training.data_to_model import parse_class_weight

TEXTS = ["good film", "fine film", "bad film", "poor film"]
GOLD = ["+", "+", "-", "-"]


def noisy(n=300, seed=0, labels=("a", "b", "c")):
    """Texts of 30 words that speak for a label each; every fifth text has the label of another."""
    rng = np.random.default_rng(seed)
    texts, gold = [], []
    for _ in range(n):
        y = int(rng.integers(len(labels)))
        words = [
            f"w{int(rng.integers(10)) + 10 * (y if rng.random() < 0.5 else int(rng.integers(3)))}" for _ in range(8)
        ]
        texts.append(" ".join(words))
        gold.append(labels[y if rng.random() < 0.8 else int(rng.integers(len(labels)))])
    return texts, gold


def refusal(kind, *arguments, **options):
    with pytest.raises(kind) as caught:
        linnet.train(*arguments, **options)
    return str(caught.value)


def test_labels_are_in_alphabetical_order():
    model = linnet.train((["x", "y", "z"], ["b", "ä", "a"]), features="words:1")
    assert model.labels == ("a", "b", "ä")


def test_labels_may_be_numbers():
    assert linnet.train(TEXTS, [1, 1, 0, 0], features="words:1").predict(["good"]) == [1]


def test_a_file_and_a_pair_give_the_same_model(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("text,label\n" + "".join(f"{t},{y}\n" for t, y in zip(*noisy(), strict=True)))
    assert np.array_equal(linnet.train(path).weights, linnet.train(noisy()).weights)


def test_a_held_out_share_is_not_learned_from():
    # A word that is in one text only is a feature unless that text is held out; 30 of 300 are.
    texts, gold = noisy()
    texts = [f"{text} only{i}" for i, text in enumerate(texts)]
    model = linnet.train((texts, gold), features="words:1", dev=0.1, refit=False, seed=4)
    seen = {name for name in model.features.names() if name.startswith("only")}
    assert (len(seen), model.provenance["held_out"], model.provenance["examples"]) == (270, 30, 300)
    again = linnet.train((texts, gold), features="words:1", dev=0.1, refit=False, seed=4)
    assert seen == {name for name in again.features.names() if name.startswith("only")}
    other = linnet.train((texts, gold), features="words:1", dev=0.1, refit=False, seed=5)
    assert seen != {name for name in other.features.names() if name.startswith("only")}


def test_what_was_held_out_is_learned_from_in_the_end():
    texts, gold = noisy()
    texts = [f"{text} only{i}" for i, text in enumerate(texts)]
    how = {"features": "words:1", "learner": "averaged-perceptron"}
    model = linnet.train((texts, gold), dev=0.1, seed=4, **how)
    assert len([name for name in model.features.names() if name.startswith("only")]) == 300
    assert (model.provenance["held_out"], model.report["expected"]["n"]) == (30, 30)
    best = model.report["trial"]["best"]
    alone = linnet.train((texts, gold), epochs=best, seed=4, estimate=False, **how)
    assert np.array_equal(model.weights, alone.weights)


def test_held_out_data_of_ones_own():
    model = linnet.train(noisy(), features="words:1", learner="perceptron", dev=noisy(seed=1), epochs=40)
    scores = [epoch["dev"] for epoch in model.report["epochs"]]
    best = model.report["best"]
    assert scores[best - 1] == max(scores)
    assert model.evaluate(*noisy(seed=1)).accuracy == max(scores)
    alone = linnet.train(noisy(), features="words:1", learner="perceptron", epochs=best, tol=0)
    assert np.array_equal(model.weights, alone.weights)


def test_held_out_labels_that_are_new_count_as_mistakes():
    model = linnet.train((TEXTS, GOLD), features="words:1", dev=(["good", "fine"], ["+", "?"]), epochs=3)
    assert {epoch["dev"] for epoch in model.report["epochs"]} == {0.5}


def test_held_out_data_with_one_label_are_data():
    model = linnet.train((TEXTS, GOLD), features="words:1", dev=(["good", "fine"], ["+", "+"]), epochs=3)
    assert model.report["epochs"][-1]["dev"] == 1.0


@pytest.mark.parametrize("share", [0, 1, 1.5, -0.1])
def test_a_share_is_between_0_and_1(share):
    assert refusal(UsageError, (TEXTS, GOLD), dev=share) == (
        f"expected the share to hold out to be between 0 and 1, found {share}."
    )


def test_too_few_examples_to_hold_out():
    assert refusal(DataError, (["a", "b"], ["x", "y"]), dev=0.9, features="words:1") == (
        "texts and labels: 2 examples are too few to hold out a share of 0.9. Add examples, or train without dev."
    )


def test_one_label_is_too_few():
    assert refusal(DataError, (["a", "b"], ["x", "x"])) == (
        "texts and labels: every row has the label 'x'; learning needs at least two."
    )


def test_no_examples_are_too_few():
    assert refusal(DataError, ([], [])) == "texts and labels: there are no examples."


def test_as_many_labels_as_texts():
    assert refusal(DataError, (["a", "b"], ["x"])) == ("expected as many labels as texts, found 1 labels and 2 texts.")


def test_more_labels_than_there_is_room_for_are_refused_in_a_sentence():
    # An example must not need more than 4,096 scores; the sentence says so instead of a traceback.
    n = 4097
    with pytest.raises(linnet.LinnetError):
        linnet.train((["x"] * n, range(n)), features="words:1", learner="perceptron", epochs=1)


@pytest.mark.parametrize("epochs", [0, -1])
def test_epochs_are_at_least_one(epochs):
    with pytest.raises(UsageError):
        linnet.train((TEXTS, GOLD), features="words:1", epochs=epochs)


def test_a_rate_that_is_too_large_on_plain_counts():
    texts, gold = noisy()
    message = refusal(
        DivergedError, (texts, gold), learner="logistic", features="words:1", options={"step": "adagrad", "eta": 1e4}
    )
    assert message.startswith("the learning rate eta=10000 is too large: the mean loss of the last epoch is ")
    better = float(message.rpartition("eta=")[2].rstrip("."))
    model = linnet.train((texts, gold), learner="logistic", features="words:1", options={"eta": better})
    assert model.report["epochs"][-1]["loss"] < np.log(3)


def test_balanced_weights_give_every_label_the_same_share():
    # 6 and 2 examples: 8 / (2 6) and 8 / (2 2).
    texts = ["a b"] * 6 + ["a c"] * 2
    gold = ["x"] * 6 + ["y"] * 2
    balanced = linnet.train((texts, gold), learner="logistic", features="words:1", class_weight="balanced")
    explicit = linnet.train((texts, gold), learner="logistic", features="words:1", class_weight={"x": 2 / 3, "y": 2})
    plain = linnet.train((texts, gold), learner="logistic", features="words:1")
    assert np.array_equal(balanced.weights, explicit.weights)
    assert not np.array_equal(balanced.weights, plain.weights)


@pytest.mark.parametrize("name", ["logistic", "naive-bayes"])
def test_balanced_weights_find_the_rare_label(name):
    # `w` is common in 7 texts and rare in 3: the common label wins until 3 of 3 rare ones weigh more than 7 of 20.
    texts, gold = ["w"] * 10 + ["v"] * 13, ["common"] * 7 + ["rare"] * 3 + ["common"] * 13
    plain = linnet.train((texts, gold), learner=name, features="words:1")
    balanced = linnet.train((texts, gold), learner=name, features="words:1", class_weight="balanced")
    assert plain.evaluate(texts, gold).per_label["rare"].recall == 0
    assert balanced.evaluate(texts, gold).per_label["rare"].recall == 1


def test_a_label_without_a_weight_has_weight_1():
    data = (["a", "b"], ["x", "y"])
    options = {"learner": "naive-bayes", "features": "words:1"}
    model = linnet.train(data, class_weight={"x": 3}, **options)
    assert model.weights[0][0] == pytest.approx(np.log([3 / 4, 1 / 4]))


def test_class_weights_that_make_no_sense():
    data = (TEXTS, GOLD)
    assert refusal(UsageError, data, features="words:1", class_weight="blanced") == (
        "expected class weights to be 'balanced' or LABEL=NUMBER,..., found 'blanced'."
    )
    assert refusal(UsageError, data, features="words:1", class_weight={"+": 2, "x": 1}) == (
        "there is a class weight for 'x', but the labels are: +, -."
    )


@pytest.mark.parametrize("weight", [-1.0, float("nan")])
def test_a_class_weight_is_not_negative(weight):
    with pytest.raises(UsageError):
        linnet.train((TEXTS, GOLD), features="words:1", class_weight={"+": weight})


def test_class_weights_as_they_are_typed():
    assert parse_class_weight("balanced") == "balanced"
    assert parse_class_weight("spam=5,a=b=0.5") == {"spam": 5.0, "a=b": 0.5}
    with pytest.raises(UsageError) as caught:
        parse_class_weight("spam=much")
    assert str(caught.value) == "expected class-weight=balanced or class-weight=LABEL=NUMBER,..., found 'spam=much'."


def test_the_order_of_the_data_matters_only_through_the_seed():
    first, second = (linnet.train(noisy(), seed=seed).weights for seed in (0, 1))
    assert np.array_equal(first, linnet.train(noisy(), seed=0).weights)
    assert not np.array_equal(first, second)


def test_what_a_model_knows_of_its_making():
    model = linnet.train((TEXTS, GOLD), features="words:1", seed=5, class_weight="balanced")
    facts = dict(model.provenance)
    assert len(facts.pop("fingerprint")) == 8
    assert facts == {
        "linnet": linnet.__version__,
        "data": "texts and labels",
        "examples": 4,
        "held_out": 0,
        "seed": 5,
        "class_weight": "balanced",
        "asked": {"data": None, "features": "words:1", "seed": 5, "class_weight": "balanced"},
    }
    assert repr(model) == "<linnet model: nb-svm, 2 labels, 5 features (words:1)>"


def test_questions(shared_data):
    # 500 questions of TREC, 50 labels: 83% with nothing said.
    model = linnet.train(shared_data / "trec-train.jsonl")
    data = linnet.io.read(shared_data / "trec-test.jsonl")
    assert model.evaluate(data.text, data.labels.to_pylist()).accuracy > 0.78


@pytest.mark.parametrize("name", ["zh-hotel", "th-wisesight"])
def test_text_without_blanks_between_words(shared_data, name):
    # n-grams of 1 to 3 characters and LinearSVC of scikit-learn have 88.5% of the one and 72.7% of the other
    data = linnet.io.read(shared_data / f"{name}.jsonl.gz")
    texts, labels = data.text.to_pylist(), data.labels.to_pylist()
    n = len(texts) // 10
    model = linnet.train((texts[n:], labels[n:]))
    right = np.mean([a == b for a, b in zip(model.predict(texts[:n]), labels[:n], strict=True)])
    assert right > {"zh-hotel": 0.885, "th-wisesight": 0.727}[name]


def test_a_sentence_without_blanks_is_known_by_its_parts():
    texts = ["房间很干净,下次还会来", "服务很好,推荐", "房间很脏,不会再来", "服务很差,不推荐"]
    model = linnet.train((texts, ["pos", "pos", "neg", "neg"]), features="words:1-2")
    assert list(model.predict(["早餐很好", "早餐很差"])) == ["pos", "neg"]


def test_the_opinion_lexicon(shared_data):
    spec = f"sentiment:{shared_data / 'opinion-lexicon-positive.txt'},{shared_data / 'opinion-lexicon-negative.txt'}"
    features = linnet.features.TextFeatures(spec)
    rows = features.fit_transform(["A wonderful, terrible, superb film"])
    found = {features.name(int(j)): float(x) for j, x in zip(rows.indices, rows.values, strict=True)}
    assert (found["sentiment=positive"], found["sentiment=negative"]) == (2, 1)


def test_an_error_has_what_reading_brought_to_light(tmp_path):
    (tmp_path / "odd.csv").write_bytes("Wörter;Urteil\nschön;gut\nöde;schlecht\n".encode("cp1252"))
    with pytest.raises(DataError, match="found no text column") as error:
        linnet.train(tmp_path / "odd.csv")
    encoding, columns = error.value.__notes__
    assert encoding.startswith(f"{tmp_path / 'odd.csv'}: the encoding is cp1252")
    assert columns == f"{tmp_path / 'odd.csv'}: the columns are separated by semicolons"
