// The losses over the margin, and what each of them says where the margin is dragged to.
import { get } from "./api.js";
import { $, el, fail } from "./elements.js";
import { draw, num } from "./course.js";

const BOX = { left: 40, right: 620, top: 12, bottom: 372 };
const [LOW, HIGH, MOST] = [-3, 3, 4];
const x = (m) => BOX.left + ((m - LOW) / (HIGH - LOW)) * (BOX.right - BOX.left);
const y = (value) => BOX.bottom - (value / MOST) * (BOX.bottom - BOX.top);
const USED = {
  "0-1": "what evaluation counts; no learner can follow it, for it is flat wherever it does not jump",
  perceptron: "perceptron: only mistakes cost, and by how much they are wrong",
  hinge: "MIRA and support vector machines: less than a margin of 1 costs, too",
  log: "logistic regression and conditional random fields: never quite 0",
  exponential: "boosting: what is far on the wrong side costs most of all",
};

let known = null;

function curves() {
  const parts = [];
  for (let m = LOW; m <= HIGH; m += 1) parts.push(draw("line", { class: "grid", x1: x(m), x2: x(m), y1: BOX.top, y2: BOX.bottom }), draw("text", { x: x(m), y: BOX.bottom + 20, "text-anchor": "middle" }, num(m)));
  for (let n = 0; n <= MOST; n += 1) parts.push(draw("line", { class: "grid", x1: BOX.left, x2: BOX.right, y1: y(n), y2: y(n) }), draw("text", { x: BOX.left - 8, y: y(n) + 5, "text-anchor": "end" }, num(n)));
  const { margins, losses } = known;
  for (const [name, { values }] of Object.entries(losses)) {
    const points = name === "0-1" ? [[LOW, 1], [0, 1], [0, 0], [HIGH, 0]] : margins.map((m, i) => [m, values[i]]);
    const seen = points.filter(([, value]) => value <= MOST);
    parts.push(draw("polyline", { class: `curve loss-${name}`, points: seen.map(([m, value]) => `${x(m).toFixed(1)},${y(value).toFixed(1)}`).join(" ") }));
  }
  parts.push(draw("line", { id: "here", class: "here", y1: BOX.top, y2: BOX.bottom }), draw("g", { id: "dots" }));
  parts.push(draw("text", { x: (BOX.left + BOX.right) / 2, y: BOX.bottom + 44, "text-anchor": "middle" }, "margin m = w·f(x, y) − max w·f(x, y′)"));
  $("losses").replaceChildren(...parts);
}

function show() {
  const i = Number($("margin").value);
  const m = known.margins[i];
  const said = m <= 0 ? "the answer is wrong, or there is a tie" : m < 1 ? "the answer is right, but by less than 1" : "the answer is right by at least 1";
  $("margin").setAttribute("aria-valuetext", `${num(m)}: ${said}`);
  $("m").textContent = `m = ${num(m)}: ${said}.`;
  for (const end of ["x1", "x2"]) $("here").setAttribute(end, x(m));
  const all = Object.entries(known.losses);
  $("dots").replaceChildren(...all.filter(([, { values }]) => values[i] <= MOST).map(([name, { values }]) => draw("circle", { class: `dot loss-${name}`, cx: x(m), cy: y(values[i]), r: 5 })));
  $("rows").replaceChildren(
    ...all.map(([name, { formula, values, slopes }]) =>
      el("tr", {}, el("th", { scope: "row" }, el("span", { class: `swatch loss-${name}` }), name), el("td", { class: "nowrap" }, formula), el("td", { class: "n" }, num(values[i])), el("td", { class: "n" }, slopes ? num(slopes[i]) : "–"), el("td", { class: "dim" }, USED[name])),
    ),
  );
}

function drag(event) {
  if (event.type === "pointermove" && !$("losses").hasPointerCapture(event.pointerId)) return;
  if (event.type === "pointerdown") {
    $("losses").setPointerCapture(event.pointerId);
    $("margin").focus();
    event.preventDefault();
  }
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform($("losses").getScreenCTM().inverse());
  const share = (at.x - BOX.left) / (BOX.right - BOX.left);
  $("margin").value = Math.round(share * (known.margins.length - 1));
  show();
}

get("/api/v1/course/losses")
  .then((found) => {
    known = found;
    $("margin").max = found.margins.length - 1;
    $("margin").value = found.margins.indexOf(0.5);
    curves();
    show();
    $("margin").addEventListener("input", show);
    for (const name of ["pointerdown", "pointermove"]) $("losses").addEventListener(name, drag);
  })
  .catch(fail);
