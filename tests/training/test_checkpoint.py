"""Long learning that is interrupted and goes on: to the very bits of a run that was not."""

import errno
import math
import os
import sys

import numpy as np
import pytest

import linnet
import linnet.training.checkpoint
import linnet.training.data_to_model
from linnet.errors import LinnetError, ModelError, UsageError
from linnet.learners import LEARNERS
from linnet.tasks import load

ONLINE = [name for name in LEARNERS if not LEARNERS[name].one_pass]
LEARNING = {
    *("Learning._run", "Learning._pieces", "Learning._record", "Learning._why_stop", "Fit.end_epoch", "Fit.end_run"),
    *(
        "Gradients.begin",
        "Gradients.run",
        "Gradients.end",
        "Lbfgs.tell",
        "Lbfgs._remember",
        "Lbfgs._next",
        "Lbfgs._try",
    ),
}


def same(first, second):
    """Whether two models hold the same bits."""
    return [w.tobytes() for w in first.weights] == [w.tobytes() for w in second.weights]


def data(n=400, seed=0):
    """More than 256 examples, so that an epoch is in two pieces and can be interrupted within."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    words = rng.integers(0, 10, (n, 6)) + 10 * np.where(
        rng.random((n, 6)) < 0.4, y[:, None], rng.integers(0, 3, (n, 6))
    )
    return [" ".join(f"w{w}" for w in row) for row in words], y.tolist()


def interrupt(epoch):
    def progress(seen):
        if seen.epoch == epoch:
            raise KeyboardInterrupt

    return progress


def losses(model):
    keys = ("epoch", "loss", "updates", "mistakes", "dev")
    return [tuple(epoch[key] for key in keys) for epoch in model.report["epochs"]]


@pytest.fixture(autouse=True)
def worth_keeping(monkeypatch):
    monkeypatch.setattr(linnet.training.checkpoint, "_WORTH_KEEPING", 0.0)


@pytest.fixture
def part(tmp_path):
    return tmp_path / "model.part"


@pytest.fixture
def train(part):
    def run(*, name="logistic", epochs=5, tol=0.0, **options):
        return linnet.train(
            data(),
            learner=name,
            features="words:1",
            epochs=epochs,
            tol=tol,
            **{"estimate": False, "checkpoint": part, **options},
        )

    return run


@pytest.mark.parametrize("dev", [None, 0.2], ids=["all", "held out"])
@pytest.mark.parametrize("name", ONLINE)
def test_an_interrupted_run_goes_on_to_the_same_bits(train, part, name, dev):
    whole = train(name=name, dev=dev, patience=9)
    broken = train(name=name, dev=dev, patience=9, progress=interrupt(3))
    assert broken.report["stopped"] == "interrupted after 2 of 5 epochs"
    assert part.exists()
    resumed = train(name=name, dev=dev, patience=9, resume=True)
    assert same(resumed, whole)
    assert losses(resumed) == losses(whole)
    assert (resumed.report["best"], resumed.report["stopped"]) == (whole.report["best"], whole.report["stopped"])
    assert not part.exists()


class Moment:
    """Counts the bytecodes of learning, and raises KeyboardInterrupt at one of them."""

    def __init__(self, at=math.inf):
        self.at, self.count = at, 0

    def __enter__(self):
        self.before = sys.gettrace()
        sys.settrace(self.called)
        return self

    def __exit__(self, *error):
        sys.settrace(self.before)

    def called(self, frame, event, argument):
        if frame.f_code.co_qualname not in LEARNING:
            return None
        frame.f_trace_opcodes = True
        return self.within

    def within(self, frame, event, argument):
        self.count += event == "opcode"
        if self.count == self.at:
            self.at = math.inf
            raise KeyboardInterrupt
        return self.within


@pytest.mark.parametrize(
    "how",
    [
        {"name": "logistic", "tol": 0.01},
        {"name": "perceptron", "dev": 0.2, "refit": False, "patience": 2},
        {
            "name": "averaged-mira",
            "dev": 0.2,
            "refit": False,
            "patience": 9,
            "options": {"runs": 2, "dropout": 0.2},
            "epochs": 2,
        },
        {"name": "crf", "options": {"runs": 3, "lam": 0.001}, "epochs": 1},
        {"name": "svm", "tol": 0.3},
        {"name": "logistic", "options": {"by": "dual", "lam": 0.01}, "tol": 0.03},
        {"name": "logistic", "options": {"by": "lbfgs", "l1": 0.005}, "epochs": 6},
        {"name": "naive-bayes"},
    ],
    ids=["moved", "held out", "runs held out", "runs", "svm", "dual", "lbfgs", "counts"],
)
def test_any_moment_will_do_for_an_interruption(train, part, how):
    whole = train(**how)
    with Moment() as all_of_it:
        train(**how)
    assert all_of_it.count > 200
    positions = set()
    for at in np.linspace(1, all_of_it.count, 60).astype(int).tolist():
        with Moment(at):
            broken = train(**how)
        assert broken.report["stopped"].rpartition("; ")[2].startswith("interrupted after")
        state = load(part).state
        positions.add((len(state[1]["history"]), state[1]["online"]["t"]))
        resumed = train(**how, resume=True)
        assert same(resumed, whole), at
        assert losses(resumed) == losses(whole)
        assert (resumed.report["best"], resumed.report["stopped"]) == (whole.report["best"], whole.report["stopped"])
    assert len(positions) >= 2 * len(whole.report["epochs"])


def test_adagrad_goes_on_to_the_same_bits(train):
    options = {"options": {"step": "adagrad", "lam": 0.01}}
    whole = train(**options)
    train(**options, progress=interrupt(3))
    assert same(train(**options, resume=True), whole)


@pytest.mark.parametrize("options", [{"lam": 0.01}, {"lam": 0, "l1": 0.005}], ids=["L2", "L1"])
@pytest.mark.parametrize("epoch", [2, 9])
def test_an_optimum_is_reached_on_the_same_way(train, options, epoch):
    how = {"epochs": 12, "options": {"by": "lbfgs", **options}}
    whole = train(**how)
    broken = train(**how, progress=interrupt(epoch))
    assert broken.report["stopped"] == f"interrupted after {epoch - 1} of 12 epochs"
    resumed = train(**how, resume=True)
    assert same(resumed, whole)
    assert losses(resumed) == losses(whole)
    assert resumed.report["stopped"] == whole.report["stopped"]


@pytest.mark.parametrize("epoch", [3, 6, 7, 12])
@pytest.mark.parametrize("dev", [None, 0.2], ids=["all", "held out"])
def test_several_runs_with_dropout_go_on_to_the_same_bits(train, dev, epoch):
    options = {
        "name": "averaged-mira",
        "dev": dev,
        "refit": False,
        "patience": 9,
        "options": {"runs": 3, "dropout": 0.2},
    }
    whole = train(**options)
    assert [(e["epoch"], e["run"]) for e in whole.report["epochs"]] == [(e + 1, e // 5 + 1) for e in range(15)]
    broken = train(**options, progress=interrupt(epoch))
    assert broken.report["stopped"].endswith(f"interrupted after {epoch - 1} of 15 epochs")
    resumed = train(**options, resume=True)
    assert same(resumed, whole)
    assert losses(resumed) == losses(whole)
    assert resumed.report["stopped"] == whole.report["stopped"]


def test_held_out_data_stop_a_resumed_run_where_they_would_have(train):
    options = {"name": "perceptron", "dev": 0.2, "refit": False, "patience": 2, "epochs": 40}
    whole = train(**options)
    assert whole.report["stopped"] == "2 epochs brought nothing on the held-out part"
    train(**options, progress=interrupt(len(whole.report["epochs"])))
    resumed = train(**options, resume=True)
    assert same(resumed, whole)
    assert losses(resumed) == losses(whole)


@pytest.mark.parametrize(("epochs", "epoch"), [(40, 3), (3, 2)], ids=["the trial", "the last training"])
def test_learning_again_from_all_data_can_be_interrupted_too(train, epochs, epoch):
    """The trial has 40 epochs at most, and is best after 3; so the last training, on all data, has 3."""
    how = {"name": "perceptron", "dev": 0.2, "patience": 2, "epochs": 40}
    whole = train(**how)
    assert (whole.report["trial"]["best"], len(whole.report["epochs"])) == (3, 3)

    def stop(progress):
        if (progress.epochs, progress.epoch) == (epochs, epoch):
            raise KeyboardInterrupt

    broken = train(**how, progress=stop)
    assert broken.report["stopped"].startswith("interrupted after")
    assert ("trial" in broken.report) == (epochs == 3)
    resumed = train(**how, resume=True)
    assert same(resumed, whole)
    for name in ("trial", "expected", "sureness"):
        assert repr(_without_times(resumed.report[name])) == repr(_without_times(whole.report[name]))
    assert resumed.provenance["held_out"] == whole.provenance["held_out"] > 0


def _without_times(report):
    if not isinstance(report, dict) or "epochs" not in report:
        return report
    return {**report, "epochs": [{**epoch, "seconds": 0} for epoch in report["epochs"]]}


def test_weights_that_stop_moving_stop_a_resumed_run_where_they_would_have(train):
    # The last epoch is the first in which the weights moved by little; the run is interrupted just before it. Going on,
    # `moved` must be measured from the weights at the checkpoint, not from nothing.
    whole = train(epochs=40, tol=0.2)
    n = len(whole.report["epochs"])
    assert (2 < n < 40, whole.report["stopped"]) == (
        True,
        "the weights moved by less than 20% of their length in the last epoch",
    )
    train(epochs=40, tol=0.2, progress=interrupt(n))
    resumed = train(epochs=40, tol=0.2, resume=True)
    assert len(resumed.report["epochs"]) == n
    assert same(resumed, whole)


def test_a_run_may_be_interrupted_again_before_an_epoch_is_done(train):
    # Nothing has changed since the checkpoint, which is as good as before.
    whole = train()
    train(progress=interrupt(3))
    train(progress=interrupt(3), resume=True)
    resumed = train(resume=True)
    assert losses(resumed) == losses(whole)
    assert same(resumed, whole)


def test_a_run_may_be_interrupted_again_after_an_epoch(train):
    whole = train()
    train(progress=interrupt(2))
    train(progress=interrupt(4), resume=True)
    assert same(train(resume=True), whole)


def test_the_checkpoint_is_a_model_too(train, part):
    broken = train(progress=interrupt(3))
    model = load(part)
    state = model.state
    assert same(model, broken)
    assert state[1]["online"]["t"] == 2 * 400 + 256


def test_a_checkpoint_is_written_now_and_then(train, part, monkeypatch):
    monkeypatch.setattr(linnet.training.checkpoint, "_CHECKPOINT_SECONDS", 0.0)
    monkeypatch.setattr(linnet.training.checkpoint, "_SHARE_OF_WRITING", math.inf)
    written = []

    def progress(seen):
        if part.exists():
            written.append(load(part).state[1]["online"]["t"])

    train(progress=progress, epochs=3)
    assert written == [256, 400, 656, 800, 1056]


def test_what_takes_long_to_write_is_written_less_often(train, monkeypatch):
    # An hour for each file, of which a twentieth of the time may go into writing.
    clock, calls = iter(range(0, 10**9, 3600)), []
    monkeypatch.setattr(linnet.training.checkpoint.time, "monotonic", lambda: next(clock))
    monkeypatch.setattr(linnet.training.checkpoint.Checkpoints, "_write", lambda keeper, fit: calls.append(1))
    train(epochs=20)  # 40 pieces: the clock is looked at once in each, and once more behind a file
    assert len(calls) == 2


def test_a_run_that_is_done_leaves_no_checkpoint(train, part):
    train()
    assert list(part.parent.iterdir()) == []


@pytest.mark.parametrize("name", LEARNERS)
def test_an_interruption_in_the_first_epoch(train, part, name):
    whole = train(name=name)
    broken = train(name=name, progress=interrupt(1))
    assert broken.report["stopped"].startswith("interrupted after 0 of ")
    assert part.exists()
    resumed = train(name=name, resume=True)
    assert same(resumed, whole)
    assert losses(resumed) == losses(whole)


def refusal(train, **options):
    with pytest.raises(UsageError) as caught:
        train(resume=True, **options)
    return str(caught.value)


def test_where_there_is_no_checkpoint_training_begins_from_the_start(train):
    """It was interrupted before it had learned much, which is no fault of the user's."""
    assert same(train(resume=True), train())


