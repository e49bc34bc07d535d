//! What a film costs, and how long it may take.

use rondo_composition::{AiReplacement, AiValue, Composition, Narration, OverlayKind, Transcription};
use rondo_render::Recipe;
use rondo_store::Credits;

/// Credits a minute of a film that was not made from a template.
pub const PLAIN_RATE: u32 = 1;

/// Narration: thousandths of a credit for every started thousand characters.
const NARRATION_RATE: i64 = 500;
/// Transcription: thousandths of a credit for every started minute.
const TRANSCRIPTION_RATE: i64 = 250;

/// The price of a film, AI values aside.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quote {
    /// Whole credits.
    pub credits: i64,
    pub credits_per_minute: u32,
    pub resolution_multiplier: u32,
    pub duration_seconds: f64,
}

/// Minutes of what is made times rate times a factor for the size of its pictures, rounded up; one credit at least.
pub fn quote(composition: &Composition, recipe: &Recipe, credits_per_minute: u32) -> Quote {
    let resolution_multiplier = match recipe.pixels() {
        0..=2_073_600 => 1,
        2_073_601..=3_686_400 => 2,
        _ => 4,
    };
    // Whole numbers throughout: a film of exactly a minute must not round up to the next credit.
    let (frames, fps) = (recipe.frames.len() as u64, u64::from(composition.fps.max(1)));
    let charged = frames * u64::from(credits_per_minute) * resolution_multiplier;
    let credits = charged.div_ceil(60 * fps).max(1);
    Quote {
        credits: credits as i64,
        credits_per_minute,
        resolution_multiplier: resolution_multiplier as u32,
        duration_seconds: frames as f64 / fps as f64,
    }
}

/// Minutes a render is expected to take: about 40 frames of 1920 × 1080 a second.
pub fn expected_minutes(recipe: &Recipe) -> u64 {
    let pixels = recipe.pixels() * recipe.frames.len() as u64;
    pixels.div_ceil(1920 * 1080 * 40 * 60).max(1)
}

/// What the AI values of a request are expected to cost.
pub fn ai_estimate(composition: &Composition, ai: &[AiReplacement]) -> Credits {
    let charge = |ai_value: &AiReplacement| match &ai_value.value {
        AiValue::Narration(narration) => narration_charge(narration),
        AiValue::Transcription(transcription) => transcription_charge(composition, transcription, ai),
    };
    ai.iter().map(charge).sum()
}

fn narration_charge(narration: &Narration) -> Credits {
    let characters = narration.text.chars().count() as i64;
    Credits::from_thousandths(started(characters, 1000) * NARRATION_RATE)
}

/// Free where the source is narrated by the same request; otherwise by the length that will be heard, one minute where
/// nothing tells it.
fn transcription_charge(
    composition: &Composition,
    transcription: &Transcription,
    ai: &[AiReplacement],
) -> Credits {
    let narrated = transcription.source.as_ref().is_some_and(|source| {
        ai.iter().any(|other| other.name == *source && matches!(other.value, AiValue::Narration(_)))
    });
    if narrated {
        return Credits::ZERO;
    }
    let asked = transcription.end_time.map(|end| end - transcription.start_time.unwrap_or(0.0));
    let played = transcription.source.as_ref().and_then(|source| played_seconds(composition, source));
    let seconds = asked.or(played).unwrap_or(60.0).max(0.0).ceil() as i64;
    Credits::from_thousandths(started(seconds, 60) * TRANSCRIPTION_RATE)
}

/// Seconds of its source that the overlay of a name plays.
fn played_seconds(composition: &Composition, source: &str) -> Option<f64> {
    let overlay = composition.overlays.iter().find(|overlay| overlay.display_name() == source)?;
    let speed = match &overlay.kind {
        OverlayKind::Sound(sound) => sound.speed,
        OverlayKind::Video(video) => video.speed,
        _ => return None,
    };
    Some(f64::from(overlay.base.duration) / f64::from(composition.fps.max(1)) * speed)
}

/// Units of a size that have begun, at least one.
fn started(amount: i64, unit: i64) -> i64 {
    (amount + unit - 1).div_euclid(unit).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rondo_composition::Limits;
    use rondo_render::{Format, Scale, Wanted};
    use serde_json::{Value, json};

    fn price(film: &Composition, rate: u32) -> Quote {
        quote(film, &Wanted::default().recipe(film).unwrap(), rate)
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
        let credits = |wanted: Wanted| quote(&film, &wanted.recipe(&film).unwrap(), 1).credits;
        assert_eq!(credits(Wanted::default()), 3);
        assert_eq!(credits(Wanted { range: Some((0, 1799)), ..Wanted::default() }), 1);
        assert_eq!(credits(Wanted { format: Format::Png, frame: Some(5000), ..Wanted::default() }), 1);
        assert_eq!(credits(Wanted { scale: Scale::By(2.0), ..Wanted::default() }), 12);
        assert_eq!(credits(Wanted { scale: Scale::By(0.5), ..Wanted::default() }), 3);
        assert_eq!(credits(Wanted { format: Format::Mp3, ..Wanted::default() }), 3);
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
        assert_eq!(ai_estimate(&film, &[narration, captions.clone()]), Credits::from_whole(1));
        // Without the narration the overlay's 90 seconds are two started minutes.
        assert_eq!(ai_estimate(&film, &[captions]), Credits::from_thousandths(500));
    }
}
