-- Chunks of films that are being rendered, which any worker may render. They end with the task of their film.
CREATE TABLE chunk_task (
    render_id   KEY_TEXT NOT NULL REFERENCES task (render_id) ON DELETE CASCADE,
    name        KEY_TEXT NOT NULL,
    file        BIGINT NOT NULL,
    number      BIGINT NOT NULL,
    frames      BIGINT NOT NULL,
    state       KEY_TEXT NOT NULL,
    owner       TEXT,
    lease_until BIGINT,
    started_at  BIGINT,
    elapsed     BIGINT,
    failures    BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (render_id, name)
);
CREATE INDEX chunk_task_by_state ON chunk_task (state, render_id, file, number);

-- Finished chunks in the bucket, found by films that need them again.
CREATE TABLE kept_chunk (
    name    KEY_TEXT PRIMARY KEY,
    bytes   BIGINT NOT NULL,
    used_at BIGINT NOT NULL
);
CREATE INDEX kept_chunk_by_use ON kept_chunk (used_at);

-- Claims look at the accounts with renders that are ready, and then at the first of these, however long the queue is.
CREATE INDEX task_by_turn ON task (state, account_id, render_id);
