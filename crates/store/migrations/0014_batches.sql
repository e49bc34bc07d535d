-- Many renders that were asked for together. `unfinished` counts those that have not ended.
CREATE TABLE batch (
    id           KEY_TEXT PRIMARY KEY,
    account_id   KEY_TEXT NOT NULL REFERENCES account (id),
    template_id  KEY_TEXT,
    project_id   KEY_TEXT,
    total        BIGINT NOT NULL,
    unfinished   BIGINT NOT NULL,
    metadata     TEXT,
    webhook_url  TEXT,
    created_at   BIGINT NOT NULL,
    completed_at BIGINT
);
CREATE INDEX batch_by_account ON batch (account_id, id);

ALTER TABLE render ADD COLUMN batch_id KEY_TEXT;
ALTER TABLE render ADD COLUMN batch_index BIGINT;
CREATE INDEX render_by_batch ON render (batch_id, batch_index);
