// Labelling by keys. What differs between tasks is in one module for each way in which an example is drawn.
import { $, el } from "./elements.js";
import { Arcs } from "./label_arcs.js";
import { ask, newId, surely } from "./label_asking.js";
import { Brackets } from "./label_brackets.js";
import { Candidates } from "./label_candidates.js";
import { Choices } from "./label_choices.js";
import { Links } from "./label_links.js";
import { curve, percent, reviewed } from "./label_more.js";
import { Tags } from "./label_tags.js";

const DRAWN = { arcs: Arcs, brackets: Brackets, candidates: Candidates, choices: Choices, links: Links, tags: Tags };
const RESERVED = "usnhpr"; // the keys of ACTIONS, which no label gets
let screen = null; // what the server said last
let drawn = null; // what draws the example and knows its answer
let busy = false;
let finding = null; // a promise of the rest of the answer, while the server predicts it anew

const by = () => $("by").value.trim();
const row = () => screen.shown.row;
const labels = () => screen.kind.labels;

function say(text, wrong = false) {
  $("said").textContent = text;
  $("said").classList.toggle("wrong", wrong);
}

async function send(path, body, said) {
  if (busy) return;
  busy = true;
  document.body.toggleAttribute("data-busy", true);
  try {
    draw(await surely(path, body, by(), () => say("Not saved yet: the server does not answer. Trying again …", true)));
    say(said);
  } catch (error) {
    say(error.message, true);
  } finally {
    busy = false;
    document.body.toggleAttribute("data-busy", false);
  }
}

const event = (kind, more, said) => send("event", { event: kind, id: newId(), ...more }, said);

function save(answer) {
  if (screen?.shown && answer) event("answer", { row: row(), answer }, `Saved: ${drawn.said(answer)}`);
}

// Whether the guess of the model is shown. Answers of many parts are filled in with it, unless people turn that off. Where
// an answer takes one key it is hidden, unless people turn it on, so that it does not sway them.
const hintName = () => (screen.kind.prefilled ? "linnet-filled" : "linnet-guess");
const hinted = () => (localStorage.getItem(hintName()) ?? (screen.kind.prefilled ? "shown" : "hidden")) === "shown";

const host = {
  area: $("text"),
  say,
  save,
  changed: () => screen && drawLabels(),
  again: (answer, fixed) => (finding = foundAgain(answer, fixed)),
};

async function foundAgain(answer, fixed) {
  try {
    return (await ask("again", { row: row(), answer, fixed }, by())).answer;
  } catch {
    return null; // What people have corrected stays as it is.
  }
}

// Save the answer as it is drawn, when the rest of it has been predicted anew.
async function finish() {
  await finding;
  save(drawn.answer());
}

function choose(label) {
  if (!screen?.shown) return;
  if (!labels().includes(label)) labels().push(label);
  drawn.choose(label);
}

function keysOf(names) {
  const keys = new Map(names.slice(0, 9).map((label, i) => [String(i + 1), label]));
  const first = (label) => label[0].toLowerCase();
  for (const label of names) {
    const letter = first(label);
    const alone = names.filter((other) => first(other) === letter).length === 1;
    if (alone && /\p{L}/u.test(letter) && !RESERVED.includes(letter)) keys.set(letter, label);
  }
  return keys;
}

function drawLabels() {
  const wanted = $("search").value.trim().toLowerCase();
  const names = labels().filter((label) => label.toLowerCase().includes(wanted));
  const keys = keysOf(labels());
  const buttons = names.map((label) => {
    const own = [...keys].filter(([, name]) => name === label).map(([key]) => el("kbd", {}, key));
    const pressed = Boolean(screen.shown) && drawn.pressed(label);
    const tint = screen.kind.prefilled ? `tint-${labels().indexOf(label) % 8}` : "";
    const button = el("button", { type: "button", class: tint, "aria-pressed": String(pressed), dir: "auto" }, ...own, own.length ? " " : "", label);
    button.onclick = () => choose(label);
    return button;
  });
  const fresh = $("search").value.trim();
  if (fresh && screen.kind.grows && !labels().includes(fresh)) {
    const button = el("button", { type: "button" }, `Add “${fresh}”`);
    button.onclick = () => take(fresh);
    buttons.push(button);
  }
  for (const button of buttons) button.disabled = !screen.shown;
  $("labels").replaceChildren(...buttons);
}

function take(label) {
  $("search").value = "";
  $("search").blur();
  choose(label);
}

const WHY = {
  "held-out": "drawn at random, to measure: never learned from",
  random: "drawn at random", uncertain: "the model is least sure of this one",
  "seed-words": "has a seed word", again: "shown again",
};

function drawExample({ shown, kind }) {
  const guess = hinted() ? shown.guess : null;
  const filled = kind.prefilled && guess !== null && shown.answer === null;
  $("guess").textContent = filled
    ? "Filled in by the model: correct what is wrong."
    : guess && !kind.prefilled ? `The model’s guess: ${drawn.said(guess)}` : "";
  drawn.show(shown, kind, shown.answer ?? (kind.prefilled ? guess : null));
  $("help").textContent = drawn.help;
}

