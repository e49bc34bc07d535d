//! Items of stock providers in one shape. Answers are not trusted: texts are cut, numbers are bounded, and an item whose
//! addresses the service must not call is left out.

use serde::Serialize;
use serde_json::Value;
use url::Url;
use utoipa::ToSchema;

use super::adapters::Adapter;
use super::{LONGEST_ID, Provider, StockKind};
use crate::words::{StockMediaKind, StockProviderName};

/// Characters of a title, of a name and of an address at most.
const LONGEST_TITLE: usize = 200;
const LONGEST_NAME: usize = 100;
const LONGEST_ADDRESS: usize = 2048;
/// Pixels of a side, and seconds, at most.
const MOST_PIXELS: u64 = 50_000;
const MOST_SECONDS: f64 = 86_400.0;
/// Sizes of an item at most.
const MOST_SIZES: usize = 12;
/// Pixels of the longer side that are enough for a film: larger files only take longer.
const ENOUGH: [(StockKind, u32); 2] = [(StockKind::Photo, 2560), (StockKind::Video, 1920)];

/// A file of a photo or video.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct StockSize {
    /// Where the provider has it.
    #[schema(format = "uri")]
    pub url: String,
    pub width: u32,
    pub height: u32,
}

/// Who made it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct StockAuthor {
    pub name: String,
    /// Their page at the provider.
    #[schema(format = "uri")]
    pub url: String,
}

/// A photo or video of a provider.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StockItem {
    pub id: String,
    #[schema(value_type = StockProviderName)]
    pub provider: &'static str,
    #[schema(value_type = StockMediaKind)]
    pub kind: &'static str,
    /// What it shows, as the provider says; may be empty.
    pub title: String,
    /// Of the original, in pixels.
    pub width: u32,
    pub height: u32,
    /// Of videos.
    #[schema(required = true)]
    pub duration_seconds: Option<f64>,
    /// A small picture of it.
    #[schema(format = "uri")]
    pub thumbnail_url: String,
    /// Its files, the smallest first.
    pub sizes: Vec<StockSize>,
    pub author: StockAuthor,
    /// Its page at the provider.
    #[schema(format = "uri")]
    pub page_url: String,
    /// How the provider wants the author named.
    pub credit: String,
    /// The terms of use.
    #[schema(format = "uri")]
    pub license_url: String,
}

impl StockItem {
    /// The smallest file that is enough for a film, or the largest there is.
    pub fn best(&self) -> Option<&StockSize> {
        let enough = ENOUGH.iter().find(|(kind, _)| kind.name() == self.kind).map_or(0, |(_, side)| *side);
        let suits = |size: &&StockSize| size.width.max(size.height) >= enough;
        self.sizes.iter().find(suits).or(self.sizes.last())
    }
}

/// What an adapter finds in an item of its provider.
pub struct Found<'a> {
    id: &'a Value,
    title: Option<&'a Value>,
    size: (u64, u64),
    seconds: Option<f64>,
    thumbnail: Option<&'a str>,
    sizes: Vec<(String, u64, u64)>,
    author: Option<&'a str>,
    author_page: Option<String>,
    page: Option<&'a str>,
}

fn text<'a>(value: &'a Value, pointer: &str) -> Option<&'a str> {
    value.pointer(pointer)?.as_str().filter(|text| !text.is_empty())
}

fn whole(value: &Value, pointer: &str) -> u64 {
    value.pointer(pointer).and_then(Value::as_u64).unwrap_or_default()
}

/// A size inside a box, with its ratio; never larger than it is.
fn inside((width, height): (u64, u64), most: (u64, u64)) -> (u64, u64) {
    let (w, h) = (width.max(1) as f64, height.max(1) as f64);
    let scale = (most.0 as f64 / w).min(most.1 as f64 / h).min(1.0);
    (((w * scale).round() as u64).max(1), ((h * scale).round() as u64).max(1))
}

pub fn pexels(kind: StockKind, item: &Value) -> Option<Found<'_>> {
    let size = (whole(item, "/width"), whole(item, "/height"));
    let (author, author_page) = match kind {
        StockKind::Photo => (text(item, "/photographer"), text(item, "/photographer_url")),
        StockKind::Video => (text(item, "/user/name"), text(item, "/user/url")),
    };
    let (thumbnail, sizes) = match kind {
        StockKind::Photo => {
            // The boxes that the provider fits photos into.
            let boxes = [("large", (940, 650)), ("large2x", (1880, 1300)), ("original", size)];
            let sizes = boxes.iter().filter_map(|(name, most)| {
                let (width, height) = inside(size, *most);
                Some((text(item, &format!("/src/{name}"))?.to_owned(), width, height))
            });
            (text(item, "/src/medium"), sizes.collect())
        }
        StockKind::Video => {
            let files = item.get("video_files").and_then(Value::as_array);
            let playable = |file: &&Value| text(file, "/file_type") == Some("video/mp4");
            let sizes = files.into_iter().flatten().filter(playable).filter_map(|file| {
                Some((text(file, "/link")?.to_owned(), whole(file, "/width"), whole(file, "/height")))
            });
            (text(item, "/image"), sizes.collect())
        }
    };
    Some(Found {
        id: item.get("id")?,
        title: item.get("alt"),
        size,
        seconds: item.get("duration").and_then(Value::as_f64),
        thumbnail,
        sizes,
        author,
        author_page: author_page.map(str::to_owned),
        page: text(item, "/url"),
    })
}

