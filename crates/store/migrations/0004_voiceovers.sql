-- AI values of a render that are still to be made: variables with what is asked for them.
ALTER TABLE render ADD COLUMN speech TEXT;

-- Narrations made for an account. The sound is a file, which accounts that ask for the same words share.
CREATE TABLE voiceover (
    id          KEY_TEXT PRIMARY KEY,
    account_id  KEY_TEXT NOT NULL REFERENCES account (id),
    file        KEY_TEXT NOT NULL,
    language    TEXT NOT NULL,
    duration_ms BIGINT NOT NULL,
    words       TEXT NOT NULL,
    used_at     BIGINT NOT NULL,
    UNIQUE (account_id, file)
);
CREATE INDEX voiceover_by_file ON voiceover (file);
CREATE INDEX voiceover_by_age ON voiceover (used_at);
