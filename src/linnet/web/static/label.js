// Labelling by keys: a key is label, save and next. Nothing is shown as saved before the server has said that it is on disk.

const $ = (id) => document.getElementById(id);
const RESERVED = "usnhpr";
const client = newId();
let screen = null; // what the server said last
let chosen = new Set(); // labels of a text that may have several
let busy = false;
let hinted = localStorage.getItem("linnet-guess") === "shown";

function newId() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function element(name, content = "", attributes = {}) {
  const made = document.createElement(name);
  made.append(...[content].flat());
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function say(text, wrong = false) {
  $("said").textContent = text;
  $("said").classList.toggle("wrong", wrong);
}

async function ask(path, body) {
  const response = await fetch(`/api/v1/label/${path}`, body && {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ by: $("by").value.trim(), client, ...body }),
  });
  const found = await response.json();
  if (!response.ok) throw Object.assign(new Error(found.error), { refused: true });
  return found;
}

// A request that is not answered is sent again with the same id, which the server keeps once.
async function surely(path, body) {
  for (;;) {
    try {
      return await ask(path, body);
    } catch (error) {
      if (error.refused) throw error;
      say("Not saved yet: the server does not answer. Trying again …", true);
      await new Promise((go) => setTimeout(go, 1000));
    }
  }
}

async function send(path, body, said) {
  if (busy) return;
  busy = true;
  document.body.toggleAttribute("data-busy", true);
  try {
    draw(await surely(path, body));
    say(said);
  } catch (error) {
    say(error.message, true);
  } finally {
    busy = false;
    document.body.toggleAttribute("data-busy", false);
  }
}

const event = (kind, more, said) => send("event", { event: kind, id: newId(), ...more }, said);
const row = () => screen.shown.row;

function answer(labels) {
  if (screen?.shown) event("answer", { row: row(), labels }, `Saved: ${labels.join(", ") || "no label"}`);
}

function choose(label) {
  if (!screen?.shown) return;
  if (!screen.task.several) return answer([label]);
  if (!chosen.delete(label)) chosen.add(label);
  if (!screen.labels.includes(label)) screen.labels.push(label);
  drawLabels();
}

function keysOf(labels) {
  const keys = new Map(labels.slice(0, 9).map((label, i) => [String(i + 1), label]));
  const first = (label) => label[0].toLowerCase();
  for (const label of labels) {
    const letter = first(label);
    const alone = labels.filter((other) => first(other) === letter).length === 1;
    if (alone && /\p{L}/u.test(letter) && !RESERVED.includes(letter)) keys.set(letter, label);
  }
  return keys;
}

function drawLabels() {
  const wanted = $("search").value.trim().toLowerCase();
  const shown = screen.labels.filter((label) => label.toLowerCase().includes(wanted));
  const keys = keysOf(screen.labels);
  const before = screen.shown?.labels ?? [];
  $("labels").replaceChildren(
    ...shown.map((label) => {
      const own = [...keys].filter(([, name]) => name === label).map(([key]) => element("kbd", key));
      const pressed = screen.task.several ? chosen.has(label) : before.includes(label);
      const button = element("button", [...own, own.length ? " " : "", label], {
        type: "button", "aria-pressed": pressed, dir: "auto",
      });
      button.onclick = () => choose(label);
      return button;
    }),
  );
  const fresh = $("search").value.trim();
  if (fresh && screen.task.grows && !screen.labels.includes(fresh)) {
    const button = element("button", `Add “${fresh}”`, { type: "button" });
    button.onclick = () => take(fresh);
    $("labels").append(button);
  }
  for (const button of $("labels").children) button.disabled = !screen.shown;
}

function take(label) {
  $("search").value = "";
  $("search").blur();
  choose(label);
}

const percent = (share) => `${(100 * share).toFixed(1)}%`;
const WHY = {
  "held-out": "drawn at random, to measure: never learned from",
  random: "drawn at random", uncertain: "the model is least sure of this one",
  "seed-words": "has a seed word", again: "shown again",
};

function draw(found) {
  screen = found;
  const { shown, accuracy, task } = found;
  chosen = new Set(shown?.labels ?? []);
  $("text").textContent = shown ? shown.text : "All texts are labelled. Download the answers or the model.";
  $("text").scrollTop = 0;
  $("why").textContent = shown ? `Text ${shown.row + 1}: ${WHY[shown.why]}` : "";
  const guess = shown?.guess;
  $("guess").textContent = hinted && guess ? `The model’s guess: ${guess.join(", ") || "no label"}` : "";
  $("notes").replaceChildren(...(shown?.notes ?? []).map((note) => element("li", note, { dir: "auto" })));
  $("search").value = "";
  $("save").hidden = !task.several;
  $("undo").disabled = !found.undo;
  $("skip").disabled = $("noting").disabled = $("save").disabled = !shown;
  $("count").textContent = `${found.answered.toLocaleString()} of ${found.texts.toLocaleString()} texts, ${found.own.toLocaleString()} by you`;
  $("bar").value = found.texts ? found.answered / found.texts : 0;
  $("accuracy").textContent = accuracy.n
    ? `Right on ${accuracy.right} of ${accuracy.n} held-out texts: ${percent(accuracy.right / accuracy.n)}, between ${percent(accuracy.low)} and ${percent(accuracy.high)}`
    : "No held-out answers to measure by yet.";
  $("hint").setAttribute("aria-pressed", hinted);
  drawLabels();
  if (!$("search").matches(":focus")) $("text").focus({ preventScroll: true });
}

