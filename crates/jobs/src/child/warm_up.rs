//! What every child would do again, done once before the first fork: unpacking the fonts of the binary, filling the tables of
//! the painter, of FFmpeg and of its encoder.

use std::path::PathBuf;
use std::sync::Arc;

use rondo_composition::Composition;
use rondo_media::{PictureCodec, PictureSettings, Quality, encoder_sample};
use rondo_render::{Film, Locate};
use rondo_text::Catalog;
use serde_json::{Value, json};

struct NoMedia;

impl Locate for NoMedia {
    fn locate(&self, _: &str) -> Result<PathBuf, String> {
        Err("there is none".to_owned())
    }
}

/// Paints a frame and encodes a picture. Starts no thread that outlives the call: the process is about to fork.
pub fn warm_up(fonts: &Arc<Catalog>) {
    if let Ok(read) = Composition::read(&sample(), rondo_composition::Limits::WIDEST) {
        // What cannot be painted here fails in the children, where it is reported.
        let _ = Film::open(read.composition, &NoMedia, fonts.clone()).still(20);
    }
    let _ = encoder_sample(&PictureSettings {
        width: 64,
        height: 64,
        fps: 30,
        quality: Quality::Standard,
        codec: PictureCodec::H264,
        alpha: false,
        repeat_frames: true,
    });
}

/// Texts in the faces that films use most, and a shape with a gradient and a shadow.
fn sample() -> Value {
    let overlay = |id: u32, own: Value| {
        let mut all = json!({"id": id, "from": 0, "durationInFrames": 60, "row": id, "left": 40 * id, "top": 30 * id,
            "width": 400, "height": 120});
        if let (Some(all), Value::Object(own)) = (all.as_object_mut(), own) {
            all.extend(own);
        }
        all
    };
    let faces = [400, 500, 600, 700, 800, 900].map(|weight| (weight, "normal"));
    let mut overlays: Vec<Value> = faces
        .into_iter()
        .chain([(400, "italic"), (700, "italic")])
        .zip(1..)
        .map(|((weight, style), id)| {
            overlay(id, json!({"type": "text", "content": "Rondo paints The Quick Brown Fox, 0123456789", "styles": {
                "fontFamily": "Inter", "fontWeight": weight.to_string(), "fontStyle": style, "fontSize": "36px",
                "color": "#fff", "textShadow": "0 2px 8px #0008", "animation": {"enter": "fade"}}}))
        })
        .collect();
    overlays.push(overlay(
        20,
        json!({"type": "text", "content": "let x = 1;",
        "styles": {"fontFamily": "Roboto Mono", "fontSize": "24px"}}),
    ));
    overlays.push(overlay(21, json!({"type": "shape", "content": "rectangle", "styles": {
        "gradient": "linear-gradient(90deg, #123, #89a)", "borderRadius": "12px", "boxShadow": "0 8px 24px #0006"}})));
    json!({"width": 1280, "height": 720, "fps": 30, "durationInFrames": 60, "backgroundColor": "#223",
        "overlays": overlays})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_is_painted_with_every_face_of_the_binary() {
        let (fonts, _) = rondo_render::load_fonts(&rondo_render::FontSettings::default());
        let read = Composition::read(&sample(), rondo_composition::Limits::WIDEST).expect("valid");
        assert!(read.remarks.unknown_fields.is_empty(), "{:?}", read.remarks.unknown_fields);
        let mut film = Film::open(read.composition, &NoMedia, fonts);
        assert!(film.notices().is_empty(), "{:?}", film.notices());
        film.still(20).expect("painted");
    }
}
