//! Bindings to whisper.cpp's C API. Structs are passed by value, so they are declared for exactly one version, and
//! any other version is rejected.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;
use std::ptr;
use std::sync::{Mutex, PoisonError};

use libloading::Library;

use crate::library::{functions, open_file};

/// The version of the structs below.
const VERSION: &str = "1.8.5";
/// The greedy sampling strategy.
const GREEDY: c_int = 0;
/// The maximum of 30-second windows per piece: a piece has fewer unless the model loops.
const MAX_WINDOWS: u32 = 6;
/// Fallback sampling for uncertain results, at most twice: the temperature increment, and the number of samples.
const TEMPERATURE_INCREMENT: f32 = 0.4;
const BEST_OF: c_int = 2;
/// The OpenMP setting for how threads wait.
const WAIT_POLICY: &str = "OMP_WAIT_POLICY";
const PASSIVE: &str = "passive";
const MAX_THREADS: usize = 4;
/// The unit of whisper.cpp's timestamps.
const TICK_MS: f64 = 10.0;
/// Samples are clamped to this range.
const LOUDEST: f32 = 8.0;

/// Opaque types of the library.
type Context = c_void;
type State = c_void;

/// `whisper_context_params`. Booleans are bytes, because any value of a byte is valid.
#[repr(C)]
#[derive(Clone, Copy)]
struct ContextParams {
    use_gpu: u8,
    flash_attn: u8,
    gpu_device: c_int,
    dtw_token_timestamps: u8,
    dtw_aheads_preset: c_int,
    dtw_n_top: c_int,
    dtw_n_heads: usize,
    dtw_heads: *const c_void,
    dtw_mem_size: usize,
}

/// `whisper_full_params`.
#[repr(C)]
#[derive(Clone, Copy)]
struct FullParams {
    strategy: c_int,
    n_threads: c_int,
    n_max_text_ctx: c_int,
    offset_ms: c_int,
    duration_ms: c_int,
    translate: u8,
    no_context: u8,
    no_timestamps: u8,
    single_segment: u8,
    print_special: u8,
    print_progress: u8,
    print_realtime: u8,
    print_timestamps: u8,
    token_timestamps: u8,
    thold_pt: f32,
    thold_ptsum: f32,
    max_len: c_int,
    split_on_word: u8,
    max_tokens: c_int,
    debug_mode: u8,
    audio_ctx: c_int,
    tdrz_enable: u8,
    suppress_regex: *const c_char,
    initial_prompt: *const c_char,
    carry_initial_prompt: u8,
    prompt_tokens: *const i32,
    prompt_n_tokens: c_int,
    language: *const c_char,
    detect_language: u8,
    suppress_blank: u8,
    suppress_nst: u8,
    temperature: f32,
    max_initial_ts: f32,
    length_penalty: f32,
    temperature_inc: f32,
    entropy_thold: f32,
    logprob_thold: f32,
    no_speech_thold: f32,
    best_of: c_int,
    beam_size: c_int,
    patience: f32,
    new_segment: Callback,
    progress: Callback,
    encoder_begin: Callback,
    abort: Callback,
    logits_filter: Callback,
    grammar_rules: *const c_void,
    n_grammar_rules: usize,
    i_start_rule: usize,
    grammar_penalty: f32,
    vad: u8,
    vad_model_path: *const c_char,
    vad_threshold: f32,
    vad_min_speech_ms: c_int,
    vad_min_silence_ms: c_int,
    vad_max_speech_s: f32,
    vad_speech_pad_ms: c_int,
    vad_samples_overlap: f32,
}

