//! Which face draws a character the families asked for do not have.

use std::collections::HashMap;

use parley_engine::itemize::Segment;
use parley_engine::shape::{CharCluster, Coverage};
use parley_engine::{AnalysisDataSources, FontInstance, FontInstanceRef, FontSelector, ShapeOptions};

use crate::catalog::{Catalog, FaceId};
use crate::face::LoadedFace;
use crate::shape_key::ShapeKey;

/// Families for scripts, by ISO 15924 code.
const SCRIPTS: [(&[u8; 4], &[&str]); 28] = [
    (b"Arab", &["Noto Sans Arabic"]),
    (b"Armn", &["Noto Sans Armenian"]),
    (b"Beng", &["Noto Sans Bengali"]),
    (b"Bopo", &["Noto Sans TC", "Noto Sans SC"]),
    (b"Cyrl", &["Noto Sans"]),
    (b"Deva", &["Noto Sans Devanagari"]),
    (b"Ethi", &["Noto Sans Ethiopic"]),
    (b"Geor", &["Noto Sans Georgian"]),
    (b"Grek", &["Noto Sans"]),
    (b"Gujr", &["Noto Sans Gujarati"]),
    (b"Guru", &["Noto Sans Gurmukhi"]),
    (b"Hang", &["Noto Sans KR"]),
    (b"Hebr", &["Noto Sans Hebrew"]),
    (b"Hira", &["Noto Sans JP"]),
    (b"Kana", &["Noto Sans JP"]),
    (b"Khmr", &["Noto Sans Khmer"]),
    (b"Knda", &["Noto Sans Kannada"]),
    (b"Laoo", &["Noto Sans Lao"]),
    (b"Latn", &["Noto Sans"]),
    (b"Mlym", &["Noto Sans Malayalam"]),
    (b"Mymr", &["Noto Sans Myanmar"]),
    (b"Sinh", &["Noto Sans Sinhala"]),
    (b"Taml", &["Noto Sans Tamil"]),
    (b"Telu", &["Noto Sans Telugu"]),
    (b"Thai", &["Noto Sans Thai"]),
    (b"Zmth", &["Noto Sans Math"]),
    (b"Zsye", &["Noto Color Emoji"]),
    (b"Zsym", &["Noto Sans Symbols", "Noto Sans Symbols 2"]),
];

const EMOJI: &str = "Noto Color Emoji";

/// Picks a face for every cluster of a text: the families asked for, the default, the script's families, then every
/// other fallback family. Clusters that present as emoji get the emoji family first.
pub(crate) struct Selector<'a> {
    catalog: &'a Catalog,
    sources: &'a AnalysisDataSources,
    key: &'a ShapeKey,
    stack: &'a [FaceId],
    /// Faces beyond the stack for the segment's script; filled when first needed.
    beyond: HashMap<[u8; 4], Vec<FaceId>>,
    emoji: Vec<FaceId>,
    /// Faces of single characters already decided, by script.
    known: HashMap<([u8; 4], char), FaceId>,
    used: Vec<FaceId>,
}

impl<'a> Selector<'a> {
    pub fn new(
        catalog: &'a Catalog,
        sources: &'a AnalysisDataSources,
        stack: &'a [FaceId],
        key: &'a ShapeKey,
    ) -> Self {
        let mut emoji = Vec::new();
        catalog.push_whole_family(&mut emoji, EMOJI, key);
        Self {
            catalog,
            sources,
            key,
            stack,
            beyond: HashMap::new(),
            emoji,
            known: HashMap::new(),
            used: Vec::new(),
        }
    }

    /// The face behind an instance this selector handed out.
    pub fn face(&self, instance: &FontInstance) -> Option<&'a LoadedFace> {
        let mut used = self.used.iter().filter_map(|id| self.catalog.face(*id));
        used.find(|face| face.instance.font == instance.font)
    }

    fn choose(&mut self, script: [u8; 4], cluster: &mut CharCluster) -> Option<FaceId> {
        let mut best: Option<(FaceId, Coverage)> = None;
        let emoji: &[FaceId] = if cluster.is_emoji() { &self.emoji } else { &[] };
        if let Some(found) = self.search(emoji.iter().chain(self.stack), cluster, &mut best) {
            return Some(found);
        }
        if !self.beyond.contains_key(&script) {
            let faces = fallback_faces(self.catalog, script, self.key);
            self.beyond.insert(script, faces);
        }
        if let Some(found) = self.search(&self.beyond[&script], cluster, &mut best) {
            return Some(found);
        }
        // No face covers all of it: use the one that covers most, else the first face and its box for missing glyphs.
        best.map(|(id, _)| id).or_else(|| {
            let every = self.stack.iter().chain(&self.beyond[&script]).copied();
            every.into_iter().find(|id| self.catalog.face(*id).is_some() || self.catalog.is_awaited(*id))
        })
    }

    /// The first face that covers the cluster; notes the one that covers most of it.
    fn search<'i>(
        &self,
        faces: impl IntoIterator<Item = &'i FaceId>,
        cluster: &mut CharCluster,
        best: &mut Option<(FaceId, Coverage)>,
    ) -> Option<FaceId> {
        for &id in faces {
            let coverage = cluster.calculate_coverage(|ch| self.catalog.covers(id, ch), self.sources);
            if coverage.is_complete() && (self.catalog.face(id).is_some() || self.catalog.is_awaited(id)) {
                return Some(id);
            }
            if coverage > best.map_or(Coverage::NONE, |(_, coverage)| coverage) {
                *best = Some((id, coverage));
            }
        }
        None
    }
}

impl FontSelector for &mut Selector<'_> {
    fn select_font(
        &mut self,
        segment: &Segment,
        _options: &ShapeOptions<'_>,
        cluster: &mut CharCluster,
    ) -> Option<FontInstanceRef<'_>> {
        let script = segment.script.to_bytes();
        let single = match cluster.chars() {
            [only] => Some((script, only.ch)),
            _ => None,
        };
        let known = single.and_then(|key| self.known.get(&key).copied());
        let id = match known {
            Some(id) => id,
            None => self.choose(script, cluster)?,
        };
        if let Some(key) = single {
            self.known.insert(key, id);
        }
        if !self.used.contains(&id) {
            self.used.push(id);
        }
        self.catalog.face(id).map(|face| face.instance.as_ref())
    }
}

/// Families of the script, then symbols, emoji and every other Noto family; those the user supplied first.
fn fallback_faces(catalog: &Catalog, script: [u8; 4], key: &ShapeKey) -> Vec<FaceId> {
    let table = |code: [u8; 4]| SCRIPTS.iter().filter(move |(tag, _)| **tag == code).flat_map(|(_, f)| *f);
    let han = key.han.families();
    let mut names: Vec<&str> = table(script).copied().collect();
    if script == *b"Hani" {
        names.extend(han);
    }
    names.extend(table(*b"Zsym").chain(table(*b"Zmth")));
    names.push(EMOJI);
    names.extend(han);
    names.extend(SCRIPTS.iter().flat_map(|(_, families)| *families));
    names.extend(catalog.family_names().filter(|name| name.starts_with("noto ")));
    names.sort_by_key(|name| !catalog.is_users(name));
    let mut faces = Vec::new();
    for name in names {
        catalog.push_whole_family(&mut faces, name, key);
    }
    faces
}
