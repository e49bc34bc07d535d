-- Until when a process has the right to give an upload its file.
ALTER TABLE upload ADD COLUMN claimed_until BIGINT;
