//! Credits held while AI work is done.

use std::time::Duration;

use rondo_composition::Composition;
use rondo_store::{AiHold, AiUsed, Credits, Kept, Lease, Render, Store, StoreError};
use tokio::runtime::Handle;
use tokio::time::sleep;

use super::SpeechError;
use crate::quote::{quote, with_ai};
use crate::resolve::options::stored_recipes;

/// Time between two attempts to release a hold.
const RETRY: Duration = Duration::from_secs(5);

/// Credits held for AI work outside of a render. They are released when it is dropped, unless they were charged: also
/// when the caller hangs up or the work panics.
pub struct Held {
    store: Store,
    hold: Option<AiHold>,
}

impl Held {
    pub async fn take(store: &Store, account_id: &str, amount: Credits) -> Result<Self, StoreError> {
        let hold = store.hold_ai(account_id, amount).await?;
        Ok(Self { store: store.clone(), hold: Some(hold) })
    }

    /// Holds at least `amount`.
    async fn raise(&mut self, amount: Credits) -> Result<(), StoreError> {
        match &mut self.hold {
            Some(hold) => self.store.raise_ai(hold, amount).await,
            None => Ok(()),
        }
    }

    /// Charges `amount`, and stores the response for repeated requests with it.
    pub async fn settle(
        mut self,
        amount: Credits,
        used: &[AiUsed],
        kept: Option<Kept<'_>>,
    ) -> Result<(), StoreError> {
        if let Some(hold) = &self.hold {
            self.store.settle_ai(hold, amount, used, kept).await?;
        }
        self.hold = None;
        Ok(())
    }

    /// The hold, for an operation that charges it in its own transaction and then calls [`Held::settled`].
    pub fn hold(&self) -> Option<&AiHold> {
        self.hold.as_ref()
    }

    pub fn settled(mut self) {
        self.hold = None;
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let Some(hold) = self.hold.take().filter(|hold| hold.amount() != Credits::ZERO) else { return };
        let store = self.store.clone();
        // Without a runtime the process ends, and another one releases it.
        let Ok(runtime) = Handle::try_current() else { return };
        runtime.spawn(async move {
            while let Err(error) = store.release_ai(&hold).await {
                tracing::warn!(%error, "failed to release the credits of AI work");
                if error.outage().is_none() {
                    return;
                }
                sleep(RETRY).await;
            }
        });
    }
}

/// Where the credits for the speech of a film come from.
pub enum Purse<'a> {
    /// The hold of a render, which also pays for the film.
    Render { store: &'a Store, lease: &'a Lease, render: &'a Render, credits_per_minute: u32 },
    /// A hold for the speech alone, charged in whole credits.
    Speech(&'a mut Held),
}

impl Purse<'_> {
    /// Holds what a film with speech for `ai` costs, before a provider is called.
    pub async fn hold(&mut self, composition: &Composition, ai: Credits) -> Result<(), SpeechError> {
        match self {
            Self::Render { store, lease, render, credits_per_minute } => {
                // A film that has no recipe fails after its speech is made, and costs nothing.
                let recipes = stored_recipes(render.output.as_ref(), render.draft, composition);
                let Ok(recipes) = recipes else { return Ok(()) };
                let price = quote(composition, &recipes, *credits_per_minute);
                Ok(store.raise_hold(lease, with_ai(&price, ai)).await?)
            }
            Self::Speech(held) => Ok(held.raise(Credits::from_whole(ai.whole_up())).await?),
        }
    }
}
