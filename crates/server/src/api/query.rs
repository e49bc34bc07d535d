//! Query parameters: unknown ones are ignored, empty ones count as absent.

use std::collections::HashMap;

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use rondo_store::Page;

use crate::error::{ApiError, ApiResult};

/// Items on a page at most.
const MOST_ITEMS: u32 = 100;

/// The parameters of a request.
#[derive(Debug)]
pub struct Params(HashMap<String, String>);

impl<S: Send + Sync> FromRequestParts<S> for Params {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        // Repeated parameters: the last one counts.
        let pairs = Query::<Vec<(String, String)>>::from_request_parts(parts, state).await;
        let Query(pairs) =
            pairs.map_err(|error| ApiError::invalid(format!("The query cannot be read: {error}.")))?;
        Ok(pairs.into_iter().collect())
    }
}

impl FromIterator<(String, String)> for Params {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(pairs: I) -> Self {
        Self(pairs.into_iter().collect())
    }
}

impl Params {
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(|text| text.trim()).filter(|text| !text.is_empty())
    }

    /// 400 for a value that `parse` cannot read.
    pub fn read<T>(
        &self,
        name: &str,
        expected: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> ApiResult<Option<T>> {
        let Some(text) = self.text(name) else { return Ok(None) };
        match parse(text) {
            Some(value) => Ok(Some(value)),
            None => {
                Err(ApiError::invalid_field(name, format!("`{name}` is \"{text}\", but must be {expected}.")))
            }
        }
    }

    /// `limit` and `cursor`.
    pub fn page(&self) -> ApiResult<Page> {
        let limit = self.read("limit", "a whole number from 1 to 100", |text| {
            text.parse().ok().filter(|limit| (1..=MOST_ITEMS).contains(limit))
        })?;
        let cursor = self.read("cursor", "the nextCursor of the page before", |text| {
            text.chars()
                .all(|character| character.is_ascii_alphanumeric() || "_-".contains(character))
                .then(|| text.to_owned())
        })?;
        Ok(Page { limit, cursor })
    }
}
