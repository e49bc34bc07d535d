//! Tools about the account.

use rondo_service::operations::account::{GetAccount, GetUsage};
use rondo_service::operations::brand::GetBrand;

use super::tool::{Effect, Tool};

pub fn tools() -> Vec<Tool> {
    vec![
        Tool::of::<GetAccount>(
            "account",
            "Get the account",
            Effect::Reads,
            "The account, the credits it can spend, its plan and its limits.",
        ),
        Tool::of::<GetBrand>(
            "brand",
            "Get the brand kit",
            Effect::Reads,
            "The logo, colours and font families of the account. Use them where the user asks for films in their brand.",
        ),
        Tool::of::<GetUsage>(
            "usage",
            "Get the usage",
            Effect::Reads,
            "What the account used, in total and by day: renders, credits, seconds of film. Default: the last 30 days.",
        ),
    ]
}
