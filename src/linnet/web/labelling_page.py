"""The page of labelling, as it is before its script fills it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

_BODY = """
<link rel="stylesheet" href="/static/label.css">
<h1 id=title>Labelling</h1>
<div class=labelling>
<section class=asked aria-labelledby=title>
<p id=said role=status></p>
<p class="meta dim"><span id=why></span><span id=guess></span></p>
<div id=text class=document dir=auto tabindex=-1></div>
<p id=help class=dim></p>
<ul id=notes class=dim aria-label="Notes on this text"></ul>
<div id=labels class=choices role=group aria-label="Labels"></div>
<form id=finding class=finding>
<label for=search>Find or add a label</label> <kbd>/</kbd>
<input id=search type=search autocomplete=off spellcheck=false maxlength=200>
</form>
<div class=actions>
<button type=button id=save hidden><kbd>Enter</kbd> Save</button>
<button type=button id=skip><kbd>s</kbd> Skip</button>
<button type=button id=undo><kbd>u</kbd> Undo</button>
<button type=button id=noting aria-expanded=false aria-controls=writing><kbd>n</kbd> Note</button>
<button type=button id=hint aria-pressed=false><kbd>h</kbd> Show the guess</button>
</div>
<form id=writing hidden>
<label for=note>Note on this text</label>
<textarea id=note rows=2 maxlength=10000 dir=auto></textarea>
<button type=submit>Keep the note</button>
</form>
</section>
<aside aria-label="Progress">
<h2>Progress</h2>
<p><progress id=bar max=1 value=0 aria-label="Texts that have an answer"></progress><br><span id=count></span></p>
<p id=accuracy></p>
<p><label for=by>Your name</label> <input id=by maxlength=200 autocomplete=off></p>
<div class=actions><button type=button id=measure><kbd>p</kbd> Learning curve</button>
<button type=button id=review><kbd>r</kbd> Review</button></div>
<p class=exports>Download {exports}</p>
</aside>
</div>
<section id=more aria-live=polite tabindex=-1></section>
"""


def body(exports: Sequence[str]) -> str:
    """The page, with the names of the files that can be downloaded."""
    links = (
        f'<a href="/api/v1/label/export/{escape(name)}" download>'
        f"{'model' if name.startswith('model') else escape(Path(name).suffix[1:])}</a>"
        for name in exports
    )
    return _BODY.replace("{exports}", " ".join(links))
