//! whisper.cpp through its C interface. Structs are passed by value, so they are written down here for exactly one version, and
//! no other is used.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;
use std::ptr;

use libloading::Library;

use crate::library::{functions, open_file};

/// The version the structs below belong to.
const VERSION: &str = "1.8.5";
/// Its way of sampling that takes the most probable token.
const GREEDY: c_int = 0;
/// Windows of 30 seconds that are looked at in one piece: it has fewer, unless the model goes round in circles.
const MOST_WINDOWS: u32 = 6;
/// What it is not sure of it samples again, twice at most: this much more freely each time, and this often at once.
const FREER: f32 = 0.4;
const SAMPLED: c_int = 2;
/// How its threads wait, for the runtime of OpenMP that comes with it.
const WAIT_POLICY: &str = "OMP_WAIT_POLICY";
const RESTING: &str = "passive";
const MOST_THREADS: usize = 4;
/// Times are counted in hundredths of a second.
const TICK_MS: f64 = 10.0;
/// Louder samples are broken.
const LOUDEST: f32 = 8.0;

/// A model in memory, and what it makes of one sound.
type Context = c_void;
type State = c_void;

/// How a model is loaded. Truth values are bytes here: whatever they hold can be read.
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

/// How a model listens.
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

/// A function it calls back, and what that is given. Of those here only the one before a window is used.
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
    /// What is used of the library.
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

/// The library.
pub struct Native {
    functions: Functions,
    context: ContextParams,
    full: FullParams,
}

// SAFETY: the functions may be called from any thread, and the pointers among the parameters are null.
unsafe impl Send for Native {}
// SAFETY: as above; nothing in it changes.
unsafe impl Sync for Native {}

impl Native {
    /// Opens the library in a file. It stays open: its threads may outlive whoever uses it.
    pub fn open(file: &Path) -> Result<Self, String> {
        let library: &'static Library = Box::leak(Box::new(open_file(file)?));
        let version = version(library).ok_or("it is not whisper.cpp")?;
        if version != VERSION {
            return Err(format!("it is version {version}, and only {VERSION} is known here"));
        }
        if let Some(feature) = lacking(library) {
            return Err(format!("it is built for processors with {feature}, which this one has not"));
        }
        let functions = Functions::of(library).ok_or("it lacks functions")?;
        // SAFETY: both answer with a struct of their own, which is copied before it is given back. The version is that of the
        // structs.
        let (context, full) = unsafe {
            (functions.whisper_log_set)(silent, ptr::null_mut());
            let context = (functions.whisper_context_default_params_by_ref)();
            let full = (functions.whisper_full_default_params_by_ref)(GREEDY);
            if context.is_null() || full.is_null() {
                return Err("there is no memory for it".to_owned());
            }
            let copies = (*context, *full);
            (functions.whisper_free_context_params)(context);
            (functions.whisper_free_params)(full);
            copies
        };
        if !as_known(&context, &full) {
            return Err("it is built with other structs than its version has".to_owned());
        }
        Ok(Self { functions, context, full })
    }

    /// The codes of its first languages, as `en`, in the order models know them.
    pub fn languages(&self, most: usize) -> Vec<String> {
        // SAFETY: takes nothing.
        let last = unsafe { (self.functions.whisper_lang_max_id)() };
        (0..=last).take(most).filter_map(|id| self.language(id)).collect()
    }

    fn language(&self, id: c_int) -> Option<String> {
        // SAFETY: answers with a text of the library, or null where it knows no such language.
        unsafe { text((self.functions.whisper_lang_str)(id)) }.map(|code| code.to_string_lossy().into_owned())
    }

    /// Reads a model from a file that [`super::file`] found to be one. `None` where the library does not take it.
    pub fn load(&'static self, file: &Path) -> Option<Model> {
        let name = CString::new(file.as_os_str().as_encoded_bytes()).ok()?;
        let params = ContextParams { use_gpu: 0, ..self.context };
        // SAFETY: the name lives as long as the call.
        let context =
            unsafe { (self.functions.whisper_init_from_file_with_params_no_state)(name.as_ptr(), params) };
        (!context.is_null()).then_some(Model { native: self, context })
    }
}

/// A model that was loaded.
pub struct Model {
    native: &'static Native,
    context: *mut Context,
}

// SAFETY: the library lets a context be used from one thread after the other.
unsafe impl Send for Model {}

impl Drop for Model {
    fn drop(&mut self) {
        // SAFETY: nobody has the context but this.
        unsafe { (self.native.functions.whisper_free)(self.context) }
    }
}

/// A piece of text and when it is said.
#[derive(Debug, Clone, PartialEq)]
pub struct Token {
    /// May be a part of a character.
    pub written: Vec<u8>,
    pub probability: f64,
    /// From the start of the samples.
    pub start_ms: f64,
    pub end_ms: f64,
}

