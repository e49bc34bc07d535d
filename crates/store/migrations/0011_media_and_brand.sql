-- The media page: what an upload is called, what a narration says, and when it was made.
ALTER TABLE upload ADD COLUMN name TEXT;
ALTER TABLE voiceover ADD COLUMN text TEXT;
ALTER TABLE voiceover ADD COLUMN created_at BIGINT NOT NULL DEFAULT 0;
UPDATE voiceover SET created_at = used_at;

-- The logo, colours and fonts of an account, as JSON.
CREATE TABLE brand (
    account_id KEY_TEXT PRIMARY KEY REFERENCES account (id),
    kit        TEXT NOT NULL,
    updated_at BIGINT NOT NULL
);
