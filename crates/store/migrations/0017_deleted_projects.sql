-- Projects that were deleted lately, so that open editors hear of it.
CREATE TABLE deleted_project (
    project_id KEY_TEXT PRIMARY KEY,
    account_id KEY_TEXT NOT NULL REFERENCES account (id),
    deleted_at BIGINT NOT NULL
);
CREATE INDEX deleted_project_by_account ON deleted_project (account_id, deleted_at);
