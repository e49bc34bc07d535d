//! Forced alignment with pocketsphinx. Its libraries and its English model are Debian packages.

use std::ffi::{CStr, CString, c_char, c_double, c_int, c_short, c_void};
use std::path::Path;
use std::ptr::{NonNull, null_mut};

use libloading::Library;

use super::Pronounced;
use crate::library::{functions, open};

type Handle = *mut c_void;

/// Debian's paths of the model and its dictionary.
const MODEL: &str = "/usr/share/pocketsphinx/model/en-us/en-us";
const DICTIONARY: &str = "/usr/share/pocketsphinx/model/en-us/cmudict-en-us.dict";
/// The frame length of the model.
const FRAME_MS: f64 = 10.0;
/// The name of the grammar of the words to align.
const SEARCH: &CStr = c"words";
/// Missing words are added to the decoder's dictionary. The decoder is recreated after this many.
const MAX_ADDED: usize = 5_000;

/// Removes noise but keeps silent frames, so that times match the audio.
const OPTIONS: &str =
    "-dither no -remove_silence no -remove_noise yes -cmn batch -fsgusefiller yes -bestpath no -maxhmmpf -1";

/// Beam widths: paths less probable than the best one by this factor are pruned. Noise can prune the correct path, so
/// a failed alignment is repeated without pruning, or in long audio with a wide beam.
const BEAM: f64 = 1e-80;
const WIDE_BEAM: f64 = 1e-300;
const ALL_PATHS: f64 = 0.0;
const LONG_SECONDS: usize = 60;

functions! {
    /// Functions of libsphinxbase.
    Base {
        cmd_ln_parse_r(Handle, Handle, c_int, *const *const c_char, c_int) -> Handle;
        cmd_ln_free_r(Handle) -> c_int;
        cmd_ln_set_float_r(Handle, *const c_char, c_double);
        err_set_logfp(Handle);
        ckd_free(Handle);
    }
}

functions! {
    /// Functions of libpocketsphinx.
    Pocket {
        ps_args() -> Handle;
        ps_init(Handle) -> Handle;
        ps_free(Handle) -> c_int;
        ps_get_config(Handle) -> Handle;
        ps_lookup_word(Handle, *const c_char) -> *mut c_char;
        ps_add_word(Handle, *const c_char, *const c_char, c_int) -> c_int;
        ps_set_jsgf_string(Handle, *const c_char, *const c_char) -> c_int;
        ps_set_search(Handle, *const c_char) -> c_int;
        ps_start_stream(Handle) -> c_int;
        ps_start_utt(Handle) -> c_int;
        ps_process_raw(Handle, *const c_short, usize, c_int, c_int) -> c_int;
        ps_end_utt(Handle) -> c_int;
        ps_seg_iter(Handle) -> Handle;
        ps_seg_next(Handle) -> Handle;
        ps_seg_word(Handle) -> *const c_char;
        ps_seg_frames(Handle, *mut c_int, *mut c_int);
    }
}

pub struct Sphinx {
    base: Base,
    pocket: Pocket,
    decoder: Option<NonNull<c_void>>,
    added: usize,
    /// Kept open while their functions are used.
    _libraries: [Library; 2],
}

// SAFETY: a decoder is not bound to a thread, and a lock gives it to one thread at a time.
unsafe impl Send for Sphinx {}

impl Drop for Sphinx {
    fn drop(&mut self) {
        self.close();
    }
}

impl Sphinx {
    /// `None` if the libraries or the model are not installed.
    pub fn open() -> Option<Self> {
        let libraries = [open(&["libsphinxbase.so.3"])?, open(&["libpocketsphinx.so.3"])?];
        let (base, pocket) = (Base::of(&libraries[0])?, Pocket::of(&libraries[1])?);
        (Path::new(MODEL).is_dir() && Path::new(DICTIONARY).is_file()).then(|| Self {
            base,
            pocket,
            decoder: None,
            added: 0,
            _libraries: libraries,
        })
    }

    /// The timing of each word in samples at 16 kHz, in milliseconds. `None` if alignment fails.
    pub fn times(&mut self, samples: &[f32], words: &[Pronounced]) -> Option<Vec<(f64, f64)>> {
        if words.is_empty() || samples.is_empty() {
            return None;
        }
        let decoder = self.decoder()?;
        let names = words.iter().map(|word| self.known(decoder, word)).collect::<Option<Vec<String>>>()?;
        let grammar =
            CString::new(format!("#JSGF V1.0; grammar words; public <words> = {} ;", names.join(" ")))
                .ok()?;
        let samples: Vec<i16> =
            samples.iter().map(|sample| (sample * 32767.0).clamp(-32768.0, 32767.0) as i16).collect();
        let wide = if samples.len() < LONG_SECONDS * 16_000 { ALL_PATHS } else { WIDE_BEAM };
        for beam in [BEAM, wide] {
            if !self.search(decoder, &grammar, &samples, beam) {
                self.close();
                return None;
            }
            let found = self.segments(decoder);
            if found.len() == names.len() && found.iter().zip(&names).all(|((word, _), name)| word == name) {
                return Some(found.into_iter().map(|(_, times)| times).collect());
            }
        }
        None
    }

