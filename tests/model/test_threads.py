"""One model in many threads while another learns, and in processes that are forked: the answers are those of one thread."""

import multiprocessing
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import linnet
from linnet.learners import LEARNERS

TEXTS = [
    f"{word} film number {i % 7} of a {mood} day"
    for i, (word, mood) in enumerate([("good", "fine"), ("bad", "poor")] * 60)
]
LABELS = ["pos", "neg"] * 60
SENTENCES = [["the", "dog", "barks"], ["it", "barks", "well"], ["the", "cat", "saw", "it"]] * 5
TAGS = [["DT", "NN", "VBZ"], ["PRP", "VBZ", "RB"], ["DT", "NN", "VBD", "PRP"]] * 5
TREES = (
    "1\tthe\t_\tDT\t_\t_\t2\tdet\t_\t_\n2\tdog\t_\tNN\t_\t_\t3\tsubj\t_\t_\n3\tbarks\t_\tVB\t_\t_\t0\troot\t_\t_\n\n"
    "1\tit\t_\tPR\t_\t_\t2\tsubj\t_\t_\n2\tbarks\t_\tVB\t_\t_\t0\troot\t_\t_\n3\tloud\t_\tRB\t_\t_\t2\tadv\t_\t_\n\n"
) * 8
SETS = [["corn", "wheat"], ["gold"], [], ["corn"]] * 30
HOW = {
    "labels": lambda folder: (linnet.train((TEXTS, LABELS), task="labels", features="words:1-2 chars:2-3"), TEXTS),
    "kernel": lambda folder: (
        linnet.train((TEXTS, LABELS), task="labels", features="words:1", learner="kernel-svm"),
        TEXTS,
    ),
    "network": lambda folder: (
        linnet.train((TEXTS, LABELS), task="labels", features="words:1", learner="feedforward", epochs=2),
        TEXTS,
    ),
    "votes": lambda folder: (
        linnet.train((TEXTS, LABELS), task="labels", features="words:1", learner="voted-perceptron", epochs=2),
        TEXTS,
    ),
    "labelset": lambda folder: (linnet.train((TEXTS, SETS), task="labelset", features="words:1"), TEXTS),
    "tag": lambda folder: (linnet.train((SENTENCES, TAGS), task="tag", learner="crf", epochs=3), SENTENCES),
    "parse": lambda folder: (_parser(folder), SENTENCES),
}


def _parser(folder):
    (folder / "a.conllu").write_text(TREES)
    return linnet.train(folder / "a.conllu", task="parse", epochs=2, options={"tags": "own"})


@pytest.fixture(scope="module", params=HOW)
def trained(request, tmp_path_factory):
    model, new = HOW[request.param](tmp_path_factory.mktemp("models"))
    return model, new


def answered(model, new):
    """The answers of a model as plain values, one example at a time and all at once."""
    return model.answers(new).to_pylist(), [model.predict([x]) for x in new[:5]]


def test_many_threads_have_the_answers_of_one(trained):
    model, new = trained
    alone = answered(model, new)
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda _: answered(model, new), range(24)))
    finally:
        sys.setswitchinterval(before)
    assert all(one == alone for one in found)


def test_a_model_answers_while_a_session_of_it_learns():
    model = linnet.train(
        (TEXTS, LABELS), task="labels", features="words:1", learner="averaged-perceptron", keep_state=True
    )
    alone = answered(model, TEXTS)
    session, stop, lessons = model.session(), threading.Event(), []

    def teach():
        while not stop.is_set() or not lessons:
            session.learn(f"new words {len(lessons)} of a film", "pos" if len(lessons) % 2 else "neg")
            lessons.append(len(lessons))

    teacher = threading.Thread(target=teach)
    teacher.start()
    try:
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda _: answered(model, TEXTS), range(20)))
    finally:
        stop.set()
        teacher.join()
    assert all(one == alone for one in found)
    again = model.session()
    for k in lessons:
        again.learn(f"new words {k} of a film", "pos" if k % 2 else "neg")
    assert answered(session.model(), TEXTS) == answered(again.model(), TEXTS)


def test_trainings_in_threads_give_the_weights_of_one():
    def weights(name):
        model = linnet.train((TEXTS, LABELS), task="labels", features="words:1", learner=name, epochs=3)
        return [array.tobytes() for array in model.weights]

    names = [
        name for name in LEARNERS if name in ("svm", "logistic", "averaged-mira", "arow", "boosting", "naive-bayes")
    ]
    alone = {name: weights(name) for name in names}
    with ThreadPoolExecutor(6) as pool:
        for _ in range(3):
            assert dict(zip(names, pool.map(weights, names), strict=True)) == alone


def _in_child(model, new, queue):
    queue.put(answered(model, new))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_has_the_answers_of_its_parent(trained):
    model, new = trained
    alone = answered(model, new)
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    children = [context.Process(target=_in_child, args=(model, new, queue)) for _ in range(2)]
    for child in children:
        child.start()
    found = [queue.get(timeout=120) for _ in children]
    for child in children:
        child.join(120)
    assert found == [alone, alone]
    assert [child.exitcode for child in children] == [0, 0]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_learns_what_its_parent_would():
    def weights(queue=None):
        model = linnet.train((TEXTS, LABELS), task="labels", features="words:1-2", learner="svm")
        found = [array.tobytes() for array in model.weights]
        return found if queue is None else queue.put(found)

    alone = weights()
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=weights, args=(queue,))
    child.start()
    assert queue.get(timeout=120) == alone
    child.join(120)
    assert child.exitcode == 0


def test_a_subinterpreter_is_told_that_it_cannot(tmp_path):
    """Compiled modules and Arrow belong to the interpreter that loads them, and wait for each other in another one."""
    asked = (
        f"import runpy\ntry: runpy.run_path({linnet.__file__!r})\nexcept ImportError as error: print(error, flush=True)"
    )
    (tmp_path / "ask.py").write_text(
        "try: import _interpreters as them\n"
        "except ImportError: import _xxsubinterpreters as them\n"
        f"them.run_string(them.create(), {asked!r})\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", tmp_path / "ask.py"], capture_output=True, text=True, timeout=60
    )
    assert done.stdout == "linnet runs in the main interpreter of a process only. Use threads or processes instead.\n"
    assert done.returncode == 0, done.stderr
