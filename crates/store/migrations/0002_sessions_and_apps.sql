-- People and apps: who signs in, who is invited, what may act for whom, and which processes run. Secrets are kept as
-- SHA-256.

ALTER TABLE account ADD COLUMN is_operator BIGINT NOT NULL DEFAULT 0;
ALTER TABLE account ADD COLUMN last_seen_at BIGINT;
ALTER TABLE api_key ADD COLUMN name TEXT;
-- What was asked for, where the composition alone does not tell.
ALTER TABLE render ADD COLUMN request TEXT;
CREATE INDEX render_by_change ON render (account_id, updated_at);

CREATE TABLE session (
    id           KEY_TEXT PRIMARY KEY,
    account_id   KEY_TEXT NOT NULL REFERENCES account (id),
    hash         KEY_TEXT NOT NULL UNIQUE,
    address      TEXT NOT NULL,
    user_agent   TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT NOT NULL
);
CREATE INDEX session_by_account ON session (account_id, id);

CREATE TABLE password_reset (
    hash       KEY_TEXT PRIMARY KEY,
    account_id KEY_TEXT NOT NULL REFERENCES account (id),
    expires_at BIGINT NOT NULL
);
CREATE INDEX password_reset_by_account ON password_reset (account_id);

CREATE TABLE invite (
    id         KEY_TEXT PRIMARY KEY,
    hash       KEY_TEXT NOT NULL UNIQUE,
    email      TEXT,
    created_by KEY_TEXT NOT NULL REFERENCES account (id),
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_by    KEY_TEXT REFERENCES account (id)
);

-- An app: one that registered itself, or the document its id is the address of, as it was last fetched.
CREATE TABLE oauth_client (
    id            KEY_TEXT PRIMARY KEY,
    name          TEXT NOT NULL,
    redirect_uris TEXT NOT NULL,
    auth_method   TEXT NOT NULL,
    secret_hash   KEY_TEXT,
    updated_at    BIGINT NOT NULL
);
CREATE INDEX oauth_client_by_age ON oauth_client (updated_at);

-- What a person allowed an app. Every code and token belongs to one, and ends with it.
CREATE TABLE oauth_grant (
    id           KEY_TEXT PRIMARY KEY,
    account_id   KEY_TEXT NOT NULL REFERENCES account (id),
    client_id    KEY_TEXT NOT NULL REFERENCES oauth_client (id),
    resource     TEXT NOT NULL,
    scopes       TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT,
    revoked_at   BIGINT
);
CREATE INDEX oauth_grant_by_account ON oauth_grant (account_id, client_id);
CREATE INDEX oauth_grant_by_client ON oauth_grant (client_id);

CREATE TABLE oauth_code (
    hash         KEY_TEXT PRIMARY KEY,
    grant_id     KEY_TEXT NOT NULL REFERENCES oauth_grant (id) ON DELETE CASCADE,
    redirect_uri TEXT NOT NULL,
    challenge    TEXT NOT NULL,
    expires_at   BIGINT NOT NULL,
    used_at      BIGINT
);
CREATE INDEX oauth_code_by_grant ON oauth_code (grant_id);

CREATE TABLE oauth_token (
    id           KEY_TEXT PRIMARY KEY,
    grant_id     KEY_TEXT NOT NULL REFERENCES oauth_grant (id) ON DELETE CASCADE,
    kind         KEY_TEXT NOT NULL,
    prefix       TEXT NOT NULL,
    hash         KEY_TEXT NOT NULL UNIQUE,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL,
    -- When a refresh token was exchanged, an access token last shown.
    last_used_at BIGINT,
    revoked_at   BIGINT
);
CREATE INDEX oauth_token_by_grant ON oauth_token (grant_id);
CREATE INDEX oauth_token_by_expiry ON oauth_token (expires_at);

-- The processes of the service, as they report themselves.
CREATE TABLE process (
    owner        KEY_TEXT PRIMARY KEY,
    role         TEXT NOT NULL,
    started_at   BIGINT NOT NULL,
    last_seen_at BIGINT NOT NULL
);
