//! Text elements.

use serde_json::{Value, json};

use super::element::{self, Kind};
use super::group::Group;
use super::motion::Span;
use super::shape::fill;
use super::units::{length, share, text};
use crate::color;
use crate::fields::{Content, Fields};
use crate::film::{Film, Overlay, tidy};
use crate::place::{text_align, vertical_align};

pub fn import(fields: &Fields<'_>, group: &Group, film: &Film) -> Overlay {
    let mut overlay = Overlay::new("text", fields.path.clone());
    place(fields, group, &mut overlay);
    overlay.content("content", content(fields));
    font(fields, group, film, &mut overlay);
    match fill(fields, group) {
        Some(paint) if paint.contains("gradient(") => {
            overlay.style("background", paint);
            overlay.style("WebkitBackgroundClip", "text");
            overlay.style("WebkitTextFillColor", "transparent");
        }
        paint => overlay.style("color", paint.unwrap_or_else(|| "#000000".into())),
    }
    if let Some((width, stroke)) = element::stroke(fields, group.rect) {
        overlay.style("WebkitTextStroke", format!("{}px {stroke}", tidy(width)));
        overlay.style("paintOrder", "stroke fill");
    }
    overlay.style_if("textShadow", element::shadow(fields, group.rect));
    background(fields, &mut overlay);
    let rect = overlay.rect;
    element::look(fields, rect, group, &mut overlay);
    overlay
}

/// The text without the marks of inline styles.
fn content(fields: &Fields<'_>) -> Content {
    if fields.peek("text").is_some_and(Value::is_array) {
        let text = text(fields, "text").unwrap_or_default();
        return Content { text, variable: None };
    }
    let mut content = fields.content("text").unwrap_or_default();
    let plain = without_marks(&content.text);
    if plain != content.text {
        fields
            .notes
            .approximated(fields.at("text"), "A text has one style. Styles of parts of it are left out.");
        content.text = plain;
    }
    content
}

/// `[color red]word[/color]` is `word`.
fn without_marks(text: &str) -> String {
    const MARKS: [&str; 7] = ["color", "size", "weight", "style", "font", "background", "decoration"];
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('[') {
        let inside = &rest[start + 1..];
        let end = inside.find(']').filter(|end| {
            let name = inside[..*end].trim_start_matches('/').split([' ', '=']).next().unwrap_or_default();
            MARKS.contains(&name)
        });
        out.push_str(&rest[..start]);
        match end {
            Some(end) => rest = &inside[end + 1..],
            None => {
                out.push('[');
                rest = inside;
            }
        }
    }
    out.push_str(rest);
    out
}

/// The box of a text. One without a size gets the room that its anchor leaves on the canvas.
pub fn place(fields: &Fields<'_>, group: &Group, overlay: &mut Overlay) {
    let parent = group.rect;
    let (ax, ay) = element::anchor(fields);
    let (x, y) = element::point(fields, parent);
    let mut rect = element::rect(fields, parent, Kind::Text);
    let room = |at: f64, low: f64, size: f64, anchor: f64| {
        let before = (at - low).max(1.0);
        let after = (low + size - at).max(1.0);
        match anchor {
            a if a < 0.25 => (at, after),
            a if a > 0.75 => (at - before, before),
            _ => (at - before.min(after), 2.0 * before.min(after)),
        }
    };
    let mut align =
        (share(fields, "x_alignment").unwrap_or(0.0), share(fields, "y_alignment").unwrap_or(0.0));
    if !fields.has("width") {
        (rect.left, rect.width) = room(x, parent.left, parent.width, ax);
        align.0 = ax;
    }
    if !fields.has("height") {
        (rect.top, rect.height) = room(y, parent.top, parent.height, ay);
        align.1 = ay;
    }
    overlay.rect = rect;
    overlay.style("textAlign", text_align(align.0));
    if vertical_align(align.1) != "middle" && overlay.kind == "text" {
        overlay.style("verticalAlign", vertical_align(align.1));
    }
    let pad = |key, whole| length(fields, key, element::base(parent, whole)).unwrap_or(0.0).max(0.0);
    let (px, py) = (pad("x_padding", parent.width), pad("y_padding", parent.height));
    overlay.style(
        "padding",
        if (px, py) == (0.0, 0.0) { "0px".to_owned() } else { format!("{}px {}px", tidy(py), tidy(px)) },
    );
}

