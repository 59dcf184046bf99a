// Questions to the model, and lessons: a decision gets another value, and the rest of the output is predicted anew.
import { ask } from "./api.js";
import { $, el, fail, options, signed } from "./elements.js";

export class Teaching {
  constructor(watch, learned) {
    this.watch = watch;
    this.learned = learned; // told when the model has changed
    this.model = null;
    this.found = { examples: [], choices: [] };
    $("sentence").addEventListener("change", () => this.fillDecisions(0));
    $("decision").addEventListener("change", () => this.fillChoices());
    $("ask").addEventListener("submit", (event) => (event.preventDefault(), this.guarded(() => this.why(), $("why"), "Comparing …")));
    $("teach").addEventListener("click", () => this.guarded(() => this.teach(), $("moved"), "Learning …"));
    $("undo").addEventListener("click", () => this.guarded(() => this.undo(), $("moved"), "Taking it back …"));
    $("save").addEventListener("submit", (event) => (event.preventDefault(), this.guarded(() => this.save(), $("saved"), "Saving …")));
    $("answer").addEventListener("click", (event) => this.pick(event));
  }

  of(model) {
    this.model = model;
    $("new-row").hidden = !["labels"].includes(model.task);
    $("saved").textContent = "";
    this.count(model.lessons);
    $("moved").replaceChildren(el("p", { class: "dim" }, "What you teach is learned at once, and can be taken back."));
    this.show({ examples: [], choices: [] }); // until those of this model come
  }

  count(lessons) {
    $("lessons").textContent = String(lessons);
    $("undo").disabled = !lessons;
  }

  // One thing is done at a time. What takes long says in its place that it is under way.
  async guarded(work, place, said) {
    if (this.busy) return;
    this.busy = true;
    const before = [...place.childNodes];
    const waiting = setTimeout(() => place.replaceChildren(el("span", { class: "dim" }, said)), 200);
    try {
      fail(null);
      await work();
    } catch (error) {
      place.replaceChildren(...before);
      fail(error);
    } finally {
      clearTimeout(waiting);
      this.busy = false;
    }
  }

  async refresh(text, best) {
    this.text = text;
    this.best = best;
    const found = text.trim() ? await ask(this.model.name, "decisions", { text }).catch((error) => ({ examples: [], choices: [], error })) : { examples: [], choices: [] };
    if (text === this.text) this.show(found);
  }

  show(found) {
    this.found = found;
    $("why").replaceChildren();
    const any = found.examples.some((one) => one.decisions.length);
    $("ask").hidden = !any;
    $("no-decisions").hidden = any;
    if (!any) return;
    options($("sentence"), found.examples.map((_, i) => String(i + 1)));
    $("sentence-row").hidden = found.examples.length < 2;
    this.fillDecisions(0);
  }

  get rows() {
    return this.found.examples[Number($("sentence").value) || 0].decisions;
  }

  fillDecisions(chosen) {
    options($("decision"), this.rows.map((row) => `${row.about}: ${this.found.choices[row.choices][row.value]}`), chosen);
    this.fillChoices();
  }

  fillChoices() {
    const row = this.rows[Number($("decision").value) || 0];
    const names = this.found.choices[row.choices];
    const next = names.length > 1 ? (row.value + 1) % names.length : 0;
    const runnerUp = names.indexOf(this.best.find((label) => label !== names[row.value]));
    options($("choice"), names, runnerUp < 0 ? next : runnerUp);
  }

  // A click on a chip, an arc, a link or a word chooses its decision.
  pick(event) {
    const link = event.target.closest("a[href^='#']");
    const place = link && /^#[sp](\d+)[tb](\d+)/.exec(link.getAttribute("href"));
    if (!place) return;
    const [example, token] = [Number(place[1]) - 1, Number(place[2])];
    if (!this.found.examples[example]) return;
    event.preventDefault();
    $("sentence").value = String(example);
    const inTree = /b\d+-\d+$/.test(link.getAttribute("href"));
    this.fillDecisions(inTree ? [...link.parentNode.querySelectorAll("a")].indexOf(link) : token);
    $("choice").focus();
  }

  get wanted() {
    return [[Number($("decision").value), Number($("choice").value)]];
  }

  get example() {
    return Number($("sentence").value) || 0;
  }

  async why() {
    const found = await ask(this.model.name, "why", { text: this.text, example: this.example, that: this.wanted });
    const body = el("div");
    body.innerHTML = found.html; // made by the server, which has escaped all that people wrote
    for (const opened of body.querySelectorAll("details")) opened.open = true;
    const head = found.n ? `The output is ahead by ${signed(found.score, 3)}:` : "It is this already.";
    $("why").replaceChildren(el("p", {}, head), body);
  }

  async teach() {
    const label = $("new-row").hidden ? "" : $("new-label").value.trim();
    const body = { text: this.text, example: this.example, watched: this.watch.texts };
    const found = await ask(this.model.name, "teach", label ? { ...body, label } : { ...body, wanted: this.wanted });
    $("new-label").value = "";
    this.count(found.lessons);
    this.showMoved(found);
    this.watch.show(found.watched);
    this.learned();
  }

  showMoved(found) {
    const rows = found.moved.largest.map((one) => {
      const by = one.after - one.before;
      return el("tr", {}, el("td", { dir: "auto" }, one.row), el("td", { dir: "auto" }, one.outcome), el("td", { class: "n" }, signed(one.after)), el("td", { class: `n ${by > 0 ? "for" : "against"}` }, signed(by)));
    });
    const said = found.learned ? "Learned" : "Learned in part: the answer is still another one";
    const steps = found.steps > 1 ? `, in ${found.steps} steps` : "";
    const head = el("tr", {}, ...["feature", "for"].map((name) => el("th", { scope: "col" }, name)), ...["weight", "moved by"].map((name) => el("th", { scope: "col", class: "n" }, name)));
    const table = el("div", { class: "scroll low", tabindex: 0, role: "region", "aria-label": "Weights that moved" }, el("table", { class: "moved" }, el("thead", {}, head), el("tbody", {}, ...rows)));
    $("moved").replaceChildren(el("p", {}, `${said}${steps}. ${found.moved.n.toLocaleString("en")} weights moved.`), ...(rows.length ? [table] : []));
  }

  async undo() {
    const found = await ask(this.model.name, "undo", { watched: this.watch.texts });
    this.count(found.lessons);
    $("moved").replaceChildren(el("p", {}, "Taken back. The model is what it was before, to the bit."));
    this.watch.show(found.watched);
    this.learned();
  }

  async save() {
    const found = await ask(this.model.name, "save", { name: $("name").value.trim() });
    $("saved").textContent = `Saved as ${found.saved}.linnet, in the folder where the server was started.`;
    $("name").value = "";
    this.learned(true);
  }
}
