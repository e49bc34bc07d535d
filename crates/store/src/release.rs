//! The release of this program, which orders the versions that work on one database during an update.

/// Parts of a version count up to this.
const STEP: i64 = 1000;

/// The version of this program as a number: 1.2.3 is 1002003.
pub(crate) fn number() -> i64 {
    let parts =
        [env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR"), env!("CARGO_PKG_VERSION_PATCH")];
    parts.iter().fold(0, |number, part| number * STEP + part.parse().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_is_a_number() {
        assert!(number() > 0, "{}", number());
        let patch: i64 = env!("CARGO_PKG_VERSION_PATCH").parse().unwrap();
        assert_eq!(number() % STEP, patch);
    }
}
