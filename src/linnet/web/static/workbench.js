// The workbench: a model, a text, its answer, and what to ask and to teach.
import { ask, models, styleOf, upload } from "./api.js";
import { Answer } from "./answer.js";
import { $, el, fail, options } from "./elements.js";
import { Features } from "./features.js";
import { Teaching } from "./teaching.js";
import { Watching } from "./watching.js";

const EXAMPLES = {
  align: "the house is small ||| das Haus ist klein",
  rerank: "one candidate on each line\nanother candidate",
};

const watching = new Watching();
const features = new Features();
const answer = new Answer((text, best) => teaching.refresh(text, best));
const teaching = new Teaching(watching, (saved) => changed(saved));
let known = [];

function chosen() {
  return known[Number($("model").value) || 0];
}

async function fill(name) {
  known = await models();
  options($("model"), known.map((one) => one.name), Math.max(0, known.findIndex((one) => one.name === name)));
}

function facts(model) {
  const n = model.labels.length;
  return `${model.task}, ${model.learner}, ${n.toLocaleString("en")} label${n === 1 ? "" : "s"}, ${model.n_features.toLocaleString("en")} features`;
}

async function turnTo(model) {
  $("facts").textContent = facts(model);
  $("facts").title = model.features;
  $("text").placeholder = EXAMPLES[model.task] || "a text";
  $("find-removal").hidden = !["labels", "labelset", "hierarchy", "ordinal", "ranking"].includes(model.task);
  $("removal").hidden = true;
  await styled(model);
  teaching.of(model);
  answer.of(model.name);
  features.of(model.name);
  await watching.of(model.name);
}

// Load the style sheet of the explanations of a model, in the place of the one before.
function styled(model) {
  const link = el("link", { rel: "stylesheet", href: styleOf(model.name), id: "task-style" });
  return new Promise((done) => {
    link.addEventListener("load", done);
    link.addEventListener("error", done);
    document.getElementById("task-style")?.remove();
    document.head.insertBefore(link, document.querySelector("link[href$='web.css']"));
  });
}

async function changed(saved) {
  const { name } = chosen();
  await fill(name);
  $("facts").textContent = facts(chosen());
  teaching.model = chosen();
  if (saved) return;
  answer.of(name);
  features.of(name);
}

async function showRemoval() {
  const text = $("text").value;
  if (!text.trim()) return;
  fail(null);
  const place = $("removal");
  place.hidden = false;
  place.replaceChildren(el("p", { class: "dim" }, "Trying …"));
  try {
    const found = await ask(chosen().name, "removal", { text });
    place.replaceChildren(...removalParts(text, found));
    place.scrollIntoView({ block: "nearest" }); // On a narrow page it is far below the button.
  } catch (error) {
    place.hidden = true;
    fail(error);
  }
}

function removalParts(text, { answer: before, removal }) {
  if (!removal) return [el("p", {}, `No removal of words changes the answer ${before}.`)];
  const letters = [...text];
  const shown = el("p", { class: "text", dir: "auto" });
  let at = 0;
  for (const { start, end } of removal.words) {
    shown.append(letters.slice(at, start).join(""), el("del", {}, letters.slice(start, end).join("")));
    at = end;
  }
  shown.append(letters.slice(at).join(""));
  const n = removal.words.length;
  const head = el("h2", {}, `Without ${n === 1 ? "this word" : `these ${n} words`}: ${removal.answer}`);
  return [head, shown, el("p", { class: "dim" }, "This was checked by removing them.")];
}

async function sendFile(event) {
  event.preventDefault();
  const file = $("file").files[0];
  $("uploaded").textContent = "Answering …";
  try {
    const { blob, name } = await upload(chosen().name, file);
    const link = el("a", { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    $("uploaded").textContent = `${name}: ${blob.size.toLocaleString("en")} bytes`;
  } catch (error) {
    $("uploaded").textContent = error.message;
  }
}

$("model").addEventListener("change", () => turnTo(chosen()).catch(fail));
$("find-removal").addEventListener("click", showRemoval);
$("text").addEventListener("input", () => ($("removal").hidden = true));
$("upload").addEventListener("submit", sendFile);
fill("").then(() => turnTo(chosen())).catch(fail);
