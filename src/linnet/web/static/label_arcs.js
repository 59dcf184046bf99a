// Heads and relations of tokens, with an arc from each head. Arrow keys move, with Shift they move the head of the current token;
// a drag from a token to another makes the other its head.
import { el } from "./elements.js";
import { Tokens } from "./label_tokens.js";

const NONE = "_"; // the relation where there are no relations
const STEP = 26; // the height of a level of arcs, in pixels; where there are many, they share HIGH
const HIGH = 240;
const svg = (name, attributes, ...children) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};

export class Arcs {
  constructor(host) {
    this.host = host;
    this.tokens = new Tokens(host.area, () => this.draw());
    this.tokens.marks = false;
    this.tokens.dropped = (from, to) => this.hang(from, to + 1);
    addEventListener("resize", () => this.kind && this.drawArcs());
  }

  show(shown, kind, begin) {
    this.kind = kind;
    this.guessed = !shown.answer && begin !== null;
    this.arcs = begin ? begin.map(([head, relation]) => [head, relation]) : shown.drawn.map(() => [null, ""]);
    this.fixed = new Set();
    this.version = 0; // of the arcs: what was asked for an older one is dropped when it comes
    this.below = shown.drawn.map(() => el("span", { class: "tag", dir: "auto" }));
    this.tokens.show(shown.drawn, this.below);
    this.picture = svg("svg", { class: "arcs", "aria-hidden": "true" });
    this.tokens.row.classList.add("in-one-line");
    this.tokens.row.prepend(this.picture);
    this.draw();
  }

  get help() {
    const relation = this.kind.labels.length ? "a key gives the relation · " : "";
    return `← → move · Shift+← → move the head · 0 makes it the root · ${relation}drag from a token to its head · Enter saves`;
  }

  get needsSaving() {
    return true;
  }

  get at() {
    return this.tokens.at;
  }

  pressed(label) {
    return this.arcs[this.at]?.[1] === label;
  }

  choose(label) {
    this.arcs[this.at][1] = label;
    this.fixed.add(this.at);
    this.draw();
    this.rest();
  }

  // Give token m the head with this number, where 0 is the root.
  hang(m, head) {
    if (head === m + 1) return;
    const { labels } = this.kind;
    this.arcs[m][0] = head;
    if (!labels.length) this.arcs[m][1] = NONE;
    else if (head === 0 && labels.includes("root")) this.arcs[m][1] = "root";
    else if (this.arcs[m][1] === "root") this.arcs[m][1] = "";
    this.fixed.add(m);
    this.tokens.go(m);
    this.rest();
  }

  // Have the rest of the tree predicted anew, so that it suits the arcs that were given.
  async rest() {
    this.version += 1;
    const version = this.version;
    if (!this.guessed || this.arcs.some(([head]) => head === null)) return;
    const given = this.arcs.map(([head, relation]) => [head, relation || this.kind.labels[0] || NONE]);
    const found = await this.host.again(given, [...this.fixed]);
    if (!found || version !== this.version || found.length !== this.arcs.length) return;
    this.arcs = found.map((arc, m) => (this.fixed.has(m) ? this.arcs[m] : arc));
    this.draw();
  }

  key(event, name) {
    const by = { arrowright: this.tokens.sign, arrowleft: -this.tokens.sign }[name];
    if (by && event.shiftKey) {
      const m = this.at;
      let head = (this.arcs[m][0] ?? m + 1) + by;
      if (head === m + 1) head += by;
      if (head >= 0 && head <= this.arcs.length) this.hang(m, head);
      return true;
    }
    if (name === "0") {
      this.hang(this.at, 0);
      return true;
    }
    return this.tokens.key(event, name);
  }

  focus() {
    this.tokens.focus();
  }

  said(answer) {
    return `${answer.length} ${answer.length === 1 ? "head" : "heads"}`;
  }

  answer() {
    const missing = this.arcs.findIndex(([head, relation]) => head === null || !relation);
    if (missing < 0) return this.arcs;
    this.host.say(this.arcs[missing][0] === null ? `“${this.tokens.words[missing]}” has no head yet.` : `“${this.tokens.words[missing]}” has no relation yet.`, true);
    this.tokens.go(missing);
    return null;
  }

  draw() {
    const { words, buttons } = this.tokens;
    this.arcs.forEach(([head, relation], m) => {
      const of = head === null ? "no head" : head === 0 ? "root" : words[head - 1];
      const shown = relation === NONE ? "" : relation;
      this.below[m].textContent = head === null ? "–" : shown || (head === 0 ? "root" : "?");
      buttons[m].className = "token";
      buttons[m].classList.toggle("marked", m === this.at);
      buttons[m].classList.toggle("head", this.arcs[this.at]?.[0] === m + 1);
      buttons[m].setAttribute("aria-label", `${words[m]}, ${shown || "no relation"}, head: ${of}`);
    });
    this.drawArcs();
    this.host.changed();
  }

  drawArcs() {
    const boxes = this.tokens.buttons.map((button) => ({ x: button.offsetLeft + button.offsetWidth / 2 }));
    const spans = this.arcs.map(([head], m) => (head ? [Math.min(head - 1, m), Math.max(head - 1, m)] : null));
    const levels = levelsOf(spans);
    const highest = Math.max(0, ...levels);
    const step = Math.min(STEP, HIGH / Math.max(1, highest));
    const top = 8 + STEP + step * highest;
    this.tokens.row.style.paddingTop = `${top + 4}px`;
    const width = this.tokens.row.scrollWidth;
    this.picture.setAttribute("width", width);
    this.picture.setAttribute("height", top);
    this.picture.setAttribute("viewBox", `0 0 ${width} ${top}`);
    const drawn = this.arcs.flatMap(([head], m) => {
      if (head === null) return [];
      const x = boxes[m].x + (head > m ? 5 : -5);
      const current = m === this.at ? " current" : "";
      const arrow = svg("path", { class: `tip${current}`, d: `M${x - 4} ${top - 8} L${x + 4} ${top - 8} L${x} ${top} Z` });
      if (head === 0) return [svg("path", { class: `arc${current}`, d: `M${x} 2 V${top - 6}` }), arrow];
      const from = boxes[head - 1].x + (head - 1 > m ? -5 : 5);
      const y = top - step * levels[m] - 4;
      return [svg("path", { class: `arc${current}`, d: `M${from} ${top} C${from} ${y - 6} ${x} ${y - 6} ${x} ${top - 6}` }), arrow];
    });
    this.picture.replaceChildren(...drawn);
  }
}

// The level at which each arc is drawn: above those that it spans.
function levelsOf(spans) {
  const order = spans.map((span, m) => [span, m]).filter(([span]) => span).sort(([a], [b]) => a[1] - a[0] - (b[1] - b[0]));
  const levels = spans.map(() => 0);
  const high = Array(spans.length).fill(0); // the highest level so far over each gap between two tokens
  for (const [[a, b], m] of order) {
    levels[m] = 1 + Math.max(...high.slice(a, b));
    high.fill(levels[m], a, b);
  }
  return levels;
}
