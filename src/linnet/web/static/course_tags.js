// The trellis of the Viterbi algorithm over a sentence, and weights that can be changed by hand.
import { $, el } from "./elements.js";
import { Asking, How, draw, num } from "./course.js";

const COLUMN = 112;
const ROW = 62;
const LEFT = 84;
const TOP = 34;

let found = null;
let at = null; // the word and the tag whose score is explained
let changes = new Map(); // weights that were set by hand: [kind, row, tag, weight], keyed by the first three

const x = (t) => LEFT + COLUMN * t + COLUMN / 2;
const y = (k) => TOP + ROW * k + ROW / 2;
const percent = (p) => `${(100 * p).toFixed(p > 0.0995 && p < 0.9995 ? 0 : 1)}%`;

function show(answer) {
  found = answer;
  at = at ?? [Math.min(2, found.words.length - 1), path()[Math.min(2, found.words.length - 1)]];
  at = [Math.min(at[0], found.words.length - 1), Math.min(at[1], found.tags.length - 1)];
  trellis();
  explain();
  sequences();
  weights();
}

function path() {
  return found.best[0].tags.map((tag) => found.tags.indexOf(tag));
}

function trellis() {
  const { words, tags, score, back, marginals, probable } = found;
  const best = path();
  const parts = words.map((word, t) => draw("text", { class: "word", x: x(t), y: 20, "text-anchor": "middle" }, word.length > 12 ? `${word.slice(0, 11)}…` : word));
  parts.push(...tags.map((tag, k) => draw("text", { class: "tag", x: 8, y: y(k) + 5 }, tag.length > 9 ? `${tag.slice(0, 8)}…` : tag)));
  const edges = words.flatMap((_, t) => tags.map((_, k) => [t, k, back[t][k]])).filter(([, , a]) => a >= 0);
  const order = edges.sort((one, other) => is_best(best, one) - is_best(best, other));
  parts.push(...order.map(([t, k, a]) => draw("line", { class: is_best(best, [t, k, a]) ? "edge best" : "edge", x1: x(t - 1) + 34, y1: y(a), x2: x(t) - 34, y2: y(k) })));
  words.forEach((_, t) => tags.forEach((tag, k) => parts.push(node(t, k, tag, score[t][k], best[t] === k, probable ? marginals[t][k] : null))));
  const focused = $("trellis").contains(document.activeElement);
  $("trellis").setAttribute("viewBox", `0 0 ${LEFT + COLUMN * words.length + 8} ${TOP + ROW * tags.length}`);
  $("trellis").setAttribute("width", LEFT + COLUMN * words.length + 8);
  $("trellis").replaceChildren(...parts);
  if (focused) $(`n${at[0]}-${at[1]}`).focus();
}

const is_best = (best, [t, k, a]) => Number(best[t] === k && best[t - 1] === a);

function node(t, k, tag, value, best, p) {
  const chosen = at[0] === t && at[1] === k;
  const label = `${found.words[t]} as ${tag}: ${num(value)}${p === null ? "" : `, probability ${percent(p)}`}${best ? ", on the best path" : ""}`;
  const made = draw("g", { id: `n${t}-${k}`, class: `node${best ? " best" : ""}${chosen ? " chosen" : ""}`, role: "button", tabindex: chosen ? 0 : -1, "aria-label": label, transform: `translate(${x(t)} ${y(k)})` });
  made.append(draw("rect", { class: "paper", x: -34, y: -22, width: 68, height: 44, rx: 8 }));
  if (p !== null) made.append(draw("rect", { class: "share", x: -34, y: -22, width: 68, height: 44, rx: 8, "fill-opacity": (0.45 * p).toFixed(3) }));
  made.append(draw("rect", { class: "box", x: -34, y: -22, width: 68, height: 44, rx: 8 }));
  made.append(draw("text", { "text-anchor": "middle", y: p === null ? 5 : -2 }, num(Number(value?.toFixed(2)))));
  if (p !== null) made.append(draw("text", { class: "small", "text-anchor": "middle", y: 15 }, percent(p)));
  made.addEventListener("click", () => choose(t, k));
  return made;
}

function choose(t, k) {
  at = [Math.max(0, Math.min(found.words.length - 1, t)), Math.max(0, Math.min(found.tags.length - 1, k))];
  trellis();
  $(`n${at[0]}-${at[1]}`).focus();
  explain();
  weights();
}

function key(event) {
  const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (!move) return;
  event.preventDefault();
  choose(at[0] + move[0], at[1] + move[1]);
}

