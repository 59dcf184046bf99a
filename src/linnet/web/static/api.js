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

// Ask with a body. The whole answer comes in one event; with `fetch`, its head and its body are two, and a frame that is
// painted between them delays the second one.
export function post(address, body) {
  const request = new XMLHttpRequest();
  request.open("POST", address);
  request.setRequestHeader("Content-Type", "application/json");
  return new Promise((done, refused) => {
    request.onerror = () => refused(new Error(SILENT));
    request.onload = () => {
      try {
        const found = JSON.parse(request.responseText);
        if (request.status < 400) done(found);
        else refused(new Error(found.error || `the server said ${request.status}.`));
      } catch {
        refused(new Error("the server sent no answer that can be read."));
      }
    };
    request.send(JSON.stringify(body));
  });
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
