//! The available families, and which faces a CSS request gets.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use crate::dictionary::Dictionary;
use crate::error::TextError;
use crate::face::{Face, FaceNames, LoadedFace, faces, unpack};
use crate::index::{IndexWriter, Ranges, parse_index};
use crate::matching::{DEFAULT_FAMILY, NORMAL_WIDTH, Wanted, match_weight, match_width, parse_families};
use crate::names::{self, Kind};
use crate::shape_key::ShapeKey;
use crate::words::{SCRIPTS, word_breaks};

/// Where font files registered by an index are read from, and the dictionaries of languages without spaces: those have the
/// names of [`crate::Dictionaries`]. The text crate opens no files itself.
pub trait FontFiles: Send + Sync {
    fn load(&self, file: &str) -> FontFile;
}

/// A font file that an index names.
pub enum FontFile {
    Bytes(Vec<u8>),
    /// It cannot be read.
    Absent,
    /// It was asked for and comes later. Until then its face counts as the one that covers what it is meant for, and what it
    /// would draw is left out.
    Awaited,
}

impl From<Option<Vec<u8>>> for FontFile {
    fn from(bytes: Option<Vec<u8>>) -> Self {
        bytes.map_or(Self::Absent, Self::Bytes)
    }
}

/// Who supplied a font. Of one name, families of the film win over those of the user, and these over bundled ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    Film,
    User,
    Bundled,
}

/// A family as listed to people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    pub name: String,
    pub origin: Origin,
    /// Upright weights, ascending; a variable face counts with its hundreds.
    pub weights: Vec<u16>,
    /// Italic weights, likewise.
    pub italic_weights: Vec<u16>,
    /// Other names that get this family: CSS generics, families it stands for, tokens.
    pub aliases: Vec<&'static str>,
}

/// What a request for family, weight and style gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// The first family requested, when none of the requested families is available and another is used.
    pub missing: Option<String>,
    /// The family used.
    pub family: String,
    pub weight: u16,
    pub italic: bool,
    /// Whether the family has the weight and style asked for.
    pub exact: bool,
    /// What the family offers: `400`, `700`, `400 italic`.
    pub available: Vec<String>,
}

/// Every font known, loaded or only listed. Clones share what is loaded.
#[derive(Clone, Default)]
pub struct Catalog {
    files: Option<Arc<dyn FontFiles>>,
    entries: Vec<Arc<Entry>>,
    /// By lower-case name, then origin.
    families: BTreeMap<String, BTreeMap<Origin, Vec<usize>>>,
    /// Families that can be installed, as their packages are called.
    installable: BTreeSet<String>,
    /// Of each script that needs one; nothing in those that cannot be read.
    dictionaries: Arc<[OnceLock<Option<Dictionary>>; SCRIPTS]>,
}

struct Entry {
    face: Face,
    source: Source,
    origin: Origin,
    /// Characters the face is meant for; `None` is all its glyphs.
    ranges: Option<Arc<Ranges>>,
    loaded: OnceLock<Option<LoadedFace>>,
}

/// Where a face is: its file, and its number in it.
enum Source {
    Bytes(Arc<[u8]>, u32),
    File { files: Option<Arc<dyn FontFiles>>, name: String, number: u32 },
}

/// The file of a face of a catalogue.
#[derive(Clone, Copy)]
pub enum FaceFile<'c> {
    /// Unpacked, in memory.
    Bytes(&'c Arc<[u8]>),
    /// The name that an index gave it, and where it can be read.
    Named(&'c str, Option<&'c Arc<dyn FontFiles>>),
}

/// Characters of the name of a family that a file states.
const LONGEST_FAMILY: usize = 200;

/// Number of a face in its catalogue.
pub(crate) type FaceId = usize;

impl Catalog {
    /// An empty catalogue whose index entries are read through `files`.
    pub fn new(files: Option<Arc<dyn FontFiles>>) -> Self {
        Self { files, ..Self::default() }
    }

