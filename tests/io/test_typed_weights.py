"""Files of weights that a person types."""

import pytest

from linnet.errors import DataError
from linnet.io.typed_weights import TypedWeights, read_weights


@pytest.fixture
def save(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(text):
        (tmp_path / "w").write_text(text, encoding="utf-8")
        return "w"

    return write


def test_json(save):
    found = read_weights(
        save('{"features": "words:1-2", "labels": ["neg", "pos"],\n "weights": {"pos": {"bias": 0.1,\n "a b": -5}}}')
    )
    weights = {"pos": {"bias": 0.1, "a b": -5}}
    assert found == TypedWeights(weights, "w", ["neg", "pos"], "words:1-2", {"bias": 2, "a b": 3})


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_table(save, mark):
    text = 'feature,neg,pos\n\nbias,,0.1\n"a b",1,-5\n ab,0,2e1\n'
    found = read_weights(save(text.replace(",", mark)))
    weights = {"neg": {"a b": 1, " ab": 0}, "pos": {"bias": 0.1, "a b": -5, " ab": 20}}
    assert found == TypedWeights(weights, "w", ["neg", "pos"], None, {"bias": 3, "a b": 4, " ab": 5})


EXPECTED = 'Expected JSON, {"weights": {LABEL: {FEATURE: NUMBER}}}, or a table with the columns feature, LABEL, LABEL.'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", f"w: the file is empty. {EXPECTED}"),
        ('{"weights":\n {"+": 1', f"w:2: is no JSON: Expecting ',' delimiter. {EXPECTED}"),
        ("[1]", f"w: found no object of weights. {EXPECTED}"),
        ("{}", f"w: found no object of weights. {EXPECTED}"),
        (
            '{"weights": {},\n "feature": ""}',
            "w:2: unknown key 'feature'. Did you mean 'features'? There are: features, labels, weights.",
        ),
        ('{"weights": {}, "labels": "a"}', "w:1: expected a list of labels, found 'a'."),
        ('{"weights": {}, "features": 1}', 'w:1: expected features as one string, such as "words:1-2", found 1.'),
        (
            '{"weights": {"+":\n 1}}',
            "w:1: expected an object of features with their weights for label '+', found 1.",
        ),
        (
            '{"weights": {"+": {\n"fine": "2"}}}',
            "w:2: expected a number as the weight of 'fine' for label '+', found '2'.",
        ),
        ('{"weights": {"+": {"a": true}}}', "w:1: expected a number as the weight of 'a' for label '+', found True."),
        ('{"weights": {"+": {"a": NaN}}}', "w:1: expected a number as the weight of 'a' for label '+', found nan."),
        ('{"weights": {"+": {"a": 1,\n "a": 2}}}', "w:1: 'a' is given twice. Leave one out."),
        ("a,b\n1,2", "w:1: expected the columns feature, LABEL, LABEL, found 'a, b'."),
        ("feature\na", "w:1: expected the columns feature, LABEL, LABEL, found 'feature'."),
        ("feature,x,x\n", "w:1: the label 'x' has two columns. Leave one out."),
        ("feature,x,y\na,1", "w:2: expected 3 cells, feature, x, y, found 2."),
        ("feature,x,y\n,1,2", "w:2: expected the name of a feature in the first column, found nothing."),
        ("feature,x,y\na,1,2\n\na,1,2", "w:4: 'a' is given twice, first on line 2. Leave one out."),
        ("feature,x,y\na,1,z", "w:2: expected a number as the weight of 'a' for label 'y', found 'z'."),
        ("feature,x,y\na,1,inf", "w:2: expected a number as the weight of 'a' for label 'y', found 'inf'."),
    ],
)
def test_what_is_wrong_is_said_with_its_line(save, text, message):
    with pytest.raises(DataError) as caught:
        read_weights(save(text))
    assert str(caught.value) == message


def test_a_folder(tmp_path):
    with pytest.raises(DataError, match="is a folder"):
        read_weights(tmp_path)
