//! Bytes of files that arrive for accounts and are not kept yet. They count towards the storage of the account: files that stop just
//! before their end would fill the disk otherwise. Each process counts its own.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rondo_store::{Store, StoreError};

use crate::error::{ServiceError, ServiceResult};

/// Bytes that are claimed ahead of a file whose size is not known.
const STEP: u64 = 16_000_000;

/// Claimed bytes by account.
#[derive(Debug, Default)]
pub struct InFlight(Mutex<HashMap<String, u64>>);

/// What is claimed for one file. It is given back when this is dropped.
pub struct Claim {
    in_flight: Arc<InFlight>,
    store: Store,
    account_id: String,
    bytes: u64,
    /// Kept and allowed bytes of the account, as they were last read.
    used: u64,
    allowed: Option<u64>,
}

impl Claim {
    /// For a file of the account that will have `size` bytes, if that is known. Fails if the account has no room for it.
    pub async fn begin(
        in_flight: &Arc<InFlight>,
        store: &Store,
        account_id: &str,
        size: Option<u64>,
    ) -> ServiceResult<Self> {
        let (used, allowed) = store.storage_use(account_id).await?;
        let (in_flight, store, account_id) = (in_flight.clone(), store.clone(), account_id.to_owned());
        let mut claim = Self { in_flight, store, account_id, bytes: 0, used, allowed };
        claim.claim(size.unwrap_or(1), 0)?;
        Ok(claim)
    }

    /// For a file that has grown to `size` bytes. Fails if the account has no room for them.
    pub async fn grow(&mut self, size: u64) -> ServiceResult<()> {
        if size <= self.bytes || self.allowed.is_none() {
            return Ok(());
        }
        (self.used, self.allowed) = self.store.storage_use(&self.account_id).await?;
        self.claim(size, STEP)
    }

    /// For a file that will have at least `size` bytes, by what was read of the account before.
    pub fn grow_to(&mut self, size: u64) -> ServiceResult<()> {
        if size > self.bytes { self.claim(size, 0) } else { Ok(()) }
    }

    /// Claims `size` bytes and up to `ahead` more, which leave room for other files.
    fn claim(&mut self, size: u64, ahead: u64) -> ServiceResult<()> {
        let mut in_flight = self.in_flight.0.lock().unwrap_or_else(PoisonError::into_inner);
        let sum = in_flight.entry(self.account_id.clone()).or_default();
        let others = *sum - self.bytes;
        let room =
            self.allowed.map_or(u64::MAX, |allowed| allowed.saturating_sub(self.used.saturating_add(others)));
        if size <= room {
            self.bytes = size + ahead.min((room - size) / 4);
            *sum = others.saturating_add(self.bytes);
            return Ok(());
        }
        if *sum == 0 {
            in_flight.remove(&self.account_id);
        }
        let (used, allowed) = (self.used, self.allowed.unwrap_or_default());
        let mut refusal = ServiceError::from(StoreError::StorageQuota { used, allowed });
        if others > 0 {
            let megabytes = |bytes: u64| bytes.div_ceil(1_000_000);
            refusal.message = format!(
                "The account's storage has no room for this file: {} of {} MB are used, and other files of up to {} MB arrive. \
                 Wait for them, or delete uploads or outputs.",
                used / 1_000_000,
                allowed / 1_000_000,
                megabytes(others)
            );
        }
        Err(refusal)
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let mut in_flight = self.in_flight.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(sum) = in_flight.get_mut(&self.account_id) else { return };
        *sum -= self.bytes;
        if *sum == 0 {
            in_flight.remove(&self.account_id);
        }
    }
}

#[cfg(test)]
mod tests {
    use rondo_store::{Credits, NewAccount, Plan, Settings, StorageLimits};

    use super::*;

    #[tokio::test]
    async fn files_that_arrive_share_the_room_of_their_account_and_give_it_back() {
        let folder = tempfile::tempdir().unwrap();
        let storage_limits = StorageLimits { none: Some(40_000_000), ..StorageLimits::default() };
        let settings = Settings { storage_limits, ..Settings::default() };
        let store = Store::open_folder(folder.path(), settings).await.unwrap();
        let new = NewAccount {
            email: "ada@example.com",
            name: "Ada",
            plan: Plan::None,
            credits: Credits::ZERO,
            password_hash: None,
            is_operator: false,
        };
        let account = store.create_account(new).await.unwrap().id;
        let in_flight = Arc::default();
        let begin = async |size| Claim::begin(&in_flight, &store, &account, size).await;
        let reason = |claim: ServiceResult<Claim>| claim.err().map(|refusal| refusal.reason);

        let first = begin(Some(30_000_000)).await.unwrap();
        assert_eq!(reason(begin(Some(10_000_001)).await), Some("STORAGE_QUOTA_EXCEEDED"));
        // Of unknown size: as far as there is room.
        let mut second = begin(None).await.unwrap();
        second.grow(1000).await.unwrap();
        assert_eq!(
            reason(begin(Some(8_000_000)).await),
            Some("STORAGE_QUOTA_EXCEEDED"),
            "it is claimed ahead"
        );
        drop(begin(Some(7_000_000)).await.unwrap());
        second.grow(10_000_000).await.unwrap();
        assert!(second.grow(10_000_001).await.is_err() && second.grow_to(10_000_001).is_err());
        drop(first);
        second.grow(10_000_001).await.unwrap();
        drop(begin(Some(1_000_000)).await.unwrap());
        drop(second);
        assert!(in_flight.0.lock().unwrap().is_empty());
        drop(begin(Some(40_000_000)).await.unwrap());
    }
}
