// Texts that are watched: their answers, and which of them a lesson changed.
import { ask } from "./api.js";
import { $, el, short, written } from "./elements.js";

// An answer, whose letters may go from right to left, while what it was stands left of what it is.
const told = (answer) => el("bdi", {}, written(answer));

export class Watching {
  constructor() {
    this.rows = []; // {text, before, after, changed}
    this.model = "";
    $("watch-this").addEventListener("click", () => this.add($("text").value));
  }

  get texts() {
    return this.rows.map((row) => row.text);
  }

  async of(model) {
    this.model = model;
    if (this.rows.length) await this.answer(this.texts);
  }

  async answer(texts) {
    const found = await Promise.all(texts.map((text) => ask(this.model, "predict", { text }).catch(() => ({ predictions: null }))));
    this.show(texts.map((text, i) => ({ text, before: null, after: found[i].predictions, changed: false })));
  }

  async add(text) {
    if (!text.trim() || this.texts.includes(text)) return;
    await this.answer([...this.texts, text]);
  }

  show(rows) {
    this.rows = rows;
    $("no-watched").hidden = rows.length > 0;
    $("watched").replaceChildren(...rows.map((row, i) => this.item(row, i)));
  }

  item(row, i) {
    const off = el("button", { type: "button", class: "plain", "aria-label": `Watch no more: ${short(row.text, 40)}` }, "×");
    off.addEventListener("click", () => this.show(this.rows.filter((_, k) => k !== i)));
    const answer = row.changed ? [el("s", {}, told(row.before)), " → ", el("strong", {}, told(row.after))] : [told(row.after)];
    return el("li", { class: row.changed ? "changed" : "" }, el("span", { class: "said", dir: "auto" }, short(row.text)), el("span", { class: "got" }, ...answer), off);
  }
}
