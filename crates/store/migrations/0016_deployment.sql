-- Addresses under which clients reach the service, and did before.
CREATE TABLE public_url (
    url    KEY_TEXT PRIMARY KEY,
    set_at BIGINT NOT NULL
);

-- The folder that holds the files: every process on the database must see the same one.
CREATE TABLE files_folder (
    id        BIGINT PRIMARY KEY CHECK (id = 1),
    folder_id KEY_TEXT NOT NULL
);
