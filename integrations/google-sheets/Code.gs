/**
 * Makes a film of every row of a sheet with a Rondo service, and writes the status and the address of each film into its row.
 * The first row holds the names of the variables of the template. Functions that end with _ are not in the menu.
 *
 * @OnlyCurrentDoc
 */

/** Columns that the script writes. It adds those that the sheet lacks. */
const COLUMNS = { status: "Status", film: "Film", render: "Render" };
/** Rows of one batch. */
const MOST_ROWS = 1000;
const FIELDS = "jobId,status,progressPercentage,outputUrl,errorMessage";

function onOpen() {
  SpreadsheetApp.getUi()
    .createMenu("Rondo")
    .addItem("Render new rows", "renderRows")
    .addItem("Update statuses", "updateRows")
    .addSeparator()
    .addItem("Settings…", "askSettings")
    .addToUi();
}

/** The key belongs to the person, everything else to the document. */
function askSettings() {
  const ui = SpreadsheetApp.getUi();
  const ask = (store, name, question) => {
    const before =
      name === "apiKey" ? "" : `\n\nNow: ${store.getProperty(name) || "–"}. Leave the field empty to keep it.`;
    const answer = ui.prompt("Rondo", question + before, ui.ButtonSet.OK_CANCEL);
    if (answer.getSelectedButton() !== ui.Button.OK) return false;
    const text = answer.getResponseText().trim();
    if (text) store.setProperty(name, text);
    return true;
  };
  const own = PropertiesService.getDocumentProperties();
  return (
    ask(own, "url", "Address of the service, such as https://video.example.com") &&
    ask(
      PropertiesService.getUserProperties(),
      "apiKey",
      "Your API key. Leave the field empty to keep the one you have.",
    ) &&
    ask(own, "templateId", "Id of the template") &&
    ask(own, "output", 'File options as JSON, such as {"format": "gif", "scale": 0.5}')
  );
}

/** Starts a batch with the rows that have no status. */
function renderRows() {
  const lock = LockService.getDocumentLock();
  if (!lock.tryLock(1000)) return say_("The rows are already being sent.");
  try {
    const table = table_(SpreadsheetApp.getActiveSheet());
    const rows = newRows_(table);
    if (!rows.length) return say_("No row is new: rows with a status are done.");
    const created = createBatch_(table, rows);
    rows.forEach(({ row }, at) => {
      table.write(row, "render", created.jobIds[at]);
      table.write(row, "status", "Waiting");
    });
    table.save();
    openBatches_([...openBatches_(), { batchId: created.batchId, sheetId: table.sheet.getSheetId() }]);
    follow_();
    say_(`${rows.length} films for ${created.creditsUsed} credits are under way.`);
  } finally {
    lock.releaseLock();
  }
}

/** Writes what has become of the renders under way. A trigger calls it every minute until all have ended. */
function updateRows() {
  const lock = LockService.getDocumentLock();
  if (!lock.tryLock(1000)) return;
  try {
    const sheets = SpreadsheetApp.getActiveSpreadsheet().getSheets();
    const open = openBatches_().filter(({ batchId, sheetId }) => {
      const sheet = sheets.find((it) => it.getSheetId() === sheetId);
      return sheet && !updateBatch_(table_(sheet), batchId);
    });
    openBatches_(open);
    if (!open.length) unfollow_();
  } finally {
    lock.releaseLock();
  }
}

/** The rows to render: those without a status that have a value for a variable of the template. */
function newRows_(table) {
  const { templateId } = settings_();
  const { variables } = call_("get", `/templates/${encodeURIComponent(templateId)}/variables`);
  const names = variables.map(({ name }) => name).filter((name) => table.columnOf(name) >= 0);
  if (!names.length) {
    const wanted = variables.map(({ name }) => name).join(", ");
    throw new Error(`The first row names no variable of ${templateId}. It has these: ${wanted}.`);
  }
  const rows = table.rows.map((cells, row) => ({
    row,
    replacements: Object.fromEntries(
      names.map((name) => [name, cells[table.columnOf(name)]]).filter(([, value]) => value !== ""),
    ),
  }));
  return rows
    .filter(({ row, replacements }) => !table.read(row, "status") && Object.keys(replacements).length > 0)
    .slice(0, MOST_ROWS);
}

/** All rows are accepted, or none: then the rows that are wrong say why. */
function createBatch_(table, rows) {
  const { templateId, output } = settings_();
  const body = { templateId, sets: rows.map(({ replacements }) => ({ replacements })) };
  if (output) body.output = output;
  // The key stays the same until a batch was created: a request that is sent again after a broken connection starts no second one.
  const own = PropertiesService.getDocumentProperties();
  const count = Number(own.getProperty("count") || 0);
  try {
    const key = digest_(`${table.sheet.getSheetId()} ${count} ${JSON.stringify(body)}`);
    const created = call_("post", "/renders/batch", body, { "Idempotency-Key": key });
    own.setProperty("count", String(count + 1));
    return created;
  } catch (error) {
    for (const { path, message } of error.issues || []) {
      const found = /^sets\[(\d+)\]/.exec(path);
      if (found) table.write(rows[Number(found[1])].row, "status", `Error: ${message}`);
    }
    table.save();
    throw error;
  }
}

