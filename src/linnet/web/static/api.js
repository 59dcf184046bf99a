// Asking the server. An error is an Error with the sentence that the server said.

export const SILENT = "The server does not answer. Is it still running?";

const reached = (address, request) => fetch(address, request).catch(() => {
  throw new Error(SILENT);
});

async function answered(response) {
  const body = await response.json().catch(() => ({ error: "the server sent no answer that can be read." }));
  if (!response.ok) throw new Error(body.error || `the server said ${response.status}.`);
  return body;
}

const path = (model, question) => `/api/v1/models/${encodeURIComponent(model)}/${question}`;

export async function post(address, body) {
  const headers = { "Content-Type": "application/json" };
  return answered(await reached(address, { method: "POST", headers, body: JSON.stringify(body) }));
}

export const get = async (address) => answered(await reached(address));

export const ask = (model, question, body) => post(path(model, question), body);

export async function models() {
  return (await get("/api/v1/models")).models;
}

export async function features(model, query) {
  return get(`${path(model, "features")}?${new URLSearchParams(query)}`);
}

export async function upload(model, file) {
  const ending = (file.name.toLowerCase().match(/(\.[a-z0-9]{1,10}){1,2}$/) || [".txt"])[0];
  const address = `${path(model, "upload")}?${new URLSearchParams({ ending })}`;
  const response = await reached(address, { method: "POST", body: file });
  if (!response.ok) return answered(response);
  const named = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") || "");
  return { blob: await response.blob(), name: named ? named[1] : "answers.txt" };
}

export const styleOf = (model) => path(model, "style.css");
