//! The flite libraries: a line of plain ASCII becomes samples, and the words, sounds and times flite gave it.

use std::ffi::{CStr, CString, c_char, c_float, c_int, c_short, c_void};
use std::ptr::{NonNull, null};

use libloading::Library;

use crate::Error;
use crate::library::{functions, open};

type Handle = *mut c_void;
type Name = *const c_char;

/// The beginning of flite's utterance, as far as it is read here.
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
    /// Of libflite.
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

/// A line as it was said.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    pub samples: Vec<i16>,
    pub rate: u32,
    /// What was said for each word of the line.
    pub tokens: Vec<Vec<SaidWord>>,
}

/// A spoken word: of `$5` those are two.
#[derive(Debug, Clone, PartialEq)]
pub struct SaidWord {
    pub name: String,
    pub phones: Vec<String>,
    pub start_ms: f64,
    pub end_ms: f64,
}

pub struct Speaker {
    functions: Functions,
    voices: Vec<(&'static str, Handle)>,
    /// Open as long as their functions are used.
    libraries: Vec<Library>,
}

// SAFETY: flite keeps nothing that belongs to a thread; one thread at a time has the speaker, behind a lock.
unsafe impl Send for Speaker {}

impl Speaker {
    pub fn open() -> Option<Self> {
        let library = open(&["libflite.so.1"])?;
        let functions = Functions::of(&library)?;
        // SAFETY: takes no arguments, and may be called again.
        unsafe { (functions.flite_init)() };
        Some(Self { functions, voices: Vec::new(), libraries: vec![library] })
    }

    /// Whether that voice is installed; it can be used then.
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

    /// Says a line of plain ASCII words. `stretch` scales how long everything takes, `pitch` how high it is.
    pub fn say(&self, line: &str, voice: &str, stretch: f32, pitch: f32) -> Result<Said, Error> {
        let utterance = self.utterance(line, voice)?;
        // SAFETY: the utterance is initialised and owned; features are copied by flite, and the names outlive the calls.
        let (samples, rate) = unsafe {
            let features = (*utterance.raw.as_ptr()).features;
            (self.functions.feat_set_float)(features, c"duration_stretch".as_ptr(), stretch);
            if pitch != 1.0 {
                (self.functions.feat_set_float)(features, c"f0_shift".as_ptr(), pitch);
            }
            // Flite takes the noise of breath from the C library's numbers: from the same beginning they are the same.
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
        Ok(Said { samples, rate, tokens: utterance.tokens() })
    }

    /// The spoken words of each word of a line, without saying them: they have no times.
    pub fn pronounce(&self, line: &str) -> Result<Vec<Vec<SaidWord>>, Error> {
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
        // SAFETY: the text lives until flite has copied it, the voice as long as its library, which is never closed before.
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
    Error::Engine("flite could not speak the text; divide it into shorter sentences".to_owned())
}

/// What flite made of a line; deleted at the end.
struct Utterance<'a> {
    functions: &'a Functions,
    raw: NonNull<RawUtterance>,
}

impl Drop for Utterance<'_> {
    fn drop(&mut self) {
        // SAFETY: it is deleted once, here.
        unsafe { (self.functions.delete_utterance)(self.raw.as_ptr()) }
    }
}

impl Utterance<'_> {
    fn tokens(&self) -> Vec<Vec<SaidWord>> {
        let mut tokens = Vec::new();
        // SAFETY: a relation that is present has a head or is empty, and items stay as long as the utterance.
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

    /// A word of the Token relation with the sounds it is made of. `None` for one without sounds.
    fn word(&self, word: Handle) -> Option<SaidWord> {
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
        Some(SaidWord {
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

    /// The same item in another relation, null where it is not in it.
    fn view(&self, item: Handle, relation: &CStr) -> Handle {
        // SAFETY: the item is alive.
        unsafe { (self.functions.item_as)(item, relation.as_ptr()) }
    }

    fn name(&self, item: Handle) -> String {
        // SAFETY: a name that is present is a C string that stays as long as the item.
        unsafe {
            if (self.functions.item_feat_present)(item, c"name".as_ptr()) == 0 {
                return String::new();
            }
            let name = (self.functions.item_feat_string)(item, c"name".as_ptr());
            if name.is_null() { String::new() } else { CStr::from_ptr(name).to_string_lossy().into_owned() }
        }
    }

    /// When a segment ends; zero for none, and where times have not been given.
    fn end_ms(&self, segment: Handle) -> f64 {
        // SAFETY: the item is alive, and a feature is read only where it is present.
        unsafe {
            if segment.is_null() || (self.functions.item_feat_present)(segment, c"end".as_ptr()) == 0 {
                return 0.0;
            }
            f64::from((self.functions.item_feat_float)(segment, c"end".as_ptr())) * 1000.0
        }
    }
}
