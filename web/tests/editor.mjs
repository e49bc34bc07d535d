// Films in the editor, for tests.

/** The edit that adds a text; also usable as the overlay's fields for `createFilm`. */
export const addText = (id, content) => ({
  op: "add",
  overlay: {
    id,
    type: "text",
    from: 0,
    durationInFrames: 60,
    row: id,
    left: 100,
    top: 100 * id,
    width: 600,
    height: 90,
    rotation: 0,
    content,
    styles: { fontSize: "64px", color: "#ffffff" },
  },
});

/** Sends a request from the page. Returns the data of the response. */
export const post = (page, path, body) =>
  page.evaluate(
    async ([address, content]) => {
      const headers = { "content-type": "application/json" };
      const response = await fetch(address, { method: "POST", headers, body: JSON.stringify(content) });
      const { data, error } = await response.json();
      if (!data) throw new Error(error);
      return data;
    },
    [path, body],
  );

/** Saves a film of 90 frames as a project. Returns its id. */
export async function createFilm(page, edits, fields = {}) {
  const overlays = edits.map(({ op: _, overlay, ...changed }) => ({ ...overlay, ...changed }));
  const composition = { width: 1280, height: 720, fps: 30, durationInFrames: 90, ...fields, overlays };
  return (await post(page, "/api/v1/projects", { name: "Test film", composition })).id;
}

export async function openFilm(page, id, url = "") {
  await page.goto(`${url}/edit/${id}`);
  await page.waitForFunction(() => window.rondo?.editor);
  await page.getByRole("button", { name: "Undo", exact: true }).waitFor();
}

/** The film as the service has it. */
export const readFilm = (page, id) =>
  page.evaluate(async (path) => (await (await fetch(path)).json()).data, `/api/v1/projects/${id}`);

/** Calls a function in the page with the editor and an argument. */
export const editorOf = (page, act, argument) =>
  page.evaluate(`(${act})(window.rondo.editor, ${JSON.stringify(argument ?? null)})`);

export const waitForStatus = (page, text) =>
  page.waitForFunction((wanted) => document.querySelector("header [role=status]")?.textContent === wanted, text);
