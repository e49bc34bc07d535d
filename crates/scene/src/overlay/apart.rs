//! Glyphs of a blurred shadow in layers. A browser blurs each glyph alone, so the shadows of neighbours cover one another;
//! blurred together, they would add up and be darker between the glyphs.

use std::sync::Arc;

use rondo_text::GlyphRun;

use crate::display::Draw;

/// Most layers of a shadow, each of which is blurred once. Glyphs that share a layer are so far apart that little of their
/// shadows adds up.
const MOST_LAYERS: usize = 4;
/// Standard deviations beyond which a blurred glyph is hardly seen.
const SEEN: f64 = 2.0;

/// Draws to be blurred by `sigma`, in layers that are blurred one by one. What is no glyph stays together, at the bottom.
pub(super) fn apart(draws: Vec<Draw>, sigma: f64) -> Vec<Vec<Draw>> {
    let (glyphs, mut rest): (Vec<Draw>, Vec<Draw>) =
        draws.into_iter().partition(|draw| matches!(draw, Draw::Glyphs { .. }));
    let mut layers: Vec<(f64, Vec<Draw>)> = Vec::new();
    for draw in &glyphs {
        let Draw::Glyphs { run, origin, paint } = draw else { continue };
        let (size, mut parts) = (f64::from(run.size), vec![Vec::new(); MOST_LAYERS]);
        for (number, glyph) in run.glyphs.iter().enumerate() {
            let left = origin.x + f64::from(glyph.x);
            let right = run.glyphs.get(number + 1).map_or(left + size, |next| origin.x + f64::from(next.x));
            let (from, to) = (left - SEEN * sigma, right.max(left) + SEEN * sigma);
            let free = layers.iter().position(|(end, _)| *end <= from);
            let layer = free.unwrap_or_else(|| {
                if layers.len() < MOST_LAYERS {
                    layers.push((f64::MIN, Vec::new()));
                    return layers.len() - 1;
                }
                let ends = layers.iter().map(|(end, _)| *end).enumerate();
                ends.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(layer, _)| layer)
            });
            layers[layer].0 = layers[layer].0.max(to);
            parts[layer].push(*glyph);
        }
        for ((_, layer), glyphs) in layers.iter_mut().zip(parts).filter(|(_, glyphs)| !glyphs.is_empty()) {
            let run = Arc::new(GlyphRun { glyphs, ..(**run).clone() });
            layer.push(Draw::Glyphs { run, origin: *origin, paint: paint.clone() });
        }
    }
    if layers.len() <= 1 {
        rest.extend(glyphs);
        return vec![rest];
    }
    let bottom = (!rest.is_empty()).then_some(rest);
    bottom.into_iter().chain(layers.into_iter().map(|(_, draws)| draws)).collect()
}