    /// Adds a font file (ttf, otf, ttc, woff, woff2) and returns the faces in it.
    pub fn add(&mut self, bytes: Vec<u8>, origin: Origin) -> Result<Vec<Face>, TextError> {
        let data: Arc<[u8]> = unpack(bytes)?.into();
        let mut added = Vec::new();
        for (index, names) in faces(&data)? {
            let FaceNames { family, weights, italic, widths } = names;
            let face = Face { family, weights, italic, widths };
            added.push(face.clone());
            self.insert(face, Source::Bytes(data.clone(), index), None, origin);
        }
        Ok(added)
    }

    /// Adds a font file of a film under the name of a family: the faces that call themselves so, or all if none does.
    pub fn add_family(&mut self, family: &str, bytes: Vec<u8>) -> Result<(), TextError> {
        let data: Arc<[u8]> = unpack(bytes)?.into();
        let family = family_name(family);
        let is_called = |face: &Face| face.family.to_lowercase() == family.to_lowercase();
        let mut found = usable_faces(&data)?;
        if found.iter().any(|(_, face)| is_called(face)) {
            found.retain(|(_, face)| is_called(face));
        }
        for (index, face) in found {
            let face = Face { family: family.clone(), ..face };
            self.insert(face, Source::Bytes(data.clone(), index), None, Origin::Film);
        }
        Ok(())
    }

    /// Adds files without reading them. The index is lines of tab-separated fields:
    ///
    /// - `range`, a number and a CSS unicode range;
    /// - `face`, family, weight (`400`, or `100-900`), `normal` or `italic`, the number of a range before it (or `-` for
    ///   all characters), and the name to ask [`FontFiles`] for. Then may follow the width in percent (`75`, or
    ///   `75-125`), and after it the number of the face in its file;
    /// - `origin` and `user` or `bundled`: of the faces after it. Those before the first such line have `origin`.
    pub fn add_index(&mut self, index: &str, origin: Origin) -> Result<(), TextError> {
        self.add_index_of(index, origin, self.files.clone())
    }

    /// Adds the files of another source, as [`Catalog::add_index`] does.
    pub fn add_index_of(
        &mut self,
        index: &str,
        origin: Origin,
        files: Option<Arc<dyn FontFiles>>,
    ) -> Result<(), TextError> {
        for line in parse_index(index)? {
            let source = Source::File { files: files.clone(), name: line.file, number: line.number };
            self.insert(line.face, source, line.ranges, line.origin.unwrap_or(origin));
        }
        Ok(())
    }

    /// All faces as an index that makes the same catalogue elsewhere, with files under other names.
    pub fn write_index(&self, mut name: impl FnMut(FaceFile<'_>) -> String) -> String {
        let mut writer = IndexWriter::default();
        for entry in &self.entries {
            let Entry { face, source, origin, ranges, .. } = &**entry;
            let (file, number) = match source {
                Source::Bytes(data, number) => (name(FaceFile::Bytes(data)), *number),
                Source::File { files, name: file, number } => {
                    (name(FaceFile::Named(file, files.as_ref())), *number)
                }
            };
            writer.face(face, *origin, ranges.as_ref(), &file, number);
        }
        writer.text
    }

    /// Notes families that can be installed, by their packages: `alex-brush` is Alex Brush.
    pub fn add_installable<'p>(&mut self, packages: impl IntoIterator<Item = &'p str>) {
        self.installable.extend(packages.into_iter().map(str::to_owned));
    }

    pub fn has(&self, family: &str) -> bool {
        self.families.contains_key(&family.to_lowercase())
    }

    /// Whether a family that is not available can be installed.
    pub fn is_installable(&self, family: &str) -> bool {
        self.installable.contains(&package_of(family))
    }

