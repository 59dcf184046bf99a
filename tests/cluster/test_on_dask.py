"""The same bits for any number of workers, and after a worker has died."""

import hashlib
import logging
import os
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager

import numpy as np
import pytest

import linnet
from linnet.errors import LinnetError, UsageError
from linnet.training import checkpoint

distributed = pytest.importorskip("distributed", reason="Dask (distributed) is not installed")
on_dask = pytest.importorskip("linnet.cluster.on_dask")

LABELS = {
    "nb-svm": {},
    "svm": {"loss": "multiclass-hinge"},
    "naive-bayes": {},
    "perceptron": {},
    "mira": {},
    "pa": {},
    "scw": {},
    "pegasos": {},
    "averaged-perceptron": {},
    "averaged-mira": {},
    "arow": {},
    "logistic": {"lam": 0.001},
    "logistic adagrad": {"step": "adagrad", "dropout": 0.2},
    "logistic lbfgs": {"by": "lbfgs"},
    "logistic dual": {"by": "dual", "lam": 0.001},
}
TAGS = {"naive-bayes": {}, "averaged-perceptron": {}, "crf": {}, "crf lbfgs": {"by": "lbfgs"}, "svm": {}}


@contextmanager
def cluster(n, processes=False):
    with (
        distributed.LocalCluster(
            n_workers=n,
            threads_per_worker=1,
            processes=processes,
            dashboard_address="127.0.0.1:0",
            memory_limit=0,
            silence_logs=logging.CRITICAL,
        ) as local,
        distributed.Client(local) as client,
    ):
        yield client


def texts(n=200):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, n)
    words = rng.integers(0, 30, (n, 6)) % (10 * (1 + y[:, None]))
    return [" ".join(f"w{w}" for w in row) for row in words], [f"c{label}" for label in y]


def sentences(n=60):
    rng = np.random.default_rng(0)
    tags = [rng.integers(0, 3, rng.integers(2, 7)) for _ in range(n)]
    words = [[f"w{3 * rng.integers(0, 5) + (tag if rng.random() < 0.8 else 0)}" for tag in row] for row in tags]
    return words, [["ABC"[tag] for tag in row] for row in tags]


def trees(folder):
    """A file of dependency trees and one of bracketed trees, by their tasks."""
    rng = np.random.default_rng(0)
    arcs, brackets = folder / "trees.conllu", folder / "trees.mrg"
    words = [[f"w{k}" for k in rng.integers(0, 6, 4)] for _ in range(24)]
    heads = [[2, 0, 2, 3] if row[0] < "w3" else [0, 1, 4, 1] for row in words]
    columns = "{}\t{}\t_\tX\t_\t_\t{}\tdep\t_\t_\n"
    arcs.write_text("\n".join("".join(columns.format(t + 1, w, h) for t, (w, h) in enumerate(zip(*one, strict=True)))
                              for one in zip(words, heads, strict=True)) + "\n")  # fmt: skip
    pair = "(S (A (X {}) (X {})) (B (X {}) (X {})))\n"
    right = "(S (X {}) (B (X {}) (A (X {}) (X {}))))\n"
    brackets.write_text("".join((pair if row[0] < "w3" else right).format(*row) for row in words))
    return {"parse": arcs, "brackets": brackets}


def shas(folder, **how):
    """The hash of the model file of each learner, and the weights of those of trees."""
    found = shas_of_texts(folder, [*(("labels", name) for name in LABELS), *(("tag", name) for name in TAGS)], **how)
    for task, path in trees(folder).items():
        for name in ("averaged-mira", "svm"):
            model = linnet.train(path, task=task, learner=name, epochs=2, shards=3, **how)
            found[task, name] = [weights.tobytes() for weights in model.weights]
    return found


def shas_of_texts(folder, learners, **how):
    """The hash of the model file of each of these learners of labels and of tags."""
    data, options, found = {"labels": texts(), "tag": sentences()}, {"labels": LABELS, "tag": TAGS}, {}
    for task, name in learners:
        model = linnet.train(*data[task], task=task, learner=name.split()[0], options=options[task][name], epochs=3,
                             shards=5, estimate=False, **how)  # fmt: skip
        model.save(folder / "model", force=True)
        found[task, name] = hashlib.sha256((folder / "model").read_bytes()).hexdigest()
    return found


def test_the_number_of_workers_changes_no_bit(tmp_path):
    here = shas(tmp_path)
    for n in (1, 2, 4):
        with cluster(n) as client:
            assert shas(tmp_path, cluster=client) == here


def test_data_in_files_change_no_bit(tmp_path):
    few = [
        ("labels", "nb-svm"),
        ("labels", "averaged-mira"),
        ("tag", "crf lbfgs"),
        ("tag", "svm"),
    ]  # each way of learning
    in_memory = shas_of_texts(tmp_path, few)
    assert shas_of_texts(tmp_path, few, memory="rows") == in_memory
    with cluster(2, processes=True) as client:
        assert shas_of_texts(tmp_path, few, memory="rows", cluster=client) == in_memory


