-- How many bytes are kept for an account: sums over these indexes.
ALTER TABLE upload ADD COLUMN declared_size BIGINT;
CREATE INDEX upload_by_account ON upload (account_id, id, size);
CREATE INDEX render_by_output ON render (account_id, output_size) WHERE output_file IS NOT NULL;
ALTER TABLE voiceover ADD COLUMN size BIGINT NOT NULL DEFAULT 0;
CREATE INDEX voiceover_by_account ON voiceover (account_id, size);
ALTER TABLE preview ADD COLUMN size BIGINT NOT NULL DEFAULT 0;
UPDATE preview SET size = LENGTH(composition);
CREATE INDEX preview_by_account ON preview (account_id, expires_at, size);

-- The secret before the current one, which also signs until it ends.
ALTER TABLE webhook ADD COLUMN old_secret TEXT;
ALTER TABLE webhook ADD COLUMN old_secret_until BIGINT;