    /// The packages that a CSS family list would use if they were installed: those named before the first family that is
    /// available.
    pub fn lacking(&self, families: &str) -> Vec<String> {
        let wanted = parse_families(families);
        let missing = wanted.iter().map(wanted_name).take_while(|name| self.available(name).is_none());
        missing.map(package_of).filter(|package| self.installable.contains(package)).collect()
    }

    fn insert(&mut self, face: Face, source: Source, ranges: Option<Arc<Ranges>>, origin: Origin) {
        let family = self.families.entry(face.family.to_lowercase()).or_default();
        family.entry(origin).or_default().push(self.entries.len());
        self.entries.push(Arc::new(Entry { face, source, origin, ranges, loaded: OnceLock::new() }));
    }

    /// All families by name; of one supplied twice, the user's.
    pub fn families(&self) -> Vec<Family> {
        let described = self.families.values().filter_map(|family| {
            let (origin, ids) = family.first_key_value()?;
            let name = self.entries[*ids.first()?].face.family.clone();
            let [weights, italic_weights] = [false, true].map(|italic| self.weights(ids, italic));
            let aliases = self.aliases(&name);
            Some(Family { name, origin: *origin, weights, italic_weights, aliases })
        });
        described.collect()
    }

    /// Other names that get a family of the catalogue.
    fn aliases(&self, family: &str) -> Vec<&'static str> {
        let same = names::ALIASES.iter().filter(|alias| alias.family.eq_ignore_ascii_case(family));
        same.filter(|alias| !self.families.contains_key(alias.name)).map(|alias| alias.shown).collect()
    }

    fn weights(&self, ids: &[FaceId], italic: bool) -> Vec<u16> {
        let mut weights = Vec::new();
        for face in ids.iter().map(|id| &self.entries[*id].face).filter(|face| face.italic == italic) {
            let (low, high) = face.weights;
            weights.push(low);
            weights.extend((low / 100 + 1..=high / 100).map(|hundreds| hundreds * 100));
        }
        weights.sort_unstable();
        weights.dedup();
        weights
    }

    /// Which face a CSS family list, weight and style get.
    pub fn resolve(&self, families: &str, weight: u16, italic: bool) -> Resolved {
        let wanted = parse_families(families);
        let mut named = wanted.iter().filter_map(|wanted| match wanted {
            Wanted::Named(name) => Some(name),
            Wanted::Generic(_) => None,
        });
        let any = named.clone().any(|name| self.available(name).is_some());
        let missing = if any { None } else { named.next().cloned() };
        let family = wanted.iter().find_map(|w| self.available(wanted_name(w))).unwrap_or(DEFAULT_FAMILY);
        let Some((_, ids)) = self.families.get(&family.to_lowercase()).and_then(|f| f.first_key_value())
        else {
            let family = family.to_owned();
            return Resolved { missing, family, weight, italic, exact: false, available: Vec::new() };
        };
        let matched = self.match_faces(ids, weight, italic, NORMAL_WIDTH);
        let face = matched.first().map_or(&self.entries[ids[0]].face, |id| &self.entries[*id].face);
        let used = weight.clamp(face.weights.0, face.weights.1);
        let upright = self.weights(ids, false).into_iter().map(|weight| weight.to_string());
        let italics = self.weights(ids, true).into_iter().map(|weight| format!("{weight} italic"));
        Resolved {
            missing,
            family: face.family.clone(),
            weight: used,
            italic: face.italic,
            exact: used == weight && face.italic == italic,
            available: upright.chain(italics).collect(),
        }
    }

    /// The family that a name gets: its own, or one that stands for it; `None` when there is neither.
    fn available<'n>(&self, name: &'n str) -> Option<&'n str> {
        if self.has(name) {
            return Some(name);
        }
        names::find(name, Kind::Stand).map(|alias| alias.family).filter(|family| self.has(family))
    }

    /// All files of the face nearest to what is asked for: the width first, then the style, then the weight.
    fn match_faces(&self, ids: &[FaceId], weight: u16, italic: bool, stretch: u16) -> Vec<FaceId> {
        let widths = match_width(ids.iter().map(|id| self.entries[*id].face.widths), stretch);
        let wide = |id: &FaceId| Some(self.entries[*id].face.widths) == widths;
        let ids: Vec<FaceId> = ids.iter().copied().filter(wide).collect();
        let styled = |italic| ids.iter().copied().filter(move |id| self.entries[*id].face.italic == italic);
        let italic = if styled(italic).next().is_some() { italic } else { !italic };
        let nearest = match_weight(styled(italic).map(|id| self.entries[id].face.weights), weight);
        styled(italic).filter(|id| Some(self.entries[*id].face.weights) == nearest).collect()
    }

    /// Appends the faces of a family to a stack: the user's if there are any, else the bundled ones.
    fn push_family(&self, stack: &mut Vec<FaceId>, name: &str, key: &ShapeKey) {
        let family = self.families.get(&name.to_lowercase());
        if let Some(ids) = family.and_then(|family| family.values().next()) {
            self.push_faces(stack, ids, key);
        }
    }

    fn push_faces(&self, stack: &mut Vec<FaceId>, ids: &[FaceId], key: &ShapeKey) {
        for id in self.match_faces(ids, key.weight, key.italic, key.stretch / 10) {
            if !stack.contains(&id) {
                stack.push(id);
            }
        }
    }

    /// Faces for a CSS family list in order of preference, the default family after them. Bundled faces that the user's
    /// own hide come last: they may still have a glyph that no other has.
    pub(crate) fn stack(&self, key: &ShapeKey) -> Vec<FaceId> {
        let wanted = parse_families(&key.families);
        let names = wanted.iter().filter_map(|wanted| self.available(wanted_name(wanted)));
        let names: Vec<&str> = names.chain([DEFAULT_FAMILY]).collect();
        let mut stack = Vec::new();
        for name in &names {
            self.push_family(&mut stack, name, key);
        }
        for name in names {
            self.push_whole_family(&mut stack, name, key);
        }
        stack
    }

    /// Appends all faces of a family, the user's before the bundled ones.
    pub(crate) fn push_whole_family(&self, stack: &mut Vec<FaceId>, name: &str, key: &ShapeKey) {
        for ids in self.families.get(&name.to_lowercase()).into_iter().flat_map(|family| family.values()) {
            self.push_faces(stack, ids, key);
        }
    }

    /// Whether the face is meant for the character, glyph or not.
    pub(crate) fn is_meant_for(&self, id: FaceId, ch: char) -> bool {
        self.entries
            .get(id)
            .is_some_and(|entry| entry.ranges.as_ref().is_none_or(|ranges| ranges.contains(ch)))
    }

    /// Whether the family is one the user supplied.
    pub(crate) fn is_users(&self, name: &str) -> bool {
        self.families.get(&name.to_lowercase()).is_some_and(|family| family.contains_key(&Origin::User))
    }

    /// Names of all families in lower case, in order.
    pub(crate) fn family_names(&self) -> impl Iterator<Item = &str> {
        self.families.keys().map(String::as_str)
    }

    /// The face itself, read and unpacked on first use; `None` when it cannot be, or not yet.
    pub(crate) fn face(&self, id: FaceId) -> Option<&LoadedFace> {
        let entry = self.entries.get(id)?;
        if let Some(loaded) = entry.loaded.get() {
            return loaded.as_ref();
        }
        let loaded = match &entry.source {
            Source::Bytes(data, index) => LoadedFace::new(data.clone(), *index),
            Source::File { files, name, number } => match files.as_ref().map(|files| files.load(name)) {
                Some(FontFile::Bytes(bytes)) => {
                    unpack(bytes).ok().and_then(|bytes| LoadedFace::new(bytes.into(), *number))
                }
                Some(FontFile::Awaited) => return None,
                Some(FontFile::Absent) | None => None,
            },
        };
        entry.loaded.get_or_init(|| loaded).as_ref()
    }

    /// Places in a text, in bytes, where a line may break between words without a space. None while a dictionary is awaited.
    pub(crate) fn word_breaks(&self, text: &str) -> Vec<usize> {
        word_breaks(text, |script, file| self.dictionary(script, file))
    }

    /// The dictionary of a script, read on first use; `None` when it cannot be, or not yet.
    fn dictionary(&self, script: usize, file: &str) -> Option<&Dictionary> {
        let known = self.dictionaries.get(script)?;
        if let Some(read) = known.get() {
            return read.as_ref();
        }
        let read = match self.files.as_ref().map(|files| files.load(file)) {
            Some(FontFile::Bytes(bytes)) => Some(Dictionary::read(&bytes)),
            Some(FontFile::Awaited) => return None,
            Some(FontFile::Absent) | None => None,
        };
        known.get_or_init(|| read).as_ref()
    }

    /// The first of some faces that can be read; `None` also where it comes later.
    pub(crate) fn first_face(&self, ids: impl IntoIterator<Item = FaceId>) -> Option<&LoadedFace> {
        let first = ids.into_iter().find(|id| self.face(*id).is_some() || self.is_awaited(*id))?;
        self.face(first)
    }

    /// Whether the file of a face comes later.
    pub(crate) fn is_awaited(&self, id: FaceId) -> bool {
        self.face(id).is_none() && self.entries.get(id).is_some_and(|entry| entry.loaded.get().is_none())
    }

    /// Whether the face has a glyph for the character, or may have one when its file has come, and is meant for it.
    pub(crate) fn covers(&self, id: FaceId, ch: char) -> bool {
        self.is_meant_for(id, ch) && self.face(id).map_or_else(|| self.is_awaited(id), |face| face.covers(ch))
    }
}

