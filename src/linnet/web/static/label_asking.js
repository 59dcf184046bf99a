// Asking the server of labelling. Nothing is shown as saved before the server has said that it is on disk.

export const newId = () => [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const client = newId();

// The answer of the server. Where the server refuses, throw an Error with its sentence, whose `refused` is true.
export async function ask(path, body, by = "") {
  const response = await fetch(`/api/v1/label/${path}`, body && {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ by, client, ...body }),
  });
  const found = await response.json();
  if (!response.ok) throw Object.assign(new Error(found.error), { refused: true });
  return found;
}

// Ask until the server answers. A request that is sent again has the same id, and the server keeps it once.
export async function surely(path, body, by, waiting) {
  for (;;) {
    try {
      return await ask(path, body, by);
    } catch (error) {
      if (error.refused) throw error;
      waiting();
      await new Promise((go) => setTimeout(go, 1000));
    }
  }
}
