/**
 * What the examples of the operations send, and the methods of the clients that send it. An operation that the clients lack is shown with
 * `fetch` and `httpx`.
 *
 * `ids` fills in the path, `query` and `body` are sent. `ts` and `python` are the method and its arguments, as they are written in the
 * language: `$ID` and `$OTHER` stand for the first and the second id, `$QUERY` and `$BODY` for what is sent, `$BODY.name` for a field of it.
 * Methods with `isSilent` return nothing. `curl` replaces the command made from the row.
 */

export const FILM = {
  width: 640,
  height: 360,
  durationInFrames: 45,
  backgroundColor: "#0f172a",
  overlays: [
    {
      id: 1,
      type: "text",
      row: 0,
      from: 0,
      durationInFrames: 45,
      left: 40,
      top: 120,
      width: 560,
      height: 120,
      content: "Hello",
      styles: { fontSize: "96px", color: "#ffffff", textAlign: "center" },
    },
  ],
};
const TEMPLATE = { templateId: "tpl_quote_card", replacements: { quote: "Less is more." } };

export const EXAMPLES = {
  createRender: { body: TEMPLATE, ts: "renders.create($BODY)", python: "renders.create($BODY)" },
  listRenders: {
    query: { status: "COMPLETED", limit: 20 },
    ts: "renders.list($QUERY)",
    python: "renders.list($QUERY).first_page()",
  },
  getRender: { ids: ["job_123"], ts: "renders.get($ID)", python: "renders.get($ID)" },
  deleteRender: { ids: ["job_123"], ts: "renders.delete($ID)", python: "renders.delete($ID)" },
  cancelRender: { ids: ["job_123"], ts: "renders.cancel($ID)", python: "renders.cancel($ID)" },
  followRender: { ids: ["job_123"], ts: "renders.wait($ID)", python: "renders.wait($ID)" },
  createBatch: {
    body: {
      templateId: "tpl_quote_card",
      sets: [{ replacements: { quote: "Start small." } }, { replacements: { quote: "Keep going." } }],
    },
    ts: "batches.create($BODY)",
    python: "batches.create($BODY)",
  },
  getBatch: {
    ids: ["bat_123"],
    query: { fields: "jobId,status,outputUrl" },
    ts: "batches.get($ID, $QUERY)",
    python: "batches.get($ID, $QUERY)",
  },
  cancelBatch: { ids: ["bat_123"], ts: "batches.cancel($ID)", python: "batches.cancel($ID)" },
  createPreview: { body: TEMPLATE, ts: "previews.create($BODY)", python: "previews.create($BODY)" },
  createImport: {
    body: {
      from: "shotstack",
      document: {
        timeline: { tracks: [{ clips: [{ asset: { type: "title", text: "Hello" }, start: 0, length: 3 }] }] },
        output: { format: "mp4", resolution: "hd" },
      },
    },
    ts: "import($BODY)",
    // `from` is a word of the language.
    python: "import_film(**$BODY)",
  },
  listTemplates: { query: { limit: 50 }, ts: "templates.list($QUERY)", python: "templates.list($QUERY).first_page()" },
  createTemplate: {
    body: { projectId: "prj_123", name: "Welcome" },
    ts: "templates.publish($BODY)",
    python: "templates.publish($BODY)",
  },
  updateTemplate: {
    ids: ["tpl_123"],
    body: { name: "Welcome, everyone" },
    ts: "templates.update($ID, $BODY)",
    python: "templates.update($ID, $BODY)",
  },
  deleteTemplate: {
    ids: ["tpl_123"],
    ts: "templates.unpublish($ID)",
    python: "templates.unpublish($ID)",
    isSilent: true,
  },
  listTemplateVariables: {
    ids: ["tpl_quote_card"],
    ts: "templates.variables($ID)",
    python: "templates.variables($ID)",
  },
  listProjects: {
    query: { search: "welcome" },
    ts: "projects.list($QUERY)",
    python: "projects.list($QUERY).first_page()",
  },
  createProject: {
    body: { name: "Welcome", composition: FILM },
    ts: "projects.create($BODY)",
    python: "projects.create($BODY)",
  },
  getProject: { ids: ["prj_123"], ts: "projects.get($ID)", python: "projects.get($ID)" },
  updateProject: {
    ids: ["prj_123"],
    body: { name: "Welcome, everyone" },
    ts: "projects.update($ID, $BODY)",
    python: "projects.update($ID, $BODY)",
  },
  deleteProject: { ids: ["prj_123"], ts: "projects.delete($ID)", python: "projects.delete($ID)", isSilent: true },
  duplicateProject: {
    ids: ["prj_123"],
    body: { name: "Welcome, again" },
    ts: "projects.duplicate($ID, $BODY.name)",
    python: "projects.duplicate($ID, $BODY)",
  },
  applyProjectEdits: {
    ids: ["prj_123"],
    body: { edits: [{ op: "set", id: 1, path: "content", value: "Bye" }], name: "Say bye" },
    ts: "projects.applyEdits($ID, $BODY.edits, { name: $BODY.name })",
    python: "projects.apply_edits($ID, $BODY)",
  },
  listProjectVersions: {
    ids: ["prj_123"],
    query: { limit: 20 },
    ts: "projects.versions($ID, $QUERY)",
    python: "projects.versions($ID, $QUERY).first_page()",
  },
  createProjectVersion: {
    ids: ["prj_123"],
    body: { name: "Before the summer" },
    ts: "projects.createVersion($ID, $BODY.name)",
    python: "projects.create_version($ID, $BODY)",
  },
  getProjectVersion: {
    ids: ["prj_123", "ver_123"],
    ts: "projects.getVersion($ID, $OTHER)",
    python: "projects.get_version($ID, $OTHER)",
  },
  restoreProjectVersion: {
    ids: ["prj_123", "ver_123"],
    ts: "projects.restoreVersion($ID, $OTHER)",
    python: "projects.restore_version($ID, $OTHER)",
  },
  listProjectVariables: { ids: ["prj_123"], ts: "projects.variables($ID)", python: "projects.variables($ID)" },
  createVoiceover: { body: { text: "Welcome to Rondo." }, ts: "ai.voiceover($BODY)", python: "ai.voiceover($BODY)" },
  createCaptions: {
    body: { url: "https://example.com/interview.mp3", language: "en" },
    ts: "ai.captions($BODY)",
    python: "ai.captions($BODY)",
  },
  listVoices: { ts: "ai.voices()", python: "ai.voices()" },
  createUpload: {
    body: { contentType: "image/png", name: "logo.png" },
    ts: "uploads.create($BODY)",
    python: "uploads.create($BODY)",
  },
  putUpload: {
    ids: ["upl_123"],
    curl: 'curl -X PUT "$UPLOAD_URL" -H "Content-Type: image/jpeg" --data-binary @photo.jpg',
    ts: 'uploads.put("photo.jpg")',
    python: 'uploads.put("photo.jpg")',
  },
  listUploads: {
    query: { kind: "all", limit: 20 },
    ts: "uploads.list($QUERY)",
    python: "uploads.list($QUERY).first_page()",
  },
  listFonts: { ts: "uploads.fonts()", python: "uploads.fonts()" },
  deleteUpload: { ids: ["upl_123"], ts: "uploads.delete($ID)", python: "uploads.delete($ID)", isSilent: true },
  listStockProviders: { ts: "stock.providers()", python: "stock.providers()" },
  searchStock: {
    query: { provider: "pexels", q: "golden hour", kind: "photo" },
    ts: "stock.search($QUERY)",
    python: "stock.search($QUERY)",
  },
  addStockItem: {
    body: { provider: "pexels", kind: "photo", id: "2014422" },
    ts: "stock.add($BODY)",
    python: "stock.add($BODY)",
  },
  getBrand: { ts: "brand.get()", python: "brand.get()" },
  setBrand: {
    body: { colors: [{ name: "Accent", value: "#7c3aed" }], fonts: { heading: "Outfit", body: "Inter" } },
    ts: "brand.set($BODY)",
    python: "brand.set($BODY)",
  },
  createWebhook: {
    body: { url: "https://example.com/hooks/rondo", events: ["render.completed"] },
    ts: "webhooks.create($BODY)",
    python: "webhooks.create($BODY)",
  },
  listWebhooks: { ts: "webhooks.list()", python: "webhooks.list()" },
  deleteWebhook: {
    query: { id: "whk_123" },
    ts: 'webhooks.delete("whk_123")',
    python: 'webhooks.delete("whk_123")',
    isSilent: true,
  },
  createDestination: {
    body: {
      name: "films",
      url: "s3://my-films/rondo",
      region: "eu-central-1",
      credentials: { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" },
    },
    ts: "destinations.create($BODY)",
    python: "destinations.create($BODY)",
  },
  listDestinations: { ts: "destinations.list()", python: "destinations.list()" },
  deleteDestination: {
    ids: ["films"],
    ts: "destinations.delete($ID)",
    python: "destinations.delete($ID)",
    isSilent: true,
  },
  listDeliveries: { ids: ["whk_123"], ts: "webhooks.deliveries($ID)", python: "webhooks.deliveries($ID)" },
  testWebhook: { ids: ["whk_123"], ts: "webhooks.test($ID)", python: "webhooks.test($ID)" },
  rotateWebhookSecret: { ids: ["whk_123"], ts: "webhooks.rotate($ID)", python: "webhooks.rotate($ID)" },
  updateWebhook: {
    ids: ["whk_123"],
    body: { events: ["render.completed", "render.failed"] },
    ts: "webhooks.update($ID, $BODY)",
    python: "webhooks.update($ID, $BODY)",
  },
  redeliver: {
    ids: ["whk_123", "del_123"],
    ts: "webhooks.redeliver($ID, $OTHER)",
    python: "webhooks.redeliver($ID, $OTHER)",
  },
  verifyKey: { ts: "account.verify()", python: "account.verify()" },
  getAccount: { ts: "account.get()", python: "account.get()" },
  getUsage: { query: { groupBy: "day" }, ts: "account.usage($QUERY)", python: "account.usage($QUERY)" },
  listTransactions: { ts: "account.transactions()", python: "account.transactions()" },
  listRegistry: { ids: ["animations"], ts: "registry($ID)", python: "registry($ID)" },
};