/// The faces of a font file (ttf, otf, ttc, woff, woff2) that texts can be set in.
pub fn read_faces(bytes: Vec<u8>) -> Result<Vec<Face>, TextError> {
    let found = usable_faces(&unpack(bytes)?.into())?;
    Ok(found.into_iter().map(|(_, face)| face).collect())
}

/// The faces of an unpacked file that texts can be set in, by index; not none.
fn usable_faces(data: &Arc<[u8]>) -> Result<Vec<(u32, Face)>, TextError> {
    let mut found = Vec::new();
    for (index, FaceNames { family, weights, italic, widths }) in faces(data)? {
        let family = family_name(&family);
        if !family.is_empty() && LoadedFace::new(data.clone(), index).is_some() {
            found.push((index, Face { family, weights, italic, widths }));
        }
    }
    if found.is_empty() { Err(TextError::NoFace) } else { Ok(found) }
}

/// The name of a family as lists of families are read: without control characters, with single spaces, and not too long.
fn family_name(family: &str) -> String {
    let plain: String = family.replace(char::is_control, " ").chars().take(LONGEST_FAMILY).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The families that a CSS list names, without generic ones.
pub fn families_in(families: &str) -> Vec<String> {
    let named = |wanted| match wanted {
        Wanted::Named(name) => Some(name),
        Wanted::Generic(_) => None,
    };
    parse_families(families).into_iter().filter_map(named).collect()
}

/// The package of a family: that of Alex Brush is `alex-brush`.
pub fn package_of(family: &str) -> String {
    family.to_lowercase().replace(' ', "-")
}

/// The packages of the families that a CSS list names.
pub fn packages_named(families: &str) -> Vec<String> {
    parse_families(families).iter().map(|wanted| package_of(wanted_name(wanted))).collect()
}

fn wanted_name(wanted: &Wanted) -> &str {
    match wanted {
        Wanted::Named(name) => name,
        Wanted::Generic(name) => name,
    }
}
