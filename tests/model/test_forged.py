"""Forged models: files whose checksums are right and whose content is wrong. Each is refused in a sentence, or answers."""

import errno
import json
import subprocess
import sys
import zlib
from pathlib import Path
from random import Random

import numpy as np
import pytest

import linnet
from linnet.errors import LinnetError, ModelError
from linnet.model.file import read_model, write_model

FUZZ = Path(__file__).parents[2] / "fuzz"
TEXTS = ["good film", "fine film", "bad film", "poor film"] * 3
GOLD = ["+", "+", "-", "-"] * 3
NEW = ["good bad film", "", "nothing known"]
ARCS = (
    "1\tthe\t_\tDT\t_\t_\t2\tdet\t_\t_\n2\tdog\t_\tNN\t_\t_\t3\tsubj\t_\t_\n3\tbarks\t_\tVB\t_\t_\t0\troot\t_\t_\n\n"
    "1\tit\t_\tPR\t_\t_\t2\tsubj\t_\t_\n2\tbarks\t_\tVB\t_\t_\t0\troot\t_\t_\n\n"
) * 6


@pytest.fixture
def forge(tmp_path):
    """Save a model with its header and arrays changed and all checksums right; return the path."""

    def change(model, header=lambda h: None, arrays=lambda a: None):
        path = tmp_path / "forged.linnet"
        model.save(path)
        own, found = read_model(path)
        own, found = json.loads(json.dumps(own)), {name: np.array(array) for name, array in found.items()}
        for name in ("arrays", "packed"):
            own.pop(name)
        header(own)
        arrays(found)
        write_model(path, own, found)
        return path

    return change


def train(learner, features="words:1", **options):
    return linnet.train((TEXTS, GOLD), features=features, learner=learner, options=options, estimate=False)


KERNELS = {
    "kernel-perceptron": {},
    "kernel-svm": {},
    "parzen": {},
    "neighbours": {},
    "subsequence": {"kernel": "subsequence"},
}


@pytest.mark.parametrize("columns", [0, 2**31, 2**62, 2**63 - 1, 2**64 - 1])
@pytest.mark.parametrize("name", KERNELS)
def test_absurd_numbers_of_columns_of_kernels_are_refused(forge, name, columns):
    learner, features = ("kernel-svm", "words:1 sequence") if name == "subsequence" else (name, "words:1")
    model = train(learner, features, **KERNELS[name])
    path = forge(model, arrays=lambda a: a.update({"weights.0": np.array([columns], np.uint64)}))
    with pytest.raises(ModelError) as caught:
        linnet.load(path)
    assert str(caught.value).startswith(f"{path}: the model file is damaged")


SHAPES = {
    "a wider hidden layer": lambda a: a.update({"weights.1": np.repeat(a["weights.1"], 2, axis=1)}),
    "a narrower hidden layer": lambda a: a.update({"weights.1": np.ascontiguousarray(a["weights.1"][:, :8])}),
    "fewer rows of V": lambda a: a.update({"weights.0": a["weights.0"][:5].copy()}),
    "no hidden layer": lambda a: a.update({"weights.1": a["weights.1"][:, :0].copy()}),
    "a hidden layer in a line": lambda a: a.update({"weights.1": a["weights.1"].ravel()}),
    "only V": lambda a: a.pop("weights.1"),
    "V turned": lambda a: a.update({"weights.0": np.ascontiguousarray(a["weights.0"].T)}),
}


@pytest.mark.parametrize("what", SHAPES)
def test_forged_shapes_of_a_network_are_refused(forge, what):
    with pytest.raises(ModelError):
        linnet.load(forge(train("feedforward"), arrays=SHAPES[what]))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("learner", ["logistic", "feedforward", "kernel-svm", "voted-perceptron"])
def test_weights_that_are_not_finite_are_refused(forge, learner, value):
    def change(arrays):
        name = next(name for name in arrays if arrays[name].dtype == np.float32 and name.startswith("weights."))
        arrays[name].reshape(-1)[-1] = value

    with pytest.raises(ModelError, match="are not"):
        linnet.load(forge(train(learner), arrays=change))


