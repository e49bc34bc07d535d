//! Bytes of request bodies that are held in memory before they have arrived whole, of each network and in all. Clients that send slowly
//! would use all memory otherwise.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use rondo_service::limit::network;

/// Bytes of one network, and of all.
const MOST_OF_NETWORK: usize = 50_000_000;
const MOST_IN_ALL: usize = 512_000_000;

/// Bytes that are held.
#[derive(Debug, Default)]
pub struct BodyBudget(Mutex<Held>);

#[derive(Debug, Default)]
struct Held {
    in_all: usize,
    by_network: HashMap<IpAddr, usize>,
}

/// Whose bodies are counted together; an extension of requests.
#[derive(Debug, Clone)]
pub struct BodySender {
    budget: Arc<BodyBudget>,
    network: IpAddr,
}

impl BodySender {
    /// The network of an address.
    pub fn at(budget: &Arc<BodyBudget>, address: IpAddr) -> Self {
        Self { budget: budget.clone(), network: network(address) }
    }

    /// Counts a body from now on.
    pub fn begin(&self) -> HeldBody {
        HeldBody { sender: self.clone(), bytes: 0 }
    }
}

/// A body that arrives. It is counted until this is dropped.
#[derive(Debug)]
pub struct HeldBody {
    sender: BodySender,
    bytes: usize,
}

impl HeldBody {
    /// Counts `more` bytes, if they may be held.
    #[must_use]
    pub fn grow(&mut self, more: usize) -> bool {
        let mut held = self.sender.budget.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_network = held.by_network.get(&self.sender.network).copied().unwrap_or_default();
        if of_network + more > MOST_OF_NETWORK || held.in_all + more > MOST_IN_ALL {
            return false;
        }
        held.by_network.insert(self.sender.network, of_network + more);
        held.in_all += more;
        self.bytes += more;
        true
    }
}

impl Drop for HeldBody {
    fn drop(&mut self) {
        if self.bytes == 0 {
            return;
        }
        let mut held = self.sender.budget.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.in_all -= self.bytes;
        if let Some(of_network) = held.by_network.get_mut(&self.sender.network) {
            *of_network -= self.bytes;
            if *of_network == 0 {
                held.by_network.remove(&self.sender.network);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_share_the_bytes_of_their_network_and_of_all() {
        let budget = Arc::new(BodyBudget::default());
        let at = |network: u8| BodySender::at(&budget, IpAddr::from([10, 0, 0, network])).begin();
        let (mut first, mut second, mut other) = (at(1), at(1), at(2));
        assert!(first.grow(MOST_OF_NETWORK - 10) && second.grow(10));
        assert!(!second.grow(1) && !first.grow(1));
        assert!(other.grow(MOST_OF_NETWORK));
        drop(first);
        assert!(second.grow(1));
        let mut many: Vec<HeldBody> = (3..13).map(at).collect();
        assert_eq!(many.iter_mut().filter_map(|body| body.grow(MOST_OF_NETWORK).then_some(())).count(), 9);
        drop((second, other, many));
        let held = budget.0.lock().unwrap();
        assert!(held.in_all == 0 && held.by_network.is_empty());
    }
}