// How the score of a cell comes about: the best of all tags before it.
function explain() {
  const [t, k] = at;
  const { words, tags, theta, score, back, pairs } = found;
  const own = num(theta[t][k]);
  $("cell-title").textContent = `${words[t]} as ${tags[k]}`;
  if (t === 0) {
    $("cell").textContent = `This is the first word: v(1, ${tags[k]}) = θ(${tags[k]}) = ${own}.`;
    $("ways").replaceChildren();
    return;
  }
  $("cell").textContent = `v(${t + 1}, ${tags[k]}) = max over the tag before + θ(${tags[k]}) = ${num(score[t][k] - theta[t][k])} + ${own} = ${num(score[t][k])}. The way from ${tags[back[t][k]]} is the best, and the back pointer keeps it.`;
  $("ways").replaceChildren(
    ...tags.map((tag, a) =>
      el("tr", { class: back[t][k] === a ? "y" : "" }, el("td", {}, tag), el("td", { class: "n" }, num(score[t - 1][a])), el("td", { class: "n" }, num(pairs[a][k])), el("td", { class: "n" }, num(score[t - 1][a] + pairs[a][k]))),
    ),
  );
}

function sequences() {
  const { best, before, words } = found;
  $("best").replaceChildren(...best.map((one) => el("tr", {}, el("td", { class: "n" }, num(one.score)), ...one.tags.map((tag, t) => el("td", { class: tag !== best[0].tags[t] ? "against" : "" }, tag)))));
  $("best-head").replaceChildren(el("th", { scope: "col", class: "n" }, "score"), ...words.map((word) => el("th", { scope: "col", dir: "auto" }, word)));
  const moved = words.filter((_, t) => before.tags[t] !== best[0].tags[t]);
  const n = changes.size;
  const said = n ? `${n === 1 ? "One weight was" : `${n} weights were`} set by hand: ` + (moved.length ? `${moved.join(", ")} ${moved.length === 1 ? "has another tag" : "have other tags"} now. As learned, the tags were ${before.tags.join(" ")}.` : "the best sequence is the same as before.") : "The weights are as they were learned. Change one below, and see what becomes of the best sequence.";
  $("changed").textContent = said;
  $("reset").disabled = n === 0;
}

// The weights that the chosen cell depends on: those of the features of its word, and of pairs of tags. The fields
// are made anew only where these change, so that one that is being typed in is kept.
function weights() {
  const [t] = at;
  $("features-title").textContent = `Features of “${found.words[t]}”`;
  const key = JSON.stringify([t, found.words, found.tags, found.features[t].map((one) => one.name)]);
  if ($("features").dataset.key === key) {
    update();
    return;
  }
  $("features").dataset.key = key;
  const { tags, features } = found;
  const head = (first) => el("thead", {}, el("tr", {}, el("th", { scope: "col" }, first), ...tags.map((tag) => el("th", { scope: "col", class: "n" }, tag))));
  $("features").replaceChildren(head("feature"), el("tbody", {}, ...features[t].map((one, j) => line("token", one.name, (k) => found.features[t][j].weights[k]))));
  $("pairs").replaceChildren(head("after"), el("tbody", {}, ...tags.map((tag, a) => line("pair", tag, (k) => found.pairs[a][k]))));
  update();
}

function line(kind, name, value) {
  return el("tr", {}, el("th", { scope: "row" }, name), ...found.tags.map((tag, k) => el("td", { class: "n" }, field(kind, name, tag, () => value(k)))));
}

function field(kind, name, tag, value) {
  const what = kind === "pair" ? `${tag} after ${name}` : `${name} for ${tag}`;
  const made = el("input", { type: "number", step: "any", min: -100, max: 100, "aria-label": `Weight of ${what}` });
  made.show = () => {
    if (document.activeElement !== made) made.value = Number(value().toFixed(2));
    made.classList.toggle("moved", changes.has([kind, name, tag].join("\n")));
  };
  made.addEventListener("input", () => {
    const id = [kind, name, tag].join("\n");
    if (made.value === "" || Math.abs(Number(made.value)) > 100) return;
    changes.set(id, [kind, name, tag, Number(made.value)]);
    asking.ask();
  });
  made.addEventListener("blur", () => made.show());
  return made;
}

function update() {
  for (const one of document.querySelectorAll("#features input, #pairs input")) one.show();
}

const lines = () => $("sentences").value.split("\n").map((one) => one.trim()).filter(Boolean);
const how = new How(() => asking.ask());
const body = () => ({ sentences: lines(), sentence: $("sentence").value, changes: [...changes.values()], ...how.value });
const asking = new Asking("tags", body, show);

$("trellis").addEventListener("keydown", key);
$("reset").addEventListener("click", () => {
  changes = new Map();
  asking.ask();
});
for (const id of ["sentence", "sentences"]) $(id).addEventListener("input", () => asking.ask());
asking.ask();
