//! The jobs, and what comes of them. All of it crosses the border between two processes as JSON.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use rondo_composition::MediaRole;
use rondo_render::{ChunkCount, Locate};
use rondo_sandbox::{Attempt, LayerReport, SelfTest};
use rondo_scene::Notice;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::facts::Facts;

/// The media of a composition by address: each a file, or the reason why there is none.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct MediaFiles(pub BTreeMap<String, Result<PathBuf, String>>);

impl Locate for MediaFiles {
    fn locate(&self, src: &str) -> Result<PathBuf, String> {
        self.0.get(src).cloned().unwrap_or_else(|| Err("it was not fetched".to_owned()))
    }
}

/// Where the libraries and data of speech engines are, besides the folders that these variables name.
const LIBRARIES: [&str; 8] = [
    "/usr/lib",
    "/usr/share",
    "/usr/local/lib",
    "/usr/local/share",
    "/lib",
    "/lib64",
    "/etc/ld.so.cache",
    "/sys/devices/system/cpu",
];
const LIBRARY_VARIABLES: [&str; 2] = ["ESPEAK_DATA_PATH", "LD_LIBRARY_PATH"];

/// A piece of work.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Job {
    /// Renders a composition to the file [`RenderJob::FILE`], and to more if its `output` asks for them.
    Render(Box<RenderJob>),
    /// Renders chunks of the file with this number, which another process joins.
    Help(Box<RenderJob>, u32),
    /// Draws frames to files.
    Pictures(Box<PicturesJob>),
    /// Prepares a composition, and tells what will not look as written.
    Check(Box<CheckJob>),
    /// Lays out a composition of whose media little is known, and tells what will not look as written.
    LayOut(Box<LayOutJob>),
    /// Reads what files say of themselves.
    Probe(Vec<ProbeFile>),
    /// Reads which faces a font file holds.
    ReadFont(PathBuf),
    /// Decodes the sound of a recording to the file [`ListenJob::FILE`].
    Listen(ListenJob),
    /// Writes down what is said in samples.
    Transcribe(TranscribeJob),
    /// Speaks a text to the file [`NarrateJob::FILE`].
    Narrate(NarrateJob),
    /// Finds the times of words that are said in samples.
    Align(AlignJob),
    /// Encodes samples to the file [`EncodeSoundJob::FILE`].
    EncodeSound(EncodeSoundJob),
    /// Tries what a child must not be able to do.
    SelfTest(SelfTest),
}

impl Job {
    /// The film that it opens.
    pub(crate) fn composition(&self) -> Option<&Value> {
        match self {
            Self::Render(job) | Self::Help(job, _) => Some(&job.composition),
            Self::Pictures(job) => Some(&job.composition),
            Self::Check(job) => Some(&job.composition),
            Self::LayOut(job) => Some(&job.composition),
            _ => None,
        }
    }

    /// Whether it writes files.
    pub(crate) fn writes(&self) -> bool {
        match self {
            Self::Render(_)
            | Self::Help(..)
            | Self::Pictures(_)
            | Self::Listen(_)
            | Self::Narrate(_)
            | Self::EncodeSound(_) => true,
            // It tries to run what it writes.
            Self::SelfTest(test) => test.program.is_some(),
            Self::Check(_)
            | Self::LayOut(_)
            | Self::Probe(_)
            | Self::ReadFont(_)
            | Self::Transcribe(_)
            | Self::Align(_) => false,
        }
    }

    /// Files and folders that it reads by name: the libraries and models of speech engines.
    pub(crate) fn reads(&self) -> Vec<PathBuf> {
        let named = LIBRARY_VARIABLES.into_iter().filter_map(std::env::var_os);
        let named = named.flat_map(|folders| std::env::split_paths(&folders).collect::<Vec<_>>());
        let libraries = LIBRARIES.into_iter().map(PathBuf::from).chain(named);
        match self {
            Self::Transcribe(job) => {
                libraries.chain(job.folder.clone()).chain(job.whisper_model.clone()).collect()
            }
            Self::Narrate(_) | Self::Align(_) | Self::SelfTest(SelfTest { program: Some(_), .. }) => {
                libraries.collect()
            }
            _ => Vec::new(),
        }
    }

