-- Counted requests and attempts, by the SHA-256 of their sender.
CREATE TABLE rate_window (
    sender   KEY_TEXT PRIMARY KEY,
    requests BIGINT NOT NULL,
    ends_at  BIGINT NOT NULL
);
CREATE INDEX rate_window_by_end ON rate_window (ends_at);

-- Networks an account has signed in from: guesses from elsewhere do not hold up its owner there.
CREATE TABLE known_network (
    account_id KEY_TEXT NOT NULL REFERENCES account (id),
    network    KEY_TEXT NOT NULL,
    used_at    BIGINT NOT NULL,
    PRIMARY KEY (account_id, network)
);
CREATE INDEX known_network_by_use ON known_network (used_at);