/** Writes the renders of a batch into their rows, which may have moved. Returns whether all have ended. */
function updateBatch_(table, batchId) {
  const rowOf = new Map(table.rows.map((_, row) => [table.read(row, "render"), row]));
  let page;
  let cursor = "";
  do {
    page = call_(
      "get",
      `/batches/${batchId}?limit=100&fields=${FIELDS}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    for (const { jobId, status, progressPercentage, outputUrl, errorMessage } of page.renders) {
      const row = rowOf.get(jobId);
      if (row === undefined) continue;
      const shown = {
        PENDING: "Waiting",
        PROCESSING: `${progressPercentage} %`,
        COMPLETED: "Done",
        FAILED: `Error: ${errorMessage}`,
      };
      table.write(row, "status", shown[status]);
      if (outputUrl) table.write(row, "film", outputUrl);
    }
    cursor = page.nextCursor;
  } while (cursor);
  table.save();
  return page.status === "COMPLETED";
}

/** The cells of a sheet below its first row, as they are shown. `save` writes only the columns of the script. */
function table_(sheet) {
  const width = Math.max(sheet.getLastColumn(), 1);
  const names = sheet
    .getRange(1, 1, 1, width)
    .getDisplayValues()[0]
    .map((name) => name.trim());
  while (names.length && !names[names.length - 1]) names.pop();
  for (const name of Object.values(COLUMNS))
    if (!names.includes(name)) {
      names.push(name);
      sheet.getRange(1, names.length).setValue(name);
    }
  const height = sheet.getLastRow() - 1;
  const rows = height > 0 ? sheet.getRange(2, 1, height, names.length).getDisplayValues() : [];
  const columnOf = (name) => names.indexOf(name);
  return {
    sheet,
    rows,
    columnOf,
    read: (row, column) => rows[row][columnOf(COLUMNS[column])],
    write: (row, column, value) => {
      rows[row][columnOf(COLUMNS[column])] = value;
    },
    save: () => {
      for (const name of Object.values(COLUMNS)) {
        const at = columnOf(name);
        if (rows.length) sheet.getRange(2, at + 1, rows.length, 1).setValues(rows.map((cells) => [cells[at]]));
      }
    },
  };
}

function settings_() {
  const own = PropertiesService.getDocumentProperties();
  const url = (own.getProperty("url") || "").replace(/\/+$/, "");
  const apiKey = PropertiesService.getUserProperties().getProperty("apiKey");
  const templateId = own.getProperty("templateId");
  if (!url || !apiKey || !templateId) throw new Error("Choose Rondo, Settings… first.");
  const output = own.getProperty("output");
  return { url, apiKey, templateId, output: output ? JSON.parse(output) : null };
}

/** Sends a request and returns the `data` of the answer. */
function call_(method, path, body, headers) {
  const { url, apiKey } = settings_();
  const options = { method, headers: { Authorization: `Bearer ${apiKey}`, ...headers }, muteHttpExceptions: true };
  if (body) Object.assign(options, { contentType: "application/json", payload: JSON.stringify(body) });
  const response = UrlFetchApp.fetch(`${url}/api/v1${path}`, options);
  let answer;
  try {
    answer = JSON.parse(response.getContentText());
  } catch {
    throw new Error(`${url} answered ${response.getResponseCode()}, without JSON.`);
  }
  if (answer.success) return answer.data;
  const error = new Error(answer.error);
  error.issues = answer.details?.issues;
  throw error;
}

/** The batches that have not ended: with a value, it is stored. */
function openBatches_(batches) {
  const own = PropertiesService.getDocumentProperties();
  if (batches) own.setProperty("batches", JSON.stringify(batches));
  return batches || JSON.parse(own.getProperty("batches") || "[]");
}

const triggers_ = () => ScriptApp.getProjectTriggers().filter((it) => it.getHandlerFunction() === "updateRows");

function follow_() {
  if (!triggers_().length) ScriptApp.newTrigger("updateRows").timeBased().everyMinutes(1).create();
}

function unfollow_() {
  for (const trigger of triggers_()) ScriptApp.deleteTrigger(trigger);
}

function digest_(text) {
  const bytes = Utilities.computeDigest(Utilities.DigestAlgorithm.SHA_256, text, Utilities.Charset.UTF_8);
  return bytes.map((byte) => (byte & 255).toString(16).padStart(2, "0")).join("");
}

function say_(text) {
  SpreadsheetApp.getActiveSpreadsheet().toast(text, "Rondo");
}
