"""The page of the workbench: what stands in it before scripts fill it."""

from __future__ import annotations

from linnet.web.frame import frame

_BODY = """
<h1 class=hidden>The workbench</h1>
<section class=bar aria-label="Model">
<label for=model>Model</label> <select id=model></select> <span id=facts class=dim></span>
</section>
<div class=bench>
<div class=left>
<section aria-labelledby=text-title>
<h2 id=text-title><label for=text>Type or paste a text</label></h2>
<textarea id=text rows=5 dir=auto spellcheck=false></textarea>
<p class=tools><button id=watch-this type=button>Watch this text</button>
<button id=find-removal type=button>What would change the answer?</button>
<span id=took class=dim></span></p>
<p id=fault class=fault role=alert></p>
</section>
<section id=answer class="answer empty" aria-label="Answer" aria-live=polite>
<div class=best></div><div class=reasons></div></section>
<section id=removal class=card aria-label="What would change the answer" aria-live=polite hidden></section>
</div>
<aside class=right>
<section class=card aria-labelledby=ask-title>
<h2 id=ask-title>Question and teach</h2>
<p id=no-decisions class=dim>Type a text, then ask why its output is not another, or teach the model a better one.</p>
<form id=ask hidden>
<p id=sentence-row><label for=sentence>Sentence</label> <select id=sentence></select></p>
<p><label for=decision id=decision-label>Decision</label> <select id=decision></select></p>
<p><label for=choice>Should be</label> <select id=choice></select></p>
<p id=new-row><label for=new-label>or a new label</label> <input id=new-label autocomplete=off maxlength=200></p>
<p class=tools><button type=submit>Why not?</button> <button id=teach type=button class=strong>Teach this</button></p>
</form>
<div id=why aria-live=polite></div>
</section>
<section class=card aria-labelledby=lessons-title>
<h2 id=lessons-title>What was learned <span id=lessons class=count>0</span></h2>
<div id=moved aria-live=polite><p class=dim>Nothing yet. What you teach is learned at once, and can be taken back.</p></div>
<form id=save class=tools><button id=undo type=button disabled>Undo</button>
<label for=name class=hidden>Name of the new model</label>
<input id=name placeholder="name of a new model" autocomplete=off maxlength=64 pattern="[A-Za-z0-9][A-Za-z0-9._\\-]*" required>
<button type=submit>Save as</button></form>
<p id=saved class=dim role=status></p>
</section>
<section class=card aria-labelledby=watched-title>
<h2 id=watched-title>Watched texts</h2>
<ul id=watched class=watched></ul>
<p id=no-watched class=dim>Texts that you watch show here when a lesson changes their answer.</p>
</section>
</aside>
</div>
<section class=card aria-labelledby=features-title>
<h2 id=features-title>Strongest features</h2>
<form id=features class=tools role=search>
<label for=search class=hidden>Search features</label><input id=search type=search placeholder="search" autocomplete=off>
<span class=pair><label for=label>Label</label> <select id=label><option value="">all</option></select></span>
<span class=pair><label for=sort>Sort by</label>
<select id=sort><option value=weight>weight</option><option value=name>name</option></select></span>
<span id=n-features class=dim role=status></span></form>
<div class=scroll tabindex=0 role=region aria-label="Table of features"><table><thead><tr><th scope=col>feature</th>
<th scope=col>label</th><th scope=col class=n>weight</th></tr></thead><tbody id=feature-rows></tbody></table></div>
</section>
<section class=card aria-labelledby=files-title>
<h2 id=files-title>A whole file</h2>
<form id=upload class=tools><label for=file>Choose a file of examples</label> <input id=file type=file required>
<button type=submit>Answer all</button> <span id=uploaded class=dim role=status></span></form>
<p class=dim>The answers come back in the same format, beside the columns of the file.</p>
</section>
<div id=tip class=tip role=tooltip hidden></div>
"""


def workbench_page() -> str:
    """The page of the workbench."""
    links = {"Workbench": "/", "Course": "/course", "API": "/api/v1/openapi.json"}
    return frame("linnet workbench", _BODY, scripts=["workbench.js"], links=links, here="Workbench")
