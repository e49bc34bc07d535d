// Stand-ins for the objects of Google that an Apps Script uses: a sheet in memory, and requests that are really sent.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import vm from "node:vm";

/** Sends a request in another process, because Apps Script waits for the answer. */
const SENDER = `
let text = "";
for await (const part of process.stdin) text += part;
const { url, ...init } = JSON.parse(text);
const response = await fetch(url, init);
process.stdout.write(JSON.stringify({ status: response.status, body: await response.text() }));`;

function fetchNow(url, { method = "get", headers, contentType, payload }) {
  const sent = { url, method: method.toUpperCase(), headers: { ...headers }, body: payload };
  if (contentType) sent.headers["content-type"] = contentType;
  const run = ["--input-type=module", "-e", SENDER];
  const { status, body } = JSON.parse(
    execFileSync(process.execPath, run, { input: JSON.stringify(sent), encoding: "utf8" }),
  );
  return { getResponseCode: () => status, getContentText: () => body };
}

class Sheet {
  constructor(cells) {
    this.cells = cells;
  }
  getSheetId = () => 7;
  getLastRow = () => this.cells.length;
  getLastColumn = () => Math.max(...this.cells.map((row) => row.length));
  getRange(row, column, height = 1, width = 1) {
    const rows = Array.from({ length: height }, (_, at) => row - 1 + at);
    const columns = Array.from({ length: width }, (_, at) => column - 1 + at);
    return {
      getDisplayValues: () => rows.map((y) => columns.map((x) => String(this.cells[y]?.[x] ?? ""))),
      setValues: (values) => {
        if (values.length !== height || values.some((it) => it.length !== width))
          throw new Error("The values do not fit.");
        for (const [i, y] of rows.entries()) for (const [j, x] of columns.entries()) this.cells[y][x] = values[i][j];
      },
      setValue: (value) => {
        this.cells[row - 1][column - 1] = value;
      },
    };
  }
}

const properties = (values) => ({
  getProperty: (name) => values.get(name) ?? null,
  setProperty: (name, value) => values.set(name, value),
});

/** Loads a script for a sheet. `calls` holds its functions; `afterFetch` is called with the address of each request that was answered. */
export function loadScript(path, cells) {
  const sheet = new Sheet(cells);
  const state = { sheet, triggers: [], toasts: [], menu: [], answers: [], afterFetch: () => {} };
  const document = new Map();
  const user = new Map();
  const menu = {
    addItem: (title, name) => {
      state.menu.push([title, name]);
      return menu;
    },
    addSeparator: () => menu,
    addToUi: () => {},
  };
  const Button = { OK: "ok", CANCEL: "cancel" };
  const spreadsheet = { getSheets: () => [sheet], toast: (text) => state.toasts.push(text) };
  const globals = {
    SpreadsheetApp: {
      getActiveSheet: () => sheet,
      getActiveSpreadsheet: () => spreadsheet,
      getUi: () => ({
        Button,
        ButtonSet: { OK_CANCEL: "ok-cancel" },
        createMenu: () => menu,
        prompt: () => {
          const text = state.answers.shift();
          return {
            getSelectedButton: () => (text === undefined ? Button.CANCEL : Button.OK),
            getResponseText: () => text,
          };
        },
      }),
    },
    PropertiesService: { getDocumentProperties: () => properties(document), getUserProperties: () => properties(user) },
    LockService: { getDocumentLock: () => ({ tryLock: () => true, releaseLock: () => {} }) },
    ScriptApp: {
      getProjectTriggers: () => [...state.triggers],
      deleteTrigger: (trigger) => state.triggers.splice(state.triggers.indexOf(trigger), 1),
      newTrigger: (name) => ({
        timeBased: () => ({
          everyMinutes: () => ({ create: () => state.triggers.push({ getHandlerFunction: () => name }) }),
        }),
      }),
    },
    UrlFetchApp: {
      fetch: (url, options) => {
        const response = fetchNow(url, options);
        state.afterFetch(url, options);
        return response;
      },
    },
    Utilities: {
      DigestAlgorithm: { SHA_256: "sha256" },
      Charset: { UTF_8: "utf8" },
      // Bytes are signed, as in Java.
      computeDigest: (name, text) => [...new Int8Array(createHash(name).update(text).digest())],
    },
  };
  state.calls = vm.createContext(globals);
  vm.runInContext(readFileSync(path, "utf8"), state.calls, { filename: path });
  return { ...state, state, document, user };
}
