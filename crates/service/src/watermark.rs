//! The mark on films that were rendered with a test key.

use rondo_composition::{Composition, Limits};
use serde_json::{Value, json};

/// Most pixels on the shorter side of a test render.
pub const SHORTER_SIDE: u32 = 720;

/// The film with a text across it, in front of everything. `None` if it has as many overlays as a film may have.
pub fn mark(composition: &Composition) -> Option<Composition> {
    let (width, height) = (f64::from(composition.width), f64::from(composition.height));
    let size = (width.min(height) * 0.22).round().max(8.0);
    let front = composition.overlays.iter().map(|overlay| overlay.base.row).fold(0.0, f64::min) - 1.0;
    let mut marked = composition.write();
    let overlays = marked.get_mut("overlays").and_then(Value::as_array_mut)?;
    let ids: Vec<f64> = overlays.iter().filter_map(|overlay| overlay["id"].as_f64()).collect();
    let id = (1..).find(|id: &u32| !ids.contains(&f64::from(*id)))?;
    overlays.push(json!({
        "id": id, "type": "text", "row": front, "from": 0, "durationInFrames": composition.duration,
        "left": 0, "top": (height - size * 1.5) / 2.0, "width": width, "height": size * 1.5,
        "rotation": if width > height { -18 } else { -40 },
        "content": "TEST",
        "styles": {
            "fontFamily": "Inter", "fontWeight": "800", "fontSize": format!("{size}px"), "lineHeight": "1.2",
            "color": "rgba(255, 255, 255, 0.6)", "textAlign": "center", "letterSpacing": "0.12em",
            "textShadow": "0 0 10px rgba(0, 0, 0, 0.6)",
        },
    }));
    Composition::read(&marked, Limits::WIDEST).ok().map(|read| read.composition)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_is_in_front_of_everything_for_the_whole_film() {
        let film = json!({"width": 640, "height": 360, "durationInFrames": 90, "overlays": [
            {"id": 7, "type": "shape", "content": "circle", "row": -3, "from": 0, "durationInFrames": 90,
                "left": 0, "top": 0, "width": 10, "height": 10},
        ]});
        let film = Composition::read(&film, Limits::default()).unwrap().composition;
        let marked = mark(&film).unwrap();
        assert_eq!(marked.overlays.len(), 2);
        let base = &marked.overlays[1].base;
        assert_eq!((base.row, base.from, base.duration), (-4.0, 0, 90));
        assert_eq!(base.id.to_string(), "1");
    }
}
