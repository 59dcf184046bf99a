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

export function written(answer) {
  if (answer === null || answer === undefined) return "–";
  if (Array.isArray(answer)) return answer.map(written).join(answer.some(Array.isArray) ? " | " : " ");
  return typeof answer === "object" ? Object.values(answer).map(written).join(" ") : String(answer);
}