def test_scores_beyond_all_numbers_are_a_sentence(forge):
    path = forge(train("logistic"), arrays=lambda a: a["weights.0"].fill(3e38))
    with pytest.raises(ModelError) as caught:
        linnet.load(path).predict(["good film"])
    assert str(caught.value) == (
        "the scores of example 0 are not finite: its features or the weights of the model are too large. Leave out numbers far "
        "beyond those that it was trained on, or train it with smaller ones."
    )


@pytest.mark.parametrize("projective", ["yes", "no"])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 3e38, -3e38, 1e30])
def test_parsers_with_absurd_weights_do_not_crash(forge, tmp_path, projective, value):
    (tmp_path / "a.conllu").write_text(ARCS)
    model = linnet.train(
        tmp_path / "a.conllu", task="parse", epochs=1, options={"tags": "own", "order": 1, "projective": projective}
    )

    def change(arrays):
        for name in arrays:
            if name.startswith("weights."):
                arrays[name][:] = value

    path = forge(model, arrays=change)
    asked = "predict([['the', 'dog', 'barks', 'at', 'it']])"
    code = f"import linnet\ntry: linnet.load({str(path)!r}).{asked}\nexcept linnet.LinnetError: pass"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0


HEADERS = {
    "options that are a list": lambda h: h.update(options=[]),
    "options with a list inside": lambda h: h["options"].update(lam=[1]),
    "labels with a number": lambda h: h.update(labels=["+", 1]),
    "labels twice": lambda h: h.update(labels=["+", "+"]),
    "many labels": lambda h: h.update(labels=[str(k) for k in range(5000)]),
    "outcomes that are texts": lambda h: h.update(outcomes=["2"]),
    "huge outcomes": lambda h: h.update(outcomes=[2**31 - 1]),
    "a report that is a text": lambda h: h.update(report="x"),
    "epochs that are numbers": lambda h: h["report"].update(epochs=[1]),
    "a sureness of other names": lambda h: h["report"].update(sureness={"x": 1}),
    "details that are a list": lambda h: h.update(details=[]),
    "costs of the wrong shape": lambda h: h["details"].update(costs=[[0, 1]]),
    "a type of labels that is none": lambda h: h["details"].update(label_type="x"),
    "columns that are a text": lambda h: h["details"].update(columns="x"),
    "provenance that is null": lambda h: h.update(provenance=None),
    "features that are a list": lambda h: h.update(features=[]),
    "a specification that is a number": lambda h: h["features"].update(spec=1),
    "too many documents": lambda h: h["features"].update(n_documents=10**400),
    "lexicons of one word": lambda h: h["features"].update(lexicons=["x"]),
    "a learner that is a list": lambda h: h.update(learner=["svm"]),
    "parts that are a text": lambda h: h.update(parts="x"),
    "something more": lambda h: h.update(more=1),
    "no provenance": lambda h: h.pop("provenance"),
    "a state of nothing": lambda h: h.update(state={}),
}


@pytest.fixture(scope="module")
def model():
    return train("logistic")


@pytest.mark.parametrize("what", HEADERS)
def test_headers_with_a_wrong_type_anywhere_are_refused(forge, model, what):
    path = forge(model, header=HEADERS[what])
    with pytest.raises(ModelError) as caught:
        linnet.load(path)
    assert str(caught.value).startswith(f"{path}: the model file is damaged")
    assert "\n" not in str(caught.value)


def test_the_place_of_a_wrong_value_is_named(forge, model):
    path = forge(model, header=lambda h: h["report"]["epochs"][1].update(updates=-1))
    with pytest.raises(ModelError) as caught:
        linnet.load(path)
    why = f"report.epochs[1].updates is not a whole number from 0 to {2**62}"
    assert str(caught.value) == (
        f"{path}: the model file is damaged: its parts do not fit each other ({why}). Train it again."
    )