/// A callback and its user data. Only `encoder_begin` is used.
#[repr(C)]
#[derive(Clone, Copy)]
struct Callback {
    function: Option<unsafe extern "C" fn(*mut Context, *mut State, *mut c_void) -> bool>,
    data: *mut c_void,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct TokenData {
    id: i32,
    tid: i32,
    p: f32,
    plog: f32,
    pt: f32,
    ptsum: f32,
    t0: i64,
    t1: i64,
    t_dtw: i64,
    vlen: f32,
}

functions! {
    /// The functions in use.
    Functions {
        whisper_log_set(unsafe extern "C" fn(c_int, *const c_char, *mut c_void), *mut c_void);
        whisper_context_default_params_by_ref() -> *mut ContextParams;
        whisper_free_context_params(*mut ContextParams);
        whisper_full_default_params_by_ref(c_int) -> *mut FullParams;
        whisper_free_params(*mut FullParams);
        whisper_init_from_file_with_params_no_state(*const c_char, ContextParams) -> *mut Context;
        whisper_free(*mut Context);
        whisper_init_state(*mut Context) -> *mut State;
        whisper_free_state(*mut State);
        whisper_full_with_state(*mut Context, *mut State, FullParams, *const f32, c_int) -> c_int;
        whisper_full_n_segments_from_state(*mut State) -> c_int;
        whisper_full_lang_id_from_state(*mut State) -> c_int;
        whisper_full_n_tokens_from_state(*mut State, c_int) -> c_int;
        whisper_full_get_token_text_from_state(*mut Context, *mut State, c_int, c_int) -> *const c_char;
        whisper_full_get_token_data_from_state(*mut State, c_int, c_int) -> TokenData;
        whisper_token_eot(*mut Context) -> i32;
        whisper_lang_max_id() -> c_int;
        whisper_lang_str(c_int) -> *const c_char;
    }
}

/// Held while the library initializes a model or a state: it fills global tables without a lock of its own.
static INITIALIZING: Mutex<()> = Mutex::new(());

/// The loaded library.
pub struct Native {
    functions: Functions,
    context: ContextParams,
    full: FullParams,
}

// SAFETY: the functions may be called from any thread, and the pointers among the parameters are null.
unsafe impl Send for Native {}
// SAFETY: as above, and it is never modified.
unsafe impl Sync for Native {}

impl Native {
    /// Opens the library in a file. It is never closed, because its threads may outlive its users.
    pub fn open(file: &Path) -> Result<Self, String> {
        let library: &'static Library = Box::leak(Box::new(open_file(file)?));
        let version = version(library).ok_or("not whisper.cpp")?;
        if version != VERSION {
            return Err(format!("version {version} is not supported, only {VERSION}"));
        }
        if let Some(feature) = lacking(library) {
            return Err(format!("it requires the CPU feature {feature}, which this CPU lacks"));
        }
        let functions = Functions::of(library).ok_or("functions are missing")?;
        // SAFETY: both return an allocated struct, which is copied before it is freed. The version matches the
        // structs.
        let (context, full) = unsafe {
            (functions.whisper_log_set)(silent, ptr::null_mut());
            let context = (functions.whisper_context_default_params_by_ref)();
            let full = (functions.whisper_full_default_params_by_ref)(GREEDY);
            if context.is_null() || full.is_null() {
                return Err("out of memory".to_owned());
            }
            let copies = (*context, *full);
            (functions.whisper_free_context_params)(context);
            (functions.whisper_free_params)(full);
            copies
        };
        if !as_known(&context, &full) {
            return Err("its structs differ from those of its version".to_owned());
        }
        Ok(Self { functions, context, full })
    }

    /// The codes of its first languages, such as `en`, in the order of the models.
    pub fn languages(&self, most: usize) -> Vec<String> {
        // SAFETY: takes no arguments.
        let last = unsafe { (self.functions.whisper_lang_max_id)() };
        (0..=last).take(most).filter_map(|id| self.language(id)).collect()
    }

    fn language(&self, id: c_int) -> Option<String> {
        // SAFETY: returns a static string of the library, or null for an unknown id.
        unsafe { text((self.functions.whisper_lang_str)(id)) }.map(|code| code.to_string_lossy().into_owned())
    }