function draw(found) {
  screen = found;
  const { shown, accuracy, kind } = found;
  drawn ??= new DRAWN[kind.drawn](host);
  $("search").value = "";
  $("finding").hidden = !kind.grows && labels().length < 10;
  $("why").textContent = shown ? `Text ${shown.row + 1}: ${WHY[shown.why]}` : "";
  $("notes").replaceChildren(...(shown?.notes ?? []).map((note) => el("li", { dir: "auto" }, note)));
  if (shown) drawExample(found);
  else {
    $("text").textContent = "All texts are labelled. Download the answers or the model.";
    $("guess").textContent = $("help").textContent = "";
  }
  $("text").scrollTop = 0;
  $("labels").hidden = !shown;
  if (!shown) $("finding").hidden = true;
  $("search").placeholder = labels().length ? "" : "There are no labels yet: type the first one, and press Enter";
  $("save").hidden = !shown || !drawn.needsSaving;
  $("undo").disabled = !found.undo;
  $("skip").disabled = $("noting").disabled = $("save").disabled = !shown;
  $("count").textContent = `${found.answered.toLocaleString()} of ${found.texts.toLocaleString()} texts, ${found.own.toLocaleString()} by you`;
  $("bar").value = found.texts ? found.answered / found.texts : 0;
  $("accuracy").textContent = accuracy.n
    ? `On ${accuracy.n} held-out ${accuracy.n === 1 ? "text" : "texts"}: ${accuracy.measure} ${percent(accuracy.share)}, between ${percent(accuracy.low)} and ${percent(accuracy.high)}`
    : "No held-out answers to measure by yet.";
  $("hint").setAttribute("aria-pressed", String(hinted()));
  drawLabels();
  if (shown && !$("search").matches(":focus")) drawn.focus();
}

// Until the first text is there, say how far the model has come with the answers that are there already.
async function gettingReady() {
  for (;;) {
    await new Promise((go) => setTimeout(go, 300));
    if (screen) return;
    const { learned, answers } = await ask("ready").catch(() => ({ learned: 0, answers: 0 }));
    if (screen) return;
    const bar = el("progress", { "aria-label": "Answers learned from", max: answers || 1, value: answers ? learned : undefined });
    const far = answers ? `The model has learned from ${learned.toLocaleString("en")} of ${answers.toLocaleString("en")} answers that are there already.` : "";
    $("text").replaceChildren(el("p", {}, `Getting ready. ${far}`), bar);
  }
}

async function look(path, made) {
  say("Working …");
  try {
    $("more").replaceChildren(...made(await ask(path)));
    $("more").focus();
    say("");
  } catch (error) {
    say(error.refused ? error.message : "The server does not answer.", true);
  }
}

const ACTIONS = {
  u: () => event("undo", {}, "Taken back"),
  s: () => screen?.shown && event("skip", { row: row() }, "Skipped"),
  n: () => openNote(true),
  h: () => {
    localStorage.setItem(hintName(), hinted() ? "hidden" : "shown");
    if (screen) draw(screen);
  },
  p: () => look("progress", curve),
  r: () => look("review", reviewed((number) => send("show", { row: number }, ""))),
};

function openNote(open) {
  $("writing").hidden = !open;
  $("noting").setAttribute("aria-expanded", String(open));
  if (open) $("note").focus();
  else if (screen?.shown) drawn.focus();
}

addEventListener("keydown", (key) => {
  const typing = key.target.matches("input, textarea");
  if (key.key === "Escape") {
    openNote(false);
    $("search").value = "";
    if (screen) drawLabels();
    return;
  }
  const name = key.key.toLowerCase();
  if (typing || key.altKey) return;
  if (key.ctrlKey || key.metaKey) {
    if (name !== "z") return;
    key.preventDefault();
    return ACTIONS.u();
  }
  const onExample = key.target === document.body || $("text").contains(key.target);
  if (screen?.shown && drawn.key(key, name, onExample)) return key.preventDefault();
  if (key.repeat) return;
  if (name === "/") {
    key.preventDefault();
    return $("search").focus();
  }
  if (name === "enter" && screen?.shown && drawn.needsSaving && onExample) {
    key.preventDefault();
    return finish();
  }
  const label = screen && keysOf(labels()).get(name);
  if (label !== undefined && label !== null) {
    key.preventDefault();
    choose(label);
  } else if (ACTIONS[name]) {
    key.preventDefault();
    ACTIONS[name]();
  }
});

for (const [id, name] of [["undo", "u"], ["skip", "s"], ["hint", "h"], ["measure", "p"], ["review", "r"]]) $(id).onclick = ACTIONS[name];
$("noting").onclick = () => openNote($("writing").hidden);
$("save").onclick = finish;
$("search").oninput = () => screen && drawLabels();
$("finding").onsubmit = (submitted) => {
  submitted.preventDefault();
  const wanted = $("search").value.trim();
  const exact = labels().find((label) => label.toLowerCase() === wanted.toLowerCase());
  const like = labels().filter((label) => label.toLowerCase().includes(wanted.toLowerCase()));
  const label = exact ?? (like.length === 1 ? like[0] : screen.kind.grows && !like.length ? wanted : null);
  if (!wanted) return;
  if (label) take(label);
  else say(like.length ? "Several labels have these letters: type more of them." : "There is no such label.", true);
};
$("writing").onsubmit = (submitted) => {
  submitted.preventDefault();
  const note = $("note").value.trim();
  if (note && screen?.shown) event("note", { row: row(), note }, "Note kept");
  $("note").value = "";
  openNote(false);
};
$("by").value = localStorage.getItem("linnet-name") ?? "";
$("by").onchange = () => {
  localStorage.setItem("linnet-name", by());
  send("next", {}, "");
};
send("next", {}, "");
gettingReady();
