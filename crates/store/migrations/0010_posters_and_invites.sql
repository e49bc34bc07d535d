-- The picture that stands for a film.
ALTER TABLE render ADD COLUMN poster_file TEXT;
CREATE INDEX render_by_project ON render (project_id, id);
CREATE INDEX delivery_by_render ON delivery (render_id);

-- What the account of an invited person starts with.
ALTER TABLE invite ADD COLUMN plan TEXT;
ALTER TABLE invite ADD COLUMN credits BIGINT;

-- The name of the machine a process runs on.
ALTER TABLE process ADD COLUMN host TEXT;
