-- The segments of a film that can be watched while it is rendered. Number 0 is the init segment, which shows no frames.
CREATE TABLE segment (
    render_id KEY_TEXT NOT NULL REFERENCES render (id),
    number    BIGINT NOT NULL,
    frames    BIGINT NOT NULL,
    size      BIGINT NOT NULL,
    PRIMARY KEY (render_id, number)
);

-- The name of the playlist, as long as there are segments.
ALTER TABLE render ADD COLUMN stream_file TEXT;
CREATE INDEX render_by_stream ON render (completed_at) WHERE stream_file IS NOT NULL;
