//! Tools about the account: what it has and what it used.

use axum::extract::State;
use serde_json::json;

use super::catalog::params;
use super::schema;
use super::tool::{Answer, Call, Effect, Tool};
use crate::api::account::{self, AccountDetails, UsageReport};
use crate::error::ApiResult;

pub fn tools() -> Vec<Tool> {
    let moment = |about: &str| json!({"type": "string", "description": format!("{about}, as in 2026-11-14 or 2026-11-14T09:30:00Z")});
    vec![
        Tool {
            name: "account",
            title: "Get the account",
            description: "The account, the credits it can spend, its plan and its limits.",
            effect: Effect::Reads,
            input: schema::arguments(&json!({}), &[]),
            output: schema::of::<AccountDetails>(),
            unchecked: Vec::new(),
            run: |call| Box::pin(account(call)),
        },
        Tool {
            name: "usage",
            title: "Get the usage",
            description: "What the account used, in all and day by day: renders, credits, seconds of film. The last 30 days \
                          unless told otherwise.",
            effect: Effect::Reads,
            input: schema::arguments(
                &json!({"from": moment("First moment"), "to": moment("First moment after")}),
                &[],
            ),
            output: schema::of::<UsageReport>(),
            unchecked: Vec::new(),
            run: |call| Box::pin(usage(call)),
        },
    ]
}

async fn account(call: Call) -> ApiResult<Answer> {
    Answer::of(account::account(State(call.app), call.caller).await.0)
}

async fn usage(call: Call) -> ApiResult<Answer> {
    let params = params(&call);
    Answer::of(account::usage(State(call.app), call.caller, params).await?.0)
}
