//! Every rule of the store, on SQLite and, where `RONDO_TEST_POSTGRES` names a server, on PostgreSQL.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod accounts;
mod database;
mod idempotency;
mod library;
mod money;
mod outbox;
mod people;
mod work;
