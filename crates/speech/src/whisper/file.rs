//! Validation of whisper.cpp model files before the library reads them: it trusts their contents.

use std::fs::File;
use std::io::{BufReader, ErrorKind, Read};
use std::path::Path;

/// The magic number of every file.
const MAGIC: u32 = 0x6767_6d6c;
/// Vocabulary sizes: English only, multilingual, and multilingual since large-v3.
const ENGLISH: usize = 51_864;
const VOCABULARIES: std::ops::RangeInclusive<usize> = ENGLISH..=51_866;
/// Tokens of multilingual models that are not languages.
const NOT_LANGUAGES: usize = 51_766;
/// Common to all models: audio context, text context and mel filter size.
const SOUND_STEPS: u32 = 1_500;
const TEXT_STEPS: u32 = 448;
const FREQUENCIES: u32 = 201;
/// Upper limits of state size and layers. The largest model has 1,280 and 32.
const MAX_STATE: u32 = 2_048;
const MAX_LAYERS: u32 = 64;
/// The maximum length of tensor names and tokens.
const LONGEST_NAME: u32 = 256;
/// Tensor types: bytes per block and values per block.
const KINDS: [(u32, u64, u64); 12] = [
    (0, 4, 1),
    (1, 2, 1),
    (2, 18, 32),
    (3, 20, 32),
    (6, 22, 32),
    (7, 24, 32),
    (8, 34, 32),
    (10, 84, 256),
    (11, 110, 256),
    (12, 144, 256),
    (13, 176, 256),
    (14, 210, 256),
];

/// The number of languages of the model, or the reason why the file is invalid.
pub fn languages(path: &Path) -> Result<usize, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let about = file.metadata().map_err(|error| error.to_string())?;
    if !about.is_file() {
        return Err("not a file".to_owned());
    }
    Reader { file: BufReader::new(file), left: about.len() }.model()
}

struct Reader {
    file: BufReader<File>,
    /// Remaining bytes.
    left: u64,
}

impl Reader {
    fn model(&mut self) -> Result<usize, String> {
        if self.left < 4 || self.number()? != MAGIC {
            return Err("not a whisper.cpp model, such as ggml-base.bin".to_owned());
        }
        let mut header = [0u32; 11];
        for number in &mut header {
            *number = self.number()?;
        }
        let [
            vocabulary,
            sound_steps,
            state,
            heads,
            sound_layers,
            text_steps,
            text_state,
            text_heads,
            text_layers,
            bands,
            _kind,
        ] = header;
        let vocabulary = vocabulary as usize;
        let divided = |heads: u32| heads > 0 && state.is_multiple_of(heads);
        let layers = 1..=MAX_LAYERS;
        let sane = VOCABULARIES.contains(&vocabulary)
            && (sound_steps, text_steps, text_state) == (SOUND_STEPS, TEXT_STEPS, state)
            && (1..=MAX_STATE).contains(&state)
            && divided(heads)
            && divided(text_heads)
            && layers.contains(&sound_layers)
            && layers.contains(&text_layers)
            && matches!(bands, 80 | 128);
        if !sane {
            return Err("its dimensions are not those of a Whisper model".to_owned());
        }
        if (self.number()?, self.number()?) != (bands, FREQUENCIES) {
            return Err("its dimensions are inconsistent".to_owned());
        }
        self.skip(u64::from(bands) * u64::from(FREQUENCIES) * 4)?;
        self.tokens(vocabulary)?;
        // The number of tensors of encoder and decoder, per layer and outside of the layers.
        self.tensors(11 + 15 * sound_layers + 24 * text_layers)?;
        Ok(if vocabulary == ENGLISH { 1 } else { vocabulary - NOT_LANGUAGES })
    }

    fn tokens(&mut self, vocabulary: usize) -> Result<(), String> {
        let count = self.number()?;
        if count as usize > vocabulary {
            return Err("its dimensions are inconsistent".to_owned());
        }
        for _ in 0..count {
            let length = self.number()?;
            if length > LONGEST_NAME {
                return Err("its vocabulary is invalid".to_owned());
            }
            self.skip(u64::from(length))?;
        }
        Ok(())
    }

    fn tensors(&mut self, expected: u32) -> Result<(), String> {
        let mut count = 0;
        while self.left > 0 {
            let (dimensions, name, kind) = (self.number()?, self.number()?, self.number()?);
            let kind = KINDS.iter().find(|(known, ..)| *known == kind);
            let (Some((_, bytes, numbers)), 1..=3, 1..=LONGEST_NAME) = (kind, dimensions, name) else {
                return Err("its weights are invalid".to_owned());
            };
            let mut size: u64 = 1;
            for _ in 0..dimensions {
                size = size.saturating_mul(u64::from(self.number()?));
            }
            if size == 0 || size > i32::MAX as u64 || !size.is_multiple_of(*numbers) {
                return Err("its weights are invalid".to_owned());
            }
            self.skip(u64::from(name) + size / numbers * bytes)?;
            count += 1;
        }
        if count == expected {
            return Ok(());
        }
        Err(format!("it has {count} of {expected} weights. Download it again"))
    }

    fn number(&mut self) -> Result<u32, String> {
        let mut bytes = [0; 4];
        self.file.read_exact(&mut bytes).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => cut_short(),
            _ => error.to_string(),
        })?;
        self.left = self.left.saturating_sub(4);
        Ok(u32::from_le_bytes(bytes))
    }

    fn skip(&mut self, bytes: u64) -> Result<(), String> {
        self.left = self.left.checked_sub(bytes).ok_or_else(cut_short)?;
        let bytes = i64::try_from(bytes).map_err(|_| cut_short())?;
        self.file.seek_relative(bytes).map_err(|error| error.to_string())
    }
}

fn cut_short() -> String {
    "the file is truncated. Download it again".to_owned()
}