function table(head, rows) {
  const body = rows.map((cells) => element("tr", cells.map((cell) => element("td", cell, { dir: "auto" }))));
  return element("table", [element("thead", element("tr", head.map((name) => element("th", name, { scope: "col" })))), element("tbody", body)]);
}

async function look(path, drawn) {
  say("Working …");
  try {
    $("more").replaceChildren(...drawn(await ask(path)));
    $("more").focus();
    say("");
  } catch (error) {
    say(error.message ?? "The server does not answer.", true);
  }
}

const curve = (found) => [
  element("h2", "Learning curve"),
  element("p", found.advice),
  table(["answers learned from", "held-out accuracy", "interval"], found.curve.map(({ answers, held_out: held }) => [
    String(answers), percent(held.n ? held.right / held.n : 0), `${percent(held.low)} – ${percent(held.high)}`,
  ])),
  element("p", "Held-out texts are drawn at random and never learned from. What another order of the texts would have given cannot be known from one labelling; on sentences of reviews, the order by uncertainty was measured to lose to random order.", { class: "dim" }),
];

function again(number) {
  const button = element("button", String(number + 1), { type: "button", "aria-label": `Show text ${number + 1}` });
  button.onclick = () => {
    send("show", { row: number }, "");
    scrollTo(0, 0);
  };
  return button;
}

const reviewed = ({ doubts, said, agreement, differ }) => [
  element("h2", "Suspected mistakes"),
  ...(doubts.length
    ? [table(["text", "answer", "rather", "what it says"], doubts.map((one) => [again(one.row), one.label, one.suggested, one.text.slice(0, 200)]))]
    : [element("p", said || "None was found.")]),
  element("h2", "Agreement"),
  element("p", agreement.n
    ? `${agreement.n} texts have several answers; Krippendorff’s alpha is ${agreement.alpha === null ? "not defined" : agreement.alpha.toFixed(3)}.`
    : "No text has answers of several annotators yet."),
  ...(agreement.pairs.length
    ? [table(["", "", "Cohen’s kappa", "texts"], agreement.pairs.map((pair) => [pair.one || "(no name)", pair.other || "(no name)", pair.kappa === null ? "not defined" : pair.kappa.toFixed(3), String(pair.n)]))]
    : []),
  ...(differ.length
    ? [element("h2", "Answers that differ"), table(["text", "answers", "what it says"], differ.map((one) => [again(one.row), Object.entries(one.answers).map(([by, labels]) => `${by || "(no name)"}: ${labels.join(", ")}`).join("; "), one.text.slice(0, 200)]))]
    : []),
];

const ACTIONS = {
  u: () => event("undo", {}, "Taken back"),
  s: () => screen?.shown && event("skip", { row: row() }, "Skipped"),
  n: () => openNote(true),
  h: () => {
    hinted = !hinted;
    localStorage.setItem("linnet-guess", hinted ? "shown" : "hidden");
    if (screen) draw(screen);
  },
  p: () => look("progress", curve),
  r: () => look("review", reviewed),
};

function openNote(open) {
  $("writing").hidden = !open;
  $("noting").setAttribute("aria-expanded", open);
  if (open) $("note").focus();
  else $("text").focus();
}

addEventListener("keydown", (key) => {
  const typing = key.target.matches("input, textarea");
  if (key.key === "Escape") {
    openNote(false);
    $("search").value = "";
    if (screen) drawLabels();
    return key.target.blur();
  }
  if (typing || key.altKey || key.repeat) return;
  const name = key.key.toLowerCase();
  if (key.ctrlKey || key.metaKey) {
    if (name !== "z") return;
    key.preventDefault();
    return ACTIONS.u();
  }
  if (name === "/") {
    key.preventDefault();
    return $("search").focus();
  }
  if (name === "enter" && screen?.task.several && !key.target.matches("button, a")) return answer([...chosen]);
  const label = screen && keysOf(screen.labels).get(name);
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
$("save").onclick = () => answer([...chosen]);
$("search").oninput = () => screen && drawLabels();
$("finding").onsubmit = (submitted) => {
  submitted.preventDefault();
  const wanted = $("search").value.trim();
  const exact = screen.labels.find((label) => label.toLowerCase() === wanted.toLowerCase());
  const like = screen.labels.filter((label) => label.toLowerCase().includes(wanted.toLowerCase()));
  const label = exact ?? (like.length === 1 ? like[0] : screen.task.grows && !like.length ? wanted : null);
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
  localStorage.setItem("linnet-name", $("by").value.trim());
  send("next", {}, "");
};
send("next", {}, "");