    /// Loads a model file validated by [`super::file`]. `None` if the library rejects it.
    pub fn load(&'static self, file: &Path) -> Option<Model> {
        let name = CString::new(file.as_os_str().as_encoded_bytes()).ok()?;
        let params = ContextParams { use_gpu: 0, ..self.context };
        let _initializing = INITIALIZING.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the name outlives the call.
        let context =
            unsafe { (self.functions.whisper_init_from_file_with_params_no_state)(name.as_ptr(), params) };
        (!context.is_null()).then_some(Model { native: self, context })
    }
}

/// A loaded model.
pub struct Model {
    native: &'static Native,
    context: *mut Context,
}

// SAFETY: a context may be used from different threads, one at a time.
unsafe impl Send for Model {}

impl Drop for Model {
    fn drop(&mut self) {
        // SAFETY: the context is owned and freed only here.
        unsafe { (self.native.functions.whisper_free)(self.context) }
    }
}

/// A token of text with its timing.
#[derive(Debug, Clone, PartialEq)]
pub struct Token {
    /// Can be a part of a character.
    pub written: Vec<u8>,
    pub probability: f64,
    /// From the start of the samples.
    pub start_ms: f64,
    pub end_ms: f64,
}

impl Model {
    /// Transcribes samples at [`crate::activity::RATE`] in the given or the detected language. `None` if the model
    /// fails.
    pub fn recognize(&mut self, samples: &[f32], language: Option<&str>) -> Option<Transcription> {
        let sane: Vec<f32> = samples
            .iter()
            .map(|sample| if sample.is_finite() { sample.clamp(-LOUDEST, LOUDEST) } else { 0.0 })
            .collect();
        let count = c_int::try_from(sane.len()).ok()?;
        let language = language.map(CString::new).transpose().ok()?;
        let mut windows = 0u32;
        let params = FullParams {
            n_threads: threads(),
            language: language.as_ref().map_or(ptr::null(), |language| language.as_ptr()),
            no_context: 1,
            print_progress: 0,
            print_timestamps: 0,
            token_timestamps: 1,
            suppress_nst: 1,
            temperature_inc: TEMPERATURE_INCREMENT,
            best_of: BEST_OF,
            encoder_begin: Callback {
                function: Some(another_window),
                data: ptr::from_mut(&mut windows).cast(),
            },
            ..self.native.full
        };
        let state = TranscriptionState::new(self)?;
        // SAFETY: samples, language and counter outlive the call.
        let failed = unsafe {
            (self.native.functions.whisper_full_with_state)(
                self.context,
                state.state,
                params,
                sane.as_ptr(),
                count,
            )
        };
        (failed == 0).then(|| state.transcription())
    }
}

/// The tokens of each segment, and the language.
#[derive(Debug)]
pub struct Transcription {
    pub segments: Vec<Vec<Token>>,
    pub language: Option<String>,
}

/// The state of one transcription. Each piece has a new one, so that random sampling is repeatable.
struct TranscriptionState<'a> {
    model: &'a Model,
    state: *mut State,
}

impl<'a> TranscriptionState<'a> {
    fn new(model: &'a Model) -> Option<Self> {
        let _initializing = INITIALIZING.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the context lives as long as the model.
        let state = unsafe { (model.native.functions.whisper_init_state)(model.context) };
        (!state.is_null()).then_some(Self { model, state })
    }

    fn transcription(&self) -> Transcription {
        let functions = &self.model.native.functions;
        // SAFETY: the state holds a finished transcription.
        let (segments, language) = unsafe {
            (
                (functions.whisper_full_n_segments_from_state)(self.state),
                (functions.whisper_full_lang_id_from_state)(self.state),
            )
        };
        Transcription {
            segments: (0..segments).map(|segment| self.segment(segment)).collect(),
            language: self.model.native.language(language),
        }
    }

    /// The text tokens of a segment.
    fn segment(&self, segment: c_int) -> Vec<Token> {
        let functions = &self.model.native.functions;
        let (context, state) = (self.model.context, self.state);
        // SAFETY: context and state are alive, and the segment index is valid.
        let (end, count) = unsafe {
            (
                (functions.whisper_token_eot)(context),
                (functions.whisper_full_n_tokens_from_state)(state, segment),
            )
        };
        let token = |index: c_int| {
            // SAFETY: the token index is valid; the text is copied.
            let (data, written) = unsafe {
                (
                    (functions.whisper_full_get_token_data_from_state)(state, segment, index),
                    text((functions.whisper_full_get_token_text_from_state)(context, state, segment, index))?,
                )
            };
            (data.id < end).then(|| Token {
                written: written.to_bytes().to_vec(),
                probability: f64::from(data.p),
                start_ms: data.t0 as f64 * TICK_MS,
                end_ms: data.t1 as f64 * TICK_MS,
            })
        };
        (0..count).filter_map(token).collect()
    }
}

impl Drop for TranscriptionState<'_> {
    fn drop(&mut self) {
        // SAFETY: the state is owned and freed only here.
        unsafe { (self.model.native.functions.whisper_free_state)(self.state) }
    }
}

