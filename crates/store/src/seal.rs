//! Encryption of stored secrets under the master key: XChaCha20-Poly1305 with a random nonce. The associated data names
//! the table, the column and the row, so a value that is moved to another place cannot be decrypted.

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};

use crate::{Result, StoreError};

/// Marks encrypted values, and names the algorithm.
pub(crate) const PREFIX: &str = "enc1:";
const KEY_LENGTH: usize = 32;
const NONCE_LENGTH: usize = 24;

/// The key that encrypts stored secrets.
#[derive(Clone, PartialEq, Eq)]
pub struct MasterKey([u8; KEY_LENGTH]);

impl std::fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MasterKey(***)")
    }
}

impl MasterKey {
    /// A new random key.
    pub fn generate() -> Self {
        let mut bytes = [0; KEY_LENGTH];
        crate::id::fill(&mut bytes);
        Self(bytes)
    }

    /// The key written as 64 hexadecimal digits.
    pub fn from_hex(text: &str) -> Option<Self> {
        let digits = text.trim().as_bytes();
        if digits.len() != 2 * KEY_LENGTH {
            return None;
        }
        let mut bytes = [0; KEY_LENGTH];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let digit = |digit: u8| char::from(digit).to_digit(16);
            *byte = u8::try_from(digit(pair[0])? * 16 + digit(pair[1])?).ok()?;
        }
        Some(Self(bytes))
    }

    pub fn to_hex(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(&Key::from(self.0))
    }

    /// Encrypts `text` for the row `id` of `column`, which is written as `table.column`.
    pub(crate) fn seal(&self, column: &str, id: &str, text: &str) -> Result<String> {
        let mut nonce = [0; NONCE_LENGTH];
        crate::id::fill(&mut nonce);
        let place = place(column, id);
        let payload = Payload { msg: text.as_bytes(), aad: place.as_bytes() };
        let unusable = |_| StoreError::Undecryptable { place: place.clone() };
        let mut bytes = nonce.to_vec();
        bytes.extend(self.cipher().encrypt(&XNonce::from(nonce), payload).map_err(unusable)?);
        Ok(format!("{PREFIX}{}", STANDARD_NO_PAD.encode(bytes)))
    }

    /// Decrypts what [`seal`](Self::seal) returned for the same place.
    pub(crate) fn open(&self, column: &str, id: &str, sealed: &str) -> Result<String> {
        let place = place(column, id);
        let open = || {
            let bytes = STANDARD_NO_PAD.decode(sealed.strip_prefix(PREFIX)?).ok()?;
            let (nonce, text) = bytes.split_first_chunk::<NONCE_LENGTH>()?;
            let payload = Payload { msg: text, aad: place.as_bytes() };
            String::from_utf8(self.cipher().decrypt(&XNonce::from(*nonce), payload).ok()?).ok()
        };
        open().ok_or(StoreError::Undecryptable { place: place.clone() })
    }
}

fn place(column: &str, id: &str) -> String {
    format!("{column}/{id}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_opens_only_with_its_key_and_in_its_place() {
        let key = MasterKey::generate();
        let sealed = key.seal("webhook.secret", "whk_1", "whsec_x").unwrap();
        assert!(sealed.starts_with(PREFIX) && !sealed.contains("whsec"));
        assert_ne!(sealed, key.seal("webhook.secret", "whk_1", "whsec_x").unwrap(), "nonces are random");
        assert_eq!(key.open("webhook.secret", "whk_1", &sealed).unwrap(), "whsec_x");
        assert!(key.open("webhook.secret", "whk_2", &sealed).is_err());
        assert!(key.open("secret.value", "whk_1", &sealed).is_err());
        assert!(MasterKey::generate().open("webhook.secret", "whk_1", &sealed).is_err());
        for damaged in ["", "enc1:", "enc1:AAAA", "whsec_x", &sealed[..sealed.len() - 2]] {
            assert!(key.open("webhook.secret", "whk_1", damaged).is_err(), "{damaged}");
        }
    }

    #[test]
    fn a_key_is_64_hexadecimal_digits() {
        let key = MasterKey::generate();
        assert_eq!(MasterKey::from_hex(&format!(" {}\n", key.to_hex().to_uppercase())), Some(key));
        for wrong in ["", "0", &"0".repeat(63), &"0".repeat(65), &"g".repeat(64), &"é".repeat(32)] {
            assert_eq!(MasterKey::from_hex(wrong), None, "{wrong}");
        }
    }
}