ARRAYS = {
    "an array that belongs to nothing": lambda a: a.update({"more.0": np.zeros(3, np.float32)}),
    "weights of one more block": lambda a: a.update({"weights.1": np.zeros((1, 2), np.float32)}),
    "words in two dimensions": lambda a: a.update({"features.info": a["features.info"][None]}),
    "words that point beyond the strings": lambda a: a["features.info"].__setitem__(0, 1 << 63 | 255 << 40 | 2**30),
}


@pytest.mark.parametrize("what", ARRAYS)
def test_arrays_that_are_not_as_declared_are_refused(forge, model, what):
    with pytest.raises(ModelError):
        linnet.load(forge(model, arrays=ARRAYS[what]))


def test_a_value_of_an_ambiguity_that_does_not_exist_is_refused(forge, tmp_path):
    (tmp_path / "a.conll").write_text("the DT\ndog NN\n\nit PRP\nbarks VBZ\n\n" * 4)
    model = linnet.train(tmp_path / "a.conll", task="tag", features="w amb", epochs=1)
    with pytest.raises(ModelError, match=r"'amb\.of' are not from 0 to"):
        linnet.load(forge(model, arrays=lambda a: a["features.amb.of"].fill(99)))


def test_labels_that_a_task_always_has_are_those(forge, tmp_path):
    (tmp_path / "a.jsonl").write_text('{"tokens": ["a", "very", "fine", "film"], "keep": [1, 0, 1, 1]}\n' * 4)
    model = linnet.train(tmp_path / "a.jsonl", task="compress", epochs=2)
    with pytest.raises(ModelError, match="labels are not"):
        linnet.load(forge(model, header=lambda h: h.update(labels=["drop"])))


@pytest.mark.parametrize("label", ["", "N(P", "*", "S++VP", "+"])
def test_labels_of_constituents_can_be_written_in_brackets(forge, tmp_path, label):
    (tmp_path / "a.mrg").write_text("( (S (NP (DT The) (NN film)) (VP (VBZ ends))))\n" * 4)
    model = linnet.train(tmp_path / "a.mrg", epochs=2)
    path = forge(model, header=lambda h: h.update(labels=[*h["labels"][:-1], label]))
    with pytest.raises(ModelError, match="no constituent has the label"):
        linnet.load(path)
    path = forge(model, header=lambda h: h.update(labels=["(NONE)", *h["labels"][1:]]))
    with pytest.raises(ModelError, match=r"the first label of constituents is not '\(none\)'"):
        linnet.load(path)


def test_an_empty_label_of_a_reranked_tagger_is_a_label(forge):
    """Whether a label is inside of a span was asked of its first letter."""
    sentences, tags = (
        [["Ann", "Lee", "saw", "Rome"], ["it", "was", "Rome"]] * 24,
        [["B-PER", "I-PER", "O", "B-LOC"], ["O", "O", "B-LOC"]] * 24,
    )
    model = linnet.train((sentences, tags), task="tag", features="w y[-1]", epochs=3, rerank=3)
    path = forge(model, header=lambda h: h.update(labels=["" if label == "O" else label for label in h["labels"]]))
    assert linnet.load(path).predict([["it"]])[0][0] in ("", "B-PER", "I-PER", "B-LOC")


@pytest.mark.parametrize(
    "change",
    [lambda part: part["details"].pop("k"), lambda part: part.update(details={}, task="labels", labels=["a", "b"])],
)
def test_a_reranker_that_could_not_choose_is_refused(forge, change):
    """Without the number of outputs that it chooses among, the first prediction raised a KeyError."""
    sentences, tags = [["Ann", "saw", "Rome"], ["it", "was", "Rome"]] * 24, [["N", "V", "N"], ["P", "V", "N"]] * 24
    model = linnet.train((sentences, tags), task="tag", features="w y[-1]", epochs=3, rerank=3)
    path = forge(model, header=lambda h: change(h["parts"]["reranker"]))
    with pytest.raises(ModelError, match="damaged"):
        linnet.load(path)


