//! What a film costs, and how long it may take.

use rondo_composition::{AiReplacement, AiValue, Composition, Transcription};
use rondo_render::Recipe;
use rondo_store::Credits;

use crate::speech::{played, source_overlay};

/// Credits a minute of a film that was not made from a template.
pub const PLAIN_RATE: u32 = 1;

/// Narration: thousandths of a credit for every started thousand characters.
const NARRATION_RATE: i64 = 500;
/// Transcription: thousandths of a credit for every started minute.
const TRANSCRIPTION_RATE: i64 = 250;

/// The price of a film, AI values aside.
#[derive(Debug, Clone, PartialEq)]
pub struct Quote {
    /// Whole credits, for all files.
    pub credits: i64,
    pub credits_per_minute: u32,
    /// What the first file counts.
    pub main: Counted,
    /// What each of the others counts.
    pub also: Vec<Counted>,
}

/// What a file counts.
#[derive(Debug, Clone, PartialEq)]
pub struct Counted {
    /// The file extension.
    pub ending: &'static str,
    pub seconds: f64,
    pub resolution_multiplier: u32,
}

/// Frames of a film that count.
fn counted_frames(recipe: &Recipe, is_main: bool) -> u64 {
    match recipe.is_single_picture() && !is_main {
        // A film of exactly a minute must not cost more for a picture beside it.
        true => 0,
        false => recipe.frames.len() as u64,
    }
}

fn resolution_multiplier(recipe: &Recipe) -> u32 {
    match recipe.pixels() {
        0..=2_073_600 => 1,
        2_073_601..=3_686_400 => 2,
        _ => 4,
    }
}

/// Minutes of what is made times rate times a factor for the size of its pictures, all files together, rounded up; one credit
/// at least. A single picture beside the first file is free.
pub fn quote(composition: &Composition, recipes: &[Recipe], credits_per_minute: u32) -> Quote {
    let fps = u64::from(composition.fps.max(1));
    // Whole numbers throughout: a film of exactly a minute must not round up to the next credit.
    let mut charged = 0;
    let mut counted = recipes.iter().enumerate().map(|(number, recipe)| {
        let (frames, multiplier) = (counted_frames(recipe, number == 0), resolution_multiplier(recipe));
        charged += frames * u64::from(multiplier);
        Counted {
            ending: recipe.ending(),
            seconds: frames as f64 / fps as f64,
            resolution_multiplier: multiplier,
        }
    });
    let main = counted.next().unwrap_or(Counted { ending: "", seconds: 0.0, resolution_multiplier: 1 });
    let also = counted.collect();
    let credits = (charged * u64::from(credits_per_minute)).div_ceil(60 * fps).max(1);
    Quote { credits: credits as i64, credits_per_minute, main, also }
}

/// Minutes a render is expected to take: about 40 frames of 1920 × 1080 a second.
pub fn expected_minutes(recipes: &[Recipe]) -> u64 {
    let pixels: u64 = recipes.iter().map(|recipe| recipe.pixels() * recipe.frames.len() as u64).sum();
    pixels.div_ceil(1920 * 1080 * 40 * 60).max(1)
}

/// What the AI values of a request are expected to cost. Transcriptions named in `free` cost nothing.
pub fn ai_estimate(composition: &Composition, ai: &[AiReplacement], free: &[String]) -> Credits {
    let charge = |asked: &AiReplacement| match &asked.value {
        AiValue::Narration(narration) => narration_charge(&narration.text),
        AiValue::Transcription(_) if free.contains(&asked.name) => Credits::ZERO,
        AiValue::Transcription(transcription) => {
            transcription_charge(expected_seconds(composition, transcription))
        }
    };
    ai.iter().map(charge).sum()
}

/// For every started thousand characters of a text.
pub fn narration_charge(text: &str) -> Credits {
    Credits::from_thousandths(started(text.chars().count() as u64, 1000) * NARRATION_RATE)
}

/// For every started minute that is heard.
pub fn transcription_charge(seconds: u64) -> Credits {
    Credits::from_thousandths(started(seconds, 60) * TRANSCRIPTION_RATE)
}

/// The price of a film with what AI made for it, in whole credits.
pub fn with_ai(quote: &Quote, ai: Credits) -> Credits {
    Credits::from_whole((Credits::from_whole(quote.credits) + ai).whole_up())
}

/// Seconds of audio to transcribe; a minute if unknown.
fn expected_seconds(composition: &Composition, transcription: &Transcription) -> u64 {
    let clip = transcription.source.as_ref().and_then(|source| source_overlay(composition, source));
    let seconds = match (clip, transcription.end_time) {
        (Some(clip), _) => {
            let stretches = played(clip, composition, transcription);
            stretches.iter().map(|stretch| stretch.to - stretch.from).sum()
        }
        (None, Some(end)) => end - transcription.start_time.unwrap_or(0.0),
        (None, None) => 60.0,
    };
    // Sums of fractions of a second must not begin another minute.
    (seconds - 1e-6).max(0.0).ceil() as u64
}

