//! Bindings to flite: a line of ASCII becomes samples with words, phones and timings.

use std::ffi::{CStr, CString, c_char, c_float, c_int, c_short, c_void};
use std::ptr::{NonNull, null};

use libloading::Library;

use crate::Error;
use crate::library::{functions, open};

type Handle = *mut c_void;
type Name = *const c_char;

/// The first field of flite's `cst_utterance`; the rest is not used.
#[repr(C)]
struct RawUtterance {
    features: Handle,
}

#[repr(C)]
struct RawWave {
    kind: Name,
    rate: c_int,
    samples: c_int,
    channels: c_int,
    data: *const c_short,
}

functions! {
    /// Functions of libflite.
    Functions {
        flite_init() -> c_int;
        new_utterance() -> *mut RawUtterance;
        delete_utterance(*mut RawUtterance);
        utt_set_input_text(*mut RawUtterance, Name) -> c_int;
        utt_init(*mut RawUtterance, Handle) -> *mut RawUtterance;
        utt_synth(*mut RawUtterance) -> *mut RawUtterance;
        utt_synth_text2segs(*mut RawUtterance) -> *mut RawUtterance;
        utt_wave(*mut RawUtterance) -> *const RawWave;
        utt_relation(*mut RawUtterance, Name) -> Handle;
        utt_relation_present(*mut RawUtterance, Name) -> c_int;
        relation_head(Handle) -> Handle;
        item_next(Handle) -> Handle;
        item_prev(Handle) -> Handle;
        item_daughter(Handle) -> Handle;
        item_as(Handle, Name) -> Handle;
        item_feat_present(Handle, Name) -> c_int;
        item_feat_string(Handle, Name) -> Name;
        item_feat_float(Handle, Name) -> c_float;
        feat_set_float(Handle, Name, c_float);
    }
}

/// A synthesized line.
#[derive(Debug, Clone, PartialEq)]
pub struct Synthesized {
    pub samples: Vec<i16>,
    pub rate: u32,
    /// The spoken words for each token of the line.
    pub tokens: Vec<Vec<SpokenWord>>,
}

/// A spoken word: `$5` has two.
#[derive(Debug, Clone, PartialEq)]
pub struct SpokenWord {
    pub name: String,
    pub phones: Vec<String>,
    pub start_ms: f64,
    pub end_ms: f64,
}

pub struct Speaker {
    functions: Functions,
    voices: Vec<(&'static str, Handle)>,
    /// Kept open while their functions are used.
    libraries: Vec<Library>,
}

// SAFETY: flite has no thread-local state, and a lock gives the speaker to one thread at a time.
unsafe impl Send for Speaker {}

impl Speaker {
    pub fn open() -> Option<Self> {
        let library = open(&["libflite.so.1"])?;
        let functions = Functions::of(&library)?;
        // SAFETY: takes no arguments and may be called repeatedly.
        unsafe { (functions.flite_init)() };
        Some(Self { functions, voices: Vec::new(), libraries: vec![library] })
    }

    /// Registers a voice. Returns false if it is not installed.
    pub fn add_voice(&mut self, name: &'static str) -> bool {
        let Some(library) = open(&[format!("libflite_cmu_us_{name}.so.1")]) else { return false };
        let symbol = format!("register_cmu_us_{name}\0");
        // SAFETY: voices are registered by a function of this name and signature.
        let voice = unsafe {
            let Ok(register) = library.get::<unsafe extern "C" fn(Name) -> Handle>(symbol.as_bytes()) else {
                return false;
            };
            register(null())
        };
        if voice.is_null() {
            return false;
        }
        self.voices.push((name, voice));
        self.libraries.push(library);
        true
    }

    /// Synthesizes a line of ASCII words. `stretch` scales durations, `pitch` the fundamental frequency.
    pub fn say(&self, line: &str, voice: &str, stretch: f32, pitch: f32) -> Result<Synthesized, Error> {
        let utterance = self.utterance(line, voice)?;
        // SAFETY: the utterance is initialised and owned; features are copied by flite, and the names outlive the
        // calls.
        let (samples, rate) = unsafe {
            let features = (*utterance.raw.as_ptr()).features;
            (self.functions.feat_set_float)(features, c"duration_stretch".as_ptr(), stretch);
            if pitch != 1.0 {
                (self.functions.feat_set_float)(features, c"f0_shift".as_ptr(), pitch);
            }
            // Flite uses `rand` for aspiration noise: a fixed seed makes its output deterministic.
            libc::srand(1);
            if (self.functions.utt_synth)(utterance.raw.as_ptr()).is_null() {
                return Err(broken());
            }
            let wave = (self.functions.utt_wave)(utterance.raw.as_ptr()).as_ref().ok_or_else(broken)?;
            let length = usize::try_from(wave.samples).unwrap_or(0);
            let rate = u32::try_from(wave.rate).ok().filter(|rate| *rate > 0).ok_or_else(broken)?;
            if wave.data.is_null() || wave.channels != 1 {
                return Err(broken());
            }
            (std::slice::from_raw_parts(wave.data, length).to_vec(), rate)
        };
        Ok(Synthesized { samples, rate, tokens: utterance.tokens() })
    }