def test_a_model_for_which_there_is_no_room_is_a_sentence(forge, model, monkeypatch):
    def no_room(*_):
        raise OSError(errno.ENOMEM, "Cannot allocate memory")

    path = forge(model)
    monkeypatch.setattr(np, "memmap", no_room)
    with pytest.raises(ModelError, match="the model needs more memory than there is"):
        linnet.load(path)


def test_no_file_is_read_that_the_specification_of_a_model_names(forge, tmp_path):
    lists = [
        {"candidates": [{"text": f"{w} the", "cost": 1}, {"text": f"the {w}", "cost": 0}]}
        for w in ("dog", "cat", "cow")
    ]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lists))
    model = linnet.train(tmp_path / "a.jsonl", task="rerank", features="start:1 length", learner="logistic")
    path = forge(model, header=lambda h: h["features"].update(spec="lexicon:/dev/zero length", text=None))
    code = f"import linnet\ntry: linnet.load({str(path)!r})\nexcept linnet.LinnetError: pass"
    # A file that never ends would be read until the time is over.
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=20).returncode == 0


def raw(header_text, table=None, body=b""):
    metadata = {"linnet": header_text, "crc32": str(zlib.crc32(header_text.encode()))}
    head = json.dumps({"__metadata__": metadata, **(table or {})}, separators=(",", ":")).encode()
    head += b" " * (-len(head) % 8)
    return len(head).to_bytes(8, "little") + head + body


F32 = ["F32", [2], zlib.crc32(bytes(8))]
FILES = {
    "a key twice": raw('{"schema": 3, "schema": 3, "arrays": {}}'),
    "deep JSON": raw('{"schema": 3, "arrays": ' + "[" * 100_000 + "]" * 100_000 + "}"),
    "a number that JSON does not have": raw('{"schema": NaN, "arrays": {}}'),
    "a header that is a list": raw("[]"),
    "a header that is no JSON": raw("{"),
    "a schema that is a list": raw('{"schema": [[]]}'),
    "no schema": raw("{}"),
    "packed that is a text": raw('{"schema": 3, "arrays": {}, "packed": "x"}'),
    "a packed array that is not there": raw('{"schema": 3, "arrays": {}, "packed": {"x": [1]}}'),
    "an array of one value": raw('{"schema": 3, "arrays": {"a": ["F32"]}}'),
    "a negative shape": raw('{"schema": 3, "arrays": {"a": ["F32", [-1], 0]}}'),
    "a shape larger than any memory": raw('{"schema": 3, "arrays": {"a": ["F32", [1099511627776, 1099511627776], 0]}}'),
    "arrays over each other": raw(
        json.dumps({"schema": 3, "arrays": {"a": F32, "b": F32}}),
        {name: {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]} for name in "ab"},
        bytes(8),
    ),
    "a gap between arrays": raw(
        json.dumps({"schema": 3, "arrays": {"a": F32}}),
        {"a": {"dtype": "F32", "shape": [2], "data_offsets": [8, 16]}},
        bytes(16),
    ),
}