@pytest.mark.parametrize("name", ["averaged-mira", "nb-svm"])
def test_killed_workers_change_no_bit(name):
    how = {"task": "labels", "learner": name, "epochs": 3, "tol": 0, "shards": 6, "estimate": False}
    alone = linnet.train(*texts(2000), **how)
    killed = []

    def kill(progress):
        if progress.epoch not in killed:
            killed.append(progress.epoch)
            os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)

    with cluster(2, processes=True) as client:
        model = linnet.train(*texts(2000), cluster=client, progress=kill, **how)
    assert killed == [1, 2, 3]
    assert [w.tobytes() for w in model.weights] == [w.tobytes() for w in alone.weights]
    assert model.report == alone.report


def test_a_cluster_without_workers_is_not_waited_for_without_end(tmp_path, monkeypatch):
    """All workers end in a pass, and nobody starts others: the checkpoint of the epochs before stays, and training resumes."""
    monkeypatch.setattr(on_dask, "_SECONDS_WITHOUT_WORKERS", 2)
    monkeypatch.setattr(on_dask, "_SECONDS_BETWEEN_LOOKS", 0.5)
    monkeypatch.setattr(checkpoint, "_WORTH_KEEPING", 0.0)
    how = {"task": "labels", "learner": "averaged-mira", "epochs": 4, "tol": 0, "shards": 6, "estimate": False}
    path = tmp_path / "state"

    def stop(progress):
        if progress.epoch == 3 and path.exists():
            client.cluster.scale(0)

    with cluster(2, processes=True) as client, pytest.raises(LinnetError, match="had no workers for 2 seconds"):
        linnet.train(*texts(2000), cluster=client, progress=stop, checkpoint=path, **how)
    resumed = linnet.train(*texts(2000), checkpoint=path, resume=True, **how)
    alone = linnet.train(*texts(2000), **how)
    assert len(resumed.report["epochs"]) == 4
    assert [w.tobytes() for w in resumed.weights] == [w.tobytes() for w in alone.weights]


def test_the_command_line_has_processes_of_its_own(tmp_path):
    rows = [f"{text},{label}\n" for text, label in zip(*texts(), strict=True)]
    (tmp_path / "data.csv").write_text("text,label\n" + "".join(rows))
    for name, where in (("cluster", ["--cluster", "local:2"]), ("here", [])):
        command = ["train", "data.csv", "-o", name, "--learner", "mira", "--epochs", "2", "--shards", "3", *where]
        run = subprocess.run(
            [sys.executable, "-m", "linnet", *command], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, run.stderr
    assert (tmp_path / "cluster").read_bytes() == (tmp_path / "here").read_bytes()
    again = [sys.executable, "-m", "linnet", "reproduce", "cluster"]
    said = subprocess.run(again, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert said == "linnet train data.csv --learner mira --epochs 2 --shards 3 -o cluster\n"


def certificates(folder):
    """A certificate that is its own authority, and its key, as the three files of TLS."""
    key, cert = folder / "key.pem", folder / "cert.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=linnet"]
    subprocess.run([*command, "-keyout", key, "-out", cert], check=True, capture_output=True)
    return str(cert), str(cert), str(key)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_a_cluster_is_reached_by_tls(tmp_path):
    ca, cert, key = tls = certificates(tmp_path)
    how = {"learner": "mira", "epochs": 2, "shards": 3, "estimate": False}
    security = distributed.Security(
        tls_ca_file=ca, tls_client_cert=cert, tls_client_key=key, tls_scheduler_cert=cert, tls_scheduler_key=key,
        tls_worker_cert=cert, tls_worker_key=key, require_encryption=True,
    )  # fmt: skip
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, protocol="tls://", security=security,
        dashboard_address="127.0.0.1:0", memory_limit=0, silence_logs=logging.CRITICAL,
    ) as local:  # fmt: skip
        assert local.scheduler_address.startswith("tls://")
        model = linnet.train(*texts(), cluster=local.scheduler_address, tls=tls, **how)
    alone = linnet.train(*texts(), **how)
    assert [w.tobytes() for w in model.weights] == [w.tobytes() for w in alone.weights]


def test_certificates_are_for_clusters(tmp_path):
    for cluster, message in (("local:2", "certificates are for a cluster at an address"), (None, "Add its address")):
        with pytest.raises(UsageError, match=message):
            linnet.train(*texts(), learner="mira", cluster=cluster, tls=("ca", "cert", "key"))


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("local:many", "expected a number of workers after 'local:', such as local:4, found 'many'."),
        ("local:0", "expected a number of workers"),
        (
            "10.0.0.1",
            "expected local:N, or the address of a scheduler of Dask such as tls://HOST:8786, found '10.0.0.1'.",
        ),
        ("tcp://10.0.0.1:8786", "tcp://10.0.0.1:8786 is another machine"),
    ],
)
def test_addresses_are_checked(address, message):
    with pytest.raises(UsageError, match=message):
        linnet.train(*texts(), learner="mira", cluster=address)
