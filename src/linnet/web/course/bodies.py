"""The main parts of the pages of the course, as HTML that their scripts fill."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from linnet.web.course.learners import MOST_EPOCHS, STEPWISE, TAGGERS, Knob, Taught

_SLIDER = 60
"""The number of steps of the slider of a knob."""


def _learner(known: Sequence[Taught], epochs: int) -> str:
    """The card with which a learner is chosen, and which says its equation."""
    choices = "".join(f"<option value={one.name}>{escape(one.called)}</option>" for one in known)
    return f"""<section class=card aria-labelledby=how-title><h2 id=how-title>The learner</h2>
<form id=how autocomplete=off><p><label for=learner>Learner</label> <select id=learner>{choices}</select></p>
{"".join(map(_taught, known))}
<p><label for=epochs>Epochs at most</label> <input id=epochs type=number min=1 max={MOST_EPOCHS} value={epochs}></p>
<p class=check><input id=shuffle type=checkbox> <label for=shuffle>shuffle the examples before each epoch</label></p>
</form></section>"""


def _taught(one: Taught) -> str:
    return (
        f"<div class=taught data-learner={one.name} hidden>{''.join(_knob(one, knob) for knob in one.knobs)}"
        f"<pre class=equation>{one.equation}</pre><p>{one.says}</p><p class=by>{one.by}</p></div>"
    )


def _knob(one: Taught, knob: Knob) -> str:
    name = f"{one.name}-{knob.name}"
    sign = {"eta": "η", "lam": "λ", "alpha": "α"}.get(knob.name, knob.name)
    return (
        f"<div class=knob><p><label for={name}>{sign}</label> <input id={name} data-option={knob.name} type=number step=any "
        f"min={knob.least:g} max={knob.most:g} value={knob.value:g}> <input id={name}-slider type=range min=0 max={_SLIDER} "
        f'aria-label="{sign}, as a slider"></p><p class=dim>{knob.says}</p></div>'
    )


_STEPPER = """<section class=stepper aria-label="Steps of learning">
<div class=turn><button id=first type=button>Start</button>
<button id=back type=button>← Back</button> <output id=at></output> <button id=on type=button>Forward →</button>
<button id=last type=button>End</button> <button id=play type=button>Play</button></div>
<input id=step type=range min=0 max=0 value=0 aria-label="Step"><div id=strip class=strip></div>
<p class=key><span class=wrong></span>a mistake <span class=close></span>right, but learned from <span
class=right></span>nothing
to learn <span class=plain></span>counted</p></section>"""
_FAULT = "<p id=fault class=fault role=alert></p>"


_POINTS = {"clouds": "two clouds", "narrow": "a narrow margin", "stray": "a stray point", "corners": "no line at all"}
_REVIEWS = {
    "films": "film reviews",
    "noisy": "reviews that contradict",
    "topics": "three topics",
    "lights": "traffic lights",
}


def _data(choices: dict[str, str]) -> str:
    """The choice among data to begin with; the script of the page has the data."""
    rows = "".join(f"<option value={value}>{name}</option>" for value, name in choices.items())
    return f"<label for=data>Begin with</label> <select id=data>{rows}</select>"


PLANE = f"""<div class=bench><div class=left>
<p class=tools>{_data(_POINTS)}
<label for=new>New points are</label> <select id=new><option value=1>+</option><option value=0>−</option></select>
<button id=add type=button>Add a point</button> <button id=flip type=button disabled>Flip its label</button>
<button id=remove type=button disabled>Remove it</button></p>{_FAULT}
<svg id=plane viewBox="0 0 600 600" role=group aria-label="The plane. Tab goes from point to point."><rect class=frame x=34
y=10
width=556 height=556></rect><g id=lines></g><g id=axes class=axes aria-hidden=true></g><g id=points></g></svg>
{_STEPPER}
<p class=dim>Click to add a point, drag to move it. By keys: Tab goes to a point, arrows move it (with Shift farther), Space
flips
its label, Delete removes it. Hollow points are on the wrong side, the ring is around the point of this step, and dashes are
the
margin: where the loss becomes 0, or else at the nearest point. Thick edges are support vectors.</p></div>
<aside class=right>{_learner(STEPWISE, 5)}
<section class=card aria-labelledby=step-title><h2 id=step-title>This step</h2><p id=said aria-live=polite></p>
<dl id=facts class=facts></dl></section>
<section class=card aria-labelledby=bound-title><h2 id=bound-title>Mistakes and their bound</h2>
<pre class=equation>mistakes ≤ (R / γ)²</pre><p id=bound></p></section></aside></div>"""

TEXTS = f"""<div class=bench><div class=left>
<p class=tools>{_data(_REVIEWS)}
<button id=add type=button>Add a text</button></p>{_FAULT}
<div class=wide><table class=texts><thead><tr><th scope=col class=n>no.</th><th scope=col>text</th><th scope=col>label</th>
<th scope=col><span class=hidden>remove</span></th></tr></thead><tbody id=rows></tbody></table></div>
{_STEPPER}
<section aria-labelledby=weights-title><h2 id=weights-title>Weights after this step</h2>
<p id=no-weights class=dim>All of them are 0.</p>
<div class=wide tabindex=0 role=region aria-labelledby=weights-title><table id=weights class=weights></table></div></section>
</div><aside class=right>{_learner(STEPWISE, 3)}
<section class=card aria-labelledby=step-title><h2 id=step-title>This step</h2><p id=said aria-live=polite></p>
<dl id=facts class=facts></dl>
<table id=theta class=theta hidden><caption>θ = X W, the scores before the step, and r, the slope of the loss: below 0 a score
should rise. The step is w ← w − τ Xᵀr.</caption><thead><tr><th scope=col>label</th><th scope=col class=n>θ</th>
<th scope=col><span class=hidden>picture of θ</span></th><th scope=col class=n>r</th></tr></thead><tbody
id=theta-rows></tbody></table>
</section>
<section class=card aria-labelledby=ask-title><h2 id=ask-title>Another text, in the end</h2>
<p><label for=text class=hidden>Another text</label><input id=text class=said maxlength=120 dir=auto autocomplete=off></p>
<div id=answer aria-live=polite></div></section></aside></div>"""

LOSSES = f"""<div class=bench><div class=left>{_FAULT}
<svg id=losses viewBox="0 0 640 424" role=img aria-label="Five losses over the margin"></svg>
<p><label for=margin>The margin of one example</label> <input id=margin type=range min=0 max=120 value=70></p>
<p class=dim>Drag in the picture, or move the slider with the arrow keys.</p></div>
<aside class=right><section class=card aria-labelledby=says-title><h2 id=says-title>What they say</h2><p id=m
aria-live=polite></p>
<pre class=equation>m = <b>w</b>·<b>f</b>(x, y) − max<sub>y′≠y</sub> <b>w</b>·<b>f</b>(x, y′)
<b>w</b> ← <b>w</b> − τ ∂loss/∂<b>w</b></pre>
<p>The slope is how hard an example pulls: where it is 0, nothing is learned. The perceptron stops at 0, the hinge at 1, the
log
loss never; the exponential loss pulls ever harder at what is far off, a wrong label among them.</p>
<p class=by>Eisenstein, equations 5 to 7; Smith, log, exponential and 0-1 losses</p></section></aside></div>
<section class=card aria-labelledby=table-title><h2 id=table-title>At this margin</h2><div class=wide tabindex=0 role=region
aria-labelledby=table-title><table class=losses><thead><tr><th scope=col>loss</th><th scope=col>of two labels</th>
<th scope=col class=n>value</th><th scope=col class=n>slope</th><th scope=col>who uses it</th></tr></thead>
<tbody id=rows></tbody></table></div></section>"""

_SENTENCES = """the/DET dog/NOUN barks/VERB
the/DET cat/NOUN sleeps/VERB
dogs/NOUN bark/VERB
a/DET man/NOUN saw/VERB the/DET dog/NOUN
the/DET old/ADJ man/NOUN runs/VERB
she/PRON saw/VERB a/DET small/ADJ cat/NOUN
they/PRON man/VERB the/DET boat/NOUN
the/DET bark/NOUN fell/VERB
she/PRON runs/VERB
the/DET small/ADJ boat/NOUN fell/VERB"""
TAGS = f"""<div class=bench><div class=left>
<section class=card aria-labelledby=sentence-title><h2 id=sentence-title><label for=sentence>A sentence</label></h2>
<input id=sentence class=said value="the old man the boat" maxlength=200 dir=auto autocomplete=off
spellcheck=false>{_FAULT}</section>
<section aria-labelledby=trellis-title><h2 id=trellis-title>The trellis</h2>
<p class=dim>A column for each word, a row for each tag. A cell has the score of the best way to it, and below it the
probability of the
tag where the learner has one. Thin lines are back pointers, the thick one is the best path. Click a cell, or go there with
the arrow
keys, to see how its score comes about.</p>
<div class=wide><svg id=trellis role=group aria-label="Trellis: arrow keys go from cell to cell"></svg></div></section>
<section class=card aria-labelledby=cell-title><h2 id=cell-title></h2>
<pre class=equation>v(t, k) = max<sub>a</sub> [ v(t − 1, a) + θ(a, k) ] + θ<sub>t</sub>(k)</pre>
<p id=cell aria-live=polite></p>
<div class=wide><table class=ways><thead><tr><th scope=col>tag before</th><th scope=col class=n>v(t − 1, a)</th>
<th scope=col class=n>θ(a, k)</th><th scope=col class=n>sum</th></tr></thead><tbody id=ways></tbody></table></div></section>
<section class=card aria-labelledby=best-title><h2 id=best-title>The best sequences</h2><p id=changed aria-live=polite></p>
<div class=wide tabindex=0 role=region aria-labelledby=best-title><table><thead><tr id=best-head></tr></thead><tbody
id=best></tbody></table></div></section>
<section class=card aria-labelledby=features-title><h2 id=features-title></h2>
<p class=dim>Their weights sum to θ of the word. A word that was never seen has the features of its ending alone.</p>
<div class=wide><table id=features class=fields></table></div></section>
<section class=card aria-labelledby=pairs-title><h2 id=pairs-title>Tags after tags</h2>
<p class=dim>The weight θ(a, k) of each tag (across) after each other (down).</p>
<div class=wide><table id=pairs class=fields></table></div>
<p class=tools><button id=reset type=button disabled>All weights as learned</button></p></section>
</div><aside class=right>{_learner(TAGGERS, 10)}
<section class=card aria-labelledby=sentences-title><h2 id=sentences-title><label for=sentences>Learned from
these</label></h2>
<p class=dim>A sentence on each line, each word with its tag. Change one, and the tagger learns again.</p>
<textarea id=sentences rows=11 spellcheck=false dir=auto>{_SENTENCES}</textarea></section></aside></div>"""
