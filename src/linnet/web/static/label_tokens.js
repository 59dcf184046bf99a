// Tokens as a row of buttons: one of them is current, and several can be marked, by keys or by the mouse.
import { el } from "./elements.js";

export class Tokens {
  // moved: told when another token is current, or others are marked.
  constructor(area, moved) {
    this.area = area;
    this.moved = moved;
    this.buttons = [];
    this.marks = true; // whether a drag marks tokens
    this.dropped = null; // otherwise a function that is told on which token a drag began and on which one it ended
  }

  // below: an element for each token, which stands below its word.
  show(words, below) {
    this.words = words;
    this.at = this.from = 0;
    this.buttons = words.map((word, i) => this.button(word, below[i], i));
    this.row = el("div", { class: "tokens", role: "group", "aria-label": "Tokens" }, ...this.buttons);
    this.area.replaceChildren(this.row);
  }

  button(word, below, i) {
    const made = el("button", { type: "button", class: "token", tabindex: i === 0 ? 0 : -1 }, el("span", { class: "word" }, word), below);
    made.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      made.releasePointerCapture?.(event.pointerId);
      this.dragging = true;
      addEventListener("pointerup", () => { this.dragging = false; }, { once: true });
      this.pressed = i;
      this.go(i, this.marks && event.shiftKey);
    });
    made.addEventListener("pointerenter", () => this.dragging && this.marks && this.go(i, true));
    made.addEventListener("pointerup", () => this.dropped && this.dragging && this.pressed !== i && this.dropped(this.pressed, i));
    made.addEventListener("focus", () => this.at !== i && this.go(i));
    return made;
  }

  get range() {
    return [Math.min(this.at, this.from), Math.max(this.at, this.from)];
  }

  get sign() {
    return getComputedStyle(this.area).direction === "rtl" ? -1 : 1;
  }

  go(to, marks = false) {
    this.buttons[this.at]?.setAttribute("tabindex", -1);
    this.at = Math.max(0, Math.min(this.buttons.length - 1, to));
    if (!marks) this.from = this.at;
    this.buttons[this.at].setAttribute("tabindex", 0);
    this.focus();
    this.moved();
  }

  focus() {
    this.buttons[this.at]?.focus({ preventScroll: true });
    this.buttons[this.at]?.scrollIntoView({ block: "nearest" });
  }

  // The token above or below the current one, where they stand in several lines.
  beyond(down) {
    const here = this.buttons[this.at].getBoundingClientRect();
    const boxes = this.buttons.map((button) => button.getBoundingClientRect());
    const lines = boxes.map((box, i) => [i, box]).filter(([, box]) => (down ? box.top > here.bottom - 1 : box.bottom < here.top + 1));
    if (!lines.length) return this.at;
    const line = down ? Math.min(...lines.map(([, box]) => box.top)) : Math.max(...lines.map(([, box]) => box.top));
    const away = ([, box]) => Math.abs(box.left + box.width / 2 - here.left - here.width / 2);
    return lines.filter(([, box]) => Math.abs(box.top - line) < 2).sort((one, other) => away(one) - away(other))[0][0];
  }

  key(event, name) {
    const to = {
      arrowright: () => this.at + this.sign,
      arrowleft: () => this.at - this.sign,
      arrowdown: () => this.beyond(true),
      arrowup: () => this.beyond(false),
      home: () => 0,
      end: () => this.buttons.length - 1,
    }[name];
    if (!to) return false;
    this.go(to(), this.marks && event.shiftKey);
    return true;
  }
}
