-- Every file that a render made, as JSON. `also_size` is the bytes of those beside the first.
ALTER TABLE render ADD COLUMN outputs TEXT;
ALTER TABLE render ADD COLUMN also_size BIGINT NOT NULL DEFAULT 0;
DROP INDEX render_by_output;
CREATE INDEX render_by_output ON render (account_id, output_size, also_size) WHERE output_file IS NOT NULL;
