//! The model's vocabulary: tokens to text.

use std::path::Path;

use crate::Error;

/// End of the transcript.
pub const END: i64 = 2;
/// Start of the transcript.
pub const START: i64 = 1;
/// The space before a word.
const SPACE: &str = "\u{2581}";
/// The maximum size of a vocabulary file.
const MAX_BYTES: u64 = 16 << 20;

/// The bytes of each token. A token can be a part of a character.
pub struct Tokens {
    written: Vec<Vec<u8>>,
}

impl Tokens {
    /// Reads the vocabulary: for each token a length in one or two bytes, and its bytes.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let broken = |reason: String| {
            Error::Missing(format!("failed to read {}: {reason}. Run scripts/speech again", path.display()))
        };
        let size = std::fs::metadata(path).map_err(|error| broken(error.to_string()))?.len();
        if size > MAX_BYTES {
            return Err(broken(format!("{size} bytes are too many")));
        }
        let bytes = std::fs::read(path).map_err(|error| broken(error.to_string()))?;
        let mut written = Vec::new();
        let mut rest = bytes.as_slice();
        while let [first, more @ ..] = rest {
            let (length, more) = match more {
                [second, more @ ..] if *first >= 128 => {
                    (usize::from(*second) * 128 + usize::from(*first) - 128, more)
                }
                _ => (usize::from(*first), more),
            };
            let (token, more) =
                more.split_at_checked(length).ok_or_else(|| broken("the file is truncated".to_owned()))?;
            written.push(token.to_vec());
            rest = more;
        }
        Ok(Self { written })
    }

    /// The words of a run of tokens, each with the mean probability of its tokens.
    pub fn words(&self, tokens: &[(i64, f64)]) -> Vec<(String, f64)> {
        let mut words: Vec<(Vec<u8>, Vec<f64>)> = Vec::new();
        for &(token, probability) in tokens {
            let Some(written) = usize::try_from(token).ok().and_then(|token| self.written.get(token)) else {
                continue;
            };
            if is_control(written) {
                continue;
            }
            let space = written.strip_prefix(SPACE.as_bytes()).or_else(|| written.strip_prefix(b" "));
            if space.is_some() || words.is_empty() {
                words.push((Vec::new(), Vec::new()));
            }
            if let Some((bytes, probabilities)) = words.last_mut() {
                bytes.extend(space.unwrap_or(written));
                probabilities.push(probability);
            }
        }
        let word = |(bytes, probabilities): (Vec<u8>, Vec<f64>)| {
            let text: String = String::from_utf8_lossy(&bytes).replace(SPACE, " ").trim().to_owned();
            let mean = probabilities.iter().map(|p| p.max(1e-9).ln()).sum::<f64>()
                / probabilities.len().max(1) as f64;
            (text, mean.exp())
        };
        words.into_iter().map(word).filter(|(text, _)| text.contains(char::is_alphanumeric)).collect()
    }
}

/// Whether a token is a control token such as `</s>` or `<<ST_7>>`.
fn is_control(written: &[u8]) -> bool {
    written.len() > 2 && written.starts_with(b"<") && written.ends_with(b">")
}
