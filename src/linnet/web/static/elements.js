// Elements of the page. What comes from people is always text, never HTML.

export const $ = (id) => document.getElementById(id);

export function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "class") made.className = value;
    else if (value !== false && value !== undefined) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

// Give an element the content of some HTML, and change only what differs: what stays as it is need not be laid out anew.
export function become(place, html) {
  const made = document.createElement("template");
  made.innerHTML = html;
  likeChildren(place, made.content);
}

// Where a word was typed into a text or taken out of it, all that is behind it stays: it is found from the end.
function likeChildren(place, wanted) {
  const [here, there] = [[...place.childNodes], [...wanted.childNodes]];
  const least = here.length === there.length ? 0 : Math.min(here.length, there.length);
  let behind = 0;
  while (behind < least && here[here.length - 1 - behind].isEqualNode(there[there.length - 1 - behind])) behind += 1;
  const [old, fresh] = [here.length - behind, there.length - behind];
  for (let k = 0; k < fresh; k += 1) {
    if (k >= old) place.insertBefore(there[k], here[old] ?? null);
    else if (here[k].nodeName !== there[k].nodeName) here[k].replaceWith(there[k]);
    else if (!here[k].isEqualNode(there[k])) like(here[k], there[k]);
  }
  for (let k = fresh; k < old; k += 1) here[k].remove();
}

function like(node, wanted) {
  if (!(node instanceof Element)) {
    node.data = wanted.data;
    return;
  }
  for (const { name, value } of wanted.attributes) if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  if (node.attributes.length > wanted.attributes.length) {
    for (const { name } of [...node.attributes]) if (!wanted.hasAttribute(name)) node.removeAttribute(name);
  }
  likeChildren(node, wanted);
}

export function options(select, names, chosen = 0) {
  select.replaceChildren(...names.map((name, i) => el("option", { value: i, selected: i === chosen }, name)));
  select.value = String(chosen);
}

export const signed = (x, digits = 3) => `${x < 0 ? "−" : "+"}${Math.abs(x).toFixed(digits)}`;

export function fail(error) {
  $("fault").textContent = error ? error.message : "";
}

// A sentence in one line, for lists.
export const short = (text, n = 80) => (text.length > n ? `${text.slice(0, n - 1)}…` : text);

const isLink = (part) => Array.isArray(part) && part.length === 2 && part.every(Number.isInteger);

// An answer in one line; links between tokens as pairs of their numbers.
export function written(answer) {
  if (answer === null || answer === undefined) return "–";
  if (Array.isArray(answer) && answer.length && answer.every(isLink)) return answer.map((link) => link.join("-")).join(" ");
  if (Array.isArray(answer)) return answer.map(written).join(answer.some(Array.isArray) ? " | " : " ");
  return typeof answer === "object" ? Object.values(answer).map(written).join(" ") : String(answer);
}