    /// Programs that it runs.
    pub(crate) fn programs(&self) -> Vec<PathBuf> {
        match self {
            Self::Narrate(job) => job.espeak.iter().cloned().collect(),
            Self::SelfTest(test) => test.program.iter().cloned().collect(),
            _ => Vec::new(),
        }
    }
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct RenderJob {
    pub composition: Value,
    pub media: MediaFiles,
    /// The `output` of the request.
    pub output: Option<Value>,
    pub draft: bool,
    /// Most pixels of the shorter side.
    pub shorter_side: Option<u32>,
    /// How the sound is finished.
    pub audio: Option<Value>,
    pub encode_every_frame: bool,
    /// Chunks rendered in parallel.
    pub workers: Option<usize>,
    /// Whether the parent keeps chunks.
    pub has_chunk_cache: bool,
    /// Whether other processes may render some of them.
    pub has_helpers: bool,
    /// Processor time for each file, in seconds.
    pub cpu_seconds: u64,
    /// Time for all files.
    pub time: Option<Duration>,
    /// Whether a poster is drawn, unless the file is only heard.
    pub has_poster: bool,
    /// Whether the parent takes the segments of the first file.
    pub has_segments: bool,
    /// Whether the parent takes the first file in parts, if it is large.
    pub has_parts: bool,
}

impl RenderJob {
    pub const FILE: &'static str = "film";
    /// The poster, a JPEG.
    pub const POSTER: &'static str = "poster";

    /// The name of a file, counted from 0 as the `output` of the request lists them.
    pub fn file(number: usize) -> String {
        match number {
            0 => Self::FILE.to_owned(),
            also => format!("{}-{also}", Self::FILE),
        }
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PicturesJob {
    pub composition: Value,
    pub media: MediaFiles,
    pub frames: Vec<u32>,
    pub look: Look,
    /// Overlays whose media cannot be used are left out; otherwise they are an error.
    pub leave_out: bool,
    /// Time for all of them, in seconds.
    pub seconds: u64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CheckJob {
    pub composition: Value,
    pub media: MediaFiles,
    /// Decodes all images, to find damaged ones.
    pub try_pictures: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct LayOutJob {
    pub composition: Value,
    /// The font files of the composition.
    pub fonts: MediaFiles,
    pub facts: Facts,
}

/// A notice about a composition.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Finding {
    pub code: String,
    pub severity: String,
    pub path: String,
    pub message: String,
    pub hint: Option<String>,
    /// What there is instead: the weights of a font.
    pub available: Vec<String>,
    /// Every path that it is about, when it is told once for a film.
    pub paths: Vec<String>,
}

impl From<&Notice> for Finding {
    fn from(notice: &Notice) -> Self {
        Self {
            code: notice.code.to_owned(),
            severity: notice.severity.name().to_owned(),
            path: notice.path.clone(),
            message: notice.message.clone(),
            hint: notice.hint.clone(),
            available: notice.available.clone(),
            paths: notice.paths.clone(),
        }
    }
}

/// How pictures look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Look {
    /// PNGs in the size of the film.
    Whole,
    /// A contact sheet as previews show it, a PNG.
    Overview,
    /// At most so many pixels, all pictures together.
    Fitted { sheet: bool, pixels: u64, png: bool },
}

/// One picture, in a file named [`DrawnPicture::file`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawnPicture {
    /// The frames on it, row by row.
    pub frames: Vec<u32>,
    pub width: u32,
    pub height: u32,
}

impl DrawnPicture {
    /// The name of the file of a picture.
    pub fn file(number: usize) -> String {
        format!("picture-{number}")
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ProbeFile {
    pub role: RoleName,
    pub path: PathBuf,
}

/// A role, which crosses the border by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoleName(pub MediaRole);

const ROLES: [(MediaRole, &str); 3] =
    [(MediaRole::Image, "image"), (MediaRole::Video, "video"), (MediaRole::Sound, "sound")];

impl Serialize for RoleName {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        ROLES.iter().find(|(known, _)| *known == self.0).map_or("", |(_, name)| name).serialize(to)
    }
}

impl<'de> Deserialize<'de> for RoleName {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let name = String::deserialize(from)?;
        let known = ROLES.iter().find(|(_, known)| *known == name);
        known.map(|(role, _)| Self(*role)).ok_or_else(|| serde::de::Error::custom("unknown role"))
    }
}

/// What a file says of itself.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// Why it cannot be read, as the end of the sentence "… cannot be read: ".
    pub problem: Option<String>,
    /// In pixels; vector pictures and sounds have none.
    pub size: Option<(u32, u32)>,
    /// Seconds of picture and of sound.
    pub seconds: Option<f64>,
}

/// A face of a font file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FontFact {
    pub family: String,
    /// Lightest and heaviest weight: equal but for variable faces.
    pub weights: (u16, u16),
    pub italic: bool,
    /// Narrowest and widest width in percent of the normal one.
    pub widths: (u16, u16),
}

/// A part of a recording that is played: from where to where, in seconds, when it begins and how fast it runs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Stretch {
    pub from: f64,
    /// `None`: to the end.
    pub to: Option<f64>,
    /// Seconds since the overlay began.
    pub at: f64,
    pub speed: f64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ListenJob {
    pub path: PathBuf,
    pub stretches: Vec<Stretch>,
    /// Longest recording, in seconds.
    pub most_seconds: f64,
}

