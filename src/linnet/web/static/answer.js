// The answer to the text, new with each keystroke. One question is under way at a time: when its answer comes, and the text has
// changed since, the next question is asked. So fast servers answer every keystroke, and slow ones are never flooded.
import { ask } from "./api.js";
import { $, become, el, fail, signed } from "./elements.js";

export class Answer {
  constructor(changed) {
    this.changed = changed; // told when an answer to a new text is shown, with the best labels if it has labels
    this.best = [];
    this.model = "";
    this.number = 0;
    this.asking = false;
    this.typed = 0;
    $("text").addEventListener("input", () => this.look());
    const area = $("answer");
    area.addEventListener("pointerover", (event) => this.hover(event.target.closest("p.text span")));
    area.addEventListener("pointerleave", () => this.hide());
    area.addEventListener("keydown", (event) => this.step(event));
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.hide());
  }

  of(model) {
    this.model = model;
    this.number += 1; // what was asked of another model is dropped when it comes
    this.asking = false;
    this.look();
  }

  look() {
    this.typed = performance.now();
    if (this.model && !this.asking) this.next(); // before there is a model, nothing can be asked
  }

  async next() {
    const [number, text, typed] = [this.number, $("text").value, this.typed];
    this.asking = true;
    try {
      const found = await ask(this.model, "look", { text });
      if (number !== this.number) return;
      this.show(found, text);
      const took = performance.now() - typed;
      performance.measure("linnet-answer", { start: typed, duration: took });
      $("took").textContent = text.trim() ? `${took.toFixed(0)} ms` : "";
      fail(null);
    } catch (error) {
      if (number === this.number) this.refused(error);
    }
    if (number !== this.number) return;
    this.asking = false;
    if (this.typed !== typed) this.next();
    else this.changed(text, this.best);
  }

  // Say why there is no answer, and show none, as the last one was to another text or by another model.
  refused(error) {
    this.show({ best: [], html: "" }, "");
    $("took").textContent = "";
    fail(error);
  }

  show(found, text) {
    this.best = found.best.map((one) => one.label);
    const most = Math.max(...found.best.map((one) => Math.abs(one.score ?? 0)), 1e-9);
    const best = el("div", { class: "best" }, ...found.best.map((one) => this.bar(one, most)));
    this.hide();
    $("answer").querySelector(".best").replaceWith(best);
    const body = $("answer").querySelector(".reasons");
    become(body, found.html); // made by the server, which has escaped all that people wrote
    for (const part of body.querySelectorAll("p.text")) {
      part.tabIndex = 0;
      part.setAttribute("role", "group");
      part.setAttribute("aria-label", "Words of the text. Arrow keys go from word to word and show its features.");
    }
    $("answer").classList.toggle("empty", !text.trim());
  }

  // A label with its probability; or with its score, whose bar goes to the right of the middle, or to the left below 0. most: the
  // largest score of all that are shown, whatever its sign.
  bar(one, most) {
    const isScore = one.share === undefined;
    const fill = el("span", { class: isScore && one.score < 0 ? "fill below" : "fill" });
    fill.style.width = `${isScore ? (50 * Math.abs(one.score)) / most : 100 * one.share}%`;
    const value = isScore ? signed(one.score, 2) : `${(100 * one.share).toFixed(1)}%`;
    return el("div", { class: one.chosen ? "bar-row chosen" : "bar-row" }, el("span", { class: "name" }, el("bdi", {}, one.label)), el("span", { class: isScore ? "track score" : "track" }, fill), el("span", { class: "n" }, value));
  }

  // The features of a word, by the mouse or by the arrow keys.
  async hover(word) {
    if (word === this.word) return;
    this.hide();
    if (!word) return;
    this.word = word;
    const range = document.createRange();
    range.setStart(word.closest("p.text"), 0);
    range.setEnd(word, 0);
    const at = [...range.toString()].length;
    const found = await ask(this.model, "words", { text: $("text").value, at }).catch(() => null);
    if (!found || word !== this.word) return;
    this.tip(word, found);
  }

  tip(word, found) {
    const rows = found.features.slice(0, 12).map((one) =>
      el("tr", {}, el("td", {}, one.feature), el("td", { class: `n ${one.contribution > 0 ? "for" : "against"}` }, signed(one.contribution))));
    const head = found.against ? `${found.label}, not ${found.against}` : found.label;
    const more = found.features.length - rows.length;
    $("tip").replaceChildren(el("strong", {}, head), rows.length ? el("table", {}, ...rows) : el("p", {}, "no feature of the model"), ...(more > 0 ? [el("p", { class: "dim" }, `${more} more`)] : []));
    $("tip").hidden = false;
    const [box, tip] = [word.getBoundingClientRect(), $("tip").getBoundingClientRect()];
    $("tip").style.left = `${Math.max(8, Math.min(box.left, innerWidth - tip.width - 8))}px`;
    $("tip").style.top = `${box.bottom + tip.height + 8 < innerHeight ? box.bottom + 6 : Math.max(8, box.top - tip.height - 6)}px`;
    word.classList.add("current");
  }

  hide() {
    if (this.word) this.word.classList.remove("current");
    this.word = null;
    $("tip").hidden = true;
  }

  step(event) {
    const text = event.target.closest("p.text");
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!text || !by) return;
    event.preventDefault();
    const words = [...text.querySelectorAll("span")];
    const at = words.indexOf(this.word) + by;
    this.hover(words[Math.max(0, Math.min(words.length - 1, at))]);
  }
}
