// What the pages of the course share: asking one question at a time, the learner with its knobs, and going from step to step.
import { post } from "./api.js";
import { $, el, fail } from "./elements.js";

const SVG = "http://www.w3.org/2000/svg";

// An element of a picture.
export function draw(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined && value !== false) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// A number as people read it: four significant digits, and no zeros after them.
export function num(x) {
  if (x === null || x === undefined) return "–";
  if (Number.isInteger(x)) return String(x).replace("-", "−");
  const small = Math.abs(x) < 1e-4 || Math.abs(x) >= 1e6;
  const shown = small ? x.toExponential(2) : String(Number(x.toPrecision(4)));
  return shown.replace("-", "−");
}

// Asks the server whenever something has changed, one question at a time: what changes while an answer is under way is asked next.
export class Asking {
  constructor(question, body, show) {
    Object.assign(this, { question, body, show, under_way: false, again: false });
  }

  async ask() {
    if (this.under_way) {
      this.again = true;
      return;
    }
    this.under_way = true;
    do {
      this.again = false;
      try {
        const body = this.body();
        this.show(await post(`/api/v1/course/${this.question}`, body), body);
        fail(null);
      } catch (error) {
        fail(error);
      }
    } while (this.again);
    this.under_way = false;
  }
}

// The learner that is chosen, with its knobs. A knob is a number and a slider beside it. Each step of the slider
// multiplies the number by the same factor.
export class How {
  constructor(changed) {
    this.changed = changed;
    for (const part of document.querySelectorAll(".taught [data-option]")) this.pair(part, $(`${part.id}-slider`));
    $("how").addEventListener("submit", (event) => event.preventDefault());
    $("learner").addEventListener("change", () => this.turn());
    for (const name of ["epochs", "shuffle"]) $(name)?.addEventListener("input", () => this.changed());
    this.turn(false);
  }

  pair(number, slider) {
    const [least, most, n] = [Number(number.min), Number(number.max), Number(slider.max)];
    const low = least || most * 1e-5;
    const value = (at) => (least === 0 && at === 0 ? 0 : Number((low * (most / low) ** (at / n)).toPrecision(2)));
    const place = (x) => (x <= low ? 0 : Math.round((n * Math.log(x / low)) / Math.log(most / low)));
    slider.value = place(Number(number.value));
    slider.addEventListener("input", () => {
      number.value = value(Number(slider.value));
      this.changed();
    });
    number.addEventListener("input", () => {
      slider.value = place(Number(number.value));
      this.changed();
    });
  }

  turn(tell = true) {
    for (const part of document.querySelectorAll(".taught")) part.hidden = part.dataset.learner !== this.learner;
    if (tell) this.changed();
  }

  get learner() {
    return $("learner").value;
  }

  get value() {
    const knobs = document.querySelectorAll(`.taught[data-learner="${this.learner}"] [data-option]`);
    const options = Object.fromEntries([...knobs].map((knob) => [knob.dataset.option, Number(knob.value)]));
    const epochs = { epochs: Number($("epochs").value) };
    return { learner: this.learner, options, ...epochs, shuffle: $("shuffle").checked };
  }
}

// Which step is shown: by buttons, by a slider, or by playing all of them. Step 0 is before learning.
export class Stepper {
  constructor(show) {
    Object.assign(this, { show, steps: [], at: 0, timer: 0, fresh: true });
    const go = (id, to) => $(id).addEventListener("click", () => this.halt() || this.go(to()));
    go("first", () => 0);
    go("back", () => this.at - 1);
    go("on", () => this.at + 1);
    go("last", () => this.steps.length);
    $("step").addEventListener("input", () => this.halt() || this.go(Number($("step").value)));
    $("play").addEventListener("click", () => (this.timer ? this.halt() : this.play()));
  }

  // Why learning ended, where the step that is shown is the last one.
  ending(stopped) {
    return this.steps.length && this.at === this.steps.length ? ` Learning ends here: ${stopped}.` : "";
  }

  // A new trace. Its last step is shown the first time, and where the last step was shown before; otherwise the step with the
  // same number is shown.
  set(steps) {
    const was_last = this.fresh || this.at === this.steps.length;
    this.fresh = false;
    this.steps = steps;
    $("step").max = steps.length;
    this.strip();
    this.go(was_last ? steps.length : this.at);
  }

  go(at) {
    this.at = Math.max(0, Math.min(this.steps.length, at));
    const n = this.steps.length;
    $("step").value = this.at;
    $("step").setAttribute("aria-valuetext", this.at ? `step ${this.at} of ${n}` : "before learning");
    $("at").textContent = this.at ? `step ${this.at} of ${n}` : `before learning, ${n} steps follow`;
    for (const id of ["first", "back"]) $(id).disabled = this.at === 0;
    for (const id of ["on", "last"]) $(id).disabled = this.at === n;
    $("mark")?.setAttribute("x", Math.max(0, this.at - 1));
    this.show(this.at ? this.steps[this.at - 1] : null);
  }

  play() {
    if (this.at === this.steps.length) this.go(0);
    $("play").textContent = "Pause";
    const wait = Math.max(40, Math.min(700, 12000 / Math.max(1, this.steps.length)));
    this.timer = setInterval(() => (this.at < this.steps.length ? this.go(this.at + 1) : this.halt()), wait);
  }

  halt() {
    clearInterval(this.timer);
    this.timer = 0;
    $("play").textContent = "Play";
  }

  // A mark for each step, coloured by what came of it.
  strip() {
    const n = Math.max(1, this.steps.length);
    const marks = this.steps.map((step, i) => draw("rect", { x: i, y: 0, width: 1, height: 1, class: kind(step) }));
    const mark = draw("rect", { id: "mark", x: 0, y: 0, width: 1, height: 1, class: "here" });
    const picture = draw("svg", { viewBox: `0 0 ${n} 1`, preserveAspectRatio: "none", "aria-hidden": "true" }, ...marks, mark);
    $("strip").replaceChildren(picture);
  }
}

// What came of a step: a mistake, a step though the answer was right, or nothing to learn.
export function kind(step) {
  if (step.right === null || step.right === undefined) return "plain";
  if (!step.right) return "wrong";
  return step.tau ? "close" : "right";
}

// What a step found, in a sentence.
export function outcome(step) {
  return {
    plain: "The example is counted.",
    wrong: "A mistake: the weights move.",
    close: "The answer is right, but not by enough: the weights move.",
    right: "The answer is right: nothing moves.",
  }[kind(step)];
}

// Facts by name; a value may be a node.
export function facts(place, rows) {
  place.replaceChildren(...rows.flatMap(([name, value, called = ""]) => [el("dt", {}, name), el("dd", { class: called }, value)]));
}
