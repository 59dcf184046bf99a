// Points of a plane, the line that a learner finds between two labels, and its way there.
import { $ } from "./elements.js";
import { Asking, How, Stepper, draw, facts, kind, num, outcome } from "./course.js";

const HIGH = 10;
const EDGE = { left: 34, right: 590, top: 10, bottom: 566 };
const UNIT = (EDGE.right - EDGE.left) / HIGH;
const CORNERS = [[0, 0], [HIGH, 0], [HIGH, HIGH], [0, HIGH]];
const DATA = {
  clouds: [[2, 7, 0], [6, 2, 1], [3, 8.5, 0], [7.5, 3, 1], [1.5, 5.5, 0], [8, 1.5, 1], [3.5, 6.5, 0], [5.5, 3.5, 1], [2.5, 4.5, 0], [8.5, 4.5, 1]],
  narrow: [[2, 3, 0], [2.5, 2.4, 1], [3, 4.2, 0], [4, 3.8, 1], [5, 6.2, 0], [6, 5.9, 1], [7, 8, 0], [8, 7.6, 1]],
  stray: [[2, 7, 0], [6, 2, 1], [3, 8.5, 0], [7.5, 3, 1], [1.5, 5.5, 0], [8, 1.5, 1], [3.5, 6.5, 0], [5.5, 3.5, 1], [7, 2.5, 0], [8.5, 4.5, 1]],
  corners: [[2, 2, 0], [2, 8, 1], [3, 3, 0], [3, 7, 1], [7, 7, 0], [7, 3, 1], [8, 8, 0], [8, 2, 1]],
};
const SIGN = ["−", "+"];
const SHAPES = ["M-8,-8H8V8H-8Z", "M-9,0a9,9 0 1,0 18,0a9,9 0 1,0 -18,0Z"];

let points = [];
let chosen = -1;
let found = { steps: [], gamma: null, bound: null, radius: null };

const px = (x) => EDGE.left + UNIT * x;
const py = (y) => EDGE.bottom - UNIT * y;
const near = (value) => Math.round(10 * Math.max(0, Math.min(HIGH, value))) / 10;
const value = (u, [x, y]) => u[0] + u[1] * x + u[2] * y;
const path = (some) => some.map(([x, y]) => `${px(x).toFixed(1)},${py(y).toFixed(1)}`).join(" ");

// The part of the square in which u·x is at least a level.
function above(u, level) {
  const kept = [];
  CORNERS.forEach((one, i) => {
    const other = CORNERS[(i + 1) % 4];
    const [a, b] = [value(u, one) - level, value(u, other) - level];
    if (a >= 0) kept.push(one);
    if (a >= 0 !== b >= 0) kept.push(crossing(one, other, a, b));
  });
  return kept;
}

const crossing = (one, other, a, b) => one.map((x, i) => x + (a / (a - b)) * (other[i] - x));

// Where u·x is exactly a level, from edge to edge.
function line(u, level, called) {
  const ends = CORNERS.flatMap((one, i) => {
    const other = CORNERS[(i + 1) % 4];
    const [a, b] = [value(u, one) - level, value(u, other) - level];
    return a >= 0 !== b >= 0 ? [crossing(one, other, a, b)] : [];
  });
  return ends.length < 2 ? [] : [draw("polyline", { points: path(ends), class: called })];
}

function frame() {
  const ticks = [0, 2, 4, 6, 8, 10].flatMap((n) => [
    draw("text", { x: px(n), y: EDGE.bottom + 20, "text-anchor": "middle" }, String(n)),
    draw("text", { x: EDGE.left - 8, y: py(n) + 5, "text-anchor": "end" }, String(n)),
  ]);
  $("axes").replaceChildren(...ticks);
}

function show(step) {
  const u = step ? step.u : [0, 0, 0];
  const drawn = [];
  if (u[1] || u[2]) {
    drawn.push(draw("polygon", { points: path(above(u, 0)), class: "region plus" }));
    drawn.push(draw("polygon", { points: path(above(u.map((x) => -x), 0)), class: "region minus" }));
    if (step.margin) drawn.push(...line(u, step.margin, "margin"), ...line(u, -step.margin, "margin"));
    drawn.push(...line(u, 0, "boundary"));
  }
  $("lines").replaceChildren(...drawn);
  marks(step);
  said(step);
}

// Draw the points. Their elements are kept, so that the one that is moved by keys keeps the focus.
function marks(step) {
  const place = $("points");
  while (place.children.length > points.length) place.lastChild.remove();
  while (place.children.length < points.length) place.append(mark());
  const wrong = new Set(step ? step.wrong : []);
  const support = new Set(step && step.support.length < points.length ? step.support : []);
  points.forEach(([x, y, k], i) => {
    const one = place.children[i];
    const called = ["point", k ? "plus" : "minus"];
    if (wrong.has(i)) called.push("off");
    if (support.has(i)) called.push("support");
    if (step && step.example === i) called.push("seen");
    if (chosen === i) called.push("chosen");
    one.setAttribute("class", called.join(" "));
    one.setAttribute("transform", `translate(${px(x)} ${py(y)})`);
    one.setAttribute("aria-label", `Point ${i + 1}, label ${k ? "plus" : "minus"}, at ${x}, ${y}${wrong.has(i) ? ", on the wrong side" : ""}`);
    one.querySelector(".shape").setAttribute("d", SHAPES[k]);
  });
  for (const id of ["flip", "remove"]) $(id).disabled = chosen < 0;
}

