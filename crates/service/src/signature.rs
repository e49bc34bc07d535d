//! HMAC-SHA256, as upload addresses and webhook deliveries use it.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The signature of a message made of parts, one after the other.
pub fn sign(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    keyed(key, parts).finalize().into_bytes().into()
}

pub fn sign_hex(key: &[u8], parts: &[&[u8]]) -> String {
    sign(key, parts).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Compares a signature in hexadecimal in constant time.
pub fn matches_hex(key: &[u8], parts: &[&[u8]], signature: &str) -> bool {
    let digits = signature.as_bytes().chunks_exact(2);
    let rest = digits.remainder();
    let bytes: Option<Vec<u8>> = digits
        .map(|pair| {
            let pair =
                std::str::from_utf8(pair).ok().filter(|pair| pair.bytes().all(|b| b.is_ascii_hexdigit()))?;
            u8::from_str_radix(pair, 16).ok()
        })
        .collect();
    rest.is_empty() && bytes.is_some_and(|bytes| keyed(key, parts).verify_slice(&bytes).is_ok())
}

fn keyed(key: &[u8], parts: &[&[u8]]) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of every length");
    parts.iter().for_each(|part| mac.update(part));
    mac
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_those_of_the_standard() {
        // RFC 4231, test case 2.
        let expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        let parts: [&[u8]; 2] = [b"what do ya want ", b"for nothing?"];
        assert_eq!(sign_hex(b"Jefe", &parts), expected);
        assert!(matches_hex(b"Jefe", &parts, expected));
    }

    #[test]
    fn no_other_text_matches() {
        let right = sign_hex(b"key", &[b"message"]);
        for wrong in
            ["", "00", &right[1..], &right[..62], &format!("{right}0"), &right.replace('a', "+"), "é"]
        {
            assert!(*wrong == right || !matches_hex(b"key", &[b"message"], wrong), "{wrong}");
        }
    }
}
