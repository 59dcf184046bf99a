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

function likeChildren(place, wanted) {
  let here = place.firstChild;
  for (const child of [...wanted.childNodes]) {
    const next = here?.nextSibling;
    if (!here) place.append(child);
    else if (here.nodeName !== child.nodeName) here.replaceWith(child);
    else if (!here.isEqualNode(child)) like(here, child);
    here = next;
  }
  while (here) {
    const next = here.nextSibling;
    here.remove();
    here = next;
  }
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
