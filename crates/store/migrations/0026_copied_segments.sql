-- Segments of a film in HLS that were copied, from the init segment on. Its playlist is copied after them.
ALTER TABLE render_copy ADD COLUMN segments BIGINT NOT NULL DEFAULT 0;

UPDATE schema_floor SET oldest = 25;