impl ListenJob {
    /// Mono samples as 32-bit floats, little-endian, at [`rondo_media::MONO_RATE`].
    pub const FILE: &'static str = "samples";
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TranscribeJob {
    /// A file as [`ListenJob`] writes it.
    pub samples: PathBuf,
    pub language: Option<String>,
    /// The folder of the engine, and the model that replaces it.
    pub folder: Option<PathBuf>,
    pub whisper_model: Option<PathBuf>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct NarrateJob {
    pub text: String,
    /// The engine and the id of a voice of this machine.
    pub engine: String,
    pub voice: String,
    pub speed: f64,
    /// The program that speaks, where it is not a library.
    pub espeak: Option<PathBuf>,
}

impl NarrateJob {
    /// Mono samples as 32-bit floats, little-endian.
    pub const FILE: &'static str = "samples";
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct AlignJob {
    /// Mono samples as 32-bit floats, little-endian, at [`rondo_media::MONO_RATE`].
    pub samples: PathBuf,
    pub words: Vec<String>,
}

/// A word with its time in a sound.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TimedWord {
    pub text: String,
    pub start_ms: f64,
    pub end_ms: f64,
    pub confidence: f64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct EncodeSoundJob {
    /// Mono samples as 32-bit floats, little-endian.
    pub samples: PathBuf,
    pub rate: u32,
    /// MP3 instead of WAV.
    pub mp3: bool,
}

impl EncodeSoundJob {
    pub const FILE: &'static str = "sound";
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RenderReport {
    /// Width, height and frames of the first file.
    pub width: u32,
    pub height: u32,
    pub frames: u32,
    /// Width and height of the other files.
    pub also: Vec<(u32, u32)>,
    /// Chunks of all files.
    pub chunks: Chunks,
    /// Loudness of the first file.
    pub loudness: Option<f64>,
    pub cache_problem: Option<String>,
    pub elapsed_ms: u64,
}

/// Chunks of a film.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunks {
    pub total: u32,
    pub rendered: u32,
    pub reused: u32,
}

impl std::ops::Add for Chunks {
    type Output = Self;

    fn add(self, more: Self) -> Self {
        Self {
            total: self.total + more.total,
            rendered: self.rendered + more.rendered,
            reused: self.reused + more.reused,
        }
    }
}

impl From<ChunkCount> for Chunks {
    fn from(count: ChunkCount) -> Self {
        let ChunkCount { total, rendered, reused } = count;
        Self { total, rendered, reused }
    }
}

/// What comes of a job.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Answer {
    Rendered(RenderReport),
    /// So many chunks.
    Helped(u32),
    Pictures {
        pictures: Vec<DrawnPicture>,
        /// Overlays that were left out: their paths, and why.
        left_out: Vec<(String, String)>,
    },
    Checked(Vec<Finding>),
    Facts(Vec<Fact>),
    Faces(Vec<FontFact>),
    /// The stretches as far as there was something to hear; empty without a sound track.
    Heard(Vec<Stretch>),
    Transcript {
        words: Vec<TimedWord>,
        language: String,
    },
    Spoken {
        rate: u32,
        words: Vec<TimedWord>,
    },
    /// Start and end of each word in milliseconds, and whether it was found. `None` if the sound does not match the words.
    Aligned(Option<Vec<(f64, f64, bool)>>),
    Encoded,
    SelfTest {
        layers: Vec<LayerReport>,
        attempts: Vec<Attempt>,
    },
}

/// Why a job failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Failure {
    /// Media that cannot be used: the paths of their fields, and why.
    #[error("{} media cannot be used", .0.len())]
    Media(Vec<(String, String)>),
    /// It has no sound track.
    #[error("it has no sound")]
    NoSound,
    #[error("it is too long")]
    TooLong,
    /// It took longer than it may.
    #[error("it took too long")]
    TooSlow,
    /// A render used more processor time or time than it may. A sentence that names the costliest overlays.
    #[error("{0}")]
    OverBudget(String),
    /// The machine is at fault, such as a full disk.
    #[error("{0}")]
    Machine(String),
    #[error("out of memory")]
    OutOfMemory,
    #[error("the renderer crashed: {0}")]
    Panic(String),
    /// The input is at fault.
    #[error("{0}")]
    Input(String),
}

impl Failure {
    /// A working folder or file cannot be made. Its path, which is part of the error, is not for users.
    pub fn no_folder(error: &io::Error) -> Self {
        let reason = match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "No space left on device".to_owned(),
            kind => kind.to_string(),
        };
        Self::Machine(format!("A temporary file cannot be made: {reason}."))
    }
}