/// Family, size and spacing.
pub fn font(fields: &Fields<'_>, group: &Group, film: &Film, overlay: &mut Overlay) {
    overlay.style("fontFamily", text(fields, "font_family").unwrap_or_else(|| "Inter".into()));
    overlay.style_if("fontWeight", text(fields, "font_weight"));
    overlay.style_if("fontStyle", text(fields, "font_style").filter(|style| style != "normal"));
    overlay.style_if("textTransform", text(fields, "text_transform").filter(|case| case != "none"));
    overlay.style_if("textDecoration", text(fields, "text_decoration").filter(|line| line != "none"));
    let base = element::base(group.rect, group.rect.height);
    let most = length(fields, "font_size_maximum", base).unwrap_or(film.vmin() * 100.0);
    fields.refuse(&["font_size_minimum"], "Text shrinks as far as its box needs.");
    let size = length(fields, "font_size", base);
    let size = match overlay.kind {
        "caption" => size.unwrap_or(film.vmin() * 6.0),
        _ => size.unwrap_or(most),
    };
    overlay.style("fontSize", format!("{}px", tidy(size)));
    let line_height = share(fields, "line_height").unwrap_or(1.15);
    match overlay.kind {
        "caption" => overlay.style("lineHeight", tidy(line_height)),
        _ => overlay.style("lineHeight", tidy(line_height).to_string()),
    }
    // 1000% is one em.
    let spacing = share(fields, "letter_spacing").filter(|spacing| *spacing != 0.0);
    overlay.style_if("letterSpacing", spacing.map(|spacing| format!("{}em", tidy(spacing / 10.0))));
    if fields.flag("text_wrap") == Some(false) {
        fields.notes.approximated(fields.at("text_wrap"), "Text wraps at the edge of its box.");
    }
    fields.skip(&["text_clip"]);
}

/// The box behind a text.
pub fn background(fields: &Fields<'_>, overlay: &mut Overlay) {
    let background = text(fields, "background_color").and_then(|text| color::css(&text));
    let [x, y] =
        ["background_x_padding", "background_y_padding"].map(|key| share(fields, key).unwrap_or(0.25));
    let radius = share(fields, "background_border_radius").unwrap_or(0.0);
    let Some(background) = background else {
        fields.skip(&["background_align_threshold"]);
        return;
    };
    fields.refuse(
        &["background_align_threshold"],
        "The background of a text is one box, not one for each line.",
    );
    overlay.style("backgroundColor", background);
    overlay.style("padding", format!("{}em {}em", tidy(y), tidy(x)));
    if radius > 0.0 {
        overlay.style("borderRadius", format!("{}em", tidy(radius)));
    }
}

/// Animations of words, lines and letters.
pub fn animate(animation: &Fields<'_>, name: &str, span: Span, overlay: &mut Overlay, group: &Group) {
    let seconds = (span.end - span.start).max(0.05);
    let split = match animation.text("split").as_deref() {
        Some("line") => "line",
        Some("letter") => "character",
        _ => "word",
    };
    animation.skip(&[
        "scope",
        "background_effect",
        "typing_start",
        "typing_duration",
        "y_anchor",
        "x_anchor",
    ]);
    animation.skip(&[
        "axis",
        "direction",
        "distance",
        "start_distance",
        "scale",
        "rotation",
        "start",
        "end",
        "easing",
    ]);
    if span.leaves {
        overlay.animation("exit", "fade");
        overlay.animation("exitDuration", seconds);
        let message = format!("The text fades out in place of `{name}`.");
        animation.notes.approximated(&*animation.path, message);
        return;
    }
    let fps = group.fps;
    let content = overlay.content_text().to_owned();
    let frames = seconds * fps;
    match name {
        "text-typewriter" => {
            let characters = content.chars().count().max(1) as f64;
            let speed = (frames / characters).max(0.1);
            overlay.style("typeWriter", json!({
                "enabled": true, "cursor": false, "typeSpeed": tidy(speed), "delay": tidy(span.start * fps),
            }));
        }
        "text-counter" => {
            let from = animation.number("start").unwrap_or(0.0);
            overlay.style(
                "counterMode",
                json!({
                    "enabled": true, "from": from, "duration": tidy(frames), "delay": tidy(span.start * fps),
                }),
            );
        }
        _ => {
            let units = match split {
                "line" => content.lines().count(),
                "character" => content.chars().count(),
                _ => content.split_whitespace().count() * 2,
            };
            let each = (frames / 2.0).round().max(1.0);
            let size = font_size(overlay).min(group.rect.height);
            let mut motion = json!({
                "enabled": true, "split": split, "splitStagger": tidy(each / units.max(1) as f64), "duration": each,
                "delay": tidy(span.start * fps), "opacity": [0, 1], "easing": "easeOutCubic",
            });
            match name {
                "text-slide" | "text-fly" | "text-wave" => motion["y"] = json!([tidy(size * 0.8), 0]),
                "text-scale" => motion["scale"] = json!([0, 1]),
                "text-spin" => motion["rotate"] = json!([-90, 0]),
                "text-reveal" => motion["x"] = json!([tidy(-size * 0.5), 0]),
                _ => {}
            }
            overlay.style("animatedText", motion);
            if name != "text-appear" {
                let message = format!("A composition has an entrance similar to `{name}`.");
                animation.notes.approximated(&*animation.path, message);
            }
        }
    }
}

fn font_size(overlay: &Overlay) -> f64 {
    let size = overlay.get_style("fontSize").and_then(Value::as_str).unwrap_or_default();
    size.trim_end_matches("px").parse().unwrap_or(40.0)
}

#[cfg(test)]
mod tests {
    use super::without_marks;

    #[test]
    fn marks_of_styles_are_removed_and_brackets_stay() {
        assert_eq!(without_marks("a [color #f00]red[/color] [size 120%]fox[/size] [1]"), "a red fox [1]");
        assert_eq!(without_marks("[open"), "[open");
    }
}
