-- Everything the service keeps. Times are Unix milliseconds, money thousandths of a credit, flags 0 or 1.

CREATE TABLE account (
    id            KEY_TEXT PRIMARY KEY,
    email         TEXT NOT NULL,
    email_key     TEXT NOT NULL UNIQUE,
    name          TEXT NOT NULL,
    plan          TEXT NOT NULL,
    balance       BIGINT NOT NULL CHECK (balance >= 0),
    password_hash TEXT,
    created_at    BIGINT NOT NULL
);

CREATE TABLE api_key (
    id           KEY_TEXT PRIMARY KEY,
    account_id   KEY_TEXT NOT NULL REFERENCES account (id),
    prefix       KEY_TEXT NOT NULL,
    hash         KEY_TEXT NOT NULL UNIQUE,
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT,
    revoked_at   BIGINT
);
CREATE INDEX api_key_by_account ON api_key (account_id, id);
CREATE INDEX api_key_by_prefix ON api_key (prefix);

CREATE TABLE credit_transaction (
    id              KEY_TEXT PRIMARY KEY,
    account_id      KEY_TEXT NOT NULL REFERENCES account (id),
    type            TEXT NOT NULL,
    status          TEXT NOT NULL,
    credits         BIGINT NOT NULL,
    amount_in_cents BIGINT NOT NULL,
    currency        TEXT NOT NULL,
    created_at      BIGINT NOT NULL
);
CREATE INDEX credit_transaction_by_account ON credit_transaction (account_id, id);

-- One row for each movement of a balance. `ref` names what moved it, `step` which part of it:
-- a render is held once and closed once, because the pair is the key.
CREATE TABLE ledger (
    ref        KEY_TEXT NOT NULL,
    step       KEY_TEXT NOT NULL,
    account_id KEY_TEXT NOT NULL REFERENCES account (id),
    kind       TEXT NOT NULL,
    amount     BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (ref, step)
);
CREATE INDEX ledger_by_account ON ledger (account_id, created_at);

