//! Tests of the store, on SQLite and, if `RONDO_TEST_POSTGRES` is set to a server's URL, on PostgreSQL.

#![allow(clippy::unwrap_used, reason = "a failed step ends the test")]

mod accounts;
mod batches;
mod copies;
mod database;
mod faults;
mod idempotency;
mod library;
mod money;
mod outbox;
mod people;
mod rates;
mod secrets;
mod streams;
mod turns;
mod versions;
mod work;