function mark() {
  const made = draw("g", { tabindex: "0", role: "button" }, draw("circle", { class: "halo", r: 15 }), draw("path", { class: "shape" }));
  const number = () => [...$("points").children].indexOf(made);
  made.addEventListener("focus", () => choose(number()));
  made.addEventListener("keydown", (event) => key(event, number()));
  return made;
}

function choose(i) {
  chosen = i;
  marks(stepper.at ? stepper.steps[stepper.at - 1] : null);
}

function key(event, i) {
  const by = event.shiftKey ? 1 : 0.1;
  const move = { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, by], ArrowDown: [0, -by] }[event.key];
  if (move) put(i, points[i][0] + move[0], points[i][1] + move[1]);
  else if (event.key === " " || event.key === "Enter" || event.key === "f") flip(i);
  else if (event.key === "Delete" || event.key === "Backspace") remove(i);
  else return;
  event.preventDefault();
}

function put(i, x, y) {
  points[i] = [near(x), near(y), points[i][2]];
  changed();
}

function flip(i) {
  if (i < 0) return;
  points[i][2] = 1 - points[i][2];
  changed();
}

function remove(i) {
  if (i < 0) return;
  points.splice(i, 1);
  chosen = Math.min(i, points.length - 1);
  changed();
  $("points").children[chosen]?.focus();
}

function add(x, y) {
  points.push([near(x), near(y), Number($("new").value)]);
  chosen = points.length - 1;
  changed();
  $("points").lastChild.focus();
}

function changed() {
  marks(null);
  asking.ask();
}

// Where a pointer is, as a point of the plane.
function place(event) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform($("plane").getScreenCTM().inverse());
  return [(at.x - EDGE.left) / UNIT, (EDGE.bottom - at.y) / UNIT];
}

function press(event) {
  if (event.button) return;
  const [x, y] = place(event);
  const on = event.target.closest("#points > g");
  if (on) chosen = [...$("points").children].indexOf(on);
  else if (x >= 0 && x <= HIGH && y >= 0 && y <= HIGH) add(x, y);
  else return;
  event.preventDefault();
  $("points").children[chosen].focus();
  $("plane").setPointerCapture(event.pointerId);
}

function drag(event) {
  if ($("plane").hasPointerCapture(event.pointerId)) put(chosen, ...place(event));
}

const length = (u) => Math.hypot(...u);
const vector = (u) => `(${u.slice(1).map(num).join(", ")}), b = ${num(u[0])}`;

function said(step) {
  const before = stepper.at > 1 ? stepper.steps[stepper.at - 2].u : [0, 0, 0];
  $("said").textContent = step ? sentence(step) + stepper.ending(found.stopped) : "All weights are 0: both labels score the same everywhere, and there is no line.";
  const u = step ? step.u : [0, 0, 0];
  const mean = how.learner === "averaged-perceptron" ? "mean of " : "";
  const rows = [[`u = ${mean}w₊ − w₋`, vector(u)], ["‖u‖", num(length(u))]];
  if (step) {
    rows.unshift(["epoch, point", `${step.epoch}, ${step.example + 1}`], ["y, ŷ", `${step.y}, ${step.y_hat ?? "–"}`, kind(step)]);
    if (step.loss !== null) rows.splice(2, 0, ["w·f(x, y), w·f(x, ŷ)", `${num(step.score_of_y)}, ${num(step.score)}`], ["loss", num(step.loss)], ["τ", num(step.tau)]);
    rows.push(["u before", vector(before)]);
    if (step.loss !== null) rows.push(["how far w moved", num(step.moved)]);
    rows.push(["on the wrong side", `${step.wrong.length} of ${points.length}`]);
    if (step.support.length) rows.push(["support vectors", String(step.support.length)]);
    if (step.margin) rows.push(["margin drawn at", `a lead of ${num(step.margin)}`]);
  }
  facts($("facts"), rows);
  bound(step);
}

function sentence(step) {
  const [x, y] = points[step.example] ?? [0, 0];
  return `Point ${step.example + 1} at (${num(x)}, ${num(y)}) has the label ${step.y}. ${outcome(step)}`;
}

function bound(step) {
  const mistakes = step ? step.mistakes : 0;
  const so_far = mistakes === null ? "" : `Mistakes so far: ${mistakes}. `;
  const theory = found.bound
    ? `The best line has the margin γ = ${num(found.gamma)}, and the longest point R = ${num(found.radius)}, each with the constant 1 of the bias: a perceptron makes at most (R/γ)² = ${num(Math.floor(found.bound))} mistakes, however long it goes on.`
    : "No line that separates the labels was found, so that nothing bounds the mistakes of a perceptron.";
  $("bound").textContent = so_far + theory;
}

const stepper = new Stepper(show);
const how = new How(() => asking.ask());
const asking = new Asking("plane", () => ({ points, ...how.value }), (answer) => {
  found = answer;
  stepper.set(answer.steps);
});

function load() {
  points = DATA[$("data").value].map((one) => [...one]);
  chosen = -1;
  changed();
}

frame();
$("plane").addEventListener("pointerdown", press);
$("plane").addEventListener("pointermove", drag);
$("data").addEventListener("change", load);
$("add").addEventListener("click", () => add(5, 5));
$("flip").addEventListener("click", () => flip(chosen));
$("remove").addEventListener("click", () => remove(chosen));
load();
