// The best candidate of a list: one key, or one click, is choice, save and next.
import { el } from "./elements.js";

export class Candidates {
  constructor(host) {
    this.host = host;
  }

  show(shown, kind, begin) {
    const { source, candidates } = shown.drawn;
    this.texts = candidates;
    this.buttons = candidates.map((text, i) => {
      const keys = i < 9 ? [el("kbd", {}, String(i + 1)), " "] : [];
      const chosen = begin?.[0] === i;
      const button = el("button", { type: "button", class: "candidate", dir: "auto", "aria-pressed": String(chosen) }, ...keys, text);
      button.onclick = () => this.host.save([i]);
      return button;
    });
    this.host.area.replaceChildren(el("p", { class: "source", dir: "auto" }, source), el("div", { class: "candidates", role: "group", "aria-label": "Candidates" }, ...this.buttons));
  }

  get help() {
    return "The number of a candidate, or a click, chooses it and saves · ↑ ↓ move, Enter chooses";
  }

  get needsSaving() {
    return false;
  }

  pressed() {
    return false;
  }

  choose() {}

  key(event, name) {
    const number = Number(name);
    if (/^[1-9]$/.test(name) && number <= this.texts.length && !event.repeat) {
      this.host.save([number - 1]);
      return true;
    }
    const by = { arrowdown: 1, arrowup: -1 }[name];
    if (!by) return false;
    const at = this.buttons.indexOf(document.activeElement);
    this.buttons[Math.max(0, Math.min(this.buttons.length - 1, at + by))].focus();
    return true;
  }

  focus() {
    this.host.area.focus({ preventScroll: true });
  }

  answer() {
    return null;
  }

  said(answer) {
    const text = this.texts[answer[0]] ?? "";
    return `${answer[0] + 1}, ${text.length > 60 ? `${text.slice(0, 59)}…` : text}`;
  }
}