/// Units of a size that have begun.
fn started(amount: u64, unit: u64) -> i64 {
    amount.div_ceil(unit).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rondo_composition::{Limits, Narration};
    use rondo_render::{Format, Scale, Wanted};
    use serde_json::{Value, json};

    fn price(film: &Composition, rate: u32) -> Quote {
        quote(film, &[Wanted::default().recipe(film).unwrap()], rate)
    }

    fn film(width: u32, height: u32, fps: u32, frames: u32, overlays: &Value) -> Composition {
        let json = json!({"width": width, "height": height, "fps": fps, "durationInFrames": frames, "overlays": overlays});
        Composition::read(&json, Limits::WIDEST).unwrap().composition
    }

    #[test]
    fn started_minutes_times_rate_times_size_are_charged_and_one_credit_at_least() {
        let credits = |w, h, frames, rate| price(&film(w, h, 30, frames, &json!([])), rate).credits;
        assert_eq!(credits(1920, 1080, 30, 1), 1);
        assert_eq!(credits(1920, 1080, 1800, 1), 1);
        assert_eq!(credits(1920, 1080, 1801, 1), 2);
        assert_eq!(credits(1080, 1920, 1800, 3), 3);
        assert_eq!(credits(2560, 1440, 1800, 1), 2);
        assert_eq!(credits(3840, 2160, 1800, 1), 4);
        assert_eq!(credits(3840, 2160, 900, 5), 10);
        assert_eq!(credits(640, 360, 1, 0), 1);
    }

    #[test]
    fn the_frame_rate_alone_changes_no_price() {
        assert_eq!(price(&film(1280, 720, 24, 24 * 90, &json!([])), 2).credits, 3);
        assert_eq!(price(&film(1280, 720, 60, 60 * 90, &json!([])), 2).credits, 3);
    }

    #[test]
    fn only_what_is_made_is_charged() {
        let film = film(1920, 1080, 30, 1800 * 3, &json!([]));
        let credits = |wanted: Wanted| quote(&film, &[wanted.recipe(&film).unwrap()], 1).credits;
        assert_eq!(credits(Wanted::default()), 3);
        assert_eq!(credits(Wanted { range: Some((0, 1799)), ..Wanted::default() }), 1);
        assert_eq!(credits(Wanted { format: Format::Png, frame: Some(5000), ..Wanted::default() }), 1);
        assert_eq!(credits(Wanted { scale: Scale::By(2.0), ..Wanted::default() }), 12);
        assert_eq!(credits(Wanted { scale: Scale::By(0.5), ..Wanted::default() }), 3);
        assert_eq!(credits(Wanted { format: Format::Mp3, ..Wanted::default() }), 3);
    }

    #[test]
    fn files_of_one_render_are_added_up_before_rounding_and_pictures_beside_them_are_free() {
        let credits = |frames: u32, files: &[Wanted]| {
            let film = film(1920, 1080, 30, frames, &json!([]));
            let recipes: Vec<Recipe> = files.iter().map(|file| file.recipe(&film).unwrap()).collect();
            quote(&film, &recipes, 1).credits
        };
        let main = Wanted::default();
        let gif = Wanted { format: Format::Gif, scale: Scale::By(0.5), ..Wanted::default() };
        let large = Wanted { scale: Scale::By(2.0), ..Wanted::default() };
        let picture = Wanted { format: Format::Png, ..Wanted::default() };
        let pictures = Wanted { range: Some((0, 0)), ..picture.clone() };
        assert_eq!(credits(900, &[main.clone(), gif.clone()]), 1);
        assert_eq!(credits(1800, &[main.clone(), gif]), 2);
        assert_eq!(credits(1800, &[main.clone(), picture.clone(), picture.clone()]), 1);
        assert_eq!(credits(1800, &[main.clone(), pictures]), 2);
        assert_eq!(credits(1800, &[main, large]), 5);
        assert_eq!(credits(1800, &[picture.clone(), picture]), 1);
    }

    #[test]
    fn transcribing_narration_of_the_same_request_is_free() {
        let place = json!({"id": 1, "from": 0, "durationInFrames": 2700, "row": 0, "left": 0, "top": 0,
            "width": 1, "height": 1, "type": "sound", "src": "", "isDynamic": true, "name": "voice"});
        let film = film(640, 360, 30, 2700, &json!([place]));
        let narration = AiReplacement {
            name: "voice".into(),
            value: AiValue::Narration(Narration { text: "a".repeat(1001), ..Narration::default() }),
        };
        let captions = AiReplacement {
            name: "words".into(),
            value: AiValue::Transcription(Transcription {
                source: Some("voice".into()),
                ..Transcription::default()
            }),
        };
        let both = [narration, captions.clone()];
        assert_eq!(ai_estimate(&film, &both, &["words".to_owned()]), Credits::from_whole(1));
        // Without the narration the overlay's 90 seconds are two started minutes.
        assert_eq!(ai_estimate(&film, &[captions], &[]), Credits::from_thousandths(500));
        let price = price(&film, 1);
        assert_eq!(
            (price.credits, with_ai(&price, Credits::from_thousandths(500))),
            (2, Credits::from_whole(3))
        );
    }
}