@pytest.mark.parametrize("what", FILES)
def test_files_that_are_no_models_have_one_sentence(tmp_path, what):
    path = tmp_path / "m.linnet"
    path.write_bytes(FILES[what])
    with pytest.raises(ModelError) as caught:
        linnet.load(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


STATES = {
    "numbers that this learner does not have": (lambda h: h["state"]["online"].update(weights=1), lambda a: None),
    "a clock that is a text": (lambda h: h["state"]["online"].update(t="x"), lambda a: None),
    "a clock that is missing": (lambda h: h["state"]["online"].pop("t"), lambda a: None),
    "a scale that is not a number": (lambda h: h["state"]["online"].update(a="nan"), lambda a: None),
    "fewer rows": (lambda h: None, lambda a: a.update({"state.v0": a["state.v0"][:2].copy()})),
    "weights that are not finite": (lambda h: None, lambda a: a["state.v0"].fill(np.nan)),
    "weights of another type": (lambda h: None, lambda a: a.update({"state.v0": a["state.v0"].astype(np.float64)})),
    "no weights": (lambda h: h["state"].update(online=[]), lambda a: None),
}


@pytest.mark.parametrize("what", STATES)
@pytest.mark.parametrize("learner", ["averaged-perceptron", "feedforward"])
def test_forged_states_of_learning_are_refused(forge, learner, what):
    model = linnet.train((TEXTS, GOLD), features="words:1", learner=learner, epochs=2, keep_state=True, estimate=False)
    path = forge(model, *STATES[what])
    with pytest.raises(ModelError):
        linnet.load(path).update("good", "+")


def test_as_many_documents_as_can_be_counted_stay_as_many(forge):
    model = linnet.train((TEXTS, GOLD), features="words:1 tfidf", learner="arow", epochs=2, keep_state=True)
    path = forge(model, header=lambda h: h["features"].update(n_documents=2**53))
    assert linnet.load(path).update("good", "+").features.n_documents == 2**53


def test_words_of_lexicons_that_are_blank_count_nothing(forge):
    model = linnet.train((TEXTS, GOLD), features="words:1", learner="perceptron", epochs=2)
    path = forge(model, header=lambda h: h["features"].update(lexicons=[["x", "count", ["", " \t"]]]))
    assert linnet.load(path).predict(TEXTS) == model.predict(TEXTS)


def test_remembered_vectors_of_other_sizes_are_refused(forge):
    model = linnet.train((TEXTS, GOLD), features="words:1", learner="voted-perceptron", epochs=2, keep_state=True)
    path = forge(model, arrays=lambda a: a.update({"state.vote0.0": a["state.vote0.0"][:1].copy()}))
    with pytest.raises(ModelError):
        linnet.load(path).update("good", "+")


CHECKPOINTS = {
    "a history of nothing": (lambda h: h["state"].update(history=[{}]), lambda a: None),
    "no history": (lambda h: h["state"].pop("history"), lambda a: None),
    "an epoch that took no time": (lambda h: h["state"]["history"][0].pop("seconds"), lambda a: None),
    "a gap above all floats": (lambda h: h["state"]["history"][0].update(gap=10**400), lambda a: None),
    "a best epoch that was not": (lambda h: h["state"].update(best=99), lambda a: None),
    "a number of runs that is a text": (lambda h: h["state"].update(runs="x"), lambda a: None),
    "runs whose weights are missing": (lambda h: h["state"].update(runs=2), lambda a: None),
    "a total of other weights": (
        lambda h: h["state"].update(runs=1),
        lambda a: a.update({"state.total0": np.zeros((1, 2), np.float32)}),
    ),
    "a total without a number": (lambda h: None, lambda a: a.update({"state.totalx": np.zeros((1, 2), np.float32)})),
    "examples that are not there": (
        lambda h: None,
        lambda a: a.update({"state.m0": a["state.m0"][:3].copy(), "state.idle": a["state.idle"][:3].copy()}),
    ),
    "fewer numbers of examples": (lambda h: None, lambda a: a.update({"state.idle": a["state.idle"][:3].copy()})),
    "numbers of examples of another type": (
        lambda h: None,
        lambda a: a.update({"state.part": a["state.part"].astype(np.float32)}),
    ),
    "support rows that begin nowhere": (lambda h: None, lambda a: a["state.learned2"].fill(2)),
}


@pytest.mark.parametrize("what", CHECKPOINTS)
def test_forged_checkpoints_are_refused(tmp_path, monkeypatch, what):
    monkeypatch.setattr("linnet.training.checkpoint._WORTH_KEEPING", 0.0)
    texts, labels = [f"{text} {i % 7}" for i, text in enumerate(TEXTS * 25)], [GOLD[i * i % 11] for i in range(300)]
    part = tmp_path / "m.part"

    def stop(seen):
        if seen.epoch == 3:
            raise KeyboardInterrupt

    learner = "kernel-perceptron" if what.startswith("support rows") else "svm"
    how = {"features": "words:1", "learner": learner, "epochs": 4, "tol": 0.0, "checkpoint": part, "estimate": False}
    linnet.train((texts, labels), progress=stop, **how)
    own, found = read_model(part)
    own, found = json.loads(json.dumps(own)), {name: np.array(array) for name, array in found.items()}
    for name in ("arrays", "packed"):
        own.pop(name)
    header, arrays = CHECKPOINTS[what]
    header(own)
    arrays(found)
    write_model(part, own, found)
    with pytest.raises(ModelError):
        linnet.train((texts, labels), resume=True, **how)


def report(**values):
    return lambda header: header["report"].update(values)


def origin(**values):
    return lambda header: header["provenance"].update(values)


def epoch(**values):
    return lambda header: header["report"]["epochs"][0].update(values)


TOLD = {
    "no epochs": lambda header: header["report"].pop("epochs"),
    "no reason to end": lambda header: header["report"].pop("stopped"),
    "no best epoch": lambda header: header["report"].pop("best"),
    "an epoch of no run": lambda header: header["report"]["epochs"][0].pop("run"),
    "a loss that is a text": epoch(loss="much"),
    "a trial without epochs": report(trial={"stopped": "", "best": 1}),
    "an estimate without its number": report(expected={"accuracy": 0.5}),
    "an estimate of texts": report(expected={"micro_f1": "x", "whole": 0.5, "n": 1}),
    "theory that is a text": report(theory={"margin": "x"}),
    "half a plan that was tried": report(tried=[{"learner": "mira"}]),
    "a stream without its end": report(progressive={"all": {}}),
    "support vectors without weights": report(support={"rows": [1], "texts": ["a"]}),
    "words without a number": report(lexicon={}),
    "data that are a number": origin(data=3),
    "a fingerprint that is a list": origin(fingerprint=[]),
    "a command without data": origin(asked={"learner": "mira"}),
    "data of lists": origin(asked={"data": [["a"]]}),
    "a lexicon of numbers": origin(asked={"data": "a", "lexicon": {"pos": 3}}),
    "a step of compacting that is a number": origin(compacted=[3]),
    "options of compacting that there are not": origin(
        compacted=[{"bytes": 1, "features": 1, "asked": {"force": "x"}}]
    ),
}


@pytest.mark.parametrize("what", TOLD)
def test_what_a_forged_model_tells_of_itself_is_refused_where_it_cannot_be_shown(forge, what):
    with pytest.raises(ModelError, match="the model file is damaged"):
        linnet.load(forge(train("averaged-mira"), header=TOLD[what]))


def test_numbers_that_json_does_not_have_are_numbers_again(forge):
    path = forge(train("averaged-mira"), header=lambda h: (epoch(loss="inf")(h), report(likelihood="-inf")(h)))
    told = linnet.load(path).report
    assert told["epochs"][0]["loss"] == np.inf
    assert told["likelihood"] == -np.inf


def test_a_round_of_the_fuzzer(tmp_path):
    """Some forged models of each kind; `make fuzz` tries many more."""
    done = subprocess.run(
        [sys.executable, FUZZ / "models.py", "--inputs", "180", "--workers", "1"],
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


def test_good_models_of_all_kinds_load(tmp_path, monkeypatch):
    """What the fuzzer changes is right before it is changed."""
    monkeypatch.syspath_prepend(str(FUZZ))
    from models import save_seeds
    from seeds import SEEDS, asked

    kinds = [
        "labels columns",
        "labelset parzen",
        "tag amb trigrams",
        "compress",
        "align itg",
        "rerank",
        "own",
        "brackets",
    ]
    save_seeds(tmp_path, kinds)
    for kind in kinds:
        model = SEEDS[kind].opened(tmp_path / f"{kind}.linnet")
        assert "ModelError" not in list(asked(SEEDS[kind], model, tmp_path / f"{kind}.linnet", Random(kind)))
        assert issubclass(ModelError, LinnetError)
