//! A font file in memory: decompressed, checked, and what layout must know of each face in it.

use std::sync::Arc;

use linebender_resource_handle::{Blob, FontData};
use parley_engine::FontInstance;
use skrifa::charmap::MappingIndex;
use skrifa::instance::{LocationRef, Size};
use skrifa::metrics::Metrics;
use skrifa::raw::FileRef;
use skrifa::string::StringId;
use skrifa::{FontRef, MetadataProvider, Tag};

use crate::error::TextError;
use crate::font::Font;
use crate::line_box::FaceHeights;

/// One face of a family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Face {
    pub family: String,
    /// Lightest and heaviest weight: equal but for variable faces.
    pub weights: (u16, u16),
    pub italic: bool,
    /// Narrowest and widest width in percent of the normal one: equal but for variable faces.
    pub widths: (u16, u16),
}

/// A face ready to shape with.
pub(crate) struct LoadedFace {
    pub font: Font,
    pub instance: FontInstance,
    mapping: MappingIndex,
    pub heights: FaceHeights,
    /// Advance of the digit 0 and height of the letter x, in em.
    pub zero_width: f32,
    pub x_height: f32,
}

/// What the tables of a face say it is.
pub(crate) struct FaceNames {
    pub family: String,
    pub weights: (u16, u16),
    pub italic: bool,
    pub widths: (u16, u16),
}

impl LoadedFace {
    /// `None` when the bytes hold no usable face of that index.
    pub fn new(data: Arc<[u8]>, index: u32) -> Option<Self> {
        let font = FontRef::from_index(&data, index).ok()?;
        let metrics = Metrics::new(&font, Size::new(1.0), LocationRef::default());
        if metrics.units_per_em == 0 {
            return None;
        }
        let mapping = MappingIndex::new(&font);
        let advances = font.glyph_metrics(Size::new(1.0), LocationRef::default());
        let zero = mapping.charmap(&font).map('0');
        let zero_width = zero.and_then(|glyph| advances.advance_width(glyph)).unwrap_or(0.5);
        let blob = Blob::new(Arc::new(data.clone()));
        let digest = *blake3::Hasher::new().update(&index.to_le_bytes()).update(&data).finalize().as_bytes();
        let key = digest.first_chunk().map_or(0, |first| u64::from_le_bytes(*first));
        Some(Self {
            mapping,
            heights: FaceHeights { ascent: metrics.ascent, descent: -metrics.descent, gap: metrics.leading },
            zero_width,
            x_height: metrics.x_height.filter(|height| *height > 0.0).unwrap_or(0.5),
            instance: FontInstance { font: FontData::new(blob, index), synthesis: Default::default() },
            font: Font { data, index, digest, key },
        })
    }

    pub fn covers(&self, ch: char) -> bool {
        FontRef::from_index(&self.font.data, self.font.index)
            .is_ok_and(|font| self.mapping.charmap(&font).map(ch).is_some_and(|glyph| glyph.to_u32() != 0))
    }
}

/// Bytes that a WOFF file may unpack to.
const MOST_UNPACKED: u64 = 128 << 20;

/// Unpacks WOFF and WOFF2 to a plain TrueType or OpenType file.
pub(crate) fn unpack(bytes: Vec<u8>) -> Result<Vec<u8>, TextError> {
    match bytes.get(..4) {
        Some(b"wOF2") => wuff::decompress_woff2(&bytes)
            .map_err(|_| TextError::NotAFont("its WOFF2 data is damaged".into())),
        Some(b"wOFF") => {
            if woff_size(&bytes).is_none_or(|size| size > MOST_UNPACKED) {
                return Err(TextError::NotAFont("its WOFF tables are damaged or too large".into()));
            }
            wuff::decompress_woff1(&bytes).map_err(|_| TextError::NotAFont("its WOFF data is damaged".into()))
        }
        _ => Ok(bytes),
    }
}

/// The bytes that the tables of a WOFF file say they have. They are reserved before they are unpacked.
fn woff_size(bytes: &[u8]) -> Option<u64> {
    let tables = u16::from_be_bytes(*bytes.get(12..)?.first_chunk()?);
    let entries = bytes.get(44..)?.get(..usize::from(tables) * 20)?;
    let size = |entry: &[u8; 20]| u64::from(u32::from_be_bytes([entry[12], entry[13], entry[14], entry[15]]));
    Some(entries.as_chunks::<20>().0.iter().map(size).sum())
}

/// The faces of an unpacked file with what they call themselves, by index.
pub(crate) fn faces(data: &[u8]) -> Result<Vec<(u32, FaceNames)>, TextError> {
    let file = FileRef::new(data).map_err(|error| TextError::NotAFont(error.to_string()))?;
    let found: Vec<_> = file
        .fonts()
        .enumerate()
        .filter_map(|(index, font)| Some((index as u32, names(&font.ok()?)?)))
        .collect();
    if found.is_empty() { Err(TextError::NoFace) } else { Ok(found) }
}

/// Nothing keeps a font file from saying that the least of an axis is more than its most.
fn ordered(low: u16, high: u16) -> (u16, u16) {
    (low.min(high), low.max(high))
}

fn names(font: &FontRef<'_>) -> Option<FaceNames> {
    let name = |id| font.localized_strings(id).english_or_first().map(|name| name.to_string());
    let family = name(StringId::TYPOGRAPHIC_FAMILY_NAME).or_else(|| name(StringId::FAMILY_NAME))?;
    let family = family.trim();
    if family.is_empty() {
        return None;
    }
    let attributes = font.attributes();
    let weight = attributes.weight.value().clamp(1.0, 1000.0) as u16;
    let weights = font.axes().get_by_tag(Tag::new(b"wght")).map_or((weight, weight), |axis| {
        ordered(axis.min_value().clamp(1.0, 1000.0) as u16, axis.max_value().clamp(1.0, 1000.0) as u16)
    });
    let percent = |value: f32| value.clamp(1.0, 1000.0).round() as u16;
    let width = percent(attributes.stretch.percentage());
    let widths = font
        .axes()
        .get_by_tag(Tag::new(b"wdth"))
        .map_or((width, width), |axis| ordered(percent(axis.min_value()), percent(axis.max_value())));
    Some(FaceNames {
        family: family.to_owned(),
        weights,
        widths,
        italic: attributes.style != skrifa::attribute::Style::Normal,
    })
}