def test_resume_without_the_name_of_a_checkpoint():
    with pytest.raises(UsageError) as caught:
        linnet.train(data(), learner="logistic", features="words:1", resume=True)
    assert str(caught.value) == "resume goes on from a checkpoint, and none is named. Name it, or leave out resume."


def test_a_checkpoint_of_another_learner(train, part):
    train(progress=interrupt(2))
    sentence = (
        f"{part} is from learner 'logistic' or from other options of it. Train with the learner and the options of the "
        "interrupted run, or without --resume."
    )
    assert refusal(train, name="mira") == sentence
    assert refusal(train, options={"lam": 0.5}) == sentence


def test_a_checkpoint_of_other_features(train, part):
    train(name="mira", progress=interrupt(2))
    with pytest.raises(UsageError) as caught:
        linnet.train(data(), learner="mira", features="words:1-2", checkpoint=part, resume=True)
    assert str(caught.value) == (
        f"{part} is from other data, features or seed. Train with those of the interrupted run, or without --resume."
    )


def test_a_checkpoint_of_other_data_of_the_same_size(train, part):
    # As many texts, words and labels, but others: the weights of the checkpoint mean nothing for them.
    train(name="mira", progress=interrupt(2))
    texts, labels = data()
    other = [text.replace("w", "v") for text in texts]
    with pytest.raises(UsageError):
        linnet.train((other, labels), learner="mira", features="words:1", checkpoint=part, resume=True)


