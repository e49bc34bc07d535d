-- Keys for trying things out: their renders are free and carry a watermark.
ALTER TABLE api_key ADD COLUMN mode TEXT NOT NULL DEFAULT 'live';
ALTER TABLE render ADD COLUMN is_test BIGINT NOT NULL DEFAULT 0;
CREATE INDEX render_by_test ON render (account_id, is_test, created_at);
