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
    "name", ["linnet.io", "linnet.training.data_to_model", "linnet.cli.main", "linnet.cli.predict", "linnet.cli.train"]
)
def test_import(tmp_path, name):
    assert loaded(f"import {name}", tmp_path) == set()


@pytest.mark.parametrize("name", FILES)
def test_reading_loads_neither_pandas_nor_compute(tmp_path, name):
    (tmp_path / name).write_text(FILES[name])
    assert loaded(f"import linnet.io; linnet.io.read({name!r})", tmp_path) <= {"pyarrow.csv", "pyarrow.json"}


def test_writing_loads_neither(tmp_path):
    assert loaded("import linnet.io; linnet.io.write_columns('a.csv', {'label': ['x']})", tmp_path) == set()


TREES = "1\ta\ta\tDET\tDT\t_\t2\tdet\t_\t_\n2\tdog\tdog\tNOUN\tNN\t_\t0\troot\t_\t_\n\n" * 6


def test_a_parser_with_a_tagger_does_not_load_pandas(tmp_path):
    (tmp_path / "a.conllu").write_text(TREES, encoding="utf-8")
    code = "import linnet\nlinnet.train('a.conllu', task='parse', epochs=1).predict([['a', 'dog']])"
    assert "pandas" not in loaded(code, tmp_path)


@pytest.mark.parametrize("name", ["out.parquet", "out.jsonl", "out.csv"])
def test_predicting_loads_no_pandas(tmp_path, name):
    (tmp_path / "a.csv").write_text("text,label\n" + "a,x\nb,y\n" * 4)
    code = (
        "import linnet\nfrom linnet.cli.predict import run\n"
        "linnet.train('a.csv', learner='logistic', features='words:1').save('a.linnet')\n"
        f"run(model='a.linnet', data=['a.csv'], output={name!r}, proba=True, top=None, at_least=None, costs=None, "
        "only=False, keep=None, workers=None, threads=None, cluster=None, tls=None, quiet=True, "
        "format=None, encoding=None, delimiter=None, text_col=None, spreadsheet_safe=False)"
    )
    assert "pandas" not in loaded(code, tmp_path)
    assert (tmp_path / name).exists()