@pytest.mark.parametrize("other", [{"seed": 1}, {"class_weight": "balanced"}], ids=["seed", "class weights"])
def test_a_checkpoint_of_another_run_of_the_same_learner(train, other):
    # To go on with another order or other weights would be neither the one run nor the other.
    train(progress=interrupt(2))
    with pytest.raises(UsageError):
        train(resume=True, **other)


def test_going_on_with_an_infinite_C(train):
    options = {"name": "mira", "options": {"C": float("inf")}}
    whole = train(**options)
    train(**options, progress=interrupt(3))
    assert same(train(**options, resume=True), whole)


def test_a_second_of_learning_is_not_worth_a_checkpoint(train, part, monkeypatch):
    monkeypatch.setattr(linnet.training.checkpoint, "_WORTH_KEEPING", 3600.0)
    assert train(progress=interrupt(3)).report["stopped"] == "interrupted after 2 of 5 epochs"
    assert not part.exists()


def test_a_file_that_is_no_checkpoint_is_never_deleted(train, part):
    part.write_text("my notes")
    with pytest.raises(UsageError, match="there is a file of that name, which is not a model"):
        train()
    assert part.read_text() == "my notes"


@pytest.fixture
def often(monkeypatch):
    """Checkpoints after every piece of learning."""
    monkeypatch.setattr(linnet.training.checkpoint, "_CHECKPOINT_SECONDS", 0.0)
    monkeypatch.setattr(linnet.training.checkpoint, "_SHARE_OF_WRITING", math.inf)


