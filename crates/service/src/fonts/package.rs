//! Font packages: the pinned list, and reading one. Nothing of a package is used before its hash is verified.

use std::collections::HashMap;
use std::io::{self, Read};

use flate2::read::GzDecoder;
use rondo_render::{FamilyFace, MORE_FONTS, family_file};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// Bytes of a package when it is unpacked, and of the files that are kept in memory.
const MOST_UNPACKED: u64 = 1_000_000_000;
const MOST_KEPT: u64 = 100_000_000;
const MOST_ENTRIES: usize = 20_000;
/// Longest description: the metadata and the ranges.
const MOST_DESCRIPTION: u64 = 4_000_000;
const BLOCK: usize = 512;

/// A row of the list of families.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FontPackage {
    /// Such as `alex-brush`.
    pub name: String,
    pub version: String,
    /// The weights to keep; `None` for all.
    pub weights: Option<Vec<u16>>,
    /// SHA-256 of the names and hashes of its files, in hexadecimal digits.
    pub hash: String,
}

/// The families that can be fetched.
pub fn font_packages() -> Vec<FontPackage> {
    MORE_FONTS.lines().filter_map(FontPackage::parse).collect()
}

impl FontPackage {
    /// Reads a row; `None` for a comment.
    pub fn parse(row: &str) -> Option<Self> {
        let mut fields = row.split(' ').map(str::to_owned);
        let [name, version, weights, hash] = [fields.next()?, fields.next()?, fields.next()?, fields.next()?];
        let weights = match weights.as_str() {
            "all" => None,
            list => Some(list.split(',').filter_map(|weight| weight.parse().ok()).collect()),
        };
        (name != "#").then_some(Self { name, version, weights, hash })
    }

    /// Where a registry has it.
    pub fn url(&self, registry: &str) -> String {
        let Self { name, version, .. } = self;
        format!("{registry}/@fontsource/{name}/-/{name}-{version}.tgz")
    }
}

/// A family whose hash is right.
#[derive(Debug)]
pub struct Family {
    pub licence: Vec<u8>,
    /// As fetched families are stored.
    pub file: Vec<u8>,
}

/// Reads a package, a tar archive packed with gzip.
pub fn unpack(package: impl Read, row: &FontPackage) -> Result<Family, String> {
    let kept = read_entries(GzDecoder::new(package).take(MOST_UNPACKED), |name| {
        let is_font = name.starts_with("files/") && name.ends_with(".woff2") && row.keeps(name);
        is_font || matches!(name, "LICENSE" | "metadata.json" | "unicode.json")
    })
    .map_err(|error| format!("its package cannot be read: {error}"))?;
    let part = |name: &str| kept.get(name).ok_or_else(|| format!("its package has no {name}"));
    let described = |name: &str| -> Result<Value, String> {
        let bytes = part(name)?;
        if bytes.len() as u64 > MOST_DESCRIPTION {
            return Err(format!("{name} of its package is too large"));
        }
        serde_json::from_slice(bytes).map_err(|error| format!("{name} of its package: {error}"))
    };
    let (metadata, ranges) = (described("metadata.json")?, described("unicode.json")?);
    let licence = part("LICENSE")?.clone();
    let family =
        metadata["family"].as_str().filter(|family| is_plain(family)).ok_or("its package has no family")?;
    let mut hashes = vec![format!("LICENSE {}\n", sha256(&licence))];
    let mut faces = Vec::new();
    let weights = metadata["weights"].as_array().into_iter().flatten().filter_map(Value::as_u64);
    for weight in weights.filter_map(|weight| u16::try_from(weight).ok()) {
        for style in metadata["styles"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            for (subset, range) in in_order(&ranges) {
                let subset = subset.replace(['[', ']'], "");
                let file = format!("{}-{subset}-{weight}-{style}.woff2", row.name);
                let Some(bytes) = kept.get(format!("files/{file}").as_str()) else { continue };
                hashes.push(format!("{file} {}\n", sha256(bytes)));
                faces.push(FamilyFace {
                    weight,
                    style: style.to_owned(),
                    range: range.to_owned(),
                    bytes: bytes.clone(),
                });
            }
        }
    }
    hashes.sort();
    let found = sha256(hashes.concat().as_bytes());
    if found != row.hash {
        return Err(format!("its files differ from those that are expected: {found}"));
    }
    // The hash covers the fonts, but neither their family nor their ranges.
    if faces.iter().any(|face| !is_plain(&face.range) || !matches!(face.style.as_str(), "normal" | "italic"))
    {
        return Err("its package describes no fonts".to_owned());
    }
    Ok(Family { licence, file: family_file(family, &faces) })
}

impl FontPackage {
    /// Whether a font file is of a weight to keep: they are called `files/NAME-SUBSET-WEIGHT-STYLE.woff2`.
    fn keeps(&self, file: &str) -> bool {
        let weight = file.rsplit('-').nth(1).and_then(|weight| weight.parse().ok());
        self.weights.as_ref().is_none_or(|wanted| weight.is_some_and(|weight| wanted.contains(&weight)))
    }
}

/// Subsets and their ranges, Latin first: the first file of a face must contain the space.
fn in_order(ranges: &Value) -> Vec<(&str, &str)> {
    let fields = ranges.as_object().into_iter().flatten();
    let mut subsets: Vec<(&str, &str)> =
        fields.filter_map(|(subset, range)| Some((subset.as_str(), range.as_str()?))).collect();
    subsets.sort_by_key(|(subset, _)| match *subset {
        "latin" => 0,
        "latin-ext" => 1,
        _ => 2,
    });
    subsets
}

/// Whether a text is one field of an index.
fn is_plain(text: &str) -> bool {
    !text.is_empty() && !text.contains(|c: char| c.is_control())
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The entries of a tar archive that are wanted, by their path in the first folder. Everything but plain files is skipped.
fn read_entries(
    mut archive: impl Read,
    wanted: impl Fn(&str) -> bool,
) -> io::Result<HashMap<String, Vec<u8>>> {
    let wrong = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
    let (mut kept, mut left) = (HashMap::new(), MOST_KEPT);
    for _ in 0..MOST_ENTRIES {
        let mut header = [0; BLOCK];
        archive.read_exact(&mut header)?;
        if header.iter().all(|byte| *byte == 0) {
            return Ok(kept);
        }
        let size = octal(&header[124..136]).ok_or_else(|| wrong("an entry has no size"))?;
        let padding = size.next_multiple_of(BLOCK as u64) - size;
        let name = std::str::from_utf8(&header[..100]).unwrap_or_default().trim_end_matches('\0');
        let is_file = matches!(header[156], 0 | b'0') && header[345] == 0;
        let name = name.split_once('/').map(|(_, rest)| rest).filter(|name| is_file && wanted(name));
        match name {
            Some(name) => {
                left = left.checked_sub(size).ok_or_else(|| wrong("it is too large"))?;
                let mut bytes = Vec::new();
                archive.by_ref().take(size).read_to_end(&mut bytes)?;
                if bytes.len() as u64 != size {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                kept.insert(name.to_owned(), bytes);
            }
            None => skip(&mut archive, size)?,
        }
        skip(&mut archive, padding)?;
    }
    Err(wrong("it has too many entries"))
}

fn skip(archive: &mut impl Read, bytes: u64) -> io::Result<()> {
    match io::copy(&mut archive.take(bytes), &mut io::sink())? == bytes {
        true => Ok(()),
        false => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

/// A number of a tar header: octal digits between blanks and zero bytes, at most 8 GB.
fn octal(field: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(field).ok()?;
    u64::from_str_radix(text.trim_matches(['\0', ' ']), 8).ok()
}