CREATE TABLE ai_usage (
    id         KEY_TEXT PRIMARY KEY,
    account_id KEY_TEXT NOT NULL REFERENCES account (id),
    kind       TEXT NOT NULL,
    amount     BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX ai_usage_by_account ON ai_usage (account_id, created_at);

CREATE TABLE template (
    id                 KEY_TEXT PRIMARY KEY,
    account_id         KEY_TEXT REFERENCES account (id),
    name               TEXT NOT NULL,
    description        TEXT NOT NULL,
    category           TEXT NOT NULL,
    credits_per_minute BIGINT NOT NULL,
    composition        TEXT NOT NULL,
    is_public          BIGINT NOT NULL,
    created_at         BIGINT NOT NULL,
    updated_at         BIGINT NOT NULL
);
CREATE INDEX template_by_account ON template (account_id);

CREATE TABLE template_grant (
    template_id KEY_TEXT NOT NULL REFERENCES template (id) ON DELETE CASCADE,
    account_id  KEY_TEXT NOT NULL REFERENCES account (id),
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (template_id, account_id)
);
CREATE INDEX template_grant_by_account ON template_grant (account_id);

CREATE TABLE project (
    id                 KEY_TEXT PRIMARY KEY,
    account_id         KEY_TEXT NOT NULL REFERENCES account (id),
    name               TEXT NOT NULL,
    description        TEXT,
    composition        TEXT NOT NULL,
    template_id        KEY_TEXT,
    credits_per_minute BIGINT NOT NULL,
    created_at         BIGINT NOT NULL,
    updated_at         BIGINT NOT NULL
);
CREATE INDEX project_by_account ON project (account_id, id);

CREATE TABLE render (
    id                 KEY_TEXT PRIMARY KEY,
    account_id         KEY_TEXT NOT NULL REFERENCES account (id),
    project_id         KEY_TEXT,
    template_id        KEY_TEXT,
    mode               TEXT NOT NULL,
    status             TEXT NOT NULL,
    progress           BIGINT NOT NULL,
    credits            BIGINT NOT NULL,
    width              BIGINT NOT NULL,
    height             BIGINT NOT NULL,
    fps                BIGINT NOT NULL,
    duration_in_frames BIGINT NOT NULL,
    input_props        TEXT NOT NULL,
    output             TEXT,
    metadata           TEXT,
    webhook_url        TEXT,
    draft              BIGINT NOT NULL,
    output_file        TEXT,
    output_size        BIGINT,
    error_message      TEXT,
    created_at         BIGINT NOT NULL,
    updated_at         BIGINT NOT NULL,
    started_at         BIGINT,
    completed_at       BIGINT
);
CREATE INDEX render_by_account ON render (account_id, id);
CREATE INDEX render_by_day ON render (account_id, created_at);
CREATE INDEX render_by_output_age ON render (completed_at) WHERE output_file IS NOT NULL;

-- A render that is not final has one task: waiting (over the plan's concurrency), ready or running.
CREATE TABLE task (
    render_id   KEY_TEXT PRIMARY KEY REFERENCES render (id),
    account_id  KEY_TEXT NOT NULL REFERENCES account (id),
    state       KEY_TEXT NOT NULL,
    fence       BIGINT NOT NULL,
    owner       TEXT,
    lease_until BIGINT,
    ready_at    BIGINT NOT NULL,
    attempts    BIGINT NOT NULL,
    crashes     BIGINT NOT NULL,
    failures    BIGINT NOT NULL
);
CREATE INDEX task_by_state ON task (state, ready_at);
CREATE INDEX task_by_account ON task (account_id, state);

CREATE TABLE webhook (
    id            KEY_TEXT PRIMARY KEY,
    account_id    KEY_TEXT NOT NULL REFERENCES account (id),
    url           TEXT NOT NULL,
    secret        TEXT NOT NULL,
    events        TEXT NOT NULL,
    is_active     BIGINT NOT NULL,
    failures      BIGINT NOT NULL,
    failing_since BIGINT,
    created_at    BIGINT NOT NULL
);
CREATE INDEX webhook_by_account ON webhook (account_id, id);

-- The outbox of events: due, sending (under a lease), delivered or failed.
CREATE TABLE delivery (
    id          KEY_TEXT PRIMARY KEY,
    account_id  KEY_TEXT NOT NULL REFERENCES account (id),
    webhook_id  KEY_TEXT REFERENCES webhook (id) ON DELETE CASCADE,
    render_id   KEY_TEXT,
    event       TEXT NOT NULL,
    url         TEXT NOT NULL,
    body        TEXT NOT NULL,
    state       KEY_TEXT NOT NULL,
    fence       BIGINT NOT NULL,
    owner       TEXT,
    lease_until BIGINT,
    due_at      BIGINT NOT NULL,
    attempts    BIGINT NOT NULL,
    created_at  BIGINT NOT NULL,
    finished_at BIGINT
);
CREATE INDEX delivery_by_state ON delivery (state, due_at);
CREATE INDEX delivery_by_webhook ON delivery (webhook_id, id);

CREATE TABLE delivery_attempt (
    delivery_id KEY_TEXT NOT NULL REFERENCES delivery (id) ON DELETE CASCADE,
    number      BIGINT NOT NULL,
    at          BIGINT NOT NULL,
    status      BIGINT,
    error       TEXT,
    ms          BIGINT NOT NULL,
    response    TEXT,
    PRIMARY KEY (delivery_id, number)
);

CREATE TABLE upload (
    id           KEY_TEXT PRIMARY KEY,
    account_id   KEY_TEXT NOT NULL REFERENCES account (id),
    content_type TEXT NOT NULL,
    size         BIGINT,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL,
    completed_at BIGINT
);
CREATE INDEX upload_by_age ON upload (created_at);

CREATE TABLE preview (
    id          KEY_TEXT PRIMARY KEY,
    account_id  KEY_TEXT NOT NULL REFERENCES account (id),
    composition TEXT NOT NULL,
    film        TEXT,
    created_at  BIGINT NOT NULL,
    expires_at  BIGINT NOT NULL
);
CREATE INDEX preview_by_expiry ON preview (expires_at);

CREATE TABLE idempotency (
    account_id  KEY_TEXT NOT NULL REFERENCES account (id),
    key         KEY_TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    owner       TEXT NOT NULL,
    started_at  BIGINT NOT NULL,
    status      BIGINT,
    body        TEXT,
    PRIMARY KEY (account_id, key)
);
CREATE INDEX idempotency_by_age ON idempotency (started_at);

-- Keys the service signs with, made at its first start.
CREATE TABLE secret (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
