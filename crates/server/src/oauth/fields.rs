//! Parameters of OAuth requests: each at most once, empty ones count as absent.

use std::collections::BTreeMap;

use axum::body::Bytes;
use axum::http::{HeaderMap, header};
use url::form_urlencoded;

use super::OAuthError;

/// Longest value of a parameter.
const LONGEST: usize = 4000;

/// The parameters of a query or a form.
#[derive(Debug, Clone)]
pub struct Fields(BTreeMap<String, String>);

impl Fields {
    pub fn parse(text: &[u8]) -> Result<Self, OAuthError> {
        let mut fields = BTreeMap::new();
        for (name, value) in form_urlencoded::parse(text) {
            if value.len() > LONGEST {
                return Err(OAuthError::new("invalid_request", format!("{name} is too long.")));
            }
            if fields.insert(name.to_string(), value.into_owned()).is_some() {
                return Err(OAuthError::new("invalid_request", format!("{name} is there more than once.")));
            }
        }
        fields.retain(|_, value| !value.is_empty());
        Ok(Self(fields))
    }

    /// The body of a form.
    pub fn of_form(headers: &HeaderMap, body: &Bytes) -> Result<Self, OAuthError> {
        let essence = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let essence = essence.unwrap_or_default().split(';').next().unwrap_or_default().trim();
        if !essence.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
            return Err(OAuthError::new(
                "invalid_request",
                "The body must be a form, sent with Content-Type: application/x-www-form-urlencoded.",
            ));
        }
        Self::parse(body)
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    pub fn need(&self, name: &str) -> Result<&str, OAuthError> {
        self.get(name).ok_or_else(|| OAuthError::new("invalid_request", format!("{name} is missing.")))
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}
