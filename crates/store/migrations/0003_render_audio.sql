-- How the sound of a film is finished: the `audio` of the request.
ALTER TABLE render ADD COLUMN audio TEXT;
