//! Passwords at rest: argon2id.

use argon2::{Argon2, PasswordHasher};

/// The text to store for a password.
pub fn hash(password: &str) -> Result<String, String> {
    let mut salt = [0; 16];
    getrandom::fill(&mut salt).map_err(|e| e.to_string())?;
    let hash =
        Argon2::default().hash_password_with_salt(password.as_bytes(), &salt).map_err(|e| e.to_string())?;
    Ok(hash.to_string())
}
