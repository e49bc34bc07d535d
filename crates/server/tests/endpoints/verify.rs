//! The example of docs/webhooks.md in Rust, word for word: `examples` compares the two, and verifies deliveries with it.

use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

pub fn verify(raw_body: &[u8], id: &str, timestamp: i64, signatures: &str, secret: &str, now: i64) -> bool {
    let secret = secret.strip_prefix("whsec_").unwrap_or(secret);
    let Ok(key) = STANDARD.decode(secret) else { return false };
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&key) else { return false };
    mac.update(format!("{id}.{timestamp}.").as_bytes());
    mac.update(raw_body);
    (now - timestamp).abs() <= 300
        && signatures.split(' ').filter_map(|signature| signature.strip_prefix("v1,")).any(|signature| {
            STANDARD.decode(signature).is_ok_and(|given| mac.clone().verify_slice(&given).is_ok())
        })
}
