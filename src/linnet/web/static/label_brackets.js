// Constituents of a sentence, each as a bar over its words. What is marked becomes a constituent when it gets a label.
import { el } from "./elements.js";
import { Tokens } from "./label_tokens.js";

export class Brackets {
  constructor(host) {
    this.host = host;
    this.tokens = new Tokens(host.area, () => this.draw());
  }

  show(shown, kind, begin) {
    this.kind = kind;
    this.guessed = !shown.answer && begin !== null;
    this.keep(begin ?? []);
    this.fixed = new Set();
    this.version = 0; // of the tree: what was asked for an older one is dropped when it comes
    this.tokens.show(shown.drawn, shown.drawn.map(() => ""));
    this.tokens.row.classList.add("in-one-line", "constituents");
    this.draw();
  }

  keep(answer) {
    this.spans = answer.map(([first, last, label]) => ({ first, last, label }));
  }

  get help() {
    return "← → move, with Shift they mark several words · a key or a click on a label makes a constituent of what is marked · ↑ marks the constituent around it, ↓ the one inside · 0 takes it away · Enter saves";
  }

  get needsSaving() {
    return true;
  }

  // The constituent over just the words that are marked.
  get current() {
    const [a, b] = this.tokens.range;
    return this.spans.find(({ first, last }) => first === a && last === b);
  }

  pressed(label) {
    return this.current?.label === label;
  }

  choose(label) {
    const [a, b] = this.tokens.range;
    const crosses = ({ first, last }) => (first < a && a <= last && last < b) || (a < first && first <= b && b < last);
    const crossing = this.spans.filter(crosses);
    this.spans = this.spans.filter((span) => !crosses(span) && span !== this.current);
    this.spans.push({ first: a, last: b, label });
    for (const { first, last } of crossing) this.fixed.delete(this.place(first, last));
    if (crossing.length) this.host.say(`${crossing.map((span) => span.label).join(", ")} crossed it and was taken away.`);
    this.given(a, b);
  }

  remove() {
    const [a, b] = this.tokens.range;
    if (!this.current) return this.host.say("What is marked is no constituent.", true);
    this.spans = this.spans.filter((span) => span !== this.current);
    this.given(a, b);
  }

  given(a, b) {
    this.fixed.add(this.place(a, b));
    this.draw();
    this.rest();
  }

  // The number of a span, by which the server knows it.
  place(first, last) {
    return (last * (last + 1)) / 2 + first;
  }

  // Have the rest of the tree predicted anew, so that it suits what was given.
  async rest() {
    this.version += 1;
    const version = this.version;
    if (!this.guessed) return;
    const found = await this.host.again(this.answerAsIs(), [...this.fixed]);
    if (!found || version !== this.version) return;
    this.keep(found);
    this.draw();
  }

  mark(first, last) {
    this.tokens.go(first);
    this.tokens.go(last, true);
  }

  key(event, name) {
    const [a, b] = this.tokens.range;
    const size = ({ first, last }) => last - first;
    if (name === "arrowup") {
      const around = this.spans.filter(({ first, last }) => first <= a && b <= last && last - first > b - a);
      around.sort((one, other) => size(one) - size(other));
      if (around.length) this.mark(around[0].first, around[0].last);
    } else if (name === "arrowdown") {
      const inside = this.spans.filter(({ first, last }) => a <= first && last <= b && last - first < b - a);
      inside.sort((one, other) => one.first - other.first || size(other) - size(one));
      if (inside.length) this.mark(inside[0].first, inside[0].last);
      else this.tokens.go(a);
    } else if (["0", "backspace", "delete"].includes(name)) this.remove();
    else return this.tokens.key(event, name);
    return true;
  }

  focus() {
    this.tokens.focus();
  }

  answerAsIs() {
    return this.spans.map(({ first, last, label }) => [first, last, label]);
  }

  answer() {
    if (this.spans.length) return this.answerAsIs();
    this.host.say("There is no constituent yet.", true);
    return null;
  }

  said(answer) {
    return `${answer.length} ${answer.length === 1 ? "constituent" : "constituents"}`;
  }

  draw() {
    const { words, buttons, row } = this.tokens;
    const [a, b] = this.tokens.range;
    const sorted = [...this.spans].sort((one, other) => one.last - one.first - (other.last - other.first));
    const heights = new Map(); // of each constituent: one more than those inside it
    for (const span of sorted) {
      const inside = [...heights].filter(([{ first, last }]) => span.first <= first && last <= span.last);
      heights.set(span, 1 + Math.max(0, ...inside.map(([, height]) => height)));
    }
    const most = Math.max(0, ...heights.values());
    buttons.forEach((button, i) => {
      const over = sorted.filter(({ first, last }) => first <= i && i <= last).map((span) => span.label);
      button.className = "token";
      button.classList.toggle("marked", i >= a && i <= b);
      button.style.gridArea = `${most + 1} / ${i + 1}`;
      button.setAttribute("aria-label", `${words[i]}${over.length ? `, in ${over.join(" in ")}` : ""}`);
    });
    for (const bar of row.querySelectorAll(".constituent")) bar.remove();
    row.append(...sorted.map((span) => this.bar(span, most + 1 - heights.get(span))));
    this.host.changed();
  }

  bar(span, level) {
    const { first, last, label } = span;
    const tint = `tint-${Math.max(0, this.kind.labels.indexOf(label)) % 8}`;
    const said = `${label}: ${this.tokens.words.slice(first, last + 1).join(" ")}`;
    const made = el("button", { type: "button", class: `constituent ${tint}`, tabindex: -1, "aria-label": said, title: said }, el("span", {}, label));
    made.classList.toggle("marked", span === this.current);
    made.style.gridArea = `${level} / ${first + 1} / ${level + 1} / ${last + 2}`;
    made.onclick = () => this.mark(first, last);
    return made;
  }
}
