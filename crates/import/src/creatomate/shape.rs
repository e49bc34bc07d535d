//! Shape elements, and fills with gradients.

use serde_json::Value;

use super::element::{self, Kind};
use super::group::Group;
use super::units::{share, share_of, text};
use crate::color;
use crate::fields::Fields;
use crate::film::{Overlay, tidy};

/// Longest path in bytes.
const LONGEST_PATH: usize = 20_000;

pub fn import(fields: &Fields<'_>, kind: &str, group: &Group) -> Overlay {
    let mut overlay = Overlay::new("shape", fields.path.clone());
    overlay.rect = element::rect(fields, group.rect, Kind::Shape);
    let path = text(fields, "path").unwrap_or_default().replace('%', "");
    let content = match kind {
        "rectangle" => "rectangle",
        "ellipse" => "ellipse",
        _ if path.is_empty() || is_rectangle(&path) => "rectangle",
        _ if path.len() > LONGEST_PATH => {
            fields.notes.value_ignored(fields.at("path"), "The path is too long. A rectangle is used.");
            "rectangle"
        }
        _ => path.trim(),
    };
    overlay.field("content", content);
    let radius = element::radius(fields, "border_radius", group.rect);
    if content == "rectangle" {
        overlay.style_if("borderRadius", radius);
    }
    match fill(fields, group) {
        Some(paint) if paint.contains("gradient(") => overlay.style("gradient", paint),
        paint => overlay.style("fill", paint.unwrap_or_else(|| "transparent".into())),
    }
    if let Some((width, stroke)) = element::stroke(fields, group.rect) {
        overlay.style("stroke", stroke);
        overlay.style("strokeWidth", tidy(width));
    }
    overlay.style_if("boxShadow", element::shadow(fields, group.rect));
    let rect = overlay.rect;
    element::look(fields, rect, group, &mut overlay);
    overlay
}

/// Whether a path is the whole box: four corners joined by lines.
fn is_rectangle(path: &str) -> bool {
    let words: Vec<&str> = path.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let corners: Vec<(f64, f64)> = words
        .iter()
        .filter_map(|word| word.trim_start_matches(['M', 'L']).parse::<f64>().ok())
        .collect::<Vec<_>>()
        .chunks_exact(2)
        .map(|pair| (pair[0], pair[1]))
        .collect();
    let curved =
        path.contains(['C', 'c', 'Q', 'q', 'A', 'a', 'S', 's', 'H', 'h', 'V', 'v', 'm', 'l', 't', 'T']);
    let all = [(0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0)];
    !curved && corners.len() <= 5 && all.iter().all(|corner| corners.contains(corner))
}

/// The fill as a CSS colour or gradient.
pub fn fill(fields: &Fields<'_>, group: &Group) -> Option<String> {
    let mode = fields.text("fill_mode").unwrap_or_else(|| "solid".into());
    let at = |key, or| share(fields, key).unwrap_or(or);
    let (x0, y0) = (at("fill_x0", 0.5), at("fill_y0", 0.0));
    let (x1, y1) = (at("fill_x1", 0.5), at("fill_y1", 1.0));
    let radius = share(fields, "fill_radius").unwrap_or(0.5);
    let stops = match fields.peek("fill_color") {
        Some(Value::Array(stops)) if stops.iter().any(|stop| stop.get("offset").is_some()) => {
            fields.skip(&["fill_color"]);
            stops
                .iter()
                .take(32)
                .filter_map(|stop| {
                    let stop_color = stop.get("color").and_then(Value::as_str).and_then(color::css)?;
                    let offset = stop.get("offset").and_then(share_of).unwrap_or(0.0);
                    Some(format!("{stop_color} {}%", tidy(offset * 100.0)))
                })
                .collect::<Vec<_>>()
        }
        _ => {
            let solid = text(fields, "fill_color")?;
            let css = color::css(&solid);
            if css.is_none() {
                fields.notes.value_ignored(fields.at("fill_color"), "This must be a colour. It is ignored.");
            }
            return css;
        }
    };
    if stops.is_empty() {
        return None;
    }
    if mode == "radial" {
        let (x, y) = (tidy(x0 * 100.0), tidy(y0 * 100.0));
        return Some(format!(
            "radial-gradient({}% {}% at {x}% {y}%, {})",
            tidy(radius * 100.0),
            tidy(radius * 100.0),
            stops.join(", ")
        ));
    }
    // CSS angles turn clockwise from the top.
    let (dx, dy) = ((x1 - x0) * group.rect.width, (y1 - y0) * group.rect.height);
    let angle = libm::atan2(dx, -dy).to_degrees();
    Some(format!("linear-gradient({}deg, {})", tidy(angle), stops.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::is_rectangle;

    #[test]
    fn only_the_whole_box_is_a_rectangle() {
        assert!(is_rectangle("M 0 0 L 100 0 L 100 100 L 0 100 L 0 0 Z"));
        assert!(is_rectangle("M0,0 L100,0 L100,100 L0,100 Z"));
        assert!(!is_rectangle("M 0 0 L 100 0 L 100 100 Z"));
        assert!(!is_rectangle("M 50 0 C 77.6 0 100 22.4 100 50 L 0 100 Z"));
    }
}
