-- The faces of an uploaded font file, as JSON. Films use them by the names of their families.
ALTER TABLE upload ADD COLUMN faces TEXT;
CREATE INDEX upload_with_faces ON upload (account_id, id) WHERE faces IS NOT NULL;