pub fn pixabay(kind: StockKind, item: &Value) -> Option<Found<'_>> {
    let (size, thumbnail, sizes) = match kind {
        StockKind::Photo => {
            let size = (whole(item, "/imageWidth"), whole(item, "/imageHeight"));
            let boxes = [("largeImageURL", (1280, 1280)), ("fullHDURL", (1920, 1920)), ("imageURL", size)];
            let sizes: Vec<_> = boxes
                .iter()
                .filter_map(|(name, most)| {
                    let (width, height) = inside(size, *most);
                    Some((text(item, &format!("/{name}"))?.to_owned(), width, height))
                })
                .collect();
            (size, text(item, "/webformatURL"), sizes)
        }
        StockKind::Video => {
            let sizes: Vec<_> = ["tiny", "small", "medium", "large"]
                .iter()
                .filter_map(|name| {
                    let file = item.get("videos")?.get(*name)?;
                    Some((text(file, "/url")?.to_owned(), whole(file, "/width"), whole(file, "/height")))
                })
                .collect();
            let size = sizes.iter().map(|(_, width, height)| (*width, *height)).max().unwrap_or_default();
            let thumbnail = ["small", "medium", "tiny"]
                .iter()
                .find_map(|name| text(item, &format!("/videos/{name}/thumbnail")));
            (size, thumbnail, sizes)
        }
    };
    let (user, number) = (text(item, "/user"), whole(item, "/user_id"));
    let author_page = user.map(|user| format!("https://pixabay.com/users/{user}-{number}/"));
    Some(Found {
        id: item.get("id")?,
        title: item.get("tags"),
        size,
        seconds: item.get("duration").and_then(Value::as_f64),
        thumbnail,
        sizes,
        author: user,
        author_page,
        page: text(item, "/pageURL"),
    })
}

pub fn unsplash(_: StockKind, item: &Value) -> Option<Found<'_>> {
    let size = (whole(item, "/width"), whole(item, "/height"));
    let sizes = [1080, 1920, 2560, 3840].into_iter().filter_map(|side| {
        let (width, height) = inside(size, (side, side));
        let raw = text(item, "/urls/raw")?;
        let joint = if raw.contains('?') { '&' } else { '?' };
        Some((format!("{raw}{joint}w={side}&h={side}&fit=max&fm=jpg&q=85"), width, height))
    });
    Some(Found {
        id: item.get("id")?,
        title: item.get("alt_description").filter(|text| text.is_string()).or(item.get("description")),
        size,
        seconds: None,
        thumbnail: text(item, "/urls/small"),
        sizes: sizes.collect(),
        author: text(item, "/user/name"),
        author_page: text(item, "/user/links/html").map(str::to_owned),
        page: text(item, "/links/html"),
    })
}

