-- Buckets of accounts that finished films are copied to. `credentials` is encrypted JSON.
CREATE TABLE destination (
    id          KEY_TEXT PRIMARY KEY,
    account_id  KEY_TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    name        KEY_TEXT NOT NULL,
    url         TEXT NOT NULL,
    endpoint    TEXT,
    region      TEXT,
    credentials TEXT NOT NULL,
    created_at  BIGINT NOT NULL
);
CREATE UNIQUE INDEX destination_by_name ON destination (account_id, name);

-- The outbox of copies: due, copying (under a lease), copied or failed. `urls` is a JSON list of the copies that were
-- made, `error` is why the last attempt failed.
CREATE TABLE render_copy (
    render_id      KEY_TEXT PRIMARY KEY REFERENCES render (id) ON DELETE CASCADE,
    account_id     KEY_TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    destination_id KEY_TEXT,
    state          KEY_TEXT NOT NULL,
    fence          BIGINT NOT NULL,
    owner          TEXT,
    lease_until    BIGINT,
    due_at         BIGINT NOT NULL,
    attempts       BIGINT NOT NULL,
    urls           TEXT NOT NULL,
    error          TEXT,
    created_at     BIGINT NOT NULL,
    finished_at    BIGINT
);
CREATE INDEX render_copy_by_state ON render_copy (state, due_at);
CREATE INDEX render_copy_by_destination ON render_copy (destination_id, state);
