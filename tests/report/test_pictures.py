import re
import xml.etree.ElementTree as ET

import pytest

from linnet.errors import UsageError
from linnet.report.pictures import Panel, Picture, is_picture

PANELS = tuple(Panel(f"panel {k}", 300, 100, ('<circle class="one" cx="1" cy="2" r="3"/>',)) for k in range(3))
PICTURE = Picture(
    "A <title>", PANELS, (Panel("key", 60, 16, ()),), ("A note & more.",), style="svg .mine { fill: red; }"
)


def test_the_file_is_xml_of_its_own():
    root = ET.fromstring(PICTURE.as_svg())
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    places = [one.get("transform") for one in root.iter("{http://www.w3.org/2000/svg}g")]
    # Two panels of 300 fit into 800, with 10 between them; the third begins a row. The key comes first.
    assert places == ["translate(14 35)", "translate(14 59)", "translate(324 59)", "translate(14 169)"]
    assert float(root.get("width")) == 800 + 28
    assert "A note & more." in [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "prefers-color-scheme: dark" in root.find("{http://www.w3.org/2000/svg}style").text


def test_neither_form_needs_the_network_or_a_script():
    for form in (PICTURE.page(), PICTURE.as_svg(), PICTURE._repr_html_()):
        assert "<script" not in form
        assert re.findall(r"https?://[^\"]*", form) in ([], ["http://www.w3.org/2000/svg"])
        assert "svg .mine" in form or ".mine" in form


def test_a_notebook_gets_a_part_of_a_page_with_a_style_of_its_own():
    html = PICTURE._repr_html_()
    scope = re.match(r'<div class="(linnet-\w{8})">', html)[1]
    assert f".{scope}.{scope} svg .mine" in html
    assert html.count("<svg") == 4
    assert PICTURE._repr_svg_() == PICTURE.as_svg()
    assert repr(PICTURE) == "<linnet picture: A <title>, 3 panels>"


@pytest.mark.parametrize("name", ["picture.svg", "picture.html"])
def test_a_picture_may_replace_a_picture_and_nothing_else(tmp_path, name):
    path = tmp_path / name
    PICTURE.save(path)
    assert is_picture(path)
    PICTURE.save(path)
    path.write_text("mine")
    with pytest.raises(UsageError, match="which is not a picture that linnet drew"):
        PICTURE.save(path)
    assert path.read_text() == "mine"
    PICTURE.save(path, force=True)
    assert is_picture(path)


def test_other_formats_are_refused(tmp_path):
    with pytest.raises(UsageError, match="expected a file that ends in .svg or .html, found '.*picture.png'"):
        PICTURE.save(tmp_path / "picture.png")
