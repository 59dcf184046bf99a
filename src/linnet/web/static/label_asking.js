// Asking the server of labelling. Nothing is shown as saved before the server has said that it is on disk.

export const newId = () => [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const client = newId();

// An answer of the server; an Error with its sentence, and `refused`, where it refuses.
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

// A request that is not answered is sent again with the same id, which the server keeps once.
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