class KilledError(Exception):
    """Raised where a process is killed: nothing behind it is done."""


def die(*arguments, **options):
    raise KilledError


FINISHERS = {
    "estimate": ("estimate.Estimate", {"estimate": True}),
    "calibration": ("calibration.Calibration", {"calibrate": "sigmoid"}),
    "support": ("support.KeptSupport", {"name": "svm", "keep_support": True}),
}


@pytest.mark.parametrize(("finisher", "how"), FINISHERS.values(), ids=FINISHERS)
def test_what_was_learned_is_kept_until_the_steps_after_it_are_done(train, part, often, monkeypatch, finisher, how):
    whole = train(**how)
    with monkeypatch.context() as patched:
        patched.setattr(f"linnet.training.{finisher}.finish", die)
        with pytest.raises(KilledError):
            train(**how)
    epochs = len(whole.report["epochs"])
    assert len(load(part).report["epochs"]) in (epochs - 1, epochs)  # The last one ends behind its last piece.
    resumed = train(**how, resume=True)
    assert same(resumed, whole)
    assert repr(resumed.report) == repr(whole.report)
    assert not part.exists()


def test_a_checkpoint_stays_until_the_model_is_written(part, often):
    def write(done, **how):
        with linnet.training.data_to_model.training(
            data(), learner="logistic", features="words:1", epochs=3, tol=0.0, estimate=False, checkpoint=part, **how
        ) as model:
            done(model)

    with pytest.raises(KilledError):
        write(die)
    assert part.exists()
    models = []
    write(models.append, resume=True)
    assert not part.exists()
    write(models.append)
    assert same(*models)


def test_an_interruption_after_learning_keeps_the_checkpoint(train, part, often, monkeypatch):
    def stop(*arguments):
        raise KeyboardInterrupt

    whole = train(calibrate="sigmoid")
    with monkeypatch.context() as patched:
        patched.setattr("linnet.training.calibration.Calibration.finish", stop)
        broken = train(calibrate="sigmoid")
    assert broken.report["stopped"] == "interrupted after learning, during the step 'calibration'"
    assert same(train(calibrate="sigmoid", resume=True), whole)
    assert not part.exists()


