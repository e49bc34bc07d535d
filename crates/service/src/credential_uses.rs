//! When credentials were last used: noted in memory at every request, written to the store every few seconds.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use rondo_store::{Account, Store, StoreError, Time, Used};

/// Uses that are not written yet.
#[derive(Debug, Default)]
pub struct CredentialUses(Mutex<HashMap<Used, Time>>);

impl CredentialUses {
    pub fn note(&self, used: Used, account: &Account, now: Time) {
        let mut uses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        uses.insert(used, now);
        uses.insert(Used::Account(account.id.clone()), now);
    }

    /// Writes all uses to the store.
    pub async fn flush(&self, store: &Store) -> Result<(), StoreError> {
        let uses = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        store.touch(&uses.into_iter().collect::<Vec<_>>()).await
    }
}