/// An item in the common shape; `None` if something is missing or must not be used.
pub fn read(
    adapter: &Adapter,
    kind: StockKind,
    value: &Value,
    allowed: &dyn Fn(&str) -> bool,
) -> Option<StockItem> {
    let found = (adapter.read)(kind, value)?;
    let address = |text: &str| -> Option<String> {
        let fits = text.len() <= LONGEST_ADDRESS && allowed(text);
        fits.then(|| Url::parse(text).ok()).flatten().map(String::from)
    };
    let page = |text: &str| -> Option<String> {
        let mut url = Url::parse(&address(text)?).ok()?;
        if !adapter.referral.is_empty() {
            let query = url.query().map_or_else(String::new, |query| format!("{query}&"));
            url.set_query(Some(&format!("{query}{}", adapter.referral)));
        }
        Some(url.into())
    };
    let pixels = |number: u64| u32::try_from(number).ok().filter(|_| (1..=MOST_PIXELS).contains(&number));
    let id = match found.id {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    let mut sizes: Vec<StockSize> = found
        .sizes
        .iter()
        .filter_map(|(url, width, height)| {
            Some(StockSize { url: address(url)?, width: pixels(*width)?, height: pixels(*height)? })
        })
        .collect();
    sizes.sort_by_key(|size| u64::from(size.width) * u64::from(size.height));
    sizes.dedup_by_key(|size| (size.width, size.height));
    sizes.truncate(MOST_SIZES);
    let name = cut(found.author.unwrap_or("Unknown"), LONGEST_NAME);
    let page_url = page(found.page?)?;
    let author_page = found.author_page.as_deref().and_then(page);
    let item = StockItem {
        provider: adapter.provider.name(),
        kind: kind.name(),
        title: cut(found.title.and_then(Value::as_str).unwrap_or_default(), LONGEST_TITLE),
        width: pixels(found.size.0)?,
        height: pixels(found.size.1)?,
        duration_seconds: match kind {
            StockKind::Photo => None,
            StockKind::Video => Some(found.seconds.filter(|it| (0.0..=MOST_SECONDS).contains(it))?),
        },
        thumbnail_url: address(found.thumbnail?)?,
        credit: credit(adapter, kind, &name),
        author: StockAuthor { url: author_page.unwrap_or_else(|| page_url.clone()), name },
        page_url,
        license_url: adapter.license.to_owned(),
        sizes,
        id,
    };
    (!item.sizes.is_empty() && item.id.len() <= LONGEST_ID).then_some(item)
}

/// `Photo by Ada on Pexels`, as each provider asks for.
fn credit(adapter: &Adapter, kind: StockKind, author: &str) -> String {
    let (what, joint) = match (adapter.provider, kind) {
        (Provider::Pixabay, StockKind::Photo) => ("Image", "from"),
        (Provider::Pixabay, StockKind::Video) => ("Video", "from"),
        (_, StockKind::Photo) => ("Photo", "on"),
        (_, StockKind::Video) => ("Video", "on"),
    };
    format!("{what} by {author} {joint} {}", adapter.name)
}

/// The beginning of a text, on one line.
fn cut(text: &str, most: usize) -> String {
    let line: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    line.trim().chars().take(most).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::adapters;
    use super::*;

    fn photo() -> Value {
        json!({
            "id": 2014422, "width": 3024, "height": 4032, "url": "https://www.pexels.com/photo/2014422/",
            "photographer": "Joey Farina", "photographer_url": "https://www.pexels.com/@joey", "alt": "Brown Rocks",
            "src": {
                "original": "https://images.pexels.com/photos/2014422.jpeg", "medium": "https://images.pexels.com/m.jpeg",
                "large": "https://images.pexels.com/l.jpeg", "large2x": "https://images.pexels.com/l2.jpeg",
            },
        })
    }

    fn read_photo(value: &Value) -> Option<StockItem> {
        let allowed = |address: &str| address.starts_with("https://") && !address.contains("10.0.0.1");
        read(adapters::of(Provider::Pexels), StockKind::Photo, value, &allowed)
    }

    #[test]
    fn the_smallest_file_that_is_enough_is_taken() {
        let item = read_photo(&photo()).unwrap();
        let sizes: Vec<_> = item.sizes.iter().map(|size| (size.width, size.height)).collect();
        assert_eq!(sizes, [(488, 650), (975, 1300), (3024, 4032)]);
        assert_eq!(item.best().unwrap().url, "https://images.pexels.com/photos/2014422.jpeg");
        assert_eq!(
            (item.credit.as_str(), item.title.as_str()),
            ("Photo by Joey Farina on Pexels", "Brown Rocks")
        );
    }

    #[test]
    fn hostile_items_are_left_out_or_cut() {
        let with = |pointer: &str, value: Value| {
            let mut item = photo();
            *item.pointer_mut(pointer).unwrap() = value;
            read_photo(&item)
        };
        for (pointer, value) in [
            ("/id", json!({"$ne": 1})),
            ("/id", json!("x".repeat(65))),
            ("/width", json!(-1)),
            ("/width", json!(u64::MAX)),
            ("/height", json!("tall")),
            ("/url", json!("javascript:alert(1)")),
            ("/src", json!([])),
            ("/src/medium", json!("https://10.0.0.1/")),
            ("/src/medium", json!(format!("https://a.example/{}", "x".repeat(3000)))),
        ] {
            assert!(with(pointer, value.clone()).is_none(), "{pointer} {value}");
        }
        let item = with("/src/original", json!("file:///etc/passwd")).unwrap();
        assert_eq!(item.best().unwrap().url, "https://images.pexels.com/l2.jpeg");
        let item = with("/photographer_url", json!("javascript:alert(1)")).unwrap();
        assert_eq!(item.author.url, item.page_url);
        let item = with("/photographer", json!("a\n".repeat(5000))).unwrap();
        assert!(item.author.name.chars().count() <= 100 && !item.author.name.contains('\n'));
        for other in [json!(null), json!(1), json!([photo()]), json!({})] {
            assert!(read_photo(&other).is_none());
        }
    }
}
