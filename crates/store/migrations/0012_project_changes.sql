-- Projects and copies of previews that are edited: how often, by whom, and how large they are.
ALTER TABLE project ADD COLUMN revision BIGINT NOT NULL DEFAULT 1;
ALTER TABLE project ADD COLUMN author_kind TEXT;
ALTER TABLE project ADD COLUMN author_name TEXT;
ALTER TABLE project ADD COLUMN size BIGINT NOT NULL DEFAULT 0;
UPDATE project SET size = LENGTH(composition);
CREATE INDEX project_by_change ON project (account_id, updated_at);
CREATE INDEX project_by_size ON project (account_id, size);

ALTER TABLE preview ADD COLUMN revision BIGINT NOT NULL DEFAULT 1;
ALTER TABLE preview ADD COLUMN edited TEXT;
ALTER TABLE preview ADD COLUMN edited_credentials TEXT;
ALTER TABLE preview ADD COLUMN edited_at BIGINT;
