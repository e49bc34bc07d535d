-- User names and passwords of media URLs, encrypted, apart from the compositions that use them.
ALTER TABLE render ADD COLUMN credentials TEXT;
ALTER TABLE project ADD COLUMN credentials TEXT;
ALTER TABLE preview ADD COLUMN credentials TEXT;

ALTER TABLE account ADD COLUMN suspended_at BIGINT;

ALTER TABLE api_key ADD COLUMN access TEXT NOT NULL DEFAULT 'full';
ALTER TABLE api_key ADD COLUMN expires_at BIGINT;

-- Security events of an account. `actor` is the email of who acted, or names the command line; empty if unknown.
CREATE TABLE audit_event (
    id         KEY_TEXT PRIMARY KEY,
    account_id KEY_TEXT NOT NULL REFERENCES account (id),
    action     KEY_TEXT NOT NULL,
    actor      TEXT NOT NULL,
    subject    TEXT NOT NULL,
    address    TEXT NOT NULL,
    user_agent TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX audit_event_by_account ON audit_event (account_id, id);
CREATE INDEX audit_event_by_age ON audit_event (created_at);
