//! What the suite found, as a table and as a page.

use std::fmt::Write as _;
use std::path::Path;

use rondo_render::write_png;

use crate::case::Shown;
use crate::score::{Raster, Score};

/// Frames that are not as expected, then the sums.
pub fn table(shown: &[Shown]) -> String {
    let mut table = String::new();
    for shown in shown {
        if let Err(what) = shown.verdict() {
            let name = format!("{} frame {}", shown.name, shown.frame);
            let _ = writeln!(table, "{name:44} {}  {what}", scores(&shown.score));
        }
    }
    let _ = write!(table, "{}", summary(shown));
    table
}

fn scores(score: &Score) -> String {
    let Score { ssim, detail, bad, local } = score;
    format!("ssim {ssim:.4}  detail {detail:.3}  bad {:5.2} %  local {local:5.1}", bad * 100.0)
}

fn summary(shown: &[Shown]) -> String {
    let passing = shown.iter().filter(|shown| shown.score.passes(shown.class)).count();
    let known = shown.iter().filter(|shown| shown.known.is_some()).count();
    let mean = shown.iter().map(|shown| shown.score.ssim).sum::<f32>() / shown.len() as f32;
    format!("{passing} of {} pictures pass, {known} are known not to; mean SSIM {mean:.4}.", shown.len())
}

/// Writes `report.html` and the pictures it shows.
pub fn write(folder: &Path, shown: &[Shown]) {
    std::fs::create_dir_all(folder).unwrap();
    let mut page = String::from(HEAD);
    let _ =
        writeln!(page, "<p>{} Left: expected; middle: actual; right: difference × 4.</p>", summary(shown));
    for shown in shown {
        let Shown { name, frame, note, .. } = shown;
        let file = format!("{}-{frame}", name.replace('/', "-"));
        std::fs::copy(&shown.expected, folder.join(format!("{file}-expected.png"))).unwrap();
        save(&folder.join(format!("{file}-actual.png")), &shown.actual);
        save(&folder.join(format!("{file}-difference.png")), &shown.difference);
        let class = if shown.score.passes(shown.class) { "passes" } else { "fails" };
        let known = shown.known.as_ref().map(|why| format!(" Known: {}", escaped(why))).unwrap_or_default();
        let _ = writeln!(
            page,
            "<section class={class}><h2>{name} <small>frame {frame} · {}</small></h2><p>{}.{known}</p>",
            scores(&shown.score),
            escaped(note)
        );
        for kind in ["expected", "actual", "difference"] {
            let _ = writeln!(page, "<img loading=lazy src=\"{file}-{kind}.png\" alt=\"{kind}\">");
        }
        page.push_str("</section>\n");
    }
    std::fs::write(folder.join("report.html"), page).unwrap();
}

fn save(path: &Path, raster: &Raster) {
    let rgba: Vec<u8> = raster.rgb.chunks_exact(3).flat_map(|p| [p[0], p[1], p[2], 255]).collect();
    write_png(path, raster.width, raster.height, &rgba).unwrap();
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

const HEAD: &str = r#"<!doctype html>
<meta charset="utf-8">
<title>Fidelity</title>
<style>
  body { font: 14px system-ui, sans-serif; margin: 24px; background: #ddd; color: #222 }
  h2 { font-size: 16px; margin: 24px 0 4px } small { font-weight: normal; color: #555 } p { margin: 0 0 6px }
  .fails h2 { color: #b00020 } img { image-rendering: pixelated; max-width: 32%; vertical-align: top }
  img:hover { max-width: none }
</style>
<h1>Rondo beside Chromium, the worst first</h1>
"#;
