//! The two networks of Moonshine, run by onnxruntime: sound becomes features, and those become tokens, one after the other.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use ort::environment::Environment;
use ort::session::{Session, SessionInputValue};
use ort::value::{DynValue, Tensor};

use super::tokens::{END, START};
use crate::Error;
use crate::activity::RATE;

/// Nobody says more in a second: what goes on beyond it is the model repeating itself.
const TOKENS_A_SECOND: f64 = 8.0;
/// The root mean square of what the model is given, and how far quiet sound is raised to it.
const LEVEL: f32 = 0.1;
const MOST_GAIN: f32 = 30.0;
/// As often may a run of tokens follow itself.
const REPEATS: usize = 3;

const ENCODER: &str = "encoder.ort";
const DECODER: &str = "decoder.ort";

/// Onnxruntime has one for the process.
static ENVIRONMENT: OnceLock<Result<Environment, String>> = OnceLock::new();

/// Where the networks and their library lie; they are opened when they are needed first.
pub struct Model {
    folder: PathBuf,
    networks: Option<Networks>,
}

struct Networks {
    encoder: Session,
    decoder: Session,
}

impl Model {
    /// Opens the library in a folder, and sees that the networks are there.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        environment(folder)?;
        for name in [ENCODER, DECODER] {
            if !folder.join(name).is_file() {
                return Err(missing(folder, &format!("it has no {name}")));
            }
        }
        Ok(Self { folder: folder.to_owned(), networks: None })
    }

    /// The tokens said in a piece of sound at [`RATE`], each with its probability. The model is given as much silence around the
    /// piece, and everything at one level.
    pub fn listen(&mut self, samples: &[f32], silence_ms: usize) -> Result<Vec<(i64, f64)>, Error> {
        let power = samples.iter().map(|sample| sample * sample).sum::<f32>() / samples.len().max(1) as f32;
        let gain = (LEVEL / power.sqrt().max(1e-6)).min(MOST_GAIN);
        let silence = silence_ms * RATE as usize / 1000;
        let mut levelled = vec![0.0; silence];
        levelled.extend(samples.iter().map(|sample| sample * gain));
        levelled.resize(levelled.len() + silence, 0.0);
        let networks = match self.networks.take() {
            Some(networks) => networks,
            None => Networks::open(&self.folder)?,
        };
        let tokens = self.networks.insert(networks).run(&levelled);
        tokens.map_err(|error| Error::Engine(format!("the sound could not be transcribed: {error}")))
    }
}

impl Networks {
    fn open(folder: &Path) -> Result<Self, Error> {
        let environment = environment(folder)?;
        let session = |name: &str| -> ort::Result<Session> {
            let threads = std::thread::available_parallelism().map_or(1, |cores| cores.get().min(4));
            let builder = Session::builder(environment)?.with_intra_threads(threads)?;
            builder.with_intra_op_spinning(false)?.commit_from_file(folder.join(name))
        };
        let open = |name| session(name).map_err(|error| missing(folder, &error.to_string()));
        Ok(Self { encoder: open(ENCODER)?, decoder: open(DECODER)? })
    }

    fn run(&mut self, samples: &[f32]) -> ort::Result<Vec<(i64, f64)>> {
        let sound = Tensor::from_array(([1, samples.len()], samples.to_vec()))?;
        let mask = all(samples.len())?;
        let mut heard = self.encoder.run(ort::inputs!["input_values" => sound, "attention_mask" => mask])?;
        let name = heard.keys().next().map(str::to_owned).unwrap_or_default();
        let features = heard.remove(&name).ok_or_else(|| ort::Error::new("the encoder answers nothing"))?;
        drop(heard);
        let sound = Heard { features, mask: all(samples.len())?.into_dyn() };

        let most = (samples.len() as f64 / f64::from(RATE) * TOKENS_A_SECOND) as usize + 8;
        let mut tokens: Vec<(i64, f64)> = Vec::new();
        let mut past: Vec<(String, DynValue)> = Vec::new();
        let mut last = START;
        for step in 0..most {
            let (token, probability) = self.step(last, step > 0, &sound, &mut past)?;
            if token == END {
                break;
            }
            tokens.push((token, probability));
            if let Some(length) = repeated(&tokens) {
                tokens.truncate(tokens.len() - length * (REPEATS - 1));
                break;
            }
            last = token;
        }
        Ok(tokens)
    }

