//! Ids, which are prefixed, ordered by time and unguessable, and random secrets.

use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};

use crate::Time;

/// What an id names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Account,
    Key,
    Transaction,
    Project,
    Version,
    Template,
    Render,
    Upload,
    Preview,
    Webhook,
    Delivery,
    AiUsage,
    Voiceover,
    Charge,
    Revision,
    Session,
    Invite,
    Client,
    Grant,
    Token,
    AuditEvent,
    Batch,
    Destination,
}

impl Kind {
    const fn prefix(self) -> &'static str {
        match self {
            Self::Account => "usr",
            Self::Key => "key",
            Self::Transaction => "txn",
            Self::Project => "prj",
            Self::Version => "ver",
            Self::Template => "tpl",
            Self::Render => "job",
            Self::Upload => "upl",
            Self::Preview => "prv",
            Self::Webhook => "whk",
            Self::Delivery => "del",
            Self::AiUsage => "use",
            Self::Voiceover => "voi",
            Self::Charge => "chg",
            Self::Revision => "rev",
            Self::Session => "ses",
            Self::Invite => "inv",
            Self::Client => "app",
            Self::Grant => "grt",
            Self::Token => "tok",
            Self::AuditEvent => "evt",
            Self::Batch => "bat",
            Self::Destination => "dst",
        }
    }
}

impl Kind {
    /// Whether a text has the form of an id of this kind.
    pub fn names(self, id: &str) -> bool {
        let number = id.strip_prefix(self.prefix()).and_then(|rest| rest.strip_prefix('_'));
        number.is_some_and(|number| {
            number.len() == 26 && number.bytes().all(|digit| CROCKFORD.contains(&digit))
        })
    }

    /// A regular expression for ids of this kind.
    pub fn pattern(self) -> String {
        format!("{}_[0-9a-hjkmnp-tv-z]{{26}}", self.prefix())
    }
}

const CROCKFORD: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const ALPHANUMERIC: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A new id: 48 bits of Unix milliseconds and 80 random bits. Ids of one process ascend: within a millisecond each is
/// the previous one plus a random step.
pub fn new(kind: Kind) -> String {
    static LAST: Mutex<u128> = Mutex::new(0);
    let mut random = [0; 16];
    fill(&mut random);
    let random = u128::from_le_bytes(random);
    let fresh = (u128::from(Time::now().0.unsigned_abs()) << 80) | (random >> 48);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    *last = if fresh > *last { fresh } else { *last + 1 + (random >> 64) };
    let value = *last;
    drop(last);

    let mut id = String::with_capacity(30);
    id.push_str(kind.prefix());
    id.push('_');
    for digit in (0..26).rev() {
        id.push(char::from(CROCKFORD[(value >> (5 * digit)) as usize & 31]));
    }
    id
}

/// `length` random letters and digits, just under six bits each.
pub fn secret(length: usize) -> String {
    let mut text = String::with_capacity(length);
    let mut random = [0; 64];
    while text.len() < length {
        fill(&mut random);
        // 248 is the largest multiple of 62 in a byte: larger values would bias the result.
        let usable = random.iter().filter(|byte| **byte < 248).take(length - text.len());
        text.extend(usable.map(|byte| char::from(ALPHANUMERIC[usize::from(byte % 62)])));
    }
    text
}

/// SHA-256 in hexadecimal.
pub fn sha256_hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) fn fill(bytes: &mut [u8]) {
    getrandom::fill(bytes).expect("the system's random number generator works once it is seeded at boot");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_prefixed_ascend_and_never_repeat() {
        let ids: Vec<String> = (0..2000).map(|_| new(Kind::Render)).collect();
        assert!(ids.iter().all(|id| id.starts_with("job_") && id.len() == 30));
        assert!(ids.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn secrets_have_the_asked_length_and_differ() {
        let (one, other) = (secret(40), secret(40));
        assert!(one.len() == 40 && one.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        assert_ne!(one, other);
    }
}
