//! Passwords: what is asked of them, and how they are kept: argon2id.

use std::sync::OnceLock;

use argon2::{Argon2, PasswordHasher, PasswordVerifier};

use crate::error::{ServiceError, ServiceResult};

/// Fewest characters of a password.
const SHORTEST: usize = 8;
/// Most bytes of a password.
const LONGEST: usize = 512;

/// The text to store for a password.
pub fn hash(password: &str) -> Result<String, String> {
    let mut salt = [0; 16];
    getrandom::fill(&mut salt).map_err(|e| e.to_string())?;
    let hash =
        Argon2::default().hash_password_with_salt(password.as_bytes(), &salt).map_err(|e| e.to_string())?;
    Ok(hash.to_string())
}

/// Whether this is the password that was stored. Takes as long where there is none.
pub fn verify(stored: Option<&str>, password: &str) -> bool {
    static NOBODYS: OnceLock<String> = OnceLock::new();
    let nobodys = || NOBODYS.get_or_init(|| hash("nobody's").unwrap_or_default()).as_str();
    let password = if password.len() > LONGEST { "" } else { password };
    let fits = Argon2::default().verify_password(password.as_bytes(), stored.unwrap_or_else(nobodys)).is_ok();
    fits && stored.is_some()
}

/// Refuses passwords that are guessed first.
pub fn check(field: &str, password: &str, email: &str) -> ServiceResult<()> {
    let weak = |message: String| Err(ServiceError::unprocessable_field("WEAK_PASSWORD", field, message));
    if password.chars().count() < SHORTEST {
        return weak(format!("The password is too short: take at least {SHORTEST} characters."));
    }
    if password.len() > LONGEST {
        return weak(format!("The password is too long: take at most {LONGEST} bytes."));
    }
    let lower = password.to_lowercase();
    let name = email.split('@').next().unwrap_or_default().to_lowercase();
    let first = lower.chars().next();
    if lower == email.to_lowercase() || lower == name || lower.chars().all(|c| Some(c) == first) {
        return weak("The password is easily guessed: take another one.".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_stored_password_fits_and_none_fits_where_there_is_none() {
        let stored = hash("correct horse").unwrap();
        assert!(stored.starts_with("$argon2id$"));
        assert!(verify(Some(&stored), "correct horse"));
        assert!(!verify(Some(&stored), "correct horsf"));
        assert!(!verify(None, "nobody's"));
        assert!(!verify(Some("not a hash"), "correct horse"));
    }

    #[test]
    fn short_and_obvious_passwords_are_refused() {
        for weak in ["1234567", "aaaaaaaaaa", "Ada@Example.com", &"x1".repeat(300)] {
            assert!(check("password", weak, "ada@example.com").is_err(), "{weak}");
        }
        assert!(check("password", "correct horse", "ada@example.com").is_ok());
    }
}
