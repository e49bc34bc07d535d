//! Moonshine's encoder and decoder networks, run by ONNX Runtime.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use ort::environment::Environment;
use ort::session::{Session, SessionInputValue};
use ort::value::{DynValue, Tensor};

use super::tokens::{END, START};
use crate::Error;
use crate::activity::RATE;

/// Speech has fewer tokens per second: beyond this the model repeats itself.
const TOKENS_A_SECOND: f64 = 8.0;
/// The RMS level of the model's input, and the maximum gain to reach it.
const LEVEL: f32 = 0.1;
const MAX_GAIN: f32 = 30.0;
/// Decoding stops when a run of tokens occurs this often in a row.
const REPEATS: usize = 3;

const ENCODER: &str = "encoder.ort";
const DECODER: &str = "decoder.ort";

/// ONNX Runtime has one environment per process.
static ENVIRONMENT: OnceLock<Result<Environment, String>> = OnceLock::new();

/// The folder of the networks, which are loaded on first use.
pub struct Model {
    folder: PathBuf,
    networks: Option<Networks>,
}

struct Networks {
    encoder: Session,
    decoder: Session,
}

impl Model {
    /// Loads the library in a folder and checks that the networks exist.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        environment(folder)?;
        for name in [ENCODER, DECODER] {
            if !folder.join(name).is_file() {
                return Err(missing(folder, &format!("{name} is missing")));
            }
        }
        Ok(Self { folder: folder.to_owned(), networks: None })
    }

    /// The tokens of a piece of audio at [`RATE`], each with its probability. Normalizes the level and adds silence
    /// around the piece.
    pub fn recognize(&mut self, samples: &[f32], silence_ms: usize) -> Result<Vec<(i64, f64)>, Error> {
        let power = samples.iter().map(|sample| sample * sample).sum::<f32>() / samples.len().max(1) as f32;
        let gain = (LEVEL / power.sqrt().max(1e-6)).min(MAX_GAIN);
        let silence = silence_ms * RATE as usize / 1000;
        let mut levelled = vec![0.0; silence];
        levelled.extend(samples.iter().map(|sample| sample * gain));
        levelled.resize(levelled.len() + silence, 0.0);
        let networks = match self.networks.take() {
            Some(networks) => networks,
            None => Networks::open(&self.folder)?,
        };
        let tokens = self.networks.insert(networks).run(&levelled);
        tokens.map_err(|error| Error::Engine(format!("transcription failed: {error}")))
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
        let mut encoded =
            self.encoder.run(ort::inputs!["input_values" => sound, "attention_mask" => mask])?;
        let name = encoded.keys().next().map(str::to_owned).unwrap_or_default();
        let features = encoded.remove(&name).ok_or_else(|| ort::Error::new("the encoder has no output"))?;
        drop(encoded);
        let sound = Encoded { features, mask: all(samples.len())?.into_dyn() };

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

    /// The most probable token after `last`, and its probability. `past` is the decoder's key-value cache.
    fn step(
        &mut self,
        last: i64,
        warm: bool,
        sound: &Encoded,
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
            // The cache of the encoder's output is returned with the first token only.
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

/// The encoder's output.
struct Encoded {
    features: DynValue,
    /// The attention mask.
    mask: DynValue,
}

/// A mask that includes all samples.
fn all(samples: usize) -> ort::Result<Tensor<i64>> {
    Tensor::from_array(([1, samples], vec![1; samples]))
}

/// Number and size of the model's attention heads.
const HEADS: usize = 8;
const HEAD_SIZE: usize = 36;

/// The environment of the process, created from the library in the first folder.
fn environment(folder: &Path) -> Result<&'static Environment, Error> {
    let opened = ENVIRONMENT.get_or_init(|| {
        let library = folder.join("libonnxruntime.so").canonicalize().map_err(|error| error.to_string())?;
        let builder = ort::init_from(library).map_err(|error| error.to_string())?;
        let builder = builder.with_name("rondo").with_telemetry(false);
        // Errors are also returned, so logs are dropped.
        builder.with_logger(Arc::new(|_, _, _, _, _| {})).build().map_err(|error| error.to_string())
    });
    opened.as_ref().map_err(|reason| missing(folder, reason))
}

fn missing(folder: &Path, reason: &str) -> Error {
    Error::Missing(format!(
        "failed to open the speech model in {}: {reason}. Run scripts/speech",
        folder.display()
    ))
}

fn most_probable(logits: &[f32]) -> (i64, f64) {
    let best = (0..logits.len()).max_by(|&a, &b| logits[a].total_cmp(&logits[b])).unwrap_or(END as usize);
    let top = logits.get(best).copied().unwrap_or_default();
    let sum: f64 = logits.iter().map(|logit| f64::from(logit - top).exp()).sum();
    (best as i64, 1.0 / sum.max(1.0))
}

/// The length of a run of at least three tokens that occurs [`REPEATS`] times at the end.
fn repeated(tokens: &[(i64, f64)]) -> Option<usize> {
    (3..=tokens.len() / REPEATS).find(|&length| {
        let tail = &tokens[tokens.len() - length * REPEATS..];
        (length..tail.len()).all(|index| tail[index].0 == tail[index - length].0)
    })
}
