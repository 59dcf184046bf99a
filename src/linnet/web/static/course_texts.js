// A few texts with labels, and what each of them does to the weights of its words.
import { $, el, signed } from "./elements.js";
import { Asking, How, Stepper, facts, kind, num, outcome } from "./course.js";

const DATA = {
  films: [["good film", "pos"], ["bad film", "neg"], ["good fine", "pos"], ["bad poor", "neg"]],
  noisy: [["good film", "pos"], ["bad film", "neg"], ["good fine", "pos"], ["bad poor", "neg"], ["good film", "neg"]],
  topics: [["goal match team", "sport"], ["vote party law", "politics"], ["share market price", "money"], ["team vote", "sport"], ["market law", "politics"], ["price goal", "money"]],
  lights: [["northred eastred", "broken"], ["northgreen eastred", "works"], ["northgreen eastred", "works"], ["northgreen eastred", "works"], ["northred eastgreen", "works"], ["northred eastgreen", "works"], ["northred eastgreen", "works"]],
};
const ASKED = { films: "good poor film", noisy: "good film", topics: "market team", lights: "northred eastred" };

let found = { steps: [], answer: null };

function row(text, label) {
  const field = (what, value, called, most) => {
    const made = el("input", { value, class: called, maxlength: most, autocomplete: "off", dir: "auto", "aria-label": what });
    made.addEventListener("input", () => asking.ask());
    return made;
  };
  const off = el("button", { type: "button", class: "plain", "aria-label": "Remove this text" }, "×");
  off.addEventListener("click", () => {
    const next = made.nextElementSibling ?? made.previousElementSibling;
    made.remove();
    renumber();
    next?.querySelector("button").focus();
    asking.ask();
  });
  const made = el("tr", {}, el("td", { class: "n dim" }), el("td", {}, field("Text", text, "said", 120)), el("td", {}, field("Label", label, "label", 24)), el("td", {}, off));
  return made;
}

function renumber() {
  [...$("rows").children].forEach((one, i) => {
    one.firstChild.textContent = String(i + 1);
    one.querySelector(".said").setAttribute("aria-label", `Text ${i + 1}`);
    one.querySelector(".label").setAttribute("aria-label", `Label of text ${i + 1}`);
  });
}

const values = (called) => [...$("rows").querySelectorAll(`.${called}`)].map((one) => one.value);

function load() {
  const name = $("data").value;
  $("rows").replaceChildren(...DATA[name].map(([text, label]) => row(text, label)));
  $("text").value = ASKED[name];
  renumber();
  asking.ask();
}

function show(step) {
  [...$("rows").children].forEach((one, i) => one.classList.toggle("seen", step?.example === i));
  $("said").textContent = step ? `Text ${step.example + 1}, “${step.x}”, has the label ${step.y}. ${outcome(step)}${stepper.ending(found.stopped)}` : "All weights are 0: every label scores the same.";
  const rows = step ? [["epoch", String(step.epoch)], ["y, ŷ", `${step.y}, ${step.y_hat ?? "–"}`, kind(step)]] : [];
  if (step && step.loss !== undefined) rows.push(["loss", num(step.loss)], ["τ", num(step.tau)]);
  facts($("facts"), rows);
  scores(step);
  weights(step);
}

// θ: the score of each label before the step, and r, which says where it should go.
function scores(step) {
  const chart = step?.charts?.[0];
  $("theta").hidden = !chart;
  if (!chart) return;
  const most = Math.max(1e-9, ...chart.rows.map(([, [cell]]) => Math.abs(cell.score)));
  $("theta-rows").replaceChildren(
    ...chart.rows.map(([label, [cell]]) =>
      el("tr", { class: [cell.y ? "y" : "", cell.y_hat ? "hat" : ""].join(" ") }, el("td", { dir: "auto" }, label), el("td", { class: "n" }, num(cell.score)), el("td", { class: "bar" }, bar(cell.score / most)), el("td", { class: "n" }, cell.r ? num(cell.r) : "0")),
    ),
  );
}

function bar(share) {
  const made = el("i", { class: share < 0 ? "against" : "for" });
  made.style.width = `${100 * Math.min(1, Math.abs(share))}%`;
  return made;
}

// The weights after the step that is shown: all changes up to it, one after the other, as the trace has them.
function weights(step) {
  const table = new Map();
  const labels = [...new Set(values("label").map((one) => one.trim()))].filter(Boolean).sort();
  let counts = false;
  for (const one of stepper.steps.slice(0, stepper.at)) {
    for (const change of one.changes?.[0]?.largest ?? []) {
      counts = one.changes[0].name === "count";
      if (!table.has(change.row)) table.set(change.row, new Map());
      table.get(change.row).set(change.outcome, change);
    }
  }
  const moved = new Set((step?.changes?.[0]?.largest ?? []).map((change) => `${change.row}\n${change.outcome}`));
  $("weights-title").textContent = counts ? "Counts after this step" : "Weights after this step";
  $("no-weights").hidden = table.size > 0;
  const order = [...table.keys()].sort((a, b) => (b === "bias") - (a === "bias") || a.localeCompare(b));
  $("weights").replaceChildren(
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "feature"), ...labels.map((label) => el("th", { scope: "col", class: "n", dir: "auto" }, label)))),
    el("tbody", {}, ...order.map((name) => el("tr", {}, el("th", { scope: "row", dir: "auto" }, name), ...labels.map((label) => cell(table.get(name).get(label), moved.has(`${name}\n${label}`)))))),
  );
  $("weights").hidden = table.size === 0;
}

function cell(change, moved) {
  if (!change) return el("td", { class: "n dim" }, "0");
  if (!moved) return el("td", { class: "n" }, num(change.after));
  const up = change.after > change.before;
  return el("td", { class: `n moved ${up ? "for" : "against"}` }, el("small", {}, `${num(change.before)} → `), el("b", {}, num(change.after)));
}

function answered(answer) {
  const place = $("answer");
  if (!answer) {
    place.replaceChildren(el("p", { class: "dim" }, "Type a text to see its label by the weights that were learned in the end."));
    return;
  }
  const rows = answer.words.map((one) => el("tr", {}, el("td", { dir: "auto" }, one.word), el("td", { class: "n" }, num(one.value)), el("td", { class: `n ${one.adds < 0 ? "against" : "for"}` }, signed(one.adds))));
  const bias = el("tr", { class: "dim" }, el("td", {}, "bias"), el("td", {}), el("td", { class: "n" }, signed(answer.bias)));
  const head = el("tr", {}, el("th", { scope: "col" }, "word"), el("th", { scope: "col", class: "n" }, "times"), el("th", { scope: "col", class: "n" }, `for ${answer.label}`));
  place.replaceChildren(
    el("p", {}, "ŷ = ", el("b", { dir: "auto" }, answer.label), answer.score ? `, ahead of ${answer.against} by ${num(answer.score)}: the sum of what its words add.` : `, tied with ${answer.against}: the first label wins.`),
    el("table", {}, el("thead", {}, head), el("tbody", {}, ...rows, bias)),
  );
}

const stepper = new Stepper(show);
const how = new How(() => asking.ask());
const body = () => ({ texts: values("said"), labels: values("label"), text: $("text").value, ...how.value });
const asking = new Asking("texts", body, (answer) => {
  found = answer;
  stepper.set(found.steps);
  answered(found.answer);
});

$("data").addEventListener("change", load);
$("text").addEventListener("input", () => asking.ask());
$("add").addEventListener("click", () => {
  $("rows").append(row("", ""));
  renumber();
  $("rows").lastChild.querySelector("input").focus();
});
load();
