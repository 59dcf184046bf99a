// Labels of a text: one, which is saved at once, or several, which are saved by Enter.

export class Choices {
  constructor(host) {
    this.host = host;
    this.chosen = new Set();
  }

  show(shown, kind, begin) {
    this.kind = kind;
    this.chosen = new Set(begin ?? []);
    this.host.area.textContent = shown.drawn;
  }

  get help() {
    return "";
  }

  get needsSaving() {
    return this.kind.several;
  }

  pressed(label) {
    return this.chosen.has(label);
  }

  choose(label) {
    if (!this.kind.several) return this.host.save([label]);
    if (!this.chosen.delete(label)) this.chosen.add(label);
    this.host.changed();
  }

  key() {
    return false;
  }

  focus() {
    this.host.area.focus({ preventScroll: true });
  }

  answer() {
    return [...this.chosen];
  }

  said(answer) {
    return answer.join(", ") || "no label";
  }
}
