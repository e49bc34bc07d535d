-- Accounts that may have renders which are ready. Claims look at these only, however many accounts and renders there are. `marks`
-- counts how often an account was marked: one that was marked meanwhile is not unmarked.
ALTER TABLE turn ADD COLUMN is_waiting BIGINT NOT NULL DEFAULT 0;
ALTER TABLE turn ADD COLUMN marks BIGINT NOT NULL DEFAULT 0;
CREATE INDEX turn_of_waiting ON turn (is_waiting, number, account_id);

-- Renders that may have killed their workers, and those of one process.
CREATE INDEX task_of_suspects ON task (state, ready_at) WHERE crashes >= 2;
CREATE INDEX task_by_owner ON task (owner, state);

UPDATE schema_floor SET oldest = 25;
