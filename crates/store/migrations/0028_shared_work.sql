-- When a process last began what one of them does for all.
CREATE TABLE shared_work (
    name     KEY_TEXT PRIMARY KEY,
    begun_at BIGINT NOT NULL
);

UPDATE schema_floor SET oldest = 25;
