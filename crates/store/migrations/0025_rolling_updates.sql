-- The oldest schema whose programs can work with this one. Every later migration sets it.
CREATE TABLE schema_floor (
    id     BIGINT PRIMARY KEY CHECK (id = 1),
    oldest BIGINT NOT NULL
);
INSERT INTO schema_floor (id, oldest) VALUES (1, 25);

-- The release of the process that made a render, and the one that a worker needs for it, as numbers: 1.2.3 is 1002003.
ALTER TABLE task ADD COLUMN made_by BIGINT NOT NULL DEFAULT 0;
ALTER TABLE task ADD COLUMN needs BIGINT NOT NULL DEFAULT 0;

-- The engine of the worker that offers a chunk. Workers with another engine would make other bytes.
ALTER TABLE chunk_task ADD COLUMN engine KEY_TEXT NOT NULL DEFAULT '';