impl Model {
    /// The tokens of each segment of what is said in samples at [`crate::activity::RATE`], and the language: the one given,
    /// or the one it is taken for. `None` where the model fails.
    pub fn listen(&mut self, samples: &[f32], language: Option<&str>) -> Option<Listened> {
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
            temperature_inc: FREER,
            best_of: SAMPLED,
            encoder_begin: Callback {
                function: Some(another_window),
                data: ptr::from_mut(&mut windows).cast(),
            },
            ..self.native.full
        };
        let hearing = Hearing::new(self)?;
        // SAFETY: samples, language and counter live as long as the call.
        let failed = unsafe {
            (self.native.functions.whisper_full_with_state)(
                self.context,
                hearing.state,
                params,
                sane.as_ptr(),
                count,
            )
        };
        (failed == 0).then(|| hearing.listened())
    }
}

/// What was said, by segments, and in which language.
#[derive(Debug)]
pub struct Listened {
    pub segments: Vec<Vec<Token>>,
    pub language: Option<String>,
}

/// What a model keeps while it listens. It is new for each sound, so that the numbers it draws begin anew too.
struct Hearing<'a> {
    model: &'a Model,
    state: *mut State,
}

impl<'a> Hearing<'a> {
    fn new(model: &'a Model) -> Option<Self> {
        // SAFETY: the context is there as long as the model.
        let state = unsafe { (model.native.functions.whisper_init_state)(model.context) };
        (!state.is_null()).then_some(Self { model, state })
    }

    fn listened(&self) -> Listened {
        let functions = &self.model.native.functions;
        // SAFETY: the state holds what was heard.
        let (segments, language) = unsafe {
            (
                (functions.whisper_full_n_segments_from_state)(self.state),
                (functions.whisper_full_lang_id_from_state)(self.state),
            )
        };
        Listened {
            segments: (0..segments).map(|segment| self.segment(segment)).collect(),
            language: self.model.native.language(language),
        }
    }

    /// The tokens of a segment that write text.
    fn segment(&self, segment: c_int) -> Vec<Token> {
        let functions = &self.model.native.functions;
        let (context, state) = (self.model.context, self.state);
        // SAFETY: context and state are there, the segment is one of the state's.
        let (end, count) = unsafe {
            (
                (functions.whisper_token_eot)(context),
                (functions.whisper_full_n_tokens_from_state)(state, segment),
            )
        };
        let token = |index: c_int| {
            // SAFETY: the token is one of the segment's; its text is copied.
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

impl Drop for Hearing<'_> {
    fn drop(&mut self) {
        // SAFETY: nobody has the state but this.
        unsafe { (self.model.native.functions.whisper_free_state)(self.state) }
    }
}

/// Lets whisper.cpp use several processors. Its threads wait for each other by running in circles unless this is said before they
/// begin, and where others work too, as renders do, that takes many times as long as one thread alone.
///
/// # Safety
/// No other thread may run yet: it changes the environment of the process.
pub unsafe fn let_threads_rest() {
    if std::env::var_os(WAIT_POLICY).is_none() {
        // SAFETY: as the caller says.
        unsafe { std::env::set_var(WAIT_POLICY, RESTING) };
    }
}

fn threads() -> c_int {
    match std::env::var(WAIT_POLICY) {
        Ok(policy) if policy.eq_ignore_ascii_case(RESTING) => {
            std::thread::available_parallelism().map_or(1, |cores| cores.get().min(MOST_THREADS) as c_int)
        }
        _ => 1,
    }
}

/// A text of the library.
///
/// # Safety
/// The pointer is null or a text that outlives what is made of it.
unsafe fn text<'a>(pointer: *const c_char) -> Option<&'a CStr> {
    // SAFETY: as the caller says.
    (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) })
}

/// What goes wrong comes back as a failure, too.
unsafe extern "C" fn silent(_level: c_int, _text: *const c_char, _data: *mut c_void) {}

/// Whether a window is to be looked at: counts them.
unsafe extern "C" fn another_window(_context: *mut Context, _state: *mut State, data: *mut c_void) -> bool {
    // SAFETY: the counter of the call that is going on.
    let windows = unsafe { &mut *data.cast::<u32>() };
    *windows += 1;
    *windows <= MOST_WINDOWS
}

fn version(library: &Library) -> Option<String> {
    // SAFETY: takes nothing and answers with a text of the library.
    unsafe {
        let version = library.get::<unsafe extern "C" fn() -> *const c_char>(b"whisper_version\0").ok()?;
        text(version()).map(|version| version.to_string_lossy().into_owned())
    }
}

/// Whether the usual values of the version stand where the structs have them.
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

/// A feature of processors that the library was built to use and this one lacks.
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
        // SAFETY: takes nothing and answers with a number.
        unsafe {
            library
                .get::<unsafe extern "C" fn() -> c_int>(symbol.as_bytes())
                .is_ok_and(|function| function() != 0)
        }
    };
    features.into_iter().find(|(name, has)| !has && needs(name)).map(|(name, _)| name)
}