def test_an_interruption_of_learning_leaves_calibration_out(train):
    """It would learn five times as long as what was interrupted."""
    broken = train(calibrate="sigmoid", progress=interrupt(3))
    assert broken.report["stopped"] == "interrupted after 2 of 5 epochs"
    assert "calibrated" not in broken.report
    assert same(train(calibrate="sigmoid", resume=True), train(calibrate="sigmoid"))


def test_a_trial_stays_until_the_last_training_has_a_checkpoint_of_its_own(train, part, often, monkeypatch):
    """Killed between the two, it does not learn without the held-out share from the start."""
    how = {"name": "averaged-perceptron", "dev": 0.2, "epochs": 6, "patience": 2}
    whole = train(**how)
    with monkeypatch.context() as patched:
        patched.setattr("linnet.training.job.Job.trial", die)
        with pytest.raises(KilledError):
            train(**how)
    assert load(part).state[1]["online"]["t"] > 0
    assert "trial" not in load(part).report
    resumed = train(**how, resume=True)
    assert same(resumed, whole)
    assert list(resumed.report) == list(whole.report)


@pytest.mark.parametrize("learner", [None, "auto"])
def test_costs_are_decided_by_probabilities_in_a_training_that_goes_on_too(tmp_path, often, monkeypatch, learner):
    """What is calibrated because of the costs is no setting of the user's, which the same command would give again."""
    texts, labels = data()
    (tmp_path / "costs.csv").write_text("1,2,3\n")

    def train(**how):
        return linnet.train(
            (texts, list(map(str, labels))), learner=learner, features="words:1", dev=0.2,
            options={"costs": str(tmp_path / "costs.csv")}, checkpoint=tmp_path / "part", **how,
        )  # fmt: skip

    def files(model):
        model.save(tmp_path / "model")
        return (tmp_path / "model").read_bytes()

    whole = train()
    assert whole.report["calibrated"]["folds"] == 5
    with monkeypatch.context() as patched:
        patched.setattr("linnet.training.calibration.Calibration.finish", die)
        with pytest.raises(KilledError):
            train()
    assert "trial" in load(tmp_path / "part").report
    (tmp_path / "costs.csv").write_text("1,2,9\n")
    with pytest.raises(UsageError, match="is from other data"):
        train(resume=True)
    (tmp_path / "costs.csv").write_text("1,2,3\n")
    assert files(train(resume=True)) == files(whole)


def test_a_checkpoint_of_more_epochs_than_are_asked_for(train, part):
    train(progress=interrupt(5))
    assert refusal(train, epochs=3) == (
        f"{part} has 4 epochs behind it, more than the 3 that are asked for. Ask for as many as before, or train without "
        "--resume."
    )
    assert same(train(epochs=7, resume=True), train(epochs=7))


def test_a_checkpoint_of_other_held_out_texts(train, part):
    texts, labels = data(50, seed=1)
    train(dev=(texts, labels), progress=interrupt(2))
    with pytest.raises(UsageError, match="is from other data"):
        train(dev=([text.replace("w1", "w2") for text in texts], labels), resume=True)
    assert part.exists()


def test_a_checkpoint_that_cannot_be_written_is_said_and_the_one_before_stays(train, part, often, monkeypatch):
    train(progress=interrupt(3))
    before = part.read_bytes()

    def full(file):
        raise OSError(errno.ENOSPC, "No space left on device")

    whole = train(epochs=5, checkpoint=None)
    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", full)
        with pytest.raises(LinnetError) as caught:
            train(resume=True)
    assert str(caught.value) == (
        f"cannot write '{part}': No space left on device. Make room on that disk, or write to another one. What was there "
        "before is unchanged. --resume goes on from that."
    )
    assert part.read_bytes() == before
    assert [path.name for path in part.parent.iterdir()] == [part.name]
    assert same(train(resume=True), whole)


def test_a_damaged_checkpoint_is_refused_and_stays(train, part):
    train(progress=interrupt(3))
    content = part.read_bytes()
    for damaged in (content[:-1], content[:100], content[:-5] + b"x" + content[-4:]):
        part.write_bytes(damaged)
        with pytest.raises(ModelError):
            train(resume=True)
        assert part.read_bytes() == damaged


def test_the_state_of_a_training_is_kept_in_a_file(tmp_path):
    """What is no file is refused: it would be deleted in the end, and a named pipe might never be read."""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", "/dev/null"):
        with pytest.raises(UsageError) as caught:
            linnet.train(*data(20), checkpoint=path)
        assert str(caught.value) == (
            f"cannot keep the state of training in '{path}': it is there and is no file. Name another checkpoint."
        )
        assert os.path.exists(path)