    /// The spoken words for each token of a line, without synthesis and timings.
    pub fn pronounce(&self, line: &str) -> Result<Vec<Vec<SpokenWord>>, Error> {
        let voice = self.voices.first().map(|(name, _)| *name).ok_or_else(broken)?;
        let utterance = self.utterance(line, voice)?;
        // SAFETY: the utterance is initialised and owned.
        if unsafe { (self.functions.utt_synth_text2segs)(utterance.raw.as_ptr()) }.is_null() {
            return Err(broken());
        }
        Ok(utterance.tokens())
    }

    fn utterance(&self, line: &str, voice: &str) -> Result<Utterance<'_>, Error> {
        let (_, voice) = self.voices.iter().find(|(name, _)| *name == voice).ok_or_else(broken)?;
        let text = CString::new(line).map_err(|_| broken())?;
        // SAFETY: flite copies the text, and the voice's library stays open as long as `self`.
        unsafe {
            let raw = NonNull::new((self.functions.new_utterance)()).ok_or_else(broken)?;
            let utterance = Utterance { functions: &self.functions, raw };
            (self.functions.utt_set_input_text)(raw.as_ptr(), text.as_ptr());
            (self.functions.utt_init)(raw.as_ptr(), *voice);
            Ok(utterance)
        }
    }
}

fn broken() -> Error {
    Error::Engine("flite failed to synthesize the text; use shorter sentences".to_owned())
}

/// An utterance, deleted on drop.
struct Utterance<'a> {
    functions: &'a Functions,
    raw: NonNull<RawUtterance>,
}

impl Drop for Utterance<'_> {
    fn drop(&mut self) {
        // SAFETY: the utterance is owned and deleted only here.
        unsafe { (self.functions.delete_utterance)(self.raw.as_ptr()) }
    }
}

impl Utterance<'_> {
    fn tokens(&self) -> Vec<Vec<SpokenWord>> {
        let mut tokens = Vec::new();
        // SAFETY: a relation that is present has a head or is empty, and items live as long as the utterance.
        let mut token = unsafe {
            if (self.functions.utt_relation_present)(self.raw.as_ptr(), c"Token".as_ptr()) == 0 {
                return tokens;
            }
            (self.functions.relation_head)((self.functions.utt_relation)(
                self.raw.as_ptr(),
                c"Token".as_ptr(),
            ))
        };
        while !token.is_null() {
            let words = self.daughters(token).into_iter().filter_map(|word| self.word(word));
            tokens.push(words.collect());
            token = self.next(token);
        }
        tokens
    }

    /// A word of the Token relation with its phones. `None` if it has none.
    fn word(&self, word: Handle) -> Option<SpokenWord> {
        let syllables = self.daughters(self.view(word, c"SylStructure"));
        let segments: Vec<Handle> = syllables
            .into_iter()
            .flat_map(|syllable| self.daughters(syllable))
            .map(|segment| self.view(segment, c"Segment"))
            .filter(|segment| !segment.is_null())
            .collect();
        let (first, last) = (*segments.first()?, *segments.last()?);
        // SAFETY: the item is alive.
        let before = unsafe { (self.functions.item_prev)(first) };
        Some(SpokenWord {
            name: self.name(word),
            phones: segments.iter().map(|segment| self.name(*segment)).collect(),
            start_ms: self.end_ms(before),
            end_ms: self.end_ms(last),
        })
    }

    fn next(&self, item: Handle) -> Handle {
        // SAFETY: the item is alive.
        unsafe { (self.functions.item_next)(item) }
    }

    fn daughters(&self, item: Handle) -> Vec<Handle> {
        if item.is_null() {
            return Vec::new();
        }
        // SAFETY: the item is alive.
        let mut daughter = unsafe { (self.functions.item_daughter)(item) };
        let mut daughters = Vec::new();
        while !daughter.is_null() {
            daughters.push(daughter);
            daughter = self.next(daughter);
        }
        daughters
    }

    /// The same item in another relation, or null.
    fn view(&self, item: Handle, relation: &CStr) -> Handle {
        // SAFETY: the item is alive.
        unsafe { (self.functions.item_as)(item, relation.as_ptr()) }
    }

    fn name(&self, item: Handle) -> String {
        // SAFETY: a name that is present is a C string that lives as long as the item.
        unsafe {
            if (self.functions.item_feat_present)(item, c"name".as_ptr()) == 0 {
                return String::new();
            }
            let name = (self.functions.item_feat_string)(item, c"name".as_ptr());
            if name.is_null() { String::new() } else { CStr::from_ptr(name).to_string_lossy().into_owned() }
        }
    }

    /// The end time of a segment; zero if there is none.
    fn end_ms(&self, segment: Handle) -> f64 {
        // SAFETY: the item is alive, and the feature is read only if present.
        unsafe {
            if segment.is_null() || (self.functions.item_feat_present)(segment, c"end".as_ptr()) == 0 {
                return 0.0;
            }
            f64::from((self.functions.item_feat_float)(segment, c"end".as_ptr())) * 1000.0
        }
    }
}