    /// The most probable token after `last`, and its probability. `past` is what the decoder remembers.
    fn step(
        &mut self,
        last: i64,
        warm: bool,
        sound: &Heard,
        past: &mut Vec<(String, DynValue)>,
    ) -> ort::Result<(i64, f64)> {
        let mut inputs: Vec<(Cow<'_, str>, SessionInputValue<'_>)> = Vec::new();
        for input in self.decoder.inputs() {
            let name = input.name();
            let value: SessionInputValue<'_> = match name {
                "input_ids" => Tensor::from_array(([1, 1], vec![last]))?.into(),
                "encoder_attention_mask" => (&sound.mask).into(),
                "encoder_hidden_states" => (&sound.features).into(),
                "use_cache_branch" => Tensor::from_array(([1], vec![warm]))?.into(),
                _ => match past.iter().find(|(known, _)| known == name) {
                    Some((_, value)) => value.into(),
                    None => {
                        Tensor::from_array(([1, HEADS, 1, HEAD_SIZE], vec![0f32; HEADS * HEAD_SIZE]))?.into()
                    }
                },
            };
            inputs.push((Cow::Owned(name.to_owned()), value));
        }
        let mut answer = self.decoder.run(inputs)?;
        let chosen = most_probable(answer["logits"].try_extract_tensor::<f32>()?.1);
        let names: Vec<String> =
            answer.keys().filter_map(|name| name.strip_prefix("present.")).map(str::to_owned).collect();
        for name in names {
            // What it remembers of the sound is given with the first token only.
            if warm && name.contains("encoder") {
                continue;
            }
            if let Some(value) = answer.remove(format!("present.{name}")) {
                let key = format!("past_key_values.{name}");
                past.retain(|(known, _)| *known != key);
                past.push((key, value));
            }
        }
        Ok(chosen)
    }
}

/// Sound as the decoder takes it.
struct Heard {
    features: DynValue,
    /// Which samples count.
    mask: DynValue,
}

/// The mask of so many samples that all count.
fn all(samples: usize) -> ort::Result<Tensor<i64>> {
    Tensor::from_array(([1, samples], vec![1; samples]))
}

/// Of the model's attention: how many heads, and how large.
const HEADS: usize = 8;
const HEAD_SIZE: usize = 36;

/// The library of the process, opened from the first folder that is asked for.
fn environment(folder: &Path) -> Result<&'static Environment, Error> {
    let opened = ENVIRONMENT.get_or_init(|| {
        let library = folder.join("libonnxruntime.so").canonicalize().map_err(|error| error.to_string())?;
        let builder = ort::init_from(library).map_err(|error| error.to_string())?;
        let builder = builder.with_name("rondo").with_telemetry(false);
        // What goes wrong comes back as an error, too.
        builder.with_logger(Arc::new(|_, _, _, _, _| {})).build().map_err(|error| error.to_string())
    });
    opened.as_ref().map_err(|reason| missing(folder, reason))
}

fn missing(folder: &Path, reason: &str) -> Error {
    Error::Missing(format!(
        "the listening model in {} cannot be opened: {reason}. Run scripts/speech",
        folder.display()
    ))
}

fn most_probable(logits: &[f32]) -> (i64, f64) {
    let best = (0..logits.len()).max_by(|&a, &b| logits[a].total_cmp(&logits[b])).unwrap_or(END as usize);
    let top = logits.get(best).copied().unwrap_or_default();
    let sum: f64 = logits.iter().map(|logit| f64::from(logit - top).exp()).sum();
    (best as i64, 1.0 / sum.max(1.0))
}

/// The length of the run of tokens that has been said [`REPEATS`] times in a row, if there is one of three tokens or more.
fn repeated(tokens: &[(i64, f64)]) -> Option<usize> {
    (3..=tokens.len() / REPEATS).find(|&length| {
        let tail = &tokens[tokens.len() - length * REPEATS..];
        (length..tail.len()).all(|index| tail[index].0 == tail[index - length].0)
    })
}
