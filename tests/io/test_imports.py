"""What importing and reading must not load: each takes longer than the work itself."""

import subprocess
import sys

import pytest

HEAVY = {"pandas", "pyarrow.csv", "pyarrow.json", "pyarrow.parquet", "pyarrow.compute", "scipy", "sklearn", "rich"}
FILES = {
    "a.csv": "text,label\na,x\nb,y\n",
    "a.jsonl": '{"text": "a", "label": 1, "id": 2}\n{"text": null, "label": "y", "id": 1.5}\n',
    "a.ft": "__label__x a\n__label__y b\n",
}


def loaded(code: str, folder) -> set[str]:
    code = f"import sys\n{code}\nprint(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=folder, check=True)
    return HEAVY & set(run.stdout.split())


@pytest.mark.parametrize(
    "name", ["linnet.io", "linnet.training", "linnet.cli.main", "linnet.cli.predict", "linnet.cli.train"]
)
def test_import(tmp_path, name):
    assert loaded(f"import {name}", tmp_path) == set()


@pytest.mark.parametrize("name", FILES)
def test_reading_loads_neither_pandas_nor_compute(tmp_path, name):
    (tmp_path / name).write_text(FILES[name])
    assert loaded(f"import linnet.io; linnet.io.read({name!r})", tmp_path) <= {"pyarrow.csv", "pyarrow.json"}


def test_writing_loads_neither(tmp_path):
    assert loaded("import linnet.io; linnet.io.write_columns('a.csv', {'label': ['x']})", tmp_path) == set()
