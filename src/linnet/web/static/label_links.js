// Links between two sentences, as a grid: a row for each token of the first, a column for each of the second.
import { el } from "./elements.js";

export class Links {
  constructor(host) {
    this.host = host;
  }

  show(shown, kind, begin) {
    [this.source, this.target] = shown.drawn;
    this.guessed = !shown.answer && begin !== null;
    this.links = new Set((begin ?? []).map(([i, j]) => `${i}-${j}`));
    this.fixed = new Set();
    this.version = 0; // of the links: what was asked for an older one is dropped when it comes
    this.at = [0, 0];
    this.cells = this.source.map((word, i) => this.target.map((other, j) => this.cell(i, j)));
    this.heads = this.target.map((word) => el("th", { scope: "col", role: "columnheader" }, el("span", { dir: "auto" }, word)));
    this.sides = this.source.map((word) => el("th", { scope: "row", role: "rowheader", dir: "auto" }, word));
    const rows = this.cells.map((cells, i) => el("tr", { role: "row" }, this.sides[i], ...cells));
    const head = el("tr", { role: "row" }, el("td", { role: "presentation" }), ...this.heads);
    const grid = el("table", { class: "links", role: "grid", "aria-label": "Links between both sentences" }, el("thead", { role: "rowgroup" }, head), el("tbody", { role: "rowgroup" }, ...rows));
    this.host.area.replaceChildren(grid);
    this.draw();
  }

  cell(i, j) {
    const made = el("td", { role: "gridcell", tabindex: -1 });
    made.onpointerdown = (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      this.go(i, j);
      this.toggle();
    };
    return made;
  }

  get help() {
    return "Arrow keys move · Space or a click links both tokens or unlinks them · Enter saves";
  }

  get needsSaving() {
    return true;
  }

  pressed() {
    return false;
  }

  choose() {}

  toggle() {
    const [i, j] = this.at;
    if (!this.links.delete(`${i}-${j}`)) this.links.add(`${i}-${j}`);
    this.fixed.add(j);
    this.draw();
    this.rest();
  }

  // Have the links of the other tokens predicted anew, so that they suit those that were given.
  async rest() {
    this.version += 1;
    const version = this.version;
    if (!this.guessed) return;
    const found = await this.host.again(this.answer(), [...this.fixed]);
    if (!found || version !== this.version) return;
    this.links = new Set(found.map(([i, j]) => `${i}-${j}`));
    this.draw();
  }

  go(i, j) {
    this.cells[this.at[0]][this.at[1]].setAttribute("tabindex", -1);
    this.at = [Math.max(0, Math.min(this.source.length - 1, i)), Math.max(0, Math.min(this.target.length - 1, j))];
    this.focus();
    this.draw();
  }

  key(event, name, onExample) {
    const [i, j] = this.at;
    const sign = getComputedStyle(this.host.area).direction === "rtl" ? -1 : 1;
    const to = {
      arrowright: [i, j + sign], arrowleft: [i, j - sign], arrowdown: [i + 1, j], arrowup: [i - 1, j],
      home: [i, 0], end: [i, this.target.length - 1],
    }[name];
    if (to) this.go(...to);
    else if (name === " " && onExample) this.toggle();
    else return false;
    return true;
  }

  focus() {
    const cell = this.cells[this.at[0]][this.at[1]];
    cell.setAttribute("tabindex", 0);
    cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  draw() {
    this.cells.forEach((cells, i) => cells.forEach((cell, j) => {
      const linked = this.links.has(`${i}-${j}`);
      cell.className = linked ? "linked" : "";
      cell.textContent = linked ? "●" : "";
      cell.setAttribute("aria-selected", String(linked));
      cell.setAttribute("aria-label", `${this.source[i]}, ${this.target[j]}: ${linked ? "linked" : "not linked"}`);
    }));
    this.heads.forEach((head, j) => head.classList.toggle("current", j === this.at[1]));
    this.sides.forEach((side, i) => side.classList.toggle("current", i === this.at[0]));
  }

  answer() {
    return [...this.links].map((link) => link.split("-").map(Number));
  }

  said(answer) {
    return `${answer.length} ${answer.length === 1 ? "link" : "links"}`;
  }
}