    /// Decodes samples with a grammar. Returns false if the decoder fails.
    fn search(&self, decoder: NonNull<c_void>, grammar: &CStr, samples: &[i16], beam: f64) -> bool {
        let at = decoder.as_ptr();
        // SAFETY: the decoder and its configuration are alive, strings and samples outlive the calls.
        unsafe {
            let config = (self.pocket.ps_get_config)(at);
            for name in [c"-beam", c"-pbeam", c"-wbeam"] {
                (self.base.cmd_ln_set_float_r)(config, name.as_ptr(), beam);
            }
            (self.pocket.ps_set_jsgf_string)(at, SEARCH.as_ptr(), grammar.as_ptr()) == 0
                && (self.pocket.ps_set_search)(at, SEARCH.as_ptr()) == 0
                // Resets the noise estimate of earlier audio.
                && (self.pocket.ps_start_stream)(at) == 0
                && (self.pocket.ps_start_utt)(at) == 0
                && (self.pocket.ps_process_raw)(at, samples.as_ptr(), samples.len(), 0, 1) >= 0
                && (self.pocket.ps_end_utt)(at) == 0
        }
    }

    /// The decoded words, without silence, noise and pronunciation markers.
    fn segments(&self, decoder: NonNull<c_void>) -> Vec<(String, (f64, f64))> {
        let mut found = Vec::new();
        // SAFETY: the decoder is alive; an iterator is valid until the next one or null is returned for it.
        unsafe {
            let mut segment = (self.pocket.ps_seg_iter)(decoder.as_ptr());
            while !segment.is_null() {
                let (mut first, mut last) = (0, 0);
                (self.pocket.ps_seg_frames)(segment, &raw mut first, &raw mut last);
                let word = (self.pocket.ps_seg_word)(segment);
                if !word.is_null() {
                    let word = CStr::from_ptr(word).to_string_lossy();
                    let name = word.split('(').next().unwrap_or_default();
                    if !name.is_empty() && !name.starts_with(['<', '[', '+']) {
                        let times = (f64::from(first) * FRAME_MS, f64::from(last + 1) * FRAME_MS);
                        found.push((name.to_owned(), times));
                    }
                }
                segment = (self.pocket.ps_seg_next)(segment);
            }
        }
        found
    }

    /// The name of a word in the decoder's dictionary. Adds the word if missing.
    fn known(&mut self, decoder: NonNull<c_void>, word: &Pronounced) -> Option<String> {
        if self.has(decoder, &word.name)? {
            return Some(word.name.clone());
        }
        let phones = word.phones.as_ref().filter(|phones| !phones.is_empty())?;
        let name = format!("said-{}", phones.replace(' ', "-"));
        if !self.has(decoder, &name)? {
            let (word, phones) = (CString::new(name.as_str()).ok()?, CString::new(phones.as_str()).ok()?);
            // SAFETY: the decoder is alive and copies both strings.
            if unsafe { (self.pocket.ps_add_word)(decoder.as_ptr(), word.as_ptr(), phones.as_ptr(), 0) } < 0 {
                return None;
            }
            self.added += 1;
        }
        Some(name)
    }

    fn has(&self, decoder: NonNull<c_void>, name: &str) -> Option<bool> {
        let name = CString::new(name).ok()?;
        // SAFETY: the decoder is alive; the result is null or a string that the caller frees.
        unsafe {
            let phones = (self.pocket.ps_lookup_word)(decoder.as_ptr(), name.as_ptr());
            if phones.is_null() {
                return Some(false);
            }
            (self.base.ckd_free)(phones.cast());
        }
        Some(true)
    }

    /// The decoder, created on first use.
    fn decoder(&mut self) -> Option<NonNull<c_void>> {
        if self.added > MAX_ADDED {
            self.close();
        }
        if self.decoder.is_none() {
            self.decoder = self.make();
            self.added = 0;
        }
        self.decoder
    }

    fn make(&self) -> Option<NonNull<c_void>> {
        let options = OPTIONS.split_whitespace();
        let files = ["-hmm", MODEL, "-dict", DICTIONARY];
        let options: Vec<CString> =
            files.into_iter().chain(options).filter_map(|option| CString::new(option).ok()).collect();
        let pointers: Vec<*const c_char> = options.iter().map(|option| option.as_ptr()).collect();
        // SAFETY: options outlive the call that copies them; the decoder keeps its configuration alive itself.
        unsafe {
            (self.base.err_set_logfp)(null_mut());
            let count = c_int::try_from(pointers.len()).ok()?;
            let config =
                (self.base.cmd_ln_parse_r)(null_mut(), (self.pocket.ps_args)(), count, pointers.as_ptr(), 1);
            if config.is_null() {
                return None;
            }
            let decoder = (self.pocket.ps_init)(config);
            (self.base.cmd_ln_free_r)(config);
            NonNull::new(decoder)
        }
    }

    fn close(&mut self) {
        if let Some(decoder) = self.decoder.take() {
            // SAFETY: it is freed once, here.
            unsafe { (self.pocket.ps_free)(decoder.as_ptr()) };
        }
    }
}
