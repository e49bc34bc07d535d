//! The providers: one row each, with where and how they are asked, and where their answers hold what.

use std::time::Duration;

use serde_json::Value;

use super::item::{self, Found};
use super::{PAGE, Provider, StockKind};

/// How a request shows the key.
#[derive(Debug, Clone, Copy)]
pub enum Login {
    /// In the header Authorization, behind this text.
    Header(&'static str),
    /// In the query, as `key`.
    Query,
}

/// A provider.
pub struct Adapter {
    pub provider: Provider,
    pub name: &'static str,
    pub api: &'static str,
    pub kinds: &'static [StockKind],
    pub login: Login,
    /// How long an answer is kept.
    pub keep: Duration,
    pub license: &'static str,
    /// Whether files are copied into the account. Otherwise films show them from where they are.
    pub is_copied: bool,
    /// Where an item holds the address that is asked when it is used.
    pub counts: Option<&'static str>,
    /// Path and query of a search for words, which are encoded.
    pub search: fn(StockKind, &str, u32) -> String,
    /// What the answer to a search lists.
    pub list: for<'a> fn(StockKind, &'a Value) -> Listed<'a>,
    /// Path and query of one item.
    pub one: fn(StockKind, &str) -> String,
    /// What an item holds.
    pub read: for<'a> fn(StockKind, &'a Value) -> Option<Found<'a>>,
    /// Put behind the addresses of pages, to tell where visitors come from.
    pub referral: &'static str,
}

/// The items of an answer, and how many there are in all.
type Listed<'a> = (Option<&'a Value>, Option<&'a Value>);

/// Answers to searches are kept so long where a provider says nothing else.
const MINUTES: Duration = Duration::from_secs(600);
/// Pixabay asks for a day.
const DAY: Duration = Duration::from_secs(86_400);

static ADAPTERS: [Adapter; 3] = [
    Adapter {
        provider: Provider::Pexels,
        name: "Pexels",
        api: "https://api.pexels.com",
        kinds: &[StockKind::Photo, StockKind::Video],
        login: Login::Header(""),
        keep: MINUTES,
        license: "https://www.pexels.com/license/",
        is_copied: true,
        counts: None,
        search: |kind, words, page| match kind {
            StockKind::Photo => format!("/v1/search?query={words}&page={page}&per_page={PAGE}"),
            StockKind::Video => format!("/videos/search?query={words}&page={page}&per_page={PAGE}"),
        },
        list: |kind, answer| match kind {
            StockKind::Photo => (answer.get("photos"), answer.get("total_results")),
            StockKind::Video => (answer.get("videos"), answer.get("total_results")),
        },
        one: |kind, id| match kind {
            StockKind::Photo => format!("/v1/photos/{id}"),
            StockKind::Video => format!("/videos/videos/{id}"),
        },
        read: item::pexels,
        referral: "",
    },
    Adapter {
        provider: Provider::Pixabay,
        name: "Pixabay",
        api: "https://pixabay.com",
        kinds: &[StockKind::Photo, StockKind::Video],
        login: Login::Query,
        keep: DAY,
        license: "https://pixabay.com/service/license-summary/",
        // Its terms do not allow to show files from its servers for long.
        is_copied: true,
        counts: None,
        search: |kind, words, page| match kind {
            StockKind::Photo => {
                format!("/api/?q={words}&page={page}&per_page={PAGE}&image_type=photo&safesearch=true")
            }
            StockKind::Video => format!("/api/videos/?q={words}&page={page}&per_page={PAGE}&safesearch=true"),
        },
        list: |_, answer| (answer.get("hits"), answer.get("totalHits")),
        one: |kind, id| match kind {
            StockKind::Photo => format!("/api/?id={id}"),
            StockKind::Video => format!("/api/videos/?id={id}"),
        },
        read: item::pixabay,
        referral: "",
    },
    Adapter {
        provider: Provider::Unsplash,
        name: "Unsplash",
        api: "https://api.unsplash.com",
        kinds: &[StockKind::Photo],
        login: Login::Header("Client-ID "),
        keep: MINUTES,
        license: "https://unsplash.com/license",
        // Its terms want photos shown from its servers, and each use told.
        is_copied: false,
        counts: Some("/links/download_location"),
        search: |_, words, page| {
            format!("/search/photos?query={words}&page={page}&per_page={PAGE}&content_filter=high")
        },
        list: |_, answer| (answer.get("results"), answer.get("total")),
        one: |_, id| format!("/photos/{id}"),
        read: item::unsplash,
        referral: "utm_source=rondo&utm_medium=referral",
    },
];

/// The row of a provider.
pub fn of(provider: Provider) -> &'static Adapter {
    match provider {
        Provider::Pexels => &ADAPTERS[0],
        Provider::Pixabay => &ADAPTERS[1],
        Provider::Unsplash => &ADAPTERS[2],
    }
}

impl Adapter {
    /// The item in the answer to a request for one.
    pub fn first<'a>(&self, answer: &'a Value) -> Option<&'a Value> {
        match self.provider {
            Provider::Pixabay => answer.get("hits")?.get(0),
            Provider::Pexels | Provider::Unsplash => Some(answer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_provider_has_its_row() {
        for provider in Provider::ALL {
            assert_eq!(of(*provider).provider, *provider);
        }
    }
}
