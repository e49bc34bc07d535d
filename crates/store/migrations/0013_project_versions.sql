-- Earlier states of projects. `revision` is the one that a version is a state of; compositions are compressed.
CREATE TABLE project_version (
    id          KEY_TEXT PRIMARY KEY,
    project_id  KEY_TEXT NOT NULL REFERENCES project (id) ON DELETE CASCADE,
    account_id  KEY_TEXT NOT NULL REFERENCES account (id),
    revision    BIGINT NOT NULL,
    name        TEXT,
    author_kind TEXT,
    author_name TEXT,
    composition TEXT NOT NULL,
    credentials TEXT,
    size        BIGINT NOT NULL,
    saved_at    BIGINT NOT NULL,
    created_at  BIGINT NOT NULL
);
CREATE INDEX project_version_by_project ON project_version (project_id, id);
CREATE INDEX project_version_by_size ON project_version (account_id, size);