/// Sets OpenMP's passive wait policy, with which whisper.cpp can use several threads. By default its threads spin
/// while they wait, which is much slower than a single thread on a machine that also renders.
///
/// # Safety
/// Must be called before other threads start: it changes the environment of the process.
pub unsafe fn set_passive_wait_policy() {
    if std::env::var_os(WAIT_POLICY).is_none() {
        // SAFETY: guaranteed by the caller.
        unsafe { std::env::set_var(WAIT_POLICY, PASSIVE) };
    }
}

fn threads() -> c_int {
    match std::env::var(WAIT_POLICY) {
        Ok(policy) if policy.eq_ignore_ascii_case(PASSIVE) => {
            std::thread::available_parallelism().map_or(1, |cores| cores.get().min(MAX_THREADS) as c_int)
        }
        _ => 1,
    }
}

/// A C string of the library.
///
/// # Safety
/// The pointer is null or points to a C string that outlives `'a`.
unsafe fn text<'a>(pointer: *const c_char) -> Option<&'a CStr> {
    // SAFETY: guaranteed by the caller.
    (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) })
}

/// Drops logs: errors are also returned.
unsafe extern "C" fn silent(_level: c_int, _text: *const c_char, _data: *mut c_void) {}

/// Counts windows. Returns false to stop at the maximum.
unsafe extern "C" fn another_window(_context: *mut Context, _state: *mut State, data: *mut c_void) -> bool {
    // SAFETY: points to the counter of the running call.
    let windows = unsafe { &mut *data.cast::<u32>() };
    *windows += 1;
    *windows <= MAX_WINDOWS
}

fn version(library: &Library) -> Option<String> {
    // SAFETY: takes no arguments and returns a static string of the library.
    unsafe {
        let version = library.get::<unsafe extern "C" fn() -> *const c_char>(b"whisper_version\0").ok()?;
        text(version()).map(|version| version.to_string_lossy().into_owned())
    }
}

/// Whether the default values of the version are at the expected offsets.
fn as_known(context: &ContextParams, full: &FullParams) -> bool {
    let numbers = [
        (full.thold_pt, 0.01),
        (full.max_initial_ts, 1.0),
        (full.temperature_inc, 0.2),
        (full.entropy_thold, 2.4),
        (full.no_speech_thold, 0.6),
        (full.patience, -1.0),
        (full.grammar_penalty, 100.0),
        (full.vad_threshold, 0.5),
        (full.vad_samples_overlap, 0.1),
    ];
    numbers.iter().all(|(is, known)| (is - known).abs() < 1e-6)
        && (full.strategy, full.n_max_text_ctx, full.best_of) == (GREEDY, 16_384, 5)
        && (full.vad_min_speech_ms, full.vad_speech_pad_ms) == (250, 30)
        && (full.suppress_blank, full.print_timestamps) == (1, 1)
        && full.encoder_begin.function.is_none()
        && full.encoder_begin.data.is_null()
        && (context.use_gpu, context.dtw_n_top, context.dtw_mem_size) == (1, -1, 128 << 20)
}

/// A CPU feature that the library requires and this CPU lacks.
fn lacking(library: &Library) -> Option<&'static str> {
    #[cfg(target_arch = "x86_64")]
    let features: [(&'static str, bool); 6] = [
        ("avx", is_x86_feature_detected!("avx")),
        ("avx2", is_x86_feature_detected!("avx2")),
        ("fma", is_x86_feature_detected!("fma")),
        ("f16c", is_x86_feature_detected!("f16c")),
        ("bmi2", is_x86_feature_detected!("bmi2")),
        ("avx512", is_x86_feature_detected!("avx512f")),
    ];
    #[cfg(target_arch = "aarch64")]
    let features: [(&'static str, bool); 4] = [
        ("dotprod", std::arch::is_aarch64_feature_detected!("dotprod")),
        ("fp16_va", std::arch::is_aarch64_feature_detected!("fp16")),
        ("matmul_int8", std::arch::is_aarch64_feature_detected!("i8mm")),
        ("sve", std::arch::is_aarch64_feature_detected!("sve")),
    ];
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let features: [(&'static str, bool); 0] = [];
    let needs = |name: &str| {
        let symbol = format!("ggml_cpu_has_{name}\0");
        // SAFETY: takes no arguments and returns an integer.
        unsafe {
            library
                .get::<unsafe extern "C" fn() -> c_int>(symbol.as_bytes())
                .is_ok_and(|function| function() != 0)
        }
    };
    features.into_iter().find(|(name, has)| !has && needs(name)).map(|(name, _)| name)
}
