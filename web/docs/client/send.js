/** Sends the requests of the API reference: with a key, or as the account that is signed in to the dashboard. */

const KEY = "rondo-docs-key";
const inputs = document.querySelectorAll('[data-send] input[name="key"]');
// Kept until the tab is closed, and nowhere else.
for (const input of inputs) {
  input.value = sessionStorage.getItem(KEY) ?? "";
  input.addEventListener("change", () => {
    sessionStorage.setItem(KEY, input.value);
    for (const other of inputs) other.value = input.value;
  });
}

async function send(form) {
  const { path, body, key } = form.elements;
  const { method } = form.dataset;
  const headers = { accept: "application/json" };
  if (key.value) headers.authorization = `Bearer ${key.value.trim()}`;
  const sent = body?.value ?? (method === "GET" ? undefined : "{}");
  if (sent !== undefined) headers["content-type"] = "application/json";
  const started = performance.now();
  const response = await fetch(`/api/v1${path.value.trim()}`, {
    method,
    headers,
    body: sent,
    credentials: "same-origin",
  });
  const text = await response.text();
  const time = Math.round(performance.now() - started);
  let shown = text;
  try {
    shown = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Not JSON: shown as it is.
  }
  return `${response.status} ${response.statusText} · ${time} ms\n\n${shown}`;
}

for (const form of document.querySelectorAll("[data-send]"))
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    const output = form.querySelector("pre");
    button.disabled = true;
    try {
      output.textContent = await send(form);
    } catch {
      output.textContent = "The service did not answer.";
    }
    output.hidden = false;
    button.disabled = false;
  });
