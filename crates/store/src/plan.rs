//! Plans of accounts, and the concurrency and storage each allows.

use crate::row::text_enum;

text_enum!(Plan, "a plan", { None = "none", Creator = "creator", Business = "business" });

/// Concurrent renders per account, by plan. Further renders wait as PENDING.
#[derive(Clone, Copy, Debug)]
pub struct ConcurrentRenders {
    pub none: u32,
    pub creator: u32,
    pub business: u32,
}

impl Default for ConcurrentRenders {
    fn default() -> Self {
        Self { none: 2, creator: 5, business: 20 }
    }
}

impl ConcurrentRenders {
    pub fn of(&self, plan: Plan) -> u32 {
        match plan {
            Plan::None => self.none,
            Plan::Creator => self.creator,
            Plan::Business => self.business,
        }
    }
}

/// Bytes kept per account, by plan; `None` for no limit.
#[derive(Clone, Copy, Debug, Default)]
pub struct StorageLimits {
    pub none: Option<u64>,
    pub creator: Option<u64>,
    pub business: Option<u64>,
}

impl StorageLimits {
    pub fn of(&self, plan: Plan) -> Option<u64> {
        match plan {
            Plan::None => self.none,
            Plan::Creator => self.creator,
            Plan::Business => self.business,
        }
    }
}
