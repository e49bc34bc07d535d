-- Bytes that an upload, whose file arrives in parts, will have: the room that is reserved for it.
ALTER TABLE upload ADD COLUMN reserved BIGINT;
