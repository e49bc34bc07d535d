-- Crashes of the process that renders a film: since its last newly finished chunk, and in all.
ALTER TABLE task ADD COLUMN child_crashes BIGINT NOT NULL DEFAULT 0;
ALTER TABLE task ADD COLUMN child_crashes_in_all BIGINT NOT NULL DEFAULT 0;

-- The number of the claim that last served an account. No foreign key: a claim must not lock accounts.
CREATE TABLE turn (
    account_id KEY_TEXT PRIMARY KEY,
    number     BIGINT NOT NULL
);
CREATE INDEX turn_by_number ON turn (number);

-- Credits held for AI work outside of renders, under a lease of the process that does the work.
CREATE TABLE ai_hold (
    ref         KEY_TEXT PRIMARY KEY,
    account_id  KEY_TEXT NOT NULL REFERENCES account (id),
    amount      BIGINT NOT NULL,
    owner       TEXT NOT NULL,
    lease_until BIGINT NOT NULL
);

-- One row that the readiness check writes.
CREATE TABLE readiness (
    id         BIGINT PRIMARY KEY,
    checked_at BIGINT NOT NULL
);
