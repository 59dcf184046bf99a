// Tags of tokens, or spans of them. Arrow keys move, with Shift they mark tokens; a label is given to what is marked.
import { el } from "./elements.js";
import { Tokens } from "./label_tokens.js";

export class Tags {
  constructor(host) {
    this.host = host;
    this.tokens = new Tokens(host.area, () => this.draw());
  }

  show(shown, kind, begin) {
    this.kind = kind;
    this.guessed = !shown.answer && begin !== null;
    this.tags = begin ? [...begin] : shown.drawn.map(() => (kind.spans ? "O" : ""));
    this.first = [...this.tags];
    this.fixed = new Set();
    this.version = 0; // of the tags: what was asked for an older one is dropped when it comes
    this.below = shown.drawn.map(() => el("span", { class: "tag", dir: "ltr" }));
    this.tokens.show(shown.drawn, this.below);
    this.draw();
  }

  get help() {
    const clear = this.kind.spans ? "0 unmarks" : this.kind.grows ? "0 takes the tag away" : "";
    return ["← → move, with Shift they mark several tokens", "a key or a click on a label gives it", clear, "Enter saves"].filter(Boolean).join(" · ");
  }

  get needsSaving() {
    return true;
  }

  pressed(label) {
    const [a] = this.marked();
    return this.type(this.tags[a]) === label;
  }

  type(tag) {
    return this.kind.spans ? (tag === "O" ? "" : tag.slice(2)) : tag;
  }

  // The tokens that a label goes to: those that are marked, or else the span around the current one.
  marked() {
    let [a, b] = this.tokens.range;
    if (this.kind.spans && a === b && this.tags[a] !== "O") {
      while (this.tags[a].startsWith("I-")) a -= 1;
      while (this.tags[b + 1]?.startsWith("I-")) b += 1;
    }
    return [a, b];
  }

  choose(label) {
    this.give(label);
  }

  give(label) {
    const [a, b] = this.marked();
    for (let i = a; i <= b; i += 1) {
      this.tags[i] = this.kind.spans ? (label ? `${i === a ? "B" : "I"}-${label}` : "O") : label;
      if (label || this.kind.spans) this.fixed.add(i);
      else this.fixed.delete(i);
    }
    if (this.kind.spans && this.tags[b + 1]?.startsWith("I-")) this.tags[b + 1] = `B-${this.tags[b + 1].slice(2)}`;
    this.tokens.go(b + 1);
    this.host.changed();
    this.rest();
  }

  // Have the rest of the tags predicted anew, so that they suit those that were given.
  async rest() {
    this.version += 1;
    const version = this.version;
    if (!this.guessed || this.tags.includes("")) return;
    const found = await this.host.again(this.tags, [...this.fixed]);
    if (!found || version !== this.version || found.length !== this.tags.length) return;
    this.tags = found;
    this.draw();
  }

  key(event, name) {
    if (name === "0" || name === "backspace" || name === "delete") {
      if (!this.kind.grows && !this.kind.spans) return false;
      this.give("");
      return true;
    }
    return this.tokens.key(event, name);
  }

  focus() {
    this.tokens.focus();
  }

  draw() {
    const labels = this.kind.labels;
    const marked = this.marked();
    this.tags.forEach((tag, i) => {
      const type = this.type(tag);
      const begins = !this.kind.spans || !tag.startsWith("I-");
      const goesOn = this.kind.spans && this.tags[i + 1]?.startsWith("I-");
      this.below[i].textContent = this.kind.spans && !begins ? "" : type || (this.kind.spans ? "" : "–");
      const button = this.tokens.buttons[i];
      button.className = "token";
      button.classList.toggle("given", type !== "");
      if (type !== "") button.classList.add(`tint-${Math.max(0, labels.indexOf(type)) % 8}`);
      button.classList.toggle("goes-on", Boolean(goesOn));
      button.classList.toggle("went-on", !begins);
      button.classList.toggle("dropped", this.kind.task === "compress" && type === "drop");
      button.classList.toggle("changed", this.guessed && tag !== this.first[i]);
      button.classList.toggle("marked", i >= marked[0] && i <= marked[1]);
      button.setAttribute("aria-label", `${this.tokens.words[i]}, ${type || "no label"}${this.kind.spans && !begins ? ", goes on" : ""}`);
    });
    this.host.changed();
  }

  answer() {
    const missing = this.tags.indexOf("");
    if (missing >= 0) {
      const n = this.tags.filter((tag) => tag === "").length;
      this.host.say(n === 1 ? "One token has no tag yet." : `${n} tokens have no tag yet.`, true);
      this.tokens.go(missing);
      return null;
    }
    return this.tags;
  }

  said(answer) {
    const n = answer.filter((tag) => (this.kind.spans ? tag.startsWith("B-") : tag)).length;
    return this.kind.spans ? `${n} ${n === 1 ? "span" : "spans"}` : `${n} ${n === 1 ? "tag" : "tags"}`;
  }
}
