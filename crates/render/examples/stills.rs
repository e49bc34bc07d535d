//! Measures single frames in a process that is warm: fonts loaded, another film painted before. Prints milliseconds from
//! opening a composition to its first frame, and of further frames (the median).

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

use rondo_composition::{Composition, Limits};
use rondo_render::{Film, FontSettings, Locate, load_fonts};
use serde_json::{Value, json};

/// Further frames, spread over the film.
const FURTHER: u32 = 7;

/// Media beside the composition.
struct Beside(PathBuf);

impl Locate for Beside {
    fn locate(&self, src: &str) -> Result<PathBuf, String> {
        Ok(self.0.join(src))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("name a composition")?;
    let (fonts, _) = load_fonts(&FontSettings::default());
    let beside = Beside(Path::new(&path).parent().ok_or("the composition has no folder")?.to_owned());
    let open = |value: &Value| -> Result<Film, Box<dyn Error>> {
        let composition = Composition::read(value, Limits::WIDEST)?.composition;
        Ok(Film::open(composition, &beside, fonts.clone()))
    };
    let text = json!({"id": 1, "type": "text", "from": 0, "durationInFrames": 1, "row": 0, "left": 0, "top": 0,
        "width": 900, "height": 200, "content": "Warm", "styles": {"fontFamily": "Inter"}});
    open(&json!({"durationInFrames": 1, "overlays": [text]}))?.still(0)?;

    let value: Value = serde_json::from_str(&std::fs::read_to_string(&path)?)?;
    let started = Instant::now();
    let mut film = open(&value)?;
    let last = film.composition().duration.saturating_sub(1);
    film.still(last / 4)?;
    let first = started.elapsed();
    let mut further = Vec::new();
    for i in 1..=FURTHER {
        let frame = (last / 4 + i * last / (2 * FURTHER)).min(last);
        let started = Instant::now();
        film.still(frame)?;
        further.push(started.elapsed().as_secs_f64() * 1e3);
    }
    further.sort_by(f64::total_cmp);
    let another = further[further.len() / 2];
    #[expect(clippy::print_stdout, reason = "the answer of a program")]
    {
        println!("{}", json!({"firstMs": first.as_secs_f64() * 1e3, "anotherMs": another}));
    }
    Ok(())
}
